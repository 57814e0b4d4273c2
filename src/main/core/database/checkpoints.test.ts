import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Checkpoints, createCheckpoints, nextBatch } from './checkpoints.ts';
import { databaseName, openDatabase } from './database.ts';
import { busyTimeoutMs, transaction } from './sqlite.ts';

const workerUrl = new URL('./checkpoint-worker.ts', import.meta.url);
const note = { version: 1, sql: 'CREATE TABLE note (text TEXT)' };
/** Fills a page of the database. */
const page = 'x'.repeat(4000);
const secret = 'signature=0123456789abcdef';

let folder: string;
let database: DatabaseSync;
let checkpoints: Checkpoints;
const defects: unknown[] = [];

async function open(where: 'worker' | 'own'): Promise<void> {
  database = await openDatabase(folder, [note]);
  checkpoints = createCheckpoints({
    database,
    workerUrl: where === 'worker' ? workerUrl : undefined,
    onDefect: (error) => defects.push(error),
  });
}

/** Starts the worker, which a short log does not need. */
function makeLong(): void {
  transaction(database, () => {
    for (let k = 0; k < 1100; k += 1) insert(page);
  });
}

async function close(): Promise<void> {
  await checkpoints.stop();
  database.close();
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-checkpoints-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  expect(defects.splice(0)).toEqual([]);
});

const logPages = () => database.prepare('PRAGMA wal_checkpoint(NOOP)').get();
const insert = (text: string) => transaction(database, () => database.prepare('INSERT INTO note VALUES (?)').run(text));

async function filesWithSecret(): Promise<readonly string[]> {
  const names = await readdir(folder);
  const found = await Promise.all(names.map(async (name) => (await readFile(join(folder, name))).includes(secret)));
  return names.filter((_, k) => found[k]);
}

describe.each(['worker', 'own'] as const)('checkpoints of the %s thread', (where) => {
  it('remove old contents of rows from the database and its log', async () => {
    await open(where);
    if (where === 'worker') makeLong();
    insert(secret.repeat(50));
    await checkpoints.truncate();
    expect(await filesWithSecret()).toEqual([databaseName]);
    database.exec('UPDATE note SET text = NULL');
    expect(await filesWithSecret()).not.toEqual([]);
    await checkpoints.truncate();
    expect(await filesWithSecret()).toEqual([]);
    await close();
  });

  it('truncate nothing in a transaction, while another process reads, or of a closed database', async () => {
    await open(where);
    makeLong();
    const other = await openDatabase(folder, [note]);
    other.exec('BEGIN; SELECT * FROM note');
    insert(secret);
    const logBytes = async () => (await stat(join(folder, `${databaseName}-wal`))).size;
    await checkpoints.truncate();
    expect(await logBytes()).toBeGreaterThan(0);
    other.exec('COMMIT');
    database.exec('BEGIN IMMEDIATE');
    await checkpoints.truncate();
    database.exec('COMMIT');
    expect(await logBytes()).toBeGreaterThan(0);
    expect(database.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: busyTimeoutMs });
    other.close();
    await close();
    await checkpoints.truncate();
  });
});

it('the worker copies a log of many pages, and no commit of this thread does', async () => {
  await open('worker');
  // In one commit: the worker would begin with a part of several, and leave the rest to the next one.
  makeLong();
  const { log } = logPages() ?? {};
  const { wal_autocheckpoint: ownPages } = database.prepare('PRAGMA wal_autocheckpoint').get() ?? {};
  expect([Number(log) > 1000, Number(ownPages) > Number(log)]).toEqual([true, true]);
  await expect.poll(logPages).toMatchObject({ checkpointed: log });
  await close();
});

it('the worker tries again at the next commit if another process reads what it would have to copy', async () => {
  await open('worker');
  const other = await openDatabase(folder, [note]);
  other.exec('BEGIN; SELECT * FROM note');
  makeLong();
  other.exec('COMMIT');
  other.close();
  await expect
    .poll(() => {
      insert('');
      const { log, checkpointed } = logPages() ?? {};
      return Number(log) - Number(checkpointed);
    })
    .toBeLessThan(1000);
  await close();
});

it('batches of writes do not outrun the worker, whose part this thread would have to do', async () => {
  await open('worker');
  let longest = 0;
  for (let batch = 0; batch < 20; batch += 1) {
    makeLong();
    longest = Math.max(longest, Number(logPages()?.['log']));
    await nextBatch(database);
  }
  expect(longest).toBeLessThan(6000);
  await close();
});

it('the worker starts again after a truncation, for the next long log', async () => {
  await open('worker');
  for (let time = 0; time < 2; time += 1) {
    makeLong();
    await checkpoints.truncate();
    expect((await stat(join(folder, `${databaseName}-wal`))).size).toBe(0);
  }
  await close();
});

it('a worker that cannot run is told once, and this thread copies the log', async () => {
  database = await openDatabase(folder, [note]);
  checkpoints = createCheckpoints({
    database,
    workerUrl: new URL('./no-such-worker.ts', import.meta.url),
    onDefect: (error) => defects.push(error),
  });
  makeLong();
  await expect.poll(() => defects.length).toBe(1);
  insert(page);
  expect(Number(logPages()?.['checkpointed'])).toBeGreaterThan(1000);
  await close();
  expect(defects.splice(0)).toMatchObject([{ code: 'internal' }]);
});
