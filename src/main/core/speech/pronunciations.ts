import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import {
  maxPronunciations,
  pronunciation,
  type PronunciationId,
  type PronunciationImport,
  pronunciations,
} from '../../../shared/schemas/pronunciation.ts';
import { createSerializer } from '../../../shared/serializer.ts';
import { type Pronunciation, pronunciationKey, withPronunciation } from '../../../shared/text/pronounce.ts';
import { openFile, readSmallText } from '../files/content.ts';
import { isNotFound } from '../files/errno.ts';
import { writePrivateFile } from '../files/private-file.ts';
import { replaceText } from '../files/replace-file.ts';

const pathIn = (dataFolder: string): string => join(dataFolder, 'pronunciations.json');
const stored = v.object({ version: v.literal(1), entries: pronunciations });

/**
 * The user's list, as any process reads it before it speaks. Throws `pronunciation/damaged`: a text that was spoken without it would
 * have to be paid for again.
 */
export function readPronunciations(dataFolder: string): readonly Pronunciation[] {
  let text: string;
  try {
    text = readFileSync(pathIn(dataFolder), 'utf8');
  } catch (error) {
    if (isNotFound(error)) return [];
    throw new AppError('pronunciation/damaged', 'cannot read the list', { cause: error });
  }
  try {
    return v.parse(stored, JSON.parse(text)).entries;
  } catch (cause) {
    throw new AppError('pronunciation/damaged', 'the list is damaged', { cause });
  }
}

const maxFileBytes = 4 * 1024 ** 2;
/** Before its root, a lexicon has a declaration and comments. */
const startBytes = 64 * 1024;

/** Reads the text of a lexicon. Throws `pronunciation/…` if it is too long for one, and `input/…`. */
async function readLexicon(path: string, name: string): Promise<string> {
  try {
    const text = await readSmallText(path, maxFileBytes);
    if (text !== null) return text.replace(/^\ufeff/, '');
    throw rootOf.test(await readStart(path)) ? tooMany() : noLexicon(name);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const code = isNotFound(cause) ? 'input/missing' : 'input/unreadable';
    throw new AppError(code, `cannot read ${path}`, { cause, facts: { name } });
  }
}

async function readStart(path: string): Promise<string> {
  const file = await openFile(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
/** How PLS names every language: that of ISO 639-2 for several. */
const anyLanguage = 'mul';

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The entries of one language as a lexicon. https://www.w3.org/TR/pronunciation-lexicon/ */
export function formatLexicon(entries: readonly Pronunciation[], language: string): string {
  const lexemes = entries.map(
    ({ word, spoken }) =>
      `  <lexeme>\n    <grapheme>${escape(word)}</grapheme>\n    <alias>${escape(spoken)}</alias>\n  </lexeme>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<lexicon version="1.0" xmlns="http://www.w3.org/2005/01/pronunciation-lexicon" alphabet="ipa" xml:lang="${escape(language || anyLanguage)}">
${lexemes.join('')}</lexicon>
`;
}

interface Lexicon {
  readonly entries: readonly Pronunciation[];
  /** Words without a spelling to speak. */
  readonly skipped: number;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescape = (text: string): string =>
  text.replace(
    /<!\[CDATA\[([\s\S]*?)\]\]>|&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi,
    (whole, data, decimal, hex, name) => {
      if (data !== undefined) return String(data);
      if (name !== undefined) return entities[String(name)] ?? whole;
      const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );

/** Characters between its tags. Its expressions take quadratic time. */
const maxLexemeLength = 4000;

/** Comments become blanks and keep their lines, so that numbers stay true. */
function withoutComments(xml: string): string {
  const parts: string[] = [];
  for (let at = 0; ;) {
    const start = xml.indexOf('<!--', at);
    const end = start < 0 ? -1 : xml.indexOf('-->', start + 4);
    if (end < 0) return parts.join('') + xml.slice(at);
    parts.push(xml.slice(at, start), xml.slice(start, end + 3).replace(/[^\n]/g, ' '));
    at = end + 3;
  }
}

/** The text of the elements with a name, whatever their prefix. */
const textsOf = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>([^]*?)</(?:\\w+:)?${name}\\s*>`, 'g'))].map(
    ([, text = '']) => unescape(text).replace(/\s+/g, ' ').trim(),
  );

/**
 * Reads a lexicon. Of several graphemes each gets an entry, of several aliases the first counts. Throws
 * `pronunciation/not-a-lexicon`, with the `line` that is wrong if there is a lexicon at all, and
 * `pronunciation/too-many`. `name` is the file's, for the errors.
 */
export function parseLexicon(text: string, name: string): Lexicon {
  const xml = withoutComments(text);
  const wrong = (index: number) =>
    new AppError('pronunciation/not-a-lexicon', `${name} is wrong at ${index}`, {
      facts: { name, line: xml.slice(0, index).split('\n').length },
    });
  const root = rootOf.exec(xml);
  if (!root) throw noLexicon(name);
  const given = /\bxml:lang\s*=\s*["']([^"']*)["']/.exec(root[1] ?? '')?.[1] ?? '';
  const language = ['und', 'mul'].includes(given.toLowerCase()) ? '' : given;
  const entries: Pronunciation[] = [];
  let skipped = 0;
  const opening = /<(?:\w+:)?lexeme\b[^>]*>/g;
  for (const { index, 0: tag } of xml.matchAll(opening)) {
    const rest = xml.slice(index + tag.length, index + tag.length + maxLexemeLength);
    const end = rest.search(/<\/(?:\w+:)?lexeme\s*>/);
    const next = rest.search(/<(?:\w+:)?lexeme\b/);
    if (end < 0 || (next >= 0 && next < end)) throw wrong(index);
    const lexeme = rest.slice(0, end);
    const [spoken] = textsOf(lexeme, 'alias');
    const words = textsOf(lexeme, 'grapheme');
    if (words.length === 0) throw wrong(index);
    if (spoken === undefined) skipped += words.length;
    else {
      for (const word of words) {
        const parsed = v.safeParse(pronunciation, { language, word, spoken });
        if (!parsed.success) throw wrong(index);
        entries.push(parsed.output);
      }
    }
    if (entries.length > maxPronunciations) throw tooMany();
  }
  return { entries, skipped };
}

const rootOf = /<(?:\w+:)?lexicon\b([^>]*)>/;

const noLexicon = (name: string): AppError =>
  new AppError('pronunciation/not-a-lexicon', `${name} holds no lexicon`, { facts: { name } });

const tooMany = (): AppError =>
  new AppError('pronunciation/too-many', `more than ${maxPronunciations}`, { facts: { count: maxPronunciations } });

/** The user's list, which is one file of the data folder; the last process that writes it wins. */
export interface Pronunciations {
  list(): readonly Pronunciation[];
  /** Adds an entry, in place of `before` or the one with the same word. */
  save(entry: Pronunciation, before: PronunciationId | null): Promise<readonly Pronunciation[]>;
  remove(entry: PronunciationId): Promise<readonly Pronunciation[]>;
  /** Adds the words of a lexicon, all or none. Throws `pronunciation/…` and `input/…`. */
  importFile(path: string): Promise<PronunciationImport>;
  /** Writes the entries of a language; returns their number. */
  exportFile(path: string, language: string): Promise<number>;
}

export function createPronunciations(dataFolder: string): Pronunciations {
  const list = () => readPronunciations(dataFolder);

  async function write(entries: readonly Pronunciation[]): Promise<readonly Pronunciation[]> {
    if (entries.length > maxPronunciations) throw tooMany();
    const path = pathIn(dataFolder);
    try {
      await writePrivateFile(path, `${JSON.stringify({ version: 1, entries }, null, 2)}\n`);
    } catch (cause) {
      throw new AppError('data/not-writable', `cannot write ${path}`, { cause });
    }
    return entries;
  }

  const without = (entries: readonly Pronunciation[], gone: PronunciationId) =>
    entries.filter((one) => pronunciationKey(one) !== pronunciationKey(gone));

  const serialized = createSerializer();
  /** Changes the list as it is after all earlier changes. */
  const change = (next: (entries: readonly Pronunciation[]) => readonly Pronunciation[]) =>
    serialized(() => write(next(list())));

  return {
    list,
    save: (entry, before) =>
      change((entries) => {
        const isRenamed = before !== null && pronunciationKey(before) !== pronunciationKey(entry);
        return withPronunciation(isRenamed ? without(entries, before) : entries, entry);
      }),
    remove: (entry) => change((entries) => without(entries, entry)),
    async importFile(path) {
      const name = path.split(/[/\\]/).at(-1) ?? path;
      const { entries, skipped } = parseLexicon(await readLexicon(path, name), name);
      const result = { added: 0, changed: 0 };
      await change((before) => {
        const merged = new Map(before.map((one) => [pronunciationKey(one), one]));
        for (const entry of entries) {
          const known = merged.get(pronunciationKey(entry));
          if (!known) result.added += 1;
          else if (known.spoken !== entry.spoken) result.changed += 1;
          merged.set(pronunciationKey(entry), entry);
        }
        return [...merged.values()];
      });
      return { ...result, skipped };
    },
    async exportFile(path, language) {
      const entries = list().filter((one) => one.language.toLowerCase() === language.toLowerCase());
      await replaceText(path, formatLexicon(entries, language));
      return entries.length;
    },
  };
}
