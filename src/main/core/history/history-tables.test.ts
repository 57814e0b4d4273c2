import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import type { ConversionJob, Job } from '../jobs/job.ts';
import { createJobStore, type JobStore } from '../jobs/job-store.ts';
import { acquireProcessLock, type ProcessLock } from '../jobs/process-lock.ts';

let folder: string;
let database: DatabaseSync;
let processLock: ProcessLock;
let store: JobStore;
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-history-'));
  now = 1000;
  processLock = acquireProcessLock(folder);
});
afterEach(async () => {
  database.close();
  processLock.release();
  await rm(folder, { recursive: true });
});

async function open(): Promise<void> {
  database = await openDatabase(folder);
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  store = createJobStore({
    database,
    clock,
    processLock,
    isCommand: false,
    onDefect(error) {
      throw error;
    },
  });
}

const take = (id: string, change: Partial<ConversionJob> = {}): Job =>
  conversionJob({ id, source: { path: `/takes/${id}.wav`, subfolder: '', snapshot: null }, ...change });
const entries = () =>
  database
    .prepare('SELECT history_entry.number, id FROM history_entry JOIN job ON job.number = job ORDER BY 1')
    .all()
    .map(({ number, id }) => [number, id]);
const found = (match: string) =>
  database
    .prepare(
      `SELECT id FROM history_text JOIN history_entry ON history_entry.number = history_text.rowid JOIN job ON job.number = job
       WHERE history_text MATCH ? ORDER BY history_text.rowid`,
    )
    .all(match)
    .map(({ id }) => id);
const numberOf = (id: string) => database.prepare('SELECT number FROM job WHERE id = ?').get(id)?.['number'] ?? null;
const remove = (id: string) =>
  database
    .prepare('INSERT INTO history_removed SELECT job, number, 5 FROM history_entry WHERE job = ?')
    .run(numberOf(id));
const bringBack = (id: string) => database.prepare('DELETE FROM history_removed WHERE job = ?').run(numberOf(id));

describe('history', () => {
  it('lists a job once it has ended, not before', async () => {
    await open();
    store.add([take('a'), take('b')]);
    store.change('a', { state: 'creating' });
    expect(entries()).toEqual([]);
    now = 2000;
    store.change('a', { state: 'failed', problem: { code: 'network/cut', words: 'upstream' } });
    expect(entries()).toEqual([[2000 * 1024, 'a']]);
    expect(found('"upstream"')).toEqual(['a']);
    expect(found('"takes"')).toEqual(['a']);
  });

  it('lists a job that was added as ended', async () => {
    await open();
    store.add([take('a', { state: 'failed', problem: { code: 'input/missing' } })]);
    expect(entries()).toEqual([[1000 * 1024, 'a']]);
  });

  it('keeps the order of jobs that ended in the same millisecond, even more of them than a millisecond has numbers', async () => {
    await open();
    const ids = Array.from({ length: 2500 }, (_, k) => `take${k}`);
    store.add(ids.map((id) => take(id, { state: 'failed' })));
    expect(entries()).toEqual(ids.map((id, k) => [1000 * 1024 + k, id]));
    now = 1001;
    store.add([take('later', { state: 'failed' })]);
    expect(entries().at(-1)).toEqual([1000 * 1024 + 2500, 'later']);
  });

  it('drops a job that is reopened, and lists it anew when it ends again', async () => {
    await open();
    store.add([take('a'), take('b')]);
    store.change('a', { state: 'failed', problem: { code: 'network/cut', words: 'upstream' } });
    now = 2000;
    store.change('b', { state: 'done' });
    store.reopen('a', { state: 'queued' });
    expect(entries()).toEqual([[2000 * 1024, 'b']]);
    expect(found('"takes"')).toEqual(['b']);
    now = 3000;
    store.change('a', { state: 'done', output: { path: '/out/a (low).flac', method: 'link' } });
    expect(entries()).toEqual([
      [2000 * 1024, 'b'],
      [3000 * 1024, 'a'],
    ]);
    expect(found('"flac"')).toEqual(['a']);
    expect(found('"upstream"')).toEqual([]);
    expect(found('"§status§failed"')).toEqual([]);
  });

  it('keeps a job that is removed from the queue list', async () => {
    await open();
    store.add([take('a')]);
    store.change('a', { state: 'done' });
    store.remove(['a']);
    expect(entries()).toEqual([[1000 * 1024, 'a']]);
    expect(found('"a"')).toEqual(['a']);
  });

  it('finds a job by the current paths of its files', async () => {
    await open();
    store.add([take('a')]);
    store.change('a', { state: 'done', output: { path: '/out/before.wav', method: 'link' } });
    database.prepare('UPDATE job SET output_path = ? WHERE id = ?').run('/elsewhere/after.wav', 'a');
    expect(found('"before"')).toEqual([]);
    expect(found('name : "after"')).toEqual(['a']);
    expect(found('folder : "elsewhere"')).toEqual(['a']);
  });

  it('keeps the annotations of a job that is retried', async () => {
    await open();
    store.add([take('a')]);
    store.change('a', { state: 'failed' });
    database.prepare('INSERT INTO history_favourite VALUES (?)').run(numberOf('a'));
    database.prepare('INSERT INTO history_tag VALUES (?, ?)').run(numberOf('a'), 'To keep');
    expect(found('"§is§favourite" AND "§tag§to§keep"')).toEqual(['a']);
    store.reopen('a', { state: 'queued' });
    expect(found('"keep"')).toEqual([]);
    store.change('a', { state: 'done' });
    expect(found('"§is§favourite" AND "§tag§to§keep" AND tags : "keep"')).toEqual(['a']);
    database.exec('DELETE FROM history_tag; DELETE FROM history_favourite');
    expect(found('"§is§favourite" OR "keep"')).toEqual([]);
  });

  it('restores a removed entry to its old position among those of the same millisecond', async () => {
    await open();
    store.add(['a', 'b', 'c'].map((id) => take(id, { state: 'failed' })));
    const before = entries();
    remove('b');
    remove('a');
    expect(entries()).toEqual([[1000 * 1024 + 2, 'c']]);
    expect(found('"takes"')).toEqual(['c']);
    bringBack('a');
    bringBack('b');
    expect(entries()).toEqual(before);
    expect(found('"takes"')).toEqual(['a', 'b', 'c']);
  });

  it('hides a removed job that is retried until it is restored, and then shows it where it ended last', async () => {
    await open();
    store.add([take('a', { state: 'failed' })]);
    remove('a');
    store.reopen('a', { state: 'queued' });
    bringBack('a');
    expect(entries()).toEqual([]);
    store.change('a', { state: 'failed' });
    remove('a');
    store.reopen('a', { state: 'queued' });
    now = 2000;
    store.change('a', { state: 'done' });
    expect(entries()).toEqual([]);
    bringBack('a');
    expect(entries()).toEqual([[2000 * 1024, 'a']]);
  });

  it('knows the watched folder of a job, also after that folder is removed', async () => {
    await open();
    const watched = JSON.stringify({ path: '/home/anna/Morning show' });
    database
      .prepare(
        `INSERT INTO watch_folder (id, settings, voice, device, inode, is_listed, is_paused, baseline_stage, created_at)
        VALUES ('f', ?, '{}', '', '', 1, 0, 'answered', 0)`,
      )
      .run(watched);
    database.exec(`INSERT INTO watched_file (folder_id, path, change_number, state_changed_at, is_present, device, inode, size_bytes, modified_ns,
      changed_ns, decision, stage, job_id, failures, is_forced) VALUES ('f', 'a.wav', 1, 0, 1, '', '', 1, '', '', 'job', 'open', 'a', 0, 0)`);
    store.add([take('a'), take('b')]);
    store.change('a', { state: 'done' });
    store.change('b', { state: 'done' });
    database.exec('DELETE FROM watch_folder');
    expect(found('origin : "morning show"')).toEqual(['a']);
    remove('a');
    bringBack('a');
    expect(found('origin : "morning show"')).toEqual(['a']);
  });

  it('knows the watched folder of a job whose file was changed while it was converted, and has another job now', async () => {
    await open();
    database
      .prepare(
        `INSERT INTO watch_folder (id, settings, voice, device, inode, is_listed, is_paused, baseline_stage, created_at)
        VALUES ('f', ?, '{}', '', '', 1, 0, 'answered', 0)`,
      )
      .run(JSON.stringify({ path: '/home/anna/Morning show' }));
    store.add([take('a'), take('b')]);
    database.exec("INSERT INTO watch_ledger VALUES ('f', 'abc', '', 'a', 'a.wav', 1, 5)");
    store.change('a', { state: 'done' });
    store.change('b', { state: 'done' });
    expect(found('origin : "morning show"')).toEqual(['a']);
  });

  it('rolls back with its transaction', async () => {
    await open();
    store.add([take('a')]);
    database.exec('BEGIN');
    store.change('a', { state: 'done' });
    expect(found('"takes"')).toEqual(['a']);
    database.exec('ROLLBACK');
    expect(entries()).toEqual([]);
    expect(found('"takes"')).toEqual([]);
  });

  it('accepts a job with damaged columns', async () => {
    await open();
    store.add([take('a')]);
    database.exec("UPDATE job SET voice = 'damaged', problem = '{'");
    database.exec("UPDATE job SET state = 'cancelled', ended_at = 10");
    expect(entries()).toEqual([[10 * 1024, 'a']]);
    expect(found('"§status§cancelled"')).toEqual(['a']);
  });
});
