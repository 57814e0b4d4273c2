// P6, P7: a million rows of history. Searches as the user types, the first page, pages by key, jumps in a counted list, and what
// history adds to the end of a job, and statistics. Baselines in the same run: LIKE, OFFSET, and a job's end without history.
//   npm run bench history [rows]
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { DatabaseSync } from 'node:sqlite';
import { databaseName, openDatabase } from '../src/main/core/database/database.ts';
import { conversionJob } from '../src/main/core/jobs/job.fixture.ts';
import type { JobStore } from '../src/main/core/jobs/job-store.ts';
import { makeHistory } from '../src/main/core/history/history.fixture.ts';
import { openHistory, type OpenHistory } from '../src/main/core/history/open-history.fixture.ts';
import { median } from './median.mts';

const count = Number(process.argv[2] ?? 1_000_000);
const until = Date.UTC(2026, 10, 1);
const pageRows = 100;

const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? NaN;
const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;

function time(work: () => unknown): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

/** One line: what was measured, its goal, and how many times the baseline takes. */
function report(
  name: string,
  times: readonly number[],
  goalMs: number,
  baseline: string,
  baselineTimes: readonly number[],
): void {
  const ratio = median(baselineTimes) / median(times);
  console.log(
    `${name}: p95 ${ms(p95(times))} (goal ${goalMs}), median ${ms(median(times))}, longest ${ms(Math.max(...times))} of ${times.length}; ` +
      `${baseline} median ${ms(median(baselineTimes))}, ${ratio.toFixed(1)} times as long`,
  );
}

/** Always the same places of a list, all over it. */
const places = Array.from({ length: 200 }, (_, k) => Math.floor(((k * 0.618034) % 1) * (count - pageRows)));
/** Every beginning of a search, one letter more at a time. */
const typed = (text: string): readonly string[] => Array.from(text, (_, at) => text.slice(0, at + 1));

const oneTerm = [
  'interview',
  'podcast',
  'chapter',
  'zoe',
  'dvořák',
  'strasse',
  '東京の朝',
  '한국어',
  'rec0815',
  'harbour',
  'anna',
  'theatre',
];
const one = [
  ...oneTerm,
  'upstream',
  'weather',
  'smörgåsbord',
  'voice:søren',
  'status:failed',
  'zzzz',
  '2024',
  'is:favourite',
];
const several = [
  'interview podcast',
  'chapter episode 12',
  'zoe harbour theatre',
  'status:failed interview',
  'voice:anna harbour museum',
  'quinn dvorak ximena',
  'good evening listeners',
  'after:2024 before:2025 rehearsal',
  'podcast -interview status:done',
  'kind:speech captain ferry',
];

async function fill(folder: string): Promise<void> {
  const database = await openDatabase(folder);
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
  const begun = performance.now();
  makeHistory(database, count, until);
  console.log(`${count} rows made in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  database.close();
}

function likeTimes(database: DatabaseSync, terms: readonly string[]): readonly number[] {
  const like = `(source_path LIKE :term OR text LIKE :term OR voice LIKE :term OR problem LIKE :term OR output_path LIKE :term)`;
  const select = database.prepare(
    `SELECT id FROM history_entry JOIN job ON job.number = history_entry.job WHERE ${like}
     ORDER BY history_entry.number DESC LIMIT ${pageRows}`,
  );
  return terms.map((term) => time(() => select.all({ term: `%${term}%` })));
}

function offsetTimes(database: DatabaseSync): readonly number[] {
  const select = database.prepare(
    `SELECT id FROM history_entry JOIN job ON job.number = history_entry.job
     ORDER BY history_entry.number DESC LIMIT ${pageRows} OFFSET ?`,
  );
  return places.slice(0, 20).map((place) => time(() => select.all(place)));
}

function reads({ database, history }: OpenHistory): void {
  const search = (text: string) => time(() => history.search(text));
  const rare = ['quinn dvo', 'zzzz', 'rec0815'];
  const likes = likeTimes(database, [...rare, ...oneTerm]);
  report('search as you type, one term', one.flatMap(typed).map(search), 5, "LIKE '%term%'", likes);
  report('search as you type, several', several.flatMap(typed).map(search), 25, "LIKE '%term%'", likes);
  const offsets = offsetTimes(database);
  report(
    'first page',
    Array.from({ length: 100 }, () => search('')),
    5,
    'OFFSET',
    offsets,
  );
  const numbers = database.prepare('SELECT number FROM history_entry ORDER BY number DESC LIMIT 1 OFFSET ?');
  const keys = places.map((place) => Number(numbers.get(place)?.['number']));
  const page = database.prepare(
    `SELECT id FROM history_entry JOIN job ON job.number = history_entry.job WHERE history_entry.number < ?
     ORDER BY history_entry.number DESC LIMIT ${pageRows}`,
  );
  report(
    'page by key',
    keys.map((key) => time(() => page.all(key))),
    5,
    'OFFSET',
    offsets,
  );
}

/** Twice each: the first also starts threads, and reads what is not in memory. */
async function sums({ statistics }: OpenHistory): Promise<void> {
  for (const period of ['30d', '12m', 'all']) {
    for (const which of ['first', 'second']) {
      const begun = performance.now();
      const delays = monitorEventLoopDelay({ resolution: 1 });
      delays.enable();
      const { total } = await statistics.read({ period, kind: 'all' }, new AbortController().signal);
      delays.disable();
      console.log(
        `statistics of ${period}, ${which}: ${total.results} results in ${ms(performance.now() - begun)}, ` +
          `main blocked for ${ms(delays.max / 1e6)} at most`,
      );
    }
  }
}

async function jumps({ database, history, listed }: OpenHistory): Promise<void> {
  for (const text of ['', 'status:done', 'interview']) {
    const begun = performance.now();
    const { list, matches, days, months } = await listed(text);
    const letters = JSON.stringify({ days, months }).length;
    console.log(
      `counted ${matches} rows of "${text}" in ${ms(performance.now() - begun)}, ${Math.round(letters / 1000)} kB of days and months`,
    );
    if (text !== '') continue;
    const times = places.map((place) => time(() => history.rows(list, place, pageRows)));
    report('jump in the list', times, 8, 'OFFSET', offsetTimes(database));
    if (history.rows(list, count - 1, 1).length !== 1) throw new Error('the last row is out of reach');
  }
}

/** Milliseconds that each end of a job takes. `note` does not wait for the disk: what is left is the work. */
function endTimes(store: JobStore, write: 'change' | 'changeRelaxed', label: string): readonly number[] {
  const ids = Array.from({ length: 400 }, (_, k) => `${label}-${write}-${k}`);
  store.add(
    ids.map((id, k) =>
      conversionJob({
        id,
        source: { path: `/home/studio/Takes/Anna 7/interview podcast ${k}.wav`, subfolder: '', snapshot: null },
      }),
    ),
  );
  return ids.map((id) =>
    time(() => store[write](id, { state: 'done', output: { path: `/out/${id}.wav`, method: 'link' } })),
  );
}

function writes({ database, store }: OpenHistory): void {
  const ended = endTimes(store, 'change', 'with');
  const noted = endTimes(store, 'changeRelaxed', 'with');
  database.exec('DROP TRIGGER history_job_ended');
  report("a job's end", ended, 5, 'without history', endTimes(store, 'change', 'without'));
  const bare = endTimes(store, 'changeRelaxed', 'without');
  report("a job's end, not waiting for the disk", noted, 0.5, 'without history', bare);
  console.log(`history adds ${ms(median(noted) - median(bare))} of work to a job's end (goal 0.2)`);
}

const folder = await mkdtemp(join(tmpdir(), 'timbre-history-bench-'));
try {
  await fill(folder);
  console.log(`${((await stat(join(folder, databaseName))).size / 1e6).toFixed(0)} MB on disk`);
  const open = await openHistory(folder, { now: () => until });
  try {
    reads(open);
    await jumps(open);
    await sums(open);
    writes(open);
  } finally {
    await open.close();
  }
} finally {
  await rm(folder, { recursive: true });
}
