import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { createPendingRestores } from './removal-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-returning-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('keeps each entry once, in the order of insertion, until it is dropped', async () => {
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
