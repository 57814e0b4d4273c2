import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxPronunciations } from '../../../shared/schemas/pronunciation.ts';
import {
  createPronunciations,
  formatLexicon,
  parseLexicon,
  type Pronunciations,
  readPronunciations,
} from './pronunciations.ts';

let folder: string;
let list: Pronunciations;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-words-'));
  list = createPronunciations(folder);
});
afterEach(() => rm(folder, { recursive: true }));

const nginx = { language: 'en', word: 'nginx', spoken: 'engine x' };
const lexicon = (lexemes: string, language = 'en') =>
  `<?xml version="1.0"?>\n<lexicon version="1.0" xml:lang="${language}">\n${lexemes}\n</lexicon>`;
const lexeme = (word: string, spoken: string) =>
  `<lexeme><grapheme>${word}</grapheme><alias>${spoken}</alias></lexeme>`;

async function importText(text: string) {
  const path = join(folder, 'words.pls');
  await writeFile(path, text);
  return list.importFile(path);
}

describe('the list', () => {
  it('is empty at first, and keeps what is saved, renamed and removed', async () => {
    expect(list.list()).toEqual([]);
    await list.save(nginx, null);
    await list.save({ ...nginx, spoken: 'n g' }, null);
    expect(readPronunciations(folder)).toEqual([{ ...nginx, spoken: 'n g' }]);
    await list.save({ ...nginx, word: 'Engine' }, nginx);
    expect(list.list()).toEqual([{ ...nginx, word: 'Engine' }]);
    expect(await list.remove({ language: 'EN', word: 'engine' })).toEqual([]);
  });

  it('keeps all of several changes at once', async () => {
    await Promise.all(['a', 'b', 'c'].map((word) => list.save({ ...nginx, word }, null)));
    expect(list.list().map(({ word }) => word)).toEqual(['a', 'b', 'c']);
  });

  it('that is damaged is not taken for an empty one, and not written over', async () => {
    const path = join(folder, 'pronunciations.json');
    await writeFile(path, '{');
    expect(() => readPronunciations(folder)).toThrow(
      expect.objectContaining({ code: 'pronunciation/damaged' }) as Error,
    );
    await expect(list.save(nginx, null)).rejects.toMatchObject({ code: 'pronunciation/damaged' });
    expect(await readFile(path, 'utf8')).toBe('{');
  });
});

describe('a lexicon', () => {
  it('is read as it was written, whatever its words', async () => {
    const entries = [nginx, { language: 'en', word: '<R&D>', spoken: 'R "and" D' }];
    expect(parseLexicon(formatLexicon(entries, 'en'), 'a.pls')).toEqual({ entries, skipped: 0 });
    const any = entries.map((entry) => ({ ...entry, language: '' }));
    expect(parseLexicon(formatLexicon(any, ''), 'a.pls').entries).toEqual(any);
    await list.save(nginx, null);
    expect(await list.exportFile(join(folder, 'a.pls'), 'en')).toBe(1);
    expect(parseLexicon(await readFile(join(folder, 'a.pls'), 'utf8'), 'a.pls').entries).toEqual([nginx]);
  });

  it('adds its words to the list, where the same word is spoken as the file says', async () => {
    await list.save(nginx, null);
    await list.save({ ...nginx, word: 'gif', spoken: 'jif' }, null);
    const text = lexicon(`${lexeme('Nginx', 'n g')}${lexeme('tmux', 'tee mux')}${lexeme('gif', 'jif')}
      <lexeme><grapheme>a</grapheme><grapheme>b</grapheme><phoneme>b\u0259</phoneme></lexeme>
      <lexeme><grapheme>x</grapheme><grapheme>y</grapheme><alias>z</alias><alias>w</alias></lexeme>`);
    expect(await importText(text)).toEqual({ added: 3, changed: 1, skipped: 2 });
    expect(list.list().map(({ word, spoken }) => `${word}: ${spoken}`)).toEqual([
      ...['Nginx: n g', 'gif: jif', 'tmux: tee mux', 'x: z', 'y: z'],
    ]);
  });

  it('with prefixes, comments, entities and CDATA is read', () => {
    const text = `<p:lexicon xml:lang='de-DE'>\n<!-- <lexeme> -->\n<p:lexeme xml:id="a"><p:grapheme>A&amp;O</p:grapheme>
      <p:alias>\n A <![CDATA[<und>]]> &#79; </p:alias></p:lexeme></p:lexicon>`;
    expect(parseLexicon(text, 'a.pls').entries).toEqual([{ language: 'de-DE', word: 'A&O', spoken: 'A <und> O' }]);
  });

  it.each([
    ['a lexeme without a word', lexicon(`\n<lexeme><alias>x</alias></lexeme>`), 4],
    ['an empty word', lexicon(lexeme(' ', 'x')), 3],
    ['a lexeme that does not end', lexicon(`<!--\n-->${lexeme('a', 'b')}\n<lexeme><grapheme>a</grapheme>`), 5],
    ['a word that is too long', lexicon(lexeme('a'.repeat(101), 'x')), 3],
    ['a language that is none', lexicon(lexeme('a', 'b'), '"'), 3],
  ])('with %s names its line, and changes nothing', async (_what, text, line) => {
    await list.save(nginx, null);
    await expect(importText(text.replace('xml:lang="""', "xml:lang='&'"))).rejects.toMatchObject({
      problem: { code: 'pronunciation/not-a-lexicon', facts: { name: 'words.pls', line } },
    });
    expect(list.list()).toEqual([nginx]);
  });

  it.each([
    ['no lexicon', 'RIFF....WAVE'],
    ['no lexicon and more bytes than one has', 'x'.repeat(5 * 1024 ** 2)],
  ])('that is %s is named, without a line to correct', async (_what, text) => {
    const error: unknown = await importText(text).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ problem: { code: 'pronunciation/not-a-lexicon', facts: { name: 'words.pls' } } });
    expect(error).not.toHaveProperty('problem.facts.line');
  });

  it('with more bytes than a list can have is too long', async () => {
    const long = lexicon(lexeme('a', 'b').repeat((5 * 1024 ** 2) / 50));
    await expect(importText(long)).rejects.toMatchObject({ code: 'pronunciation/too-many' });
  });

  it('that is gone or cannot be read says which', async () => {
    const path = join(folder, 'words.pls');
    const facts = { name: 'words.pls' };
    await expect(list.importFile(path)).rejects.toMatchObject({ problem: { code: 'input/missing', facts } });
    // Not even root can read it.
    await symlink(path, path);
    await expect(list.importFile(path)).rejects.toMatchObject({ problem: { code: 'input/unreadable', facts } });
  });

  it('with more words than a list can have is refused', async () => {
    const many = Array.from({ length: maxPronunciations + 1 }, (_, k) => lexeme(`w${k}`, 'x')).join('\n');
    await expect(importText(lexicon(many))).rejects.toMatchObject({ code: 'pronunciation/too-many' });
    expect(list.list()).toEqual([]);
  });
});

it('a lexicon of comments that never end, or of one that hides all, is read at once', () => {
  expect(() => parseLexicon('<lexicon>' + '<!--'.repeat(500_000), 'x.pls')).not.toThrow();
  expect(parseLexicon('<lexicon>' + '<!---->'.repeat(300_000) + '</lexicon>', 'x.pls').entries).toEqual([]);
});
