import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrations } from '../database/migrations.ts';
import { openDatabase } from '../database/database.ts';
import { createPendingRestores } from './removal-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-returning-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('keeps entries once, in the order in which they came, until they are dropped', async () => {
  const database = await openDatabase(folder);
  const returning = createPendingRestores(database);
  returning.add(['c', 'a']);
  returning.add(['a', 'b']);
  expect(returning.next(2)).toEqual(['c', 'a']);
  returning.remove(['c', 'a']);
  expect(returning.next(2)).toEqual(['b']);
  expect(['a', 'b'].map(returning.has)).toEqual([false, true]);
  database.close();
});

it('takes up what an older Timbre was about to bring back', async () => {
  const before = await openDatabase(
    folder,
    migrations.filter(({ version }) => version < 8),
  );
  const insert = before.prepare(
    `INSERT INTO removed_file (id, removal, wish, jobs, path, how, sha256, size_bytes, device, inode)
     VALUES (?, 'r', ?, ?, '/a.wav', 'link', 'ff', 1, '1', '2')`,
  );
  insert.run('1', 'back', '["a","twin"]');
  insert.run('2', 'gone', '["b"]');
  before.close();
  const after = await openDatabase(folder);
  expect(createPendingRestores(after).next(9)).toEqual(['a', 'twin']);
  after.close();
});
