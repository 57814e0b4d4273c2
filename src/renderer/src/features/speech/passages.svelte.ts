import type { Problem } from '../../../../shared/errors.ts';
import type { PassageState, SpeechOutline, SpeechSettings } from '../../../../shared/schemas/speech.ts';
import { withoutMarks } from '../../../../shared/text/passage-marks.ts';
import { textLength } from '../../../../shared/text/text-parts.ts';
import { createLatest } from '../../lib/action.svelte.ts';
import { type Api, toProblem } from '../../lib/api.ts';
import { debounced, type Debounced } from '../../lib/debounced.ts';
import type { PassageEdits } from './passage-edits.ts';
import type { Speech } from './speech.svelte.ts';

/** The words of a passage on one line, without marks. */
export const wordsOf = (text: string, { start, end }: PassageState): string =>
  withoutMarks(text.slice(start, end)).replace(/\s+/g, ' ').trim();

/** Pages that are loaded again while a job speaks: it goes through them in order. */
const openPages = 2;

/** How the draft is divided into passages, and which of them are spoken. */
export class Passages {
  readonly #api: Pick<Api['speech'], 'outline' | 'listPassages' | 'chooseTake'>;
  readonly #speech: Pick<Speech, 'text' | 'flush' | 'isLoaded'>;
  readonly #isSpeaking: () => boolean;
  readonly #refreshSoon: Debounced;
  readonly #begin = createLatest();
  #settings: SpeechSettings | undefined;
  #isListed = false;
  /** What the list was loaded for, and the first numbers of its pages. */
  #listed: { readonly text: string; readonly settings: string; readonly pages: readonly number[] } | undefined;

  /** Null until it is known. */
  outline = $state.raw<SpeechOutline | null>(null);
  /** Empty until they are asked for. */
  list = $state.raw<readonly PassageState[]>([]);
  /** The text that the list is of: while the user writes, it is the one before. */
  text = $state.raw('');
  problem = $state.raw<Problem | null>(null);
  /** Ends the change of a passage's words that is under way, and keeps them; null if there is none. */
  finishEdit: (() => Promise<void>) | null = null;
  /** Changes of the text that can be undone, also after the view was left; null before it is opened. */
  edits: PassageEdits | null = null;
  /** How many times they were read. */
  loads = $state(0);
  /** True if a job spoke when they were read last: passages that were not spoken then may be now. */
  isGrowing = $state(false);

  /** Takes that are to be replaced: the next time, their passages are spoken again. */
  #unwanted = $state.raw<readonly string[]>([]);
  /** Passages that are spoken, and are to be spoken again. */
  readonly retakes: readonly PassageState[] = $derived(this.list.filter((passage) => this.isUnwanted(passage)));
  /** Calls for these, of which one serves all that say the same, and their characters, as services count them. */
  readonly retakeCalls: { readonly calls: number; readonly characters: number } = $derived.by(() => {
    const different = this.retakes.filter(({ media }, k, all) => k === all.findIndex((each) => each.media === media));
    const characters = different.reduce((sum, passage) => sum + textLength(wordsOf(this.text, passage)), 0);
    return { calls: different.length, characters };
  });

  constructor(
    api: Pick<Api['speech'], 'outline' | 'listPassages' | 'chooseTake'>,
    speech: Pick<Speech, 'text' | 'flush' | 'isLoaded'>,
    isSpeaking: () => boolean,
    { delayMs = 250, maxDelayMs = 1000 } = {},
  ) {
    this.#api = api;
    this.#speech = speech;
    this.#isSpeaking = isSpeaking;
    this.#refreshSoon = debounced(() => void this.refresh(), { delayMs, maxDelayMs });
  }

  /** Reads them again in a moment: after the text or the settings changed, or a passage was spoken. */
  follow(settings: SpeechSettings | undefined, { isListed }: { readonly isListed: boolean }): void {
    const isShownNow = isListed && !this.#isListed;
    this.#settings = settings;
    this.#isListed = isListed;
    if (isShownNow) void this.refresh();
    else this.#refreshSoon.call();
  }

  async refresh(): Promise<void> {
    const settings = this.#settings;
    if (!settings || !this.#speech.isLoaded) return;
    const isLatest = this.#begin();
    const isGrowing = this.#isSpeaking();
    try {
      if ((await this.#speech.flush()) === null) return;
      const { text } = this.#speech;
      const outline = await this.#api.outline({ settings });
      if (!isLatest()) return;
      this.outline = outline;
      if (this.#isListed) await this.#loadList(text, settings, isLatest);
      if (!isLatest()) return;
      this.problem = null;
      this.isGrowing = isGrowing;
      this.loads += 1;
    } catch (error) {
      if (isLatest()) this.problem = toProblem(error);
    }
  }

  isUnwanted({ media }: PassageState): boolean {
    return media !== null && this.#unwanted.includes(media);
  }

  /** Marks a spoken passage to be spoken again, or no longer. */
  toggleRetake({ media }: PassageState): void {
    if (media === null) return;
    const others = this.#unwanted.filter((each) => each !== media);
    this.#unwanted = others.length < this.#unwanted.length ? others : [...others, media];
  }

  /** Makes another take the one that is heard. */
  async choose(media: string): Promise<void> {
    try {
      await this.#api.chooseTake({ media });
      this.#listed = undefined;
    } catch (error) {
      this.problem = toProblem(error);
      return;
    }
    await this.refresh();
  }

  async #loadList(text: string, settings: SpeechSettings, isLatest: () => boolean): Promise<void> {
    const key = JSON.stringify(settings);
    const known = this.#listed?.text === text && this.#listed.settings === key ? this.#listed.pages : undefined;
    const isOpen = (from: number, k: number, pages: readonly number[]) =>
      this.list.slice(from, pages[k + 1]).some((passage) => passage.media === null || this.isUnwanted(passage));
    if (known) {
      for (const from of known.filter(isOpen).slice(0, openPages)) {
        const { passages } = await this.#api.listPassages({ settings, from });
        if (!isLatest()) return;
        this.list = this.list.toSpliced(from, passages.length, ...passages);
      }
      this.#forgetReplaced();
      return;
    }
    const list: PassageState[] = [];
    const pages: number[] = [];
    for (let from: number | null = 0; from !== null;) {
      pages.push(from);
      const page = await this.#api.listPassages({ settings, from });
      if (!isLatest()) return;
      list.push(...page.passages);
      from = page.next;
    }
    this.#listed = { text, settings: key, pages };
    this.list = list;
    this.text = text;
    this.#forgetReplaced();
  }

  #forgetReplaced(): void {
    this.#unwanted = this.#unwanted.filter((unwanted) => this.list.some(({ media }) => media === unwanted));
  }

  /** Number of the passage at a place of the text; the last one after all. */
  indexAt(offset: number): number {
    const index = this.list.findIndex(({ end }) => end > offset);
    return index < 0 ? this.list.length - 1 : index;
  }
}
