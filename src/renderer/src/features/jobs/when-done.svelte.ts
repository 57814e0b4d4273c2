import type { Problem } from '../../../../shared/errors.ts';
import { type WhenDone, type WhenDoneAction, whenNothingIsDone } from '../../../../shared/schemas/app.ts';
import { type Api, toProblem } from '../../lib/api.ts';

type WhenDoneApi = Pick<Api['app'], 'whenDone' | 'chooseWhenDone' | 'postponeWhenDone' | 'onWhenDoneChanged'>;

/** What the user chose for the end of the current work, and its countdown. */
export class WhenDoneState {
  readonly #api: WhenDoneApi;
  readonly #hasOpenDialog: () => boolean;
  #state = $state.raw<WhenDone>(whenNothingIsDone);
  problem = $state.raw<Problem | null>(null);

  readonly action: WhenDoneAction = $derived(this.#state.action);
  /** What counts down, with the seconds that are left; null while nothing does. */
  readonly countdown: { readonly action: 'sleep' | 'shut-down'; readonly seconds: number } | null = $derived.by(() => {
    const { action, secondsLeft } = this.#state;
    return secondsLeft !== null && (action === 'sleep' || action === 'shut-down')
      ? { action, seconds: secondsLeft }
      : null;
  });

  constructor(api: WhenDoneApi, hasOpenDialog = () => document.querySelector('dialog:modal') !== null) {
    this.#api = api;
    this.#hasOpenDialog = hasOpenDialog;
  }

  subscribe(): () => void {
    return this.#api.onWhenDoneChanged((state) => this.#show(state));
  }

  async load(): Promise<void> {
    this.#show(await this.#api.whenDone());
  }

  /** `nothing` also cancels a countdown. */
  async choose(action: WhenDoneAction): Promise<void> {
    this.problem = null;
    try {
      await this.#api.chooseWhenDone({ action });
    } catch (error) {
      this.problem = toProblem(error);
    }
  }

  #show(state: WhenDone): void {
    if (state.problem) this.problem = state.problem;
    const begins = this.countdown === null && state.secondsLeft !== null;
    // The user is asked something else: nothing may happen behind it.
    if (begins && this.#hasOpenDialog()) void this.#api.postponeWhenDone();
    else this.#state = state;
  }
}
