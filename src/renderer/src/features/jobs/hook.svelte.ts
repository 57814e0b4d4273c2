import type { Problem } from '../../../../shared/errors.ts';
import type { HookRun, HookSettings, HookStatus } from '../../../../shared/schemas/hook.ts';
import { ActionState, createReload } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** The program that runs after each result: what it was started for last, and the results that it failed for. */
export class HookState extends ActionState {
  readonly #api: Api['hook'];
  readonly load = createReload(async () => {
    this.status = (await this.attempt(() => this.#api.status())) ?? this.status;
  });

  /** Null until it was loaded. */
  status = $state.raw<HookStatus | null>(null);
  isTesting = $state(false);

  constructor(api: Api['hook']) {
    super();
    this.#api = api;
  }

  subscribe(): () => void {
    return this.#api.onChanged(() => void this.load());
  }

  /** Why the program failed for the result of this job. */
  problemOf(id: string): Problem | null {
    return this.status?.failures.find((failure) => failure.id === id)?.problem ?? null;
  }

  /** Undefined if it failed; false if the user cancelled. */
  chooseProgram(): Promise<boolean | undefined> {
    return this.attempt(() => this.#api.chooseProgram());
  }

  /** False if the user did not confirm new arguments. */
  async update({ isOn, args, timeoutSeconds }: HookSettings): Promise<boolean> {
    return (await this.attempt(() => this.#api.update({ isOn, args: [...args], timeoutSeconds }))) ?? false;
  }

  async test(): Promise<void> {
    this.isTesting = true;
    const run: HookRun | undefined = await this.attempt(() => this.#api.test());
    this.isTesting = false;
    if (run && this.status) this.status = { ...this.status, last: run };
  }

  async repeatFailed(): Promise<void> {
    await this.attempt(() => this.#api.repeatFailed());
  }
}
