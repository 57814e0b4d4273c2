import type { CloseRequest } from '../../../shared/schemas/app.ts';
import type { CloseAction } from '../../../shared/schemas/settings.ts';
import type { Api } from '../lib/api.ts';

type Answer = Exclude<CloseAction, 'ask'>;

interface Dependencies {
  /** Saves what closing the window does from now on. */
  save(action: Answer): Promise<void>;
  /** The user has decided to quit: open jobs alone are no reason to ask again. */
  expectQuit(): void;
}

/** Asks once what closing the window does while Timbre has something to do. */
export class ClosePrompt {
  readonly #api: Pick<Api['app'], 'close' | 'onCloseRequested'>;
  readonly #dependencies: Dependencies;

  /** Null while the user is not closing the window. */
  request = $state.raw<CloseRequest | null>(null);

  constructor(api: Pick<Api['app'], 'close' | 'onCloseRequested'>, dependencies: Dependencies) {
    this.#api = api;
    this.#dependencies = dependencies;
  }

  subscribe(): () => void {
    return this.#api.onCloseRequested((request) => (this.request = request));
  }

  async answer(action: Answer): Promise<void> {
    this.request = null;
    await this.#dependencies.save(action);
    if (action === 'quit') this.#dependencies.expectQuit();
    await this.#api.close({ action });
  }

  cancel(): void {
    this.request = null;
  }
}
