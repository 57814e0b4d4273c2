import type { Problem } from '../../../../shared/errors.ts';
import type { ConversionSettings, Settings } from '../../../../shared/schemas/settings.ts';
import type { SpeechSettings } from '../../../../shared/schemas/speech.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { debounced, type Debounced } from '../../lib/debounced.ts';

/**
 * What the person chose. A change shows at once and is sent when no other followed for `delayMs`, after `maxDelayMs` at the latest; what
 * main answers or announces is the truth, under the changes that are still to be sent.
 */
export class SettingsState {
  readonly #api: Api['settings'];
  readonly #sendSoon: Debounced;
  #known = $state.raw<Settings | null>(null);
  #unsent = $state.raw<Partial<Settings>>({});

  /** Why the last change was not kept; null once one was. */
  problem = $state.raw<Problem | null>(null);
  readonly value: Settings | null = $derived(this.#known && { ...this.#known, ...this.#unsent });

  constructor(api: Api['settings'], { delayMs = 250, maxDelayMs = 900 } = {}) {
    this.#api = api;
    this.#sendSoon = debounced(() => void this.flush(), { delayMs, maxDelayMs });
  }

  subscribe(): () => void {
    return this.#api.onChanged((settings) => (this.#known = settings));
  }

  async load(): Promise<void> {
    this.#known = await this.#api.get();
  }

  update(change: Partial<Settings>): void {
    this.#unsent = { ...this.#unsent, ...change };
    this.#sendSoon.call();
  }

  updateConversion(change: Partial<ConversionSettings>): void {
    if (this.value) this.update({ conversion: { ...this.value.conversion, ...change } });
  }

  updateSpeech(change: Partial<SpeechSettings>): void {
    if (this.value) this.update({ speech: { ...this.value.speech, ...change } });
  }

  /** Sends what is waiting to be sent. */
  async flush(): Promise<void> {
    this.#sendSoon.cancel();
    const change = this.#unsent;
    if (Object.keys(change).length === 0) return;
    try {
      this.#known = await this.#api.update($state.snapshot(change));
      this.problem = null;
    } catch (error) {
      this.problem = toProblem(error);
      // A disk that cannot be written now is tried again with the next change, and before the window is gone.
      if (this.problem.code === 'data/not-writable') return;
    }
    // What was changed again while the call ran stays on top and has its own timer.
    const left = Object.entries(this.#unsent).filter(([key, value]) => change[key as keyof Settings] !== value);
    this.#unsent = Object.fromEntries(left);
  }
}
