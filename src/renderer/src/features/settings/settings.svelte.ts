import type { Problem } from '../../../../shared/errors.ts';
import type { ConversionSettings, Settings } from '../../../../shared/schemas/settings.ts';
import type { SpeechSettings } from '../../../../shared/schemas/speech.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { debounced, type Debounced } from '../../lib/debounced.ts';

/**
 * The user's settings. A change shows at once and is sent when there was no other for `delayMs`, or after `maxDelayMs` at the latest.
 * Unsent changes are shown on top of what main returns or announces.
 */
export class SettingsState {
  readonly #api: Api['settings'];
  readonly #debouncedFlush: Debounced;
  #saved = $state.raw<Settings | null>(null);
  #unsent = $state.raw<Partial<Settings>>({});

  /** Why the last change was not saved; null after the next one was. */
  problem = $state.raw<Problem | null>(null);
  readonly value: Settings | null = $derived(this.#saved && { ...this.#saved, ...this.#unsent });

  constructor(api: Api['settings'], { delayMs = 250, maxDelayMs = 900 } = {}) {
    this.#api = api;
    this.#debouncedFlush = debounced(() => void this.flush(), { delayMs, maxDelayMs });
  }

  subscribe(): () => void {
    return this.#api.onChanged((settings) => (this.#saved = settings));
  }

  async load(): Promise<void> {
    this.#saved = await this.#api.get();
  }

  update(change: Partial<Settings>): void {
    this.#unsent = { ...this.#unsent, ...change };
    this.#debouncedFlush.call();
  }

  updateConversion(change: Partial<ConversionSettings>): void {
    if (this.value) this.update({ conversion: { ...this.value.conversion, ...change } });
  }

  updateSpeech(change: Partial<SpeechSettings>): void {
    if (this.value) this.update({ speech: { ...this.value.speech, ...change } });
  }

  /** Takes effect at once: the user expects that no call follows. */
  setOfflineMode(isOfflineMode: boolean): void {
    this.update({ isOfflineMode });
    void this.flush();
  }

  /** Sends unsent changes. */
  async flush(): Promise<void> {
    this.#debouncedFlush.cancel();
    const change = this.#unsent;
    if (Object.keys(change).length === 0) return;
    try {
      this.#saved = await this.#api.update($state.snapshot(change));
      this.problem = null;
    } catch (error) {
      this.problem = toProblem(error);
      // If the disk is not writable, the change is sent again with the next one, and before the window closes.
      if (this.problem.code === 'data/not-writable') return;
    }
    // Values that changed again during the request stay unsent and have a timer of their own.
    const unsent = Object.entries(this.#unsent).filter(([key, value]) => change[key as keyof Settings] !== value);
    this.#unsent = Object.fromEntries(unsent);
  }
}
