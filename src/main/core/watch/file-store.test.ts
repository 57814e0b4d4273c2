import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from '../database/migrations.ts';
import { openDatabase } from '../database/database.ts';
import type { Signature } from '../scanner/scanner.ts';
import { createFileStore, type FileStore } from './file-store.ts';

const signature: Signature = { device: '1', inode: '10', sizeBytes: 100, modifiedNs: '5', changedNs: '6' };
const addFolder = `INSERT INTO watch_folder (id, settings, voice, device, inode, listed, is_paused, existing, created_at)
  VALUES (?, '{}', '{}', '1', '2', 1, 0, 'answered', 0)`;

let folder: string;
let database: DatabaseSync;
let lines: FileStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-left-alone-'));
  database = await openDatabase(folder);
  for (const id of ['f', 'g']) database.prepare(addFolder).run(id);
  lines = createFileStore(database, { now: () => 7 });
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const shown = () => lines.page('f', null, 'all', 10).map(({ path, verdict }) => `${path} ${verdict}`);

describe('a file that was left alone', () => {
  it('stands below every file of which there is more to tell, and is found page by page', () => {
    for (const name of ['a', 'b', 'c']) lines.leave('f', name, signature);
    lines.put('f', 'new', { signature, verdict: 'waiting', standing: 'open' });
    lines.leave('g', 'elsewhere', signature);
    expect(shown()).toEqual(['new waiting', 'c before', 'b before', 'a before']);
    const first = lines.page('f', null, 'all', 2);
    expect(lines.page('f', first[1]?.order ?? 0, 'all', 2).map(({ path }) => path)).toEqual(['b', 'a']);
    expect(lines.page('f', null, 'attention', 10)).toEqual([]);
    expect(lines.counts('f').known).toBe(4);
  });

  it('leaves that place when somebody wants it, and only then', () => {
    lines.leave('f', 'a', signature);
    lines.put('f', 'a', { verdict: 'waiting', standing: 'open' });
    expect(shown()).toEqual(['a waiting']);
    expect(lines.leave('f', 'a', signature)).toBe(false);
    expect(shown()).toEqual(['a waiting']);
  });

  it('is as it was with the same size and times, and the same one elsewhere by its inode', () => {
    lines.leave('f', 'a', signature);
    expect(lines.isLeftAlone('f', 'a', { ...signature, inode: '11' })).toBe(true);
    expect(lines.isLeftAlone('f', 'a', { ...signature, changedNs: '7' })).toBe(false);
    expect(lines.wasBefore('f', { ...signature, changedNs: '7' })).toBe(true);
    expect(lines.wasBefore('f', { ...signature, modifiedNs: '7' })).toBe(false);
    expect(lines.wasBefore('g', signature)).toBe(false);
  });

  it('keeps its length for as long as it is the same, and counts only while it is there', () => {
    lines.leave('f', 'a', signature);
    lines.touch('f', 'a', { durationSeconds: 3 });
    lines.leave('f', 'a', signature);
    expect(lines.before('f')).toMatchObject({ files: 1, seconds: 3 });
    lines.touch('f', 'a', { isThere: false });
    expect(lines.before('f')).toMatchObject({ known: 1, files: 0, seconds: 0 });
    expect(lines.isLeftAlone('f', 'a', signature)).toBe(false);
    lines.leave('f', 'a', { ...signature, modifiedNs: '9' });
    expect(lines.get('f', 'a')).toMatchObject({ isThere: true, durationSeconds: null });
  });

  it('goes with its folder', () => {
    lines.leave('f', 'a', signature);
    database.prepare('DELETE FROM watch_folder WHERE id = ?').run('f');
    expect(lines.get('f', 'a')).toBeUndefined();
  });
});

it('a file that waits for another day is found by its length, oldest first, while it is there', () => {
  for (const [name, durationSeconds] of [
    ['long', 100],
    ['short', 20],
    ['fits', 50],
    ['gone', 10],
  ] as const) {
    lines.put('f', name, { signature, verdict: 'budget', standing: 'open', durationSeconds });
  }
  lines.put('f', 'other', { signature, verdict: 'waiting', standing: 'open', durationSeconds: 10 });
  lines.put('f', 'gone', { isThere: false });
  expect(lines.held('f', 50)).toEqual(['short', 'fits']);
  expect(lines.held('f', 0)).toEqual([]);
  expect(lines.held('f', Infinity)).toEqual(['long', 'short', 'fits']);
});

it('what an older Timbre left alone is still left alone', async () => {
  const older = join(folder, 'older');
  const before = await openDatabase(
    older,
    migrations.filter(({ version }) => version < 5),
  );
  before.prepare(addFolder).run('f');
  const insert = before.prepare(
    `INSERT INTO watched_file (folder_id, path, change, at, is_there, device, inode, size_bytes, modified_ns, changed_ns,
       verdict, standing, failures, is_forced, duration_seconds)
     VALUES ('f', ?, ?, 3, 1, '1', '10', 100, '5', '6', ?, 'rest', 0, 0, 4)`,
  );
  insert.run('done.wav', 1, 'job');
  insert.run('old.wav', 2, 'before');
  before.close();
  const after = await openDatabase(older);
  const known = createFileStore(after, { now: () => 0 });
  expect(known.get('f', 'old.wav')).toMatchObject({ verdict: 'before', at: 3, durationSeconds: 4, signature });
  expect(known.page('f', null, 'all', 10).map(({ path }) => path)).toEqual(['done.wav', 'old.wav']);
  after.close();
});
