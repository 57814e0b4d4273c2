import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isTextPath } from '../../../shared/schemas/watch.ts';
import { openDatabase } from '../database/database.ts';
import { migrations } from '../database/schema.ts';
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
    expect(shown()).toEqual(['new waiting', 'c baseline', 'b baseline', 'a baseline']);
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

describe('the totals of a baseline', () => {
  interface Change {
    readonly id: string;
    readonly name: string;
    readonly kind: 'add' | 'add another' | 'measure' | 'lose' | 'decide';
    readonly seconds: number;
  }

  /** As SQLite counts the rows. */
  const counted = (id: string) => {
    const rows = database
      .prepare('SELECT path, is_present, duration_seconds FROM baseline_file WHERE folder_id = ?')
      .all(id);
    const present = rows.filter((row) => row['is_present'] === 1);
    return {
      known: rows.length,
      files: present.length,
      texts: present.filter((row) => isTextPath(String(row['path']))).length,
      seconds: present.reduce((sum, row) => sum + Number(row['duration_seconds'] ?? 0), 0),
    };
  };

  it('are those of its files after each change, and after one that was rolled back', () => {
    const change = fc.record({
      id: fc.constantFrom('f', 'g'),
      name: fc.constantFrom('a.wav', 'b.TXT', 'c.md', 'd.txt.wav', 'txt'),
      kind: fc.constantFrom<Change['kind']>('add', 'add another', 'measure', 'lose', 'decide'),
      seconds: fc.integer({ min: 0, max: 4000 }).map((quarters) => quarters / 4),
      isRolledBack: fc.boolean(),
    });
    const carryOut = ({ id, name, kind, seconds }: Change) => {
      if (kind === 'add') records.addToBaseline(id, name, signature);
      else if (kind === 'add another') records.addToBaseline(id, name, { ...signature, modifiedNs: '9' });
      else if (records.find(id, name) === undefined) return;
      else if (kind === 'measure') records.updateInPlace(id, name, { durationSeconds: seconds });
      else if (kind === 'lose') records.updateInPlace(id, name, { isPresent: false });
      else records.upsert(id, name, { decision: 'waiting', stage: 'open' });
    };
    const property = fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      database.exec('DELETE FROM baseline_file; DELETE FROM watched_file');
      for (const one of changes) {
        database.exec('BEGIN');
        carryOut(one);
        database.exec(one.isRolledBack ? 'ROLLBACK' : 'COMMIT');
        for (const id of ['f', 'g']) expect(records.baselineTotals(id)).toEqual(counted(id));
      }
    });
    fc.assert(property);
  });

  it('count a length beyond all sense as 30 years', () => {
    for (const name of ['a', 'b', 'c']) {
      records.addToBaseline('f', name, signature);
      records.updateInPlace('f', name, { durationSeconds: 1e305 });
    }
    expect(records.baselineTotals('f')).toMatchObject({ files: 3, seconds: 3e9 });
    for (const name of ['a', 'b', 'c']) records.updateInPlace('f', name, { durationSeconds: 1 });
    expect(records.baselineTotals('f')).toMatchObject({ files: 3, seconds: 3 });
  });

  it('of a folder that was removed are nothing', () => {
    records.addToBaseline('f', 'a.txt', signature);
    database.prepare('DELETE FROM watch_folder WHERE id = ?').run('f');
    expect(records.baselineTotals('f')).toEqual({ known: 0, files: 0, texts: 0, seconds: 0 });
    expect(database.prepare('SELECT folder_id FROM baseline_total').all()).toEqual([{ folder_id: 'g' }]);
  });

  it('are counted when data of an earlier Timbre is opened', async () => {
    const older = join(folder, 'older');
    const before = await openDatabase(
      older,
      migrations.filter(({ version }) => version < 7),
    );
    before.prepare(addFolder).run('f');
    before.prepare(addFolder).run('g');
    const insert = before.prepare(`INSERT INTO baseline_file
      (folder_id, path, device, inode, size_bytes, modified_ns, changed_ns, seen_at, is_present, duration_seconds)
      VALUES ('f', ?, '1', '2', 3, '4', '5', 6, ?, ?)`);
    insert.run('a.wav', 1, 1.5);
    insert.run('b.wav', 0, 8);
    insert.run('c.txt', 1, null);
    before.close();
    database.close();
    database = await openDatabase(older);
    records = createFileStore(database, { now: () => 7 });
    expect(records.baselineTotals('f')).toEqual({ known: 3, files: 2, texts: 1, seconds: 1.5 });
    expect(records.baselineTotals('g')).toEqual({ known: 0, files: 0, texts: 0, seconds: 0 });
    records.updateInPlace('f', 'b.wav', { isPresent: true });
    expect(records.baselineTotals('f')).toEqual(counted('f'));
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
