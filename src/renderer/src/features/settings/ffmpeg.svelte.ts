import type { FfmpegStatus } from '../../../../shared/schemas/app.ts';
import { ActionState } from '../../lib/action.svelte.ts';
import type { Api } from '../../lib/api.ts';

/** The ffmpeg that Timbre uses, and the user's choice of another. */
export class FfmpegState extends ActionState {
  readonly #api: Api['ffmpeg'];
  readonly #onFound: () => void;

  /** Null until it was loaded. */
  status = $state.raw<FfmpegStatus | null>(null);

  /** `onFound` is called when another ffmpeg is there. */
  constructor(api: Api['ffmpeg'], onFound: () => void) {
    super();
    this.#api = api;
    this.#onFound = onFound;
  }

  async #take(action: () => Promise<FfmpegStatus | null>): Promise<void> {
    const before = this.status?.path;
    this.status = (await this.attempt(action)) ?? this.status;
    const { path = null } = this.status ?? {};
    if (path !== null && path !== before) this.#onFound();
  }

  load(): Promise<void> {
    return this.#take(() => this.#api.status());
  }

  choose(): Promise<void> {
    return this.#take(() => this.#api.choose());
  }

  reset(): Promise<void> {
    return this.#take(() => this.#api.reset());
  }
}
