import type { TakeUsage } from '../../../../shared/schemas/speech.ts';
import { ActionState, createReload } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** The sounds of sentences that Timbre keeps. */
export class TakesState extends ActionState {
  readonly #api: Pick<Api['speech'], 'takeUsage' | 'removeTakes'>;
  readonly #load = createReload(async () => {
    this.usage = (await this.attempt(() => this.#api.takeUsage())) ?? this.usage;
  });

  /** Null until it was loaded. */
  usage = $state.raw<TakeUsage | null>(null);
  /** True if none was removed, because a text is being spoken. */
  isInUse = $state(false);

  constructor(api: Pick<Api['speech'], 'takeUsage' | 'removeTakes'>) {
    super();
    this.#api = api;
  }

  async load(): Promise<void> {
    this.isInUse = false;
    await this.#load();
  }

  async removeAll(): Promise<void> {
    this.isInUse = (await this.attempt(() => this.#api.removeTakes())) === false;
    if (!this.problem) await this.#load();
  }
}
