import type { Problem } from '../../../../shared/errors.ts';
import { type KeptText, type SpeechSettings, textLength, textParts } from '../../../../shared/schemas/speech.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { debounced, type Debounced } from '../../lib/debounced.ts';

type Wish = 'load' | 'keep' | 'open' | 'speak';

/**
 * The text that is to be spoken. What is written is kept by main when no other change followed for `delayMs`, and after `maxDelayMs` at
 * the latest, whatever ends the window; and it is main's copy that is spoken.
 */
export class Speech {
  readonly #api: Api['speech'];
  readonly #keepSoon: Debounced;
  /** What main has; null while nobody has asked it. */
  #kept: string | null = null;
  #keeping: Promise<void> = Promise.resolve();
  /** Text and settings that were handed over last: the same again is a wish of its own, and may be paid. */
  #handedOver = $state.raw<string | null>(null);

  text = $state('');
  isLoaded = $state(false);
  /** A text is being handed over. */
  isBusy = $state(false);
  #problem = $state.raw<{ readonly wish: Wish; readonly problem: Problem } | null>(null);
  /** Characters, as services count them. */
  readonly length: number = $derived(textLength(this.text));
  readonly isEmpty: boolean = $derived(this.text.trim() === '');

  get problem(): Problem | null {
    return this.#problem?.problem ?? null;
  }

  dismissProblem(): void {
    this.#problem = null;
  }

  constructor(api: Api['speech'], { delayMs = 400, maxDelayMs = 900 } = {}) {
    this.#api = api;
    this.#keepSoon = debounced(() => void this.#wish('keep', () => this.#keep()), { delayMs, maxDelayMs });
  }

  /** Reads what was written last time; until it is here nothing is written over it. Asked again after it failed. */
  async load(): Promise<void> {
    if (this.isLoaded) return;
    await this.#wish('load', async () => {
      const text = await this.#read('draft');
      this.#kept = text;
      this.text = text;
      this.isLoaded = true;
    });
  }

  write(text: string): void {
    if (!this.isLoaded) return;
    this.text = text;
    this.#keepSoon.call();
  }

  /** Sends what is waiting to be kept. */
  async flush(): Promise<void> {
    if (this.isLoaded) await this.#wish('keep', () => this.#keep());
  }

  /** The text of a file that the person chooses; null where they thought better of it. */
  async open(): Promise<string | null> {
    let text: string | null = null;
    await this.#wish('open', async () => {
      if (await this.#api.openFile()) text = await this.#read('opened');
    });
    return text;
  }

  /** Makes a job of the text. Pressed twice before it is one, it becomes one all the same. */
  async speak(settings: SpeechSettings): Promise<void> {
    if (this.isBusy || this.isEmpty) return;
    this.isBusy = true;
    await this.#wish('speak', async () => {
      await this.#keep();
      const text = this.#kept ?? '';
      await this.#api.speak({ settings, length: text.length });
      this.#handedOver = keyOf(text, settings);
    });
    this.isBusy = false;
  }

  /** Whether just this was handed over last. */
  isHandedOver(settings: SpeechSettings): boolean {
    return this.#handedOver !== null && this.#handedOver === keyOf(this.text, settings);
  }

  async #read(which: KeptText): Promise<string> {
    const first = await this.#api.readText({ which, part: 0 });
    const pieces = [first.text];
    for (let part = 1; part < first.parts; part += 1) pieces.push((await this.#api.readText({ which, part })).text);
    return pieces.join('');
  }

  /** Brings main up to date. One at a time: parts of two texts must not meet. */
  #keep(): Promise<void> {
    this.#keepSoon.cancel();
    this.#keeping = this.#keeping
      .catch(() => undefined)
      .then(async () => {
        const { text } = this;
        if (text === this.#kept) return;
        const pieces = textParts(text);
        for (const [part, piece] of pieces.entries()) {
          await this.#api.saveDraft({ part, parts: pieces.length, text: piece });
        }
        this.#kept = text;
      });
    return this.#keeping;
  }

  async #wish(wish: Wish, act: () => Promise<void>): Promise<void> {
    try {
      await act();
      // What is kept meanwhile says nothing about what the person asked for.
      if (wish !== 'keep' || this.#problem?.wish === 'keep') this.#problem = null;
    } catch (error) {
      this.#problem = { wish, problem: toProblem(error) };
    }
  }
}

const keyOf = (text: string, settings: SpeechSettings): string => JSON.stringify([text, settings]);
