import type { QuitRequest } from '../../../shared/schemas/app.ts';
import type { AddFiles } from '../features/convert/add-files.svelte.ts';
import type { Api } from '../lib/api.ts';

/**
 * Quits after sending main every delayed change. While work is open or recordings are being added, the user chooses to quit, to wait
 * for responses that a service still owes, or to cancel; main sends the request again whenever its numbers change.
 */
export class QuitPrompt {
  readonly #api: Pick<Api['app'], 'quit' | 'cancelQuit' | 'onQuitRequested'>;
  readonly #adding: Pick<AddFiles, 'pending' | 'whenAdded'>;
  readonly #flush: () => Promise<void>;

  /** Null while the user is not quitting. */
  request = $state.raw<QuitRequest | null>(null);
  isWaiting = $state(false);
  #isExpected = false;

  /** `adding` has what this page adds, also what main does not know yet. `flush` sends main every change that it does not have yet. */
  constructor(
    api: Pick<Api['app'], 'quit' | 'cancelQuit' | 'onQuitRequested'>,
    adding: Pick<AddFiles, 'pending' | 'whenAdded'>,
    flush: () => Promise<void>,
  ) {
    this.#api = api;
    this.#adding = adding;
    this.#flush = flush;
  }

  /** How many items are still being added. */
  get adding(): number {
    return Math.max(this.#adding.pending, this.request?.adding ?? 0);
  }

  subscribe(): () => void {
    return this.#api.onQuitRequested((request) => {
      const { pending } = this.#adding;
      const adding = Math.max(pending, request.adding);
      const isWorkOpen = request.open + adding > 0;
      const isDecided = this.#isExpected && request.atService + adding === 0;
      this.#isExpected = false;
      if (!isDecided && (isWorkOpen || this.request)) this.request = request;
      // No work is open, or all of it ended while the dialog was open.
      if (isDecided || (!isWorkOpen && !this.isWaiting)) void this.quit('now');
      else void this.#flush();
      // What was being added may all have been refused.
      if (pending > 0)
        void this.#adding
          .whenAdded()
          .then(() => void (this.request?.open === 0 && this.adding === 0 && this.quit('now')));
    });
  }

  /** The user has decided to quit: the next request asks only if a service owes a response. */
  expect(): void {
    this.#isExpected = true;
  }

  /** The dialog stays open until the window closes. */
  async quit(when: 'now' | 'answered'): Promise<void> {
    this.isWaiting = when === 'answered';
    await this.#flush();
    await this.#api.quit({ when });
  }

  async cancel(): Promise<void> {
    const question = this.request?.question;
    this.request = null;
    this.isWaiting = false;
    if (question !== undefined) await this.#api.cancelQuit({ question });
  }
}
