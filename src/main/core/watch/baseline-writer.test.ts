import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseName, openDatabase } from '../database/database.ts';
import { wavBytes } from '../scanner/scanner.fixture.ts';
import { type BaselineWriter, createBaselineWriter } from './baseline-writer.ts';
import { createFileStore, type FileStore } from './file-store.ts';
import { useWatchFixture, type WatchFixture } from './watch.fixture.ts';

const workerUrl = new URL('./baseline-worker.ts', import.meta.url);
const signature = { device: '1', inode: '2', sizeBytes: 3, modifiedNs: '4', changedNs: '5' };
const filesNamed = (...paths: readonly string[]) => paths.map((path) => ({ path, signature }));

describe('the thread', () => {
  let folder: string;
  let database: DatabaseSync;
  let records: FileStore;
  let thread: BaselineWriter;
  let defects: unknown[];

  const open = (url: URL) =>
    createBaselineWriter({ database, workerUrl: url, onDefect: (error) => void defects.push(error) });
  const add = (folderId: string, ...paths: readonly string[]) =>
    thread.add({ folderId, files: filesNamed(...paths), at: 7 });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-baseline-'));
    database = await openDatabase(folder);
    database.exec(
      `INSERT INTO watch_folder (id, settings, voice, device, inode, is_listed, is_paused, baseline_stage, created_at)
       VALUES ('f', '{}', '{}', '', '', 1, 0, 'scanning', 0)`,
    );
    records = createFileStore(database, { now: () => 0 });
    defects = [];
    thread = open(workerUrl);
  });
  afterEach(async () => {
    await thread.stop();
    database.close();
    await rm(folder, { recursive: true });
  });

  it('adds what main would add, and names the files that have a record', async () => {
    records.upsert('f', 'known', { signature, decision: 'waiting', stage: 'open', isPresent: true });
    expect(await add('f', 'a', 'known', 'b')).toEqual(['known']);
    expect(records.listBaseline('f', -Infinity, 9)).toMatchObject([
      { path: 'a', signature, stateChangedAt: 7, isPresent: true },
      { path: 'b' },
    ]);
    expect(records.baselineTotals('f')).toMatchObject({ files: 2 });
    expect(records.find('f', 'known')?.decision).toBe('waiting');
  });

  it('starts again after it was released', async () => {
    await add('f', 'a');
    await thread.release();
    expect(await add('f', 'b')).toEqual([]);
    expect(records.baselineTotals('f')).toMatchObject({ files: 2 });
  });

  it('adds nothing of a folder that was removed, without a defect', async () => {
    expect(await add('gone', 'a')).toBeNull();
    expect(defects).toEqual([]);
    expect(await add('f', 'a')).toEqual([]);
  });

  it('adds all files or none', async () => {
    database.exec(`CREATE TRIGGER refused BEFORE INSERT ON baseline_file WHEN new.path = 'bad' BEGIN
      SELECT RAISE(ABORT, 'refused'); END`);
    expect(await add('f', 'a', 'bad', 'b')).toBeNull();
    expect(records.baselineTotals('f')).toMatchObject({ files: 0 });
  });

  it('adds nothing while another process writes, and again afterwards', async () => {
    const other = new DatabaseSync(join(folder, databaseName));
    other.exec('BEGIN IMMEDIATE');
    expect(await add('f', 'a')).toBeNull();
    other.exec('ROLLBACK');
    other.close();
    expect(await add('f', 'a')).toEqual([]);
    expect(defects).toEqual([]);
  });

  it('makes no database where it was moved away', async () => {
    const path = join(folder, databaseName);
    await rename(path, `${path}.away`);
    expect(await add('f', 'a')).toBeNull();
    await rename(`${path}.away`, path);
    expect(defects).toEqual([]);
    expect(records.baselineTotals('f')).toMatchObject({ files: 0 });
  });

  it('that cannot start is reported once', async () => {
    thread = open(new URL('./missing.ts', import.meta.url));
    expect([await add('f', 'a'), await add('f', 'b')]).toEqual([null, null]);
    expect(defects).toMatchObject([{ code: 'internal' }]);
  });

  it('that cannot start while too many files are open starts later, without a defect', async () => {
    const module = join(folder, 'worker.mjs');
    await writeFile(module, "throw new Error('Worker initialization failure: EMFILE')");
    thread = open(pathToFileURL(module));
    expect(await add('f', 'a')).toBeNull();
    await writeFile(module, `import '${workerUrl.href}'`);
    expect(await add('f', 'a')).toEqual([]);
    expect(defects).toEqual([]);
  });

  it('that is stopped adds nothing more, and nobody waits for it', async () => {
    const adding = add('f', 'a');
    await thread.stop();
    expect([await adding, await add('f', 'b')]).toEqual([null, null]);
    expect(defects).toEqual([]);
  });
});

describe('the first scan of many recordings', () => {
  const count = 1100;
  let fixture: WatchFixture;
  useWatchFixture(async (opened) => {
    fixture = opened;
    for (let k = 0; k < count; k += 1) await fixture.write(`${k}.wav`, wavBytes(0.01), k);
  });

  const folder = () => fixture.watch.listFolders()[0];
  const hasAll = () => folder()?.baseline?.files === count && folder()?.isMeasured === true;
  const lock = () => {
    const other = new DatabaseSync(join(fixture.folder, 'data', databaseName), { timeout: 60_000 });
    other.exec('BEGIN IMMEDIATE');
    return () => {
      other.exec('ROLLBACK');
      other.close();
    };
  };

  it('asks about each of them once', async () => {
    await fixture.watchFolder();
    await fixture.until('all are measured', hasAll);
    expect(folder()?.counts).toMatchObject({ known: count, incoming: 0, attention: 0 });
    expect(fixture.jobs()).toEqual([]);
  });

  it('loses none while the data is locked by another process', async () => {
    await fixture.save();
    const release = lock();
    await fixture.until('the data is not writable', () => fixture.queue.writes.heldSince() !== null);
    release();
    await fixture.until('all are measured', hasAll);
  });

  it('loses none when the folder is paused meanwhile', async () => {
    const { folder: saved } = await fixture.save();
    fixture.watch.setPaused(saved.id, true);
    fixture.watch.setPaused(saved.id, false);
    await fixture.until('all are measured', hasAll);
  });

  it('converts none unasked when the folder is watched again just as the thread has ended', async () => {
    // The thread has the first 500, and main does not wait for the rest.
    for (let k = 600; k < count; k += 1) await rm(join(fixture.root, `${k}.wav`));
    const started = once(process, 'worker');
    const { folder: saved } = await fixture.save();
    const [worker] = (await started) as [Worker];
    const release = lock();
    const ended = once(worker, 'exit');
    await fixture.until('the folder was scanned', () => folder()?.mode === 'watching');
    release();
    await fixture.until('the data is writable', () => fixture.queue.writes.heldSince() === null);
    fixture.watch.setPaused(saved.id, true);
    await ended;
    // The files that it had are dropped by then, but what comes after them is not.
    await nextTurn();
    fixture.watch.setPaused(saved.id, false);
    await fixture.until('all are known', () => folder()?.counts.known === 600 && folder()?.checkedAt !== null);
    await fixture.until('all are decided about', fixture.watch.isIdle);
    expect(folder()).toMatchObject({ counts: { incoming: 0 }, baseline: { files: 600 } });
  });

  it('leaves nothing of a folder that is removed meanwhile', async () => {
    const { folder: saved } = await fixture.save();
    await fixture.until('some were found', () => (folder()?.counts.known ?? 0) > 0);
    fixture.watch.remove(saved.id);
    await fixture.restart();
    expect(fixture.watch.listFolders()).toEqual([]);
    const database = await openDatabase(join(fixture.folder, 'data'));
    const { known } = createFileStore(database, { now: () => 0 }).counts(saved.id);
    database.close();
    expect(known).toBe(0);
  });

  it('ends when Timbre quits, and goes on at the next start', async () => {
    await fixture.save();
    await fixture.until('some were found', () => (folder()?.counts.known ?? 0) > 0);
    await fixture.restart();
    await fixture.until('all are measured', hasAll);
  });
});
