// Fails when a search counts another number than the records themselves, when a row of a long list is missing, doubled or out of reach, or
// when days and months do not add up.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../../src/main/core/database/database.ts';
import { makeHistory } from '../../../src/main/core/history/history.fixture.ts';
import type { HistoryList } from '../../../src/shared/schemas/history.ts';
import { openHistory, type HistoryCase } from '../support/history/open-history.ts';
import { must, type Figures, type Scenario, type ScenarioContext } from '../support/scenario.ts';

const rowsAtOnce = 100;
const tagged = { tag: 'client', every: 97 } as const;
const until = Date.UTC(2026, 10, 1);

/** A record as plain SQL gives it, with its words taken apart in a way of our own. */
interface Plain {
  readonly number: number;
  readonly state: string;
  readonly kind: string;
  readonly voice: string;
  /** That a text is spoken in; of sound the voice's. */
  readonly language: string;
  readonly endedAt: number;
  /** Names of its files; of speech its text. */
  readonly name: string;
  /** Each value as its words separated by spaces; a phrase is within one value. */
  readonly fields: readonly string[];
  /** Of all of them. */
  readonly words: readonly string[];
}

/** Only as far as the fixture's texts go: no letter of theirs is folded but by taking away accents, and these three. */
const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/ł/g, 'l')
    .replace(/ø/g, 'o')
    .match(/[a-z]+|\d+/g) ?? [];

const hasWord = (word: string) => (row: Plain) => row.words.includes(word);
const begins = (start: string) => (row: Plain) => row.words.some((word) => word.startsWith(start));
const local = (year: number, month: number, day = 1) => new Date(year, month - 1, day).getTime();
const both = (one: (row: Plain) => boolean, other: (row: Plain) => boolean) => (row: Plain) => one(row) && other(row);
const not = (one: (row: Plain) => boolean) => (row: Plain) => !one(row);
const isFailed = ({ state }: Plain) => state === 'failed';
const isAnna = ({ voice }: Plain) => voice.startsWith('Anna');
const isTagged = ({ number }: Plain) => number % tagged.every === 0;

const searches: readonly (readonly [text: string, matches: (row: Plain) => boolean])[] = [
  ['', () => true],
  ['status:failed', isFailed],
  ['-status:failed', not(isFailed)],
  ['kind:speech', ({ kind }) => kind === 'speech'],
  ['language:de-DE', ({ language }) => language === 'de-DE'],
  ['voice:anna', isAnna],
  ['voice:anna status:failed', both(isAnna, isFailed)],
  ['after:2024-02-15 before:2024-03', ({ endedAt }) => endedAt >= local(2024, 2, 15) && endedAt < local(2024, 3)],
  ['before:2023', ({ endedAt }) => endedAt < local(2023, 1)],
  ['after:2026-10-20', ({ endedAt }) => endedAt >= local(2026, 10, 20)],
  ['interview', begins('interview')],
  ['inter', begins('inter')],
  ['i', begins('i')],
  ['zoë', begins('zoe')],
  ['dvorak', begins('dvorak')],
  ['strasse', begins('strasse')],
  ['harbour museum', both(hasWord('harbour'), begins('museum'))],
  ['harbour -museum', both(hasWord('harbour'), not(hasWord('museum')))],
  ['"weather harbour"', ({ fields }) => fields.some((field) => ` ${field} `.includes(' weather harbour '))],
  ['upstream', begins('upstream')],
  ['東京の朝', ({ name }) => name.includes('東京の朝')],
  ['한국어', ({ name }) => name.includes('한국어')],
  [`tag:${tagged.tag}`, isTagged],
  [`-tag:${tagged.tag} voice:anna`, both(not(isTagged), isAnna)],
  ['zzzz', () => false],
];

/** How many records each search means, counted over the records alone. */
function countPlainly(database: DatabaseSync): readonly number[] {
  const counts = searches.map(() => 0);
  const rows = database
    .prepare(
      `SELECT number, state, kind, voice ->> 'name' AS voice, ended_at, text,
         coalesce(nullif(settings ->> 'language', ''), voice ->> 'language') AS language,
         connection_name, problem ->> 'code' AS code, problem ->> 'words' AS said, source_path, output_path
       FROM job WHERE state IN ('done', 'failed', 'cancelled', 'uncertain')`,
    )
    .iterate();
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  for (const row of rows) {
    const paths = [text(row['source_path']), text(row['output_path'])].filter((path) => path !== '');
    const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
    const folders = paths.map((path) => path.slice(0, path.lastIndexOf('/')));
    const problem = `${text(row['code'])} ${text(row['said'])}`;
    const name = row['kind'] === 'speech' ? text(row['text']) : names.join(' ');
    const voice = text(row['voice']);
    const all = [names.join(' '), folders.join(' '), text(row['text']), voice, text(row['connection_name']), problem];
    const fields = all.map(wordsOf);
    const plain: Plain = {
      number: Number(row['number']),
      state: text(row['state']),
      kind: text(row['kind']),
      voice,
      language: text(row['language']),
      endedAt: Number(row['ended_at']),
      name,
      fields: fields.map((words) => words.join(' ')),
      words: fields.flat(),
    };
    for (const [k, [, matches]] of searches.entries()) if (matches(plain)) counts[k] = (counts[k] ?? 0) + 1;
  }
  return counts;
}

const startOfDay = (time: number) => new Date(time).setHours(0, 0, 0, 0);
function startOfMonth(time: number): number {
  const at = new Date(time);
  return new Date(at.getFullYear(), at.getMonth(), 1).getTime();
}

/** Days and months of a list against the rows themselves; `ends` are their ends, newest first. */
function checkCalendar(list: HistoryList, ends: readonly number[]): void {
  const { days, months, matches } = list;
  const perDay = new Map<number, number>();
  const perMonth = new Map<number, number>();
  for (const end of ends) {
    perDay.set(startOfDay(end), (perDay.get(startOfDay(end)) ?? 0) + 1);
    perMonth.set(startOfMonth(end), (perMonth.get(startOfMonth(end)) ?? 0) + 1);
  }
  must(days.length === perDay.size, `${days.length} days of ${perDay.size}`);
  for (const [k, [from, startsAt]] of days.entries()) {
    const count = (days[k + 1]?.[0] ?? matches) - from;
    must(count === perDay.get(startsAt), `${new Date(startsAt).toString()} has ${count} rows`);
    must(
      startOfDay(ends[from] ?? 0) === startsAt,
      `the first row of ${new Date(startsAt).toString()} is another day's`,
    );
  }
  const sum = months.reduce((all, [, entries]) => all + entries, 0);
  must(sum === list.entries, `the months have ${sum} of ${list.entries} entries`);
  for (const [startsAt, , some, from] of months) {
    must(some === (perMonth.get(startsAt) ?? 0), `the month ${new Date(startsAt).toString()} has ${some} rows`);
    must(some === 0 || startOfMonth(ends[from] ?? 0) === startsAt, 'a month begins with a row of another one');
  }
}

/** Every row of a list, a page at a time, as a page with a scroll bar may come by them. */
async function walk(app: HistoryCase, { list, matches }: HistoryList) {
  const ids: string[] = [];
  const ends: number[] = [];
  let longestMs = 0;
  for (let from = 0; from < matches; from += rowsAtOnce) {
    const begun = performance.now();
    const rows = await app.api.history.rows({ list, from, count: rowsAtOnce });
    longestMs = Math.max(longestMs, performance.now() - begun);
    for (const { id, endedAt } of rows) {
      ids.push(id);
      ends.push(endedAt);
    }
  }
  return { ids, ends, longestMs };
}

async function withEntries(context: ScenarioContext, count: number): Promise<Figures> {
  const folder = join(context.folder, String(count));
  context.note(`${count} entries: made`);
  await mkdir(join(folder, 'data'), { recursive: true });
  const database = await openDatabase(join(folder, 'data'));
  makeHistory(database, count, until);
  database.exec(
    `INSERT INTO history_tag (job, tag) SELECT number, '${tagged.tag}' FROM job WHERE number % ${tagged.every} = 0`,
  );
  context.note(`${count} entries: counted by hand`);
  const expected = countPlainly(database);
  database.close();

  const app = await openHistory({ ...context, folder });
  await app.data();
  let countMs = 0;
  let pageMs = 0;
  for (const [k, [text]] of searches.entries()) {
    context.note(`${count} entries: "${text}"`);
    const begun = performance.now();
    const list = await app.listed(text);
    countMs = Math.max(countMs, performance.now() - begun);
    must(list.matches === expected[k], `"${text}" finds ${list.matches} of ${count}, not ${expected[k] ?? 0}`);
    must(list.entries === count, `there are ${list.entries} entries`);
    if (list.matches === 0) continue;
    const last = await app.api.history.rows({ list: list.list, from: list.matches - 1, count: 1 });
    must(last.length === 1, `the last row of "${text}" is out of reach`);
    const begunPage = performance.now();
    const page = await app.api.history.search({ text });
    pageMs = Math.max(pageMs, performance.now() - begunPage);
    must(page.rows.length === Math.min(list.matches, rowsAtOnce), `the first page of "${text}" is not full`);
    must(page.isWhole === list.matches <= rowsAtOnce, `the first page of "${text}" says it is all`);
  }

  context.note(`${count} entries: walked through`);
  const { rows: firstPage } = await app.api.history.search({ text: '' });
  const list = await app.listed('');
  const { ids, ends, longestMs } = await walk(app, list);
  must(ids.length === count && new Set(ids).size === count, `${new Set(ids).size} different rows in ${ids.length}`);
  must(
    ends.every((end, k) => k === 0 || end <= (ends[k - 1] ?? 0)),
    'they are not newest first',
  );
  must(
    firstPage.every(({ id }, k) => id === ids[k]),
    'the first page is not the beginning of the list',
  );
  // By keys, a part at a time, in the same order.
  const { ids: byKey } = await (await app.data()).history.find('');
  must(byKey.length === count && byKey.every((id, k) => id === ids[k]), 'pages by key are not the list');
  checkCalendar(list, ends);

  context.note(`${count} entries: a part of them walked through`);
  const part = await app.listed('voice:anna');
  const walked = await walk(app, part);
  must(new Set(walked.ids).size === part.matches, 'rows of a search are missing or doubled');
  checkCalendar(part, walked.ends);
  const choice = { list: part.list, ranges: [[0, Math.min(part.matches, 1000)]] as const };
  const chosen = await (await app.data()).history.resolveSelection(choice);
  must(
    chosen.every((id, k) => id === walked.ids[k]),
    'a choice by ranges means other rows',
  );
  await app.close();
  const round = (value: number) => Math.round(value * 10) / 10;
  return {
    [`${count}: searches`]: searches.length,
    [`${count}: longest first page ms`]: round(pageMs),
    [`${count}: longest count ms`]: round(countMs),
    [`${count}: longest jump ms`]: round(longestMs),
    [`${count}: rows missing or doubled`]: 0,
  };
}

export const scenario: Scenario = {
  id: 'H2',
  title: 'each search in a long history has the right count and every row once, including the last',
  fullDeadlineMs: 1_800_000,
  async run(context) {
    let figures: Figures = {};
    for (const count of context.full ? [100_000, 1_000_000] : [8_000]) {
      figures = { ...figures, ...(await withEntries(context, count)) };
    }
    return figures;
  },
};
