import type { Problem } from '../../../../shared/errors.ts';
import type { KeptText, SpeechSettings } from '../../../../shared/schemas/speech.ts';
import { createSerializer } from '../../../../shared/serializer.ts';
import { textLength, textParts } from '../../../../shared/text/text-parts.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { debounced, type Debounced } from '../../lib/debounced.ts';

/** Chromium's text field blocks the window for about 0.1 s at these sizes, and for far longer than in proportion above them. */
const maxFieldLength = 100_000;
const maxFieldLine = 20_000;

/** Whether a field with this text would block the window. */
export const isTooLargeForField = (text: string): boolean =>
  text.length > maxFieldLength || text.split('\n').some((line) => line.length > maxFieldLine);

type Command = 'load' | 'save' | 'open' | 'speak';

/**
 * The text to speak. Main keeps the draft, so that it survives the window: it is saved `delayMs` after the last change, and at most
 * `maxDelayMs` after the first. Main speaks its own copy.
 */
export class Speech {
  readonly #api: Api['speech'];
  readonly #saveSoon: Debounced;
  /** The draft that main has; null until it is loaded. */
  #saved: string | null = null;
  readonly #serialized = createSerializer();
  /** The text and settings that were submitted last; submitting the same again may cost again. */
  #submitted = $state.raw<{ readonly text: string; readonly request: string } | null>(null);

  text = $state('');
  /** The field shows only a part of the text. What the user types never makes it so. */
  isLarge = $state(false);
  isLoaded = $state(false);
  /** A text is being submitted. */
  isSubmitting = $state(false);
  #problem = $state.raw<{ readonly command: Command; readonly problem: Problem } | null>(null);
  /** Characters, as services count them. */
  readonly length: number = $derived(textLength(this.text));
  readonly isEmpty: boolean = $derived(this.text.trim() === '');

  get problem(): Problem | null {
    return this.#problem?.problem ?? null;
  }

  get isSaveFailed(): boolean {
    return this.#problem?.command === 'save';
  }

  dismissProblem(): void {
    this.#problem = null;
  }

  constructor(api: Api['speech'], { delayMs = 400, maxDelayMs = 600 } = {}) {
    this.#api = api;
    this.#saveSoon = debounced(() => void this.#run('save', () => this.#save()), { delayMs, maxDelayMs });
  }

  /** Loads the draft; until then nothing is saved over it. May be called again after a failure. */
  async load(): Promise<void> {
    if (this.isLoaded) return;
    await this.#run('load', async () => {
      const text = await this.#read('draft');
      // Another load may have ended first, and the user typed since.
      if (this.isLoaded) return;
      this.#saved = text;
      this.text = text;
      this.isLarge = isTooLargeForField(text);
      this.isLoaded = true;
    });
  }

  write(text: string, { isTyped = false } = {}): void {
    if (!this.isLoaded) return;
    this.text = text;
    if (!isTyped) this.isLarge = isTooLargeForField(text);
    this.#saveSoon.call();
  }

  /** Saves unsaved changes now. Returns the length of what is saved, in UTF-16 units; null if it is another text. */
  async flush(): Promise<number | null> {
    if (this.isLoaded) await this.#run('save', () => this.#save());
    return this.isSaveFailed ? null : (this.#saved?.length ?? 0);
  }

  /** The text of the file that was opened last; null if it cannot be read. */
  async readOpened(): Promise<string | null> {
    let text: string | null = null;
    await this.#run('open', async () => {
      text = await this.#read('opened');
    });
    return text;
  }

  /** Adds a job for the text. `again` is where passages begin that get another take. Ignored while one is being submitted. */
  async speak(settings: SpeechSettings, again: readonly number[] = []): Promise<void> {
    if (this.isSubmitting || this.isEmpty) return;
    this.isSubmitting = true;
    await this.#run('speak', async () => {
      await this.#save();
      const text = this.#saved ?? '';
      await this.#api.speak({ settings, length: text.length, again });
      this.#submitted = { text, request: JSON.stringify([settings, again]) };
    });
    this.isSubmitting = false;
  }

  /** Whether this text with these settings was submitted last, and the same passages again. */
  isSubmitted(settings: SpeechSettings, again: readonly number[] = []): boolean {
    const { text, request } = this.#submitted ?? {};
    return text === this.text && request === JSON.stringify([settings, again]);
  }

  async #read(which: KeptText): Promise<string> {
    const first = await this.#api.readText({ which, part: 0 });
    const pieces = [first.text];
    for (let part = 1; part < first.parts; part += 1) pieces.push((await this.#api.readText({ which, part })).text);
    return pieces.join('');
  }

  /** Saves the draft. Serialized, so that the parts of two texts are not mixed. */
  #save(): Promise<void> {
    this.#saveSoon.cancel();
    return this.#serialized(async () => {
      const { text } = this;
      if (text === this.#saved) return;
      const pieces = textParts(text);
      for (const [part, piece] of pieces.entries()) {
        await this.#api.saveDraft({ part, parts: pieces.length, text: piece });
      }
      this.#saved = text;
    });
  }

  async #run(command: Command, act: () => Promise<void>): Promise<void> {
    try {
      await act();
      // A successful save does not clear the problem of another command.
      if (command !== 'save' || this.#problem?.command === 'save') this.#problem = null;
    } catch (error) {
      this.#problem = { command, problem: toProblem(error) };
    }
  }
}
