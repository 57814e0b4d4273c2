import { basename, extname } from 'node:path';
import { AppError, type Problem } from '../../../shared/errors.ts';
import {
  maxTitleLength,
  type SpeechJobSettings,
  type SpeechSettings,
  type TextDivision,
  type TextFormat,
} from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { isMarkdownPath, isSubtitlesPath, isTablePath } from '../../../shared/schemas/watch.ts';
import type { Pronunciation } from '../../../shared/text/pronounce.ts';
import { paragraphsSliced } from '../../../shared/text/split-text.ts';
import { readTableSliced } from '../../../shared/text/speech-table.ts';
import { createEventLoopYielder, runInSlices } from '../clock.ts';
import { clip } from '../files/names.ts';
import { assertSpoken, jobSettings } from './spoken-passages.ts';
import { type AllVoices, createVoiceFinder, type VoiceCatalogue } from '../voices/voice-catalogue.ts';
import { decodeTextFile, readSpokenText } from './text-file.ts';

/** A text that becomes a job of its own: a file, a chapter or paragraph of one, or a row of a table. */
export interface BatchText {
  /** Name of its file; empty if it is of the draft. */
  readonly file: string;
  /** Its row in a table, as a spreadsheet counts; null outside of tables. */
  readonly row: number | null;
  readonly text: string;
  readonly textFormat: TextFormat | null;
  /** Name or id of a voice as written, and a language; null for those of the batch. */
  readonly voice: string | null;
  readonly language: string | null;
  readonly title: string;
  /** Whether its table names the result, or only the number in its title tells it from others of the same file. */
  readonly naming: 'named' | 'numbered' | 'single';
  /** Why it cannot be spoken; null if it can, as far as the file tells. */
  readonly problem: Problem | null;
}

/** A text of a batch that can be spoken, with its own settings. */
export interface ReadyText extends BatchText {
  readonly problem: null;
  readonly speaker: Voice;
  readonly settings: SpeechJobSettings;
}

/** What texts are spoken with that name no voice or language of their own. */
interface BatchRequest {
  readonly speaker: Voice;
  readonly settings: SpeechSettings;
  readonly pronunciations: readonly Pronunciation[];
  /** Characters of one call; null for no limit. */
  readonly maxLength: number | null;
  /** See `jobSettings`. */
  readonly findVoice: Parameters<typeof jobSettings>[3];
  /** Called only if a text names a voice. */
  listVoices(): ReturnType<VoiceCatalogue['listAll']>;
}

/** Each is a job, a row of the queue and an entry of history. */
const maxBatchTexts = 20_000;

const whole = { row: null, textFormat: null, voice: null, language: null, naming: 'single', problem: null } as const;

/** The format of the result decides. */
const soundEnding = /\.(?:wav|mp3|flac|ogg)$/i;

const titleIn = (title: string): string => title.slice(0, maxTitleLength).toWellFormed().trim();

const numbered = (k: number, count: number): string => String(k).padStart(String(count).length, '0');

/** Leaves room for the number and a voice in the name of a file. */
const maxStemBytes = 120;
/** Otherwise a tenth paragraph would rename the results of the first nine. */
const minNumberedParagraphs = 100;

const numberedStem = (stem: string): string => `${clip(stem, maxStemBytes).trim()} `;

/** Sorts in the order of the numbers, which a long stem does not cut off. */
const numberedTitle = (stem: string, k: number, count: number): string => numberedStem(stem) + numbered(k, count);

/** Rows without a name are named after their table and their number, so that the results are in its order. */
export async function readTableTexts(path: string, content: string): Promise<readonly BatchText[]> {
  const file = basename(path);
  const stem = basename(file, extname(file));
  const rows = await runInSlices(readTableSliced(content));
  const last = rows.at(-1)?.row ?? 0;
  return rows.map(({ name, ...row }) => ({
    ...row,
    file,
    textFormat: null,
    title: titleIn(name?.replace(soundEnding, '') || numberedTitle(stem, row.row, last)),
    naming: name === null ? 'numbered' : 'named',
  }));
}

/** The title of a row without the name of its table, which may be renamed. */
export function titleWithoutTable(title: string, path: string): string {
  const stem = numberedStem(basename(path, extname(path)));
  return title.startsWith(stem) ? title.slice(stem.length) : title;
}

async function chapterTexts(file: string, content: string): Promise<readonly BatchText[]> {
  const { markdownChaptersSliced } = await import('./markdown-text.ts');
  const chapters = await runInSlices(markdownChaptersSliced(content));
  const stem = basename(file, extname(file));
  return chapters.map(({ title, text }, k) => ({
    ...whole,
    file,
    text,
    title: titleIn(`${numbered(k + 1, chapters.length)} ${title ?? stem}`),
    naming: 'numbered',
  }));
}

/** The paragraphs of a text, named after `stem` and their number; the text itself if there is only one. */
export async function paragraphTexts(file: string, stem: string, text: string): Promise<readonly BatchText[]> {
  const paragraphs = await runInSlices(paragraphsSliced(text));
  if (paragraphs.length < 2) return [{ ...whole, file, text, title: titleIn(stem) }];
  return paragraphs.map((paragraph, k) => ({
    ...whole,
    file,
    text: paragraph,
    textFormat: 'paragraph',
    title: numberedTitle(stem, k + 1, Math.max(minNumberedParagraphs, paragraphs.length)),
    naming: 'numbered',
  }));
}

/**
 * The texts of a file: the rows of a table, the chapters of Markdown or the paragraphs of a text if they are asked for, and else one.
 * A file that cannot be spoken is one text with the reason.
 */
export async function readBatchFile(
  path: string,
  bytes: Uint8Array,
  division: TextDivision,
): Promise<readonly BatchText[]> {
  const file = basename(path);
  const refused = (problem: Problem): readonly BatchText[] => [{ ...whole, file, text: '', title: file, problem }];
  if (isTablePath(path)) {
    const content = decodeTextFile(bytes);
    if (content === null) return refused({ code: 'input/not-text', facts: { name: file } });
    const rows = await readTableTexts(file, content);
    return rows.length > 0 ? rows : refused({ code: 'input/text-empty', facts: { name: file } });
  }
  const read = await readSpokenText(path, bytes);
  if (read.kind === 'refused') return refused(read.problem);
  const stem = basename(file, extname(file));
  if (isSubtitlesPath(path))
    return [{ ...whole, file, text: read.text, textFormat: 'subtitles', title: titleIn(stem) }];
  const isChapters = division === 'chapters' && isMarkdownPath(path);
  const chapters = isChapters ? await chapterTexts(file, decodeTextFile(bytes) ?? '') : [];
  if (division === 'paragraphs') return paragraphTexts(file, stem, read.text);
  return chapters.length > 0 ? chapters : [{ ...whole, file, text: read.text, title: titleIn(stem) }];
}

/** Throws `table/too-many-rows` for more texts than a batch may have. */
export function assertBatchSize(texts: readonly BatchText[]): void {
  if (texts.length <= maxBatchTexts) return;
  const facts = { limit: maxBatchTexts, actual: texts.length };
  throw new AppError('table/too-many-rows', `${texts.length} texts`, { facts });
}

/** What the template for all results becomes for this one. */
export function nameTemplateFor({ naming }: BatchText, template: string): string {
  if (naming === 'named') return '{name}';
  return naming === 'numbered' && !template.includes('{name}') ? `${template}, {name}` : template;
}

/** Finds voices by id, or by a name that only one has. */
function createOnlyVoiceFinder({ voices, problem }: AllVoices): (written: string) => Voice | Problem {
  const find = createVoiceFinder(voices);
  return (written) => {
    const [voice, other] = find(written);
    if (voice && !other) return voice;
    // It may be among the voices that could not be listed.
    return problem ?? { code: other ? 'table/several-voices' : 'table/no-voice', facts: { name: written } };
  };
}

/** True for a paragraph without words, such as a row of stars or a name alone: there is nothing to make a file of. */
const isSilent = ({ textFormat, problem }: BatchText): boolean =>
  textFormat === 'paragraph' && problem?.code === 'input/text-empty';

/**
 * Finds the voice of each text and its settings. What cannot be found is the problem of its text. Paragraphs of which nothing is
 * heard are left out.
 */
export async function prepareBatch(
  texts: readonly BatchText[],
  { speaker, settings, pronunciations, maxLength, findVoice, listVoices }: BatchRequest,
): Promise<readonly (BatchText | ReadyText)[]> {
  const find = texts.some(({ voice, problem }) => voice !== null && !problem)
    ? createOnlyVoiceFinder(await listVoices())
    : undefined;

  async function prepare(text: BatchText): Promise<BatchText | ReadyText> {
    if (text.problem) return text;
    const { voice: written, language, textFormat, title } = text;
    const found = written === null || !find ? speaker : find(written);
    if ('code' in found) return { ...text, problem: found };
    const usual = found.id === speaker.id ? settings.language : '';
    const own = { ...settings, voiceId: found.id, language: language ?? usual, title };
    try {
      const spoken = { ...own, ...(textFormat !== null && { textFormat }) };
      const job = await jobSettings(text.text, spoken, found, findVoice, pronunciations);
      await assertSpoken(text.text, job, maxLength);
      return { ...text, problem: null, speaker: found, settings: job };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const isEmptyRow = error.code === 'input/text-empty' && text.row !== null;
      return { ...text, problem: isEmptyRow ? { code: 'table/no-text' } : error.problem };
    }
  }

  const prepared: (BatchText | ReadyText)[] = [];
  const yieldIfLate = createEventLoopYielder(() => performance.now());
  for (const text of texts) {
    prepared.push(await prepare(text));
    await yieldIfLate();
  }
  const heard = prepared.filter((text) => !isSilent(text));
  return heard.length > 0 ? heard : prepared;
}

export const isReady = (text: BatchText | ReadyText): text is ReadyText => 'speaker' in text;
