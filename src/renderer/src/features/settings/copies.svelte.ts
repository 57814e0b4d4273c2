import type { CopyStatus } from '../../../../shared/schemas/copies.ts';
import type { CopySettings } from '../../../../shared/schemas/settings.ts';
import { ActionState, createReload } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** Timbre's own copies of results: how many there are, and what the user does with them. */
export class CopiesState extends ActionState {
  readonly #api: Api['copies'];
  /** The last known state stays if it fails; the form shows why it is not current. */
  readonly load = createReload(async () => {
    this.status = (await this.attempt(() => this.#api.status())) ?? this.status;
  });

  /** Null until it was loaded. */
  status = $state.raw<CopyStatus | null>(null);

  constructor(api: Api['copies']) {
    super();
    this.#api = api;
  }

  /** Call it while the form is open. */
  subscribe(): () => void {
    return this.#api.onChanged(() => void this.load());
  }

  async update(change: Omit<CopySettings, 'since'>): Promise<void> {
    await this.attempt(() => this.#api.update(change));
  }

  /** Returns whether it has begun. */
  async copyExisting(): Promise<boolean> {
    return (await this.attempt(() => this.#api.copyExisting().then(() => true))) ?? false;
  }

  async removeAll(): Promise<void> {
    await this.attempt(() => this.#api.removeAll());
    await this.load();
  }

  async reveal(): Promise<void> {
    await this.attempt(() => this.#api.reveal());
  }
}
