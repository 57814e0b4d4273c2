import { basename } from 'node:path';
import { AppError, type Problem } from '../../../shared/errors.ts';
import { isMarkdownPath, isSubtitlesPath, isTablePath } from '../../../shared/schemas/watch.ts';
import { binaryCharacters } from '../../../shared/text/control-characters.ts';
import { estimateSpeechSeconds } from '../../../shared/text/speech-duration.ts';
import { readTableSliced } from '../../../shared/text/speech-table.ts';
import { estimateSubtitleSeconds, readSubtitles } from '../../../shared/text/subtitles.ts';
import { runInSlices } from '../clock.ts';
import { readChunks } from '../files/content.ts';
import { decode, decodeOldEncoding } from './old-encoding.ts';

/** What a text file says, as it is spoken, or why it cannot be spoken. */
export type SpokenText =
  | { readonly kind: 'text'; readonly text: string; /** Estimated, at normal speed. */ readonly seconds: number }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** The rows of a watched table become jobs in one transaction, which takes about a tenth of a second for a thousand. */
const maxTableRows = 5000;

/** 16 hours of speech. Markdown of this size is parsed in about a second. */
export const maxTextBytes = 1024 ** 2;

/** Why a text file of this size is not even read; null if it is. */
export const textSizeProblem = (path: string, actualBytes: number): Problem | null =>
  actualBytes > maxTextBytes
    ? { code: 'input/text-too-long', facts: { name: basename(path), limitBytes: maxTextBytes, actualBytes } }
    : null;

/** Of an opened file or a pipe: a long novel is about 3 MB. */
const maxReadBytes = 16 * 1024 ** 2;

/** Reads the bytes of a text from a file or a pipe. Throws `input/text-too-long`, and whatever the source throws. */
export async function readTextBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxReadBytes) throw new AppError('input/text-too-long', `more than ${maxReadBytes} bytes of text`);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** Reads the bytes of a text file. Throws `input/unreadable`, `input/not-a-file` and `input/text-too-long`. */
export async function readTextFileBytes(path: string): Promise<Uint8Array> {
  try {
    return await readTextBytes(readChunks(path));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('input/unreadable', `cannot read ${path}`, { cause });
  }
}

function decodeText(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decode('utf-16be', bytes);
  return decode('utf-8', bytes) ?? decodeOldEncoding(bytes);
}

/** Decodes a text file; null if it is none. */
export function decodeTextFile(bytes: Uint8Array): string | null {
  const content = decodeText(bytes);
  return content?.includes('\0') ? null : content;
}

/** More are not read at a glance. */
const maxNamedRows = 20;
const maxNamedLines = 10;

/** Which rows of a table cannot be spoken, and why; null if all can. */
export function badRowsProblem(
  rows: readonly { readonly row: number | null; readonly problem: Problem | null }[],
): Problem | null {
  const bad = rows.flatMap(({ row, problem }) => (problem ? [`${row ?? 0} ${problem.code}`] : []));
  return bad.length === 0
    ? null
    : { code: 'table/bad-rows', facts: { count: bad.length, rows: bad.slice(0, maxNamedRows).join(', ') } };
}

/** Why subtitles cannot be spoken; null if they can. */
export function subtitlesProblem(text: string): Problem | null {
  const { cues, badLines } = readSubtitles(text);
  if (badLines.length > 0) {
    const lines = badLines.slice(0, maxNamedLines).join(', ') + (badLines.length > maxNamedLines ? ', …' : '');
    return { code: 'input/subtitle-times', facts: { count: badLines.length, lines } };
  }
  return cues.some(({ words }) => words !== '') ? null : { code: 'input/text-empty' };
}

/** Loads the parser on first use: most folders hold no Markdown. */
const readMarkdown = async (content: string): Promise<string> =>
  runInSlices((await import('./markdown-text.ts')).markdownTextSliced(content));

/**
 * Reads the bytes of a text file: UTF-8, UTF-16 with its mark, or an older encoding if there is no doubt which. The marks of Markdown
 * are not spoken; subtitles are returned as they are.
 */
export async function readSpokenText(path: string, bytes: Uint8Array): Promise<SpokenText> {
  const refused = (code: Problem['code']): SpokenText => ({
    kind: 'refused',
    problem: { code, facts: { name: basename(path) } },
  });
  const content = decodeTextFile(bytes);
  if (content !== null && isTablePath(path)) {
    const rows = await runInSlices(readTableSliced(content));
    const ready = rows.filter(({ problem }) => problem === null);
    if (ready.length > maxTableRows) {
      const facts = { limit: maxTableRows, actual: ready.length };
      return { kind: 'refused', problem: { code: 'table/too-many-rows', facts } };
    }
    if (ready.length > 0)
      return { kind: 'text', text: content, seconds: estimateSpeechSeconds(ready.map(({ text }) => text).join('')) };
    const problem = badRowsProblem(rows);
    return problem ? { kind: 'refused', problem } : refused('input/text-empty');
  }
  if (content === null || binaryCharacters.test(content)) return refused('input/not-text');
  if (isSubtitlesPath(path)) {
    const problem = subtitlesProblem(content);
    return problem
      ? { kind: 'refused', problem: { ...problem, facts: { name: basename(path), ...problem.facts } } }
      : { kind: 'text', text: content, seconds: estimateSubtitleSeconds(content, 1) };
  }
  const text = isMarkdownPath(path) ? await readMarkdown(content) : content;
  if (text.trim() === '') return refused('input/text-empty');
  return { kind: 'text', text, seconds: estimateSpeechSeconds(text) };
}
