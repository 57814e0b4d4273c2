import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewJob } from '../jobs/job-store.ts';
import { conversionJob, speechJob, testVoice } from '../jobs/job.fixture.ts';
import { openHistory, type OpenHistory, temporaryFolder } from './open-history.fixture.ts';
import { parseQuery } from './query.ts';
import { createExpandPrefix, toFtsQuery } from './search.ts';

describe('search', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let open: OpenHistory;
  /** A Sunday at noon, here. */
  const today = new Date(2026, 2, 15, 12).getTime();
  let now = today;

  const { connection } = conversionJob();
  const take = (id: string, path: string, change: Parameters<typeof conversionJob>[0] = {}): NewJob =>
    conversionJob({ id, state: 'done', source: { path, subfolder: '', snapshot: null }, ...change });
  const voice = (name: string, language = 'en-GB') => ({ ...testVoice, name, language });

  /** What ended on which day, oldest first. */
  const made: readonly (readonly [day: Date, job: NewJob])[] = [
    [new Date(2025, 11, 31, 23, 59), take('old', '/takes/Harbour 12.wav', { voice: voice('Anna warm') })],
    [
      new Date(2026, 0, 1),
      take('cafe', '/takes/CAFÉ Zoë.wav'.normalize('NFD'), { voice: voice('Bruno low', 'de-DE') }),
    ],
    [new Date(2026, 1, 1), take('tokyo', '/録音/東京タワーの朝.wav', { voice: voice('美咲', 'ja-JP') })],
    [new Date(2026, 1, 2), take('seoul', '/takes/한국어 방송.wav'.normalize('NFD'))],
    [
      new Date(2026, 1, 3),
      take('failed', '/takes/harbour_13.wav', {
        state: 'failed',
        problem: { code: 'network/cut', words: 'Upstream reset' },
      }),
    ],
    [
      new Date(2026, 2, 14, 23),
      take('street', 'C:\\Aufnahmen\\Straße 7.mp3', { connection: { ...connection, name: 'Cloud Nine' } }),
    ],
    [new Date(2026, 2, 15, 1), speechJob({ id: 'speech', state: 'done', text: 'Good evening, harbour master.' })],
    [
      new Date(2026, 2, 15, 2),
      take('rec', '/takes/REC00012.wav', { output: { path: '/out/Final mix.flac', method: 'link' } }),
    ],
  ];

  beforeAll(async () => {
    folder = await temporaryFolder();
    open = await openHistory(folder.folder, { now: () => now });
    for (const [day, job] of made) {
      now = day.getTime();
      open.store.add([job]);
    }
    now = today;
    await open.history.update({ ids: ['old', 'tokyo'] }, { isFavourite: true });
    await open.history.update({ ids: ['old', 'rec'] }, { addTags: ['Für Später'] });
    await open.history.update({ ids: ['old'] }, { addTags: ['client'] });
  });
  afterAll(async () => {
    await open.close();
    await folder.remove();
  });

  const ids = (text: string) => open.history.search(text).entries.map(({ id }) => id);
  const all = made.map(([, { id }]) => id).toReversed();

  describe('a search (H9)', () => {
    it.each<[string, readonly string[]]>([
      ['', all],
      ['   ', all],
      // Case, accents, composition, width.
      ['HARBOUR', ['speech', 'failed', 'old']],
      ['harb', ['speech', 'failed', 'old']],
      ['harbours', []],
      // The last word matches as a prefix, whatever follows it.
      ['harb -evening', ['failed', 'old']],
      ['harb !', ['speech', 'failed', 'old']],
      ['harb (', ['speech', 'failed', 'old']],
      ['cafe', ['cafe']],
      ['café'.normalize('NFC'), ['cafe']],
      ['CAFÉ'.normalize('NFD'), ['cafe']],
      ['ｃａｆｅ', ['cafe']],
      ['zoe', ['cafe']],
      ['strasse', ['street']],
      ['STRAẞE', ['street']],
      // Scripts without spaces, inner words too.
      ['東', ['tokyo']],
      ['東京', ['tokyo']],
      ['タワー', ['tokyo']],
      ['ﾀﾜｰ', ['tokyo']],
      ['京東', []],
      ['の朝', ['tokyo']],
      ['録音', ['tokyo']],
      ['방송', ['seoul']],
      ['국어'.normalize('NFD'), ['seoul']],
      // Several words, in any order and any column; quotes; negation.
      ['12 harbour', ['old']],
      ['harbour 1', ['failed', 'old']],
      ['"harbour 12"', ['old']],
      ['"12 harbour"', []],
      ['"harb"', []],
      ['"good evening', ['speech']],
      ['harbour -13', ['speech', 'old']],
      ['-harbour -status:failed -zoe', ['rec', 'street', 'seoul', 'tokyo']],
      ['rec12', []],
      ['rec00012', ['rec']],
      ['rec 000', ['rec']],
      // Results, folders, errors, connections, tags.
      ['mix flac', ['rec']],
      ['aufnahmen', ['street']],
      ['C:\\Aufnahmen', ['street']],
      ['upstream', ['failed']],
      ['"network cut"', ['failed']],
      ['nine', ['street']],
      ['spater', ['rec', 'old']],
      // Filters.
      ['voice:anna', ['old']],
      ['Voice:AN', ['old']],
      ['voice:"anna warm"', ['old']],
      ['voice:"an"', []],
      ['voice:美', ['tokyo']],
      ['voice:anna voice:bruno', ['cafe', 'old']],
      ['-voice:bronze -voice:anna', ['tokyo', 'cafe']],
      ['status:failed', ['failed']],
      ['status:done harbour', ['speech', 'old']],
      ['status:failed status:cancelled', ['failed']],
      ['-status:done', ['failed']],
      ['kind:speech', ['speech']],
      ['kind:conversion harbour', ['failed', 'old']],
      ['language:de', ['cafe']],
      ['language:de-DE', ['cafe']],
      ['language:DE', ['cafe']],
      ['language:ja-JP', ['tokyo']],
      ['from:cloud', ['street']],
      ['from:"cloud nine"', ['street']],
      ['tag:client', ['old']],
      ['tag:"für später"', ['rec', 'old']],
      ['tag:client tag:"fur spater"', ['old']],
      ['tag:fur', []],
      ['is:favourite', ['tokyo', 'old']],
      ['is:favourite -tag:client', ['tokyo']],
      ['after:2026-02', ['rec', 'speech', 'street', 'failed', 'seoul', 'tokyo']],
      ['after:2026-02 before:2026-03', ['failed', 'seoul', 'tokyo']],
      ['before:2026', ['old']],
      ['after:2026-02-03', ['rec', 'speech', 'street', 'failed']],
      ['after:today', ['rec', 'speech']],
      ['after:yesterday before:today', ['street']],
      ['after:7d harbour', ['speech']],
      ['harbour after:2026 status:failed', ['failed']],
      // What cannot be read finds nothing.
      ['voice: harbour', []],
      ['colour:red', []],
      ['status:fine', []],
    ])('for %j finds %j', (text, found) => {
      expect(ids(text)).toEqual(found);
    });

    it('uses the part of a long text that fits, and says so', () => {
      const { entries, errors } = open.history.search(`${'harbour '.repeat(600)} and more`);
      expect(entries.map(({ id }) => id)).toEqual(['speech', 'failed', 'old']);
      expect(errors).toEqual([{ kind: 'too-long', from: 3999, to: 4809, word: '' }]);
      expect(open.history.suggest('v'.repeat(5000), 5000).items).toEqual([]);
    });

    it('lists exactly the matching entries', async () => {
      for (const text of ['', 'harbour', 'status:done', '-harbour', 'after:2026-02 -kind:speech', 'colour:red']) {
        const found = ids(text);
        const { list, matches } = await open.listed(text);
        expect(matches).toBe(found.length);
        expect(open.history.rows(list, 0, 100).map(({ id }) => id)).toEqual(found);
      }
    });
  });

  describe('a suggestion', () => {
    const labels = (text: string, caret = text.length) =>
      open.history.suggest(text, caret).items.map(({ label }) => label);
    const applied = (text: string, caret = text.length, which = 0) => {
      const { from, to, items } = open.history.suggest(text, caret);
      return text.slice(0, from) + (items[which]?.insert ?? '') + text.slice(to);
    };

    it.each<[string, readonly string[]]>([
      ['v', ['voice:']],
      ['take S', ['status:']],
      ['-ta', ['tag:']],
      ['"ta', []],
      ['status:', ['done', 'failed', 'cancelled', 'uncertain']],
      ['status:FA', ['failed']],
      ['kind:s', ['speech']],
      ['is:', ['favourite']],
      ['voice:an', ['Anna warm']],
      ['voice:wa', ['Anna warm']],
      ['from:n', ['Cloud Nine']],
      ['tag:', ['client', 'Für Später']],
      ['tag:spa', ['Für Später']],
      ['language:d', ['de-DE']],
      ['after:20', ['2026-03', '2026']],
      ['colour:r', []],
    ])('for %j is %j', (text, expected) => {
      expect(labels(text)).toEqual(expected);
    });

    it('lists the filters if no text is entered', () => {
      expect(labels('')).toContain('voice:');
      expect(labels('take ')).toContain('after:');
    });

    it('replaces the text that was begun, in quotes if it contains a space', () => {
      expect(applied('take -sta')).toBe('take -status:');
      expect(applied('voice:an')).toBe('voice:"Anna warm" ');
      expect(applied('status:f harbour', 8)).toBe('status:failed harbour');
    });
  });
});

describe('toFtsQuery', () => {
  it('makes an expression that the index accepts from any text', () => {
    const database = new DatabaseSync(':memory:');
    database.exec(`CREATE VIRTUAL TABLE history_text USING fts5(name, voice, origin, facets, content = '', tokenize = 'ascii');
    CREATE VIRTUAL TABLE history_vocabulary USING fts5vocab(history_text, instance);
    INSERT INTO history_text (rowid, name, voice) VALUES (1, 'harbour harbours', 'anna')`);
    const select = database.prepare('SELECT rowid FROM history_text WHERE history_text MATCH ?');
    const wordsWith = createExpandPrefix(database);
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        '"',
        '-',
        ' ',
        'voice:',
        'from:',
        'tag:',
        'status:failed',
        'harb',
        'AND',
        'NEAR(',
        '*',
        '^',
        '\0',
        '東',
        '§',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const { expression } = toFtsQuery(parseQuery(pieces.join(''), 0), wordsWith);
        if (expression !== null) select.all(expression);
      }),
      { numRuns: 3000 },
    );
    // As long as a search may be.
    select.all(toFtsQuery(parseQuery('a '.repeat(2000), 0), wordsWith).expression);
    select.all(toFtsQuery(parseQuery('-b '.repeat(1300), 0), wordsWith).expression);
    select.all(toFtsQuery(parseQuery('tag:c '.repeat(660), 0), wordsWith).expression);
    database.close();
  });
});

it('the id of an entry finds it, as in the log, in what a program is given and in a link', async () => {
  const folder = await temporaryFolder();
  const { history, store, close } = await openHistory(folder.folder, { now: () => 1 });
  const [one, other] = ['6f1c9a52-0d3e-4b7a-9c1e-2f5d8e7a4b10', '1e2d3c4b-5a69-4788-8796-a5b4c3d2e1f0'];
  store.add([conversionJob({ id: one, state: 'done' }), conversionJob({ id: other, state: 'done' })]);
  const ids = (text: string) => history.search(text).entries.map(({ id }) => id);
  expect([ids(` ${one} `), ids(other), ids('00000000-0000-4000-8000-000000000000')]).toEqual([[one], [other], []]);
  await close();
  await folder.remove();
});
