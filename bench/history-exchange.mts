// Import of a long history: entries a second, and how long a slice blocks the window. Baseline in the same run: plain INSERTs of the
// same rows with the same triggers in one transaction, which blocks the window throughout.
//   npm run bench history-exchange [entries]
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { systemClock } from '../src/main/core/clock.ts';
import { transaction } from '../src/main/core/database/sqlite.ts';
import { createTemporaryFiles } from '../src/main/core/files/temporary-files.ts';
import { createFileQueries } from '../src/main/core/history/file-status.ts';
import { exportHistory } from '../src/main/core/history/export.ts';
import { makeHistory } from '../src/main/core/history/history.fixture.ts';
import { importHistory } from '../src/main/core/history/import.ts';
import { openHistory, type OpenHistory } from '../src/main/core/history/open-history.fixture.ts';
import { toHistoryAccess } from '../src/main/core/data.ts';
import { median } from './median.mts';

const entries = Number(process.argv[2] ?? 20_000);
const rounds = 3;
const goalMs = 20;
const tables = ['connection_document', 'job', 'history_favourite', 'history_tag'];

const watched = { signal: new AbortController().signal, onProgress: () => undefined };
const fileQueries = createFileQueries({ clock: systemClock, platform: process.platform });
const folder = await mkdtemp(join(tmpdir(), 'timbre-exchange-bench-'));
const temporaryFiles = createTemporaryFiles({
  folder: join(folder, 'temporary-files'),
  owner: randomUUID(),
  isAlive: () => true,
});
const list = join(folder, 'history.jsonl');

async function opened<T>(name: string, work: (open: OpenHistory) => T | Promise<T>): Promise<T> {
  const open = await openHistory(join(folder, name), systemClock);
  try {
    return await work(open);
  } finally {
    await open.close();
  }
}

/** One in ten has a tag, one in twenty is a favourite. */
async function write({ database, store, history }: OpenHistory): Promise<void> {
  makeHistory(database, entries, Date.UTC(2026, 10, 1));
  const { ids } = await history.find('');
  await history.update({ ids: ids.filter((_, k) => k % 10 === 0) }, { addTags: ['rehearsal'] });
  await history.update({ ids: ids.filter((_, k) => k % 20 === 0) }, { isFavourite: true });
  const { annotations } = toHistoryAccess(history);
  // A list has no sounds.
  const copyStore = { find: () => Promise.resolve(undefined) };
  const own = { store, annotations, fileQueries, temporaryFiles, copyStore };
  await exportHistory(own, { ids, what: 'list', existing: 'replace', target: list, ...watched });
}

/** Milliseconds of the whole import, and CPU time of each slice, which does not depend on other programs. */
async function timeImport({ database, store, history }: OpenHistory) {
  const slices: number[] = [];
  let begun: NodeJS.CpuUsage | undefined;
  // The import asks for the time at both ends of a slice.
  const now = () => {
    const { user, system } = process.threadCpuUsage(begun);
    if (begun) slices.push((user + system) / 1000);
    begun = begun ? undefined : { user, system };
    return systemClock.now();
  };
  const { show, notifyChanged } = toHistoryAccess(history);
  const own = {
    database,
    store,
    show,
    onAdded: notifyChanged,
    onChanged: notifyChanged,
    fileQueries,
    temporaryFiles,
  };
  const startedMs = performance.now();
  const { added } = await importHistory(
    {
      ...own,
      writes: { write: (work) => work() },
      clock: { now },
      connectionId: () => undefined,
    },
    { path: list, folder: join(folder, 'sounds'), ...watched },
  );
  if (added !== entries) throw new Error(`${added} of ${entries} entries were imported`);
  return { spentMs: performance.now() - startedMs, slices };
}

function columnsOf(database: DatabaseSync, table: string): string {
  // Generated columns are hidden, and left out.
  return database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))
    .join(', ');
}

function timePlain(from: DatabaseSync, to: DatabaseSync): number {
  const rows = tables.map((table) => from.prepare(`SELECT ${columnsOf(from, table)} FROM ${table}`).all());
  const startedMs = performance.now();
  transaction(to, () => {
    for (const [k, table] of tables.entries()) {
      const columns = columnsOf(to, table);
      const insert = to.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`);
      for (const row of rows[k] ?? []) insert.run(...(Object.values(row) as SQLInputValue[]));
    }
  });
  return performance.now() - startedMs;
}

try {
  await opened('from', write);
  const [own, plain, slices]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    await opened(`own-${round}`, async (open) => {
      const timed = await timeImport(open);
      own.push(timed.spentMs);
      slices.push(...timed.slices);
      plain.push(await opened(`plain-${round}`, ({ database }) => timePlain(open.database, database)));
    });
  }
  const [ownMs, plainMs] = [median(own), median(plain)];
  const perSecond = (ms: number) => `${((entries / ms) * 1000).toFixed()} entries/s`;
  const sorted = slices.toSorted((a, b) => a - b);
  const longest = sorted.at(-1) ?? NaN;
  console.log(
    `import of ${entries} entries: ${perSecond(ownMs)}, plain INSERTs in one transaction ${perSecond(plainMs)}, ` +
      `${(plainMs / ownMs).toFixed(2)} times as fast, medians of ${rounds}`,
  );
  console.log(
    `processor time of a slice: median ${median(sorted).toFixed(1)} ms, p95 ${(sorted[Math.floor(sorted.length * 0.95)] ?? NaN).toFixed(1)} ms ` +
      `(goal ${goalMs}), longest ${longest.toFixed(1)} ms of ${sorted.length}`,
  );
} finally {
  await rm(folder, { recursive: true });
}
