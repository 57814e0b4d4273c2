import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { emptyLog } from './empty-log.ts';
import { busyTimeoutMs, databaseName, openDatabase } from './open-database.ts';

const secret = 'signature=0123456789abcdef';
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-log-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function filesWithSecret(): Promise<readonly string[]> {
  const names = await readdir(folder);
  const found = await Promise.all(names.map(async (name) => (await readFile(join(folder, name))).includes(secret)));
  return names.filter((_, k) => found[k]);
}

const note = { version: 1, sql: 'CREATE TABLE note (text TEXT)' };

it('leaves nothing of what a row held before, in the database and in its log', async () => {
  const database = await openDatabase(folder, [note]);
  database.prepare('INSERT INTO note VALUES (?)').run(secret.repeat(50));
  emptyLog(database);
  expect(await filesWithSecret()).toEqual([databaseName]);
  database.exec('UPDATE note SET text = NULL');
  expect(await filesWithSecret()).not.toEqual([]);
  emptyLog(database);
  expect(await filesWithSecret()).toEqual([]);
  database.close();
});

it('waits for nobody: not in a transaction, not while another process reads, not on a closed database', async () => {
  const database = await openDatabase(folder, [note]);
  const other = await openDatabase(folder, [note]);
  other.exec('BEGIN; SELECT * FROM note');
  database.prepare('INSERT INTO note VALUES (?)').run(secret);
  const startedMs = performance.now();
  emptyLog(database);
  expect(performance.now() - startedMs).toBeLessThan(1000);
  other.exec('COMMIT');
  database.exec('BEGIN');
  emptyLog(database);
  database.exec('COMMIT');
  expect(database.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: busyTimeoutMs });
  database.close();
  other.close();
  emptyLog(database);
});
