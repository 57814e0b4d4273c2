import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database/database.ts';
import type { Signature } from '../files/identity.ts';
import { createFileStore, type FileStore } from './file-store.ts';

const signature: Signature = { device: '1', inode: '10', sizeBytes: 100, modifiedNs: '5', changedNs: '6' };
const addFolder = `INSERT INTO watch_folder (id, settings, voice, device, inode, is_listed, is_paused, baseline_stage, created_at)
  VALUES (?, '{}', '{}', '1', '2', 1, 0, 'answered', 0)`;

let folder: string;
let database: DatabaseSync;
let records: FileStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-left-alone-'));
  database = await openDatabase(folder);
  for (const id of ['f', 'g']) database.prepare(addFolder).run(id);
  records = createFileStore(database, { now: () => 7 });
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const shown = () => records.listPage('f', null, 'all', 10).map(({ path, decision }) => `${path} ${decision}`);

describe('a file of the baseline', () => {
  it('sorts below every record, and is listed page by page', () => {
    for (const name of ['a', 'b', 'c']) records.addToBaseline('f', name, signature);
    records.upsert('f', 'new', { signature, decision: 'waiting', stage: 'open' });
    records.addToBaseline('g', 'elsewhere', signature);
    expect(shown()).toEqual(['new waiting', 'c before', 'b before', 'a before']);
    const first = records.listPage('f', null, 'all', 2);
    expect(records.listPage('f', first[1]?.changeNumber ?? 0, 'all', 2).map(({ path }) => path)).toEqual(['b', 'a']);
    expect(records.listPage('f', null, 'attention', 10)).toEqual([]);
    expect(records.counts('f').known).toBe(4);
  });

  it('becomes a record only when the user wants it', () => {
    records.addToBaseline('f', 'a', signature);
    records.upsert('f', 'a', { decision: 'waiting', stage: 'open' });
    expect(shown()).toEqual(['a waiting']);
    expect(records.addToBaseline('f', 'a', signature)).toBe(false);
    expect(shown()).toEqual(['a waiting']);
  });

  it('is unchanged with the same size and times, and recognized elsewhere by its inode', () => {
    records.addToBaseline('f', 'a', signature);
    expect(records.isUnchangedInBaseline('f', 'a', { ...signature, inode: '11' })).toBe(true);
    expect(records.isUnchangedInBaseline('f', 'a', { ...signature, changedNs: '7' })).toBe(false);
    expect(records.isInBaseline('f', { ...signature, changedNs: '7' })).toBe(true);
    expect(records.isInBaseline('f', { ...signature, modifiedNs: '7' })).toBe(false);
    expect(records.isInBaseline('g', signature)).toBe(false);
  });

  it('keeps its duration while it is unchanged, and counts only while it is present', () => {
    records.addToBaseline('f', 'a', signature);
    records.updateInPlace('f', 'a', { durationSeconds: 3 });
    records.addToBaseline('f', 'a', signature);
    expect(records.baselineTotals('f')).toMatchObject({ files: 1, seconds: 3 });
    records.updateInPlace('f', 'a', { isPresent: false });
    expect(records.baselineTotals('f')).toMatchObject({ known: 1, files: 0, seconds: 0 });
    expect(records.isUnchangedInBaseline('f', 'a', signature)).toBe(false);
    records.addToBaseline('f', 'a', { ...signature, modifiedNs: '9' });
    expect(records.find('f', 'a')).toMatchObject({ isPresent: true, durationSeconds: null });
  });

  it('is deleted with its folder', () => {
    records.addToBaseline('f', 'a', signature);
    database.prepare('DELETE FROM watch_folder WHERE id = ?').run('f');
    expect(records.find('f', 'a')).toBeUndefined();
  });
});

it('a file that waits for another day is found by its duration, oldest first, while it is present', () => {
  for (const [name, durationSeconds] of [
    ['long', 100],
    ['short', 20],
    ['fits', 50],
    ['gone', 10],
  ] as const) {
    records.upsert('f', name, { signature, decision: 'budget', stage: 'open', durationSeconds });
  }
  records.upsert('f', 'other', { signature, decision: 'waiting', stage: 'open', durationSeconds: 10 });
  records.upsert('f', 'gone', { isPresent: false });
  expect(records.listOverBudget('f', 50)).toEqual(['short', 'fits']);
  expect(records.listOverBudget('f', 0)).toEqual([]);
  expect(records.listOverBudget('f', Infinity)).toEqual(['long', 'short', 'fits']);
});
