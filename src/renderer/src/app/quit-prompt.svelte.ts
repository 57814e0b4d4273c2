import type { QuitRequest } from '../../../shared/schemas/app.ts';
import type { Api } from '../lib/api.ts';

/** A disk that does not answer must not keep the user. */
const keepWithinMs = 2000;

/**
 * Quitting. What the page still holds is sent first. With work open main asks (`asked`), and the person goes, waits for the answers that a service owes, or stays; main tells the
 * numbers again as they change.
 */
export class QuitPrompt {
  readonly #api: Pick<Api['app'], 'quit' | 'cancelQuit' | 'onQuitRequested'>;
  readonly #keep: () => Promise<void>;

  /** Null while nobody wants to quit. */
  asked = $state.raw<QuitRequest | null>(null);
  isWaiting = $state(false);

  /** `keep` sends main what it does not have yet. */
  constructor(api: Pick<Api['app'], 'quit' | 'cancelQuit' | 'onQuitRequested'>, keep: () => Promise<void>) {
    this.#api = api;
    this.#keep = keep;
  }

  subscribe(): () => void {
    return this.#api.onQuitRequested((leaving) => {
      if (leaving.open > 0 || this.asked) this.asked = leaving;
      // Nothing to ask about, or all came to its end while the question was open.
      if (leaving.open === 0 && !this.isWaiting) void this.leave('now');
      else void this.#keep();
    });
  }

  /** The question stays on screen until the window is gone. */
  async leave(when: 'now' | 'answered'): Promise<void> {
    this.isWaiting = when === 'answered';
    await Promise.race([this.#keep(), new Promise((resolve) => setTimeout(resolve, keepWithinMs))]);
    await this.#api.quit({ when });
  }

  async stay(): Promise<void> {
    const question = this.asked?.question;
    this.asked = null;
    this.isWaiting = false;
    if (question !== undefined) await this.#api.cancelQuit({ question });
  }
}
