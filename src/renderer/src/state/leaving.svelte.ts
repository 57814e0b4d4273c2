import type { Leaving } from '../../../shared/wire/app.ts';
import type { Api } from '../api.ts';

/**
 * Quitting with work open. Main asks (`asked`), the person goes, waits for the answers that a service owes, or stays; main tells the
 * numbers again as they change.
 */
export class LeavingState {
  readonly #api: Pick<Api['app'], 'leave' | 'stay' | 'onLeaving'>;

  /** Null while nobody wants to quit. */
  asked = $state.raw<Leaving | null>(null);
  isWaiting = $state(false);

  constructor(api: Pick<Api['app'], 'leave' | 'stay' | 'onLeaving'>) {
    this.#api = api;
  }

  subscribe(): () => void {
    return this.#api.onLeaving((leaving) => {
      this.asked = leaving;
      // While the question stood, all came to its end: what was wished is quitting.
      if (leaving.open === 0 && !this.isWaiting) void this.leave('now');
    });
  }

  /** The question stays on screen until the window is gone. */
  async leave(when: 'now' | 'answered'): Promise<void> {
    this.isWaiting = when === 'answered';
    await this.#api.leave({ when });
  }

  async stay(): Promise<void> {
    const question = this.asked?.question;
    this.asked = null;
    this.isWaiting = false;
    if (question !== undefined) await this.#api.stay({ question });
  }
}
