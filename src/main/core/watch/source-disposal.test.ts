import { createHash } from 'node:crypto';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import {
  copyFile,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestEngine } from '../../../engine/engine.fixture.ts';
import type { JobState } from '../../../shared/schemas/job.ts';
import { openDatabase } from '../database/database.ts';
import { snapshotOf, standingAt } from '../files/identity.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import type { ConversionJob } from '../jobs/job.ts';
import { disposeOfSource, hiddenSourcePathOf } from './source-disposal.ts';
import { openWatchBench, startWatchEngine, type WatchBench } from './watch.fixture.ts';

describe('endings', () => {
  let engine: TestEngine;
  let bench: WatchBench;

  beforeAll(async () => {
    engine = await startWatchEngine();
  });
  afterAll(() => engine.remove());
  beforeEach(async () => {
    bench = await openWatchBench(engine);
    await bench.save({ afterwards: 'done' });
    await bench.until('the folder is watched', isScanned);
  });
  afterEach(async () => {
    const { defects } = bench;
    await bench.stop();
    expect(defects).toEqual([]);
  });

  const path = (name: string) => join(bench.root, name);
  const line = (name: string) => bench.file(name)?.line;
  const isScanned = () => {
    const [view] = bench.watch.folders();
    return view?.checkedAt !== null && view?.mode === 'watching';
  };
  const isMoved = (name: string) => line(name)?.sourceEnd === 'moved' && existsSync(path(`Done/${name}`));

  /** Does something when the first job reaches a state, before anybody else hears of that. */
  async function putAnd(name: string, state: JobState, act: () => Promise<void>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = bench.queue.store.onEvent((news) => {
      if (news.kind !== 'upserted' || !news.jobs.some((job) => job.state === state)) return;
      end();
      act().then(resolve, reject);
    });
    await bench.put(name, 1);
    await promise;
  }

  describe('an original that is renamed during its job', () => {
    it.each(['uploaded', 'converted', 'done'] as const)('moves to Done under its new name: %s', async (state) => {
      await putAnd('a.wav', state, () => rename(path('a.wav'), path('b.wav')).catch(() => undefined));
      await bench.until('it moved', () => isMoved('a.wav') || isMoved('b.wav'));
      expect(line('a.wav')?.standing).toBe('rest');
      expect(bench.jobs()).toHaveLength(1);
    });

    it('moves to Done under the name that it got while Timbre was closed', async () => {
      await putAnd('a.wav', 'uploaded', () => {
        bench.queue.scheduler.pause();
        return Promise.resolve();
      });
      await bench.restart(() => rename(path('a.wav'), path('b.wav')));
      await bench.until('it was looked over again', isScanned);
      bench.queue.scheduler.resume(null);
      await bench.until('it moved', () => isMoved('b.wav'));
    });
  });

  it('an original that is touched during its job moves to Done, because its bytes are the same', async () => {
    await putAnd('a.wav', 'converted', () => utimes(path('a.wav'), 1_700_000_500, 1_700_000_500));
    await bench.until('it moved', () => isMoved('a.wav'));
    expect(line('a.wav')?.standing).toBe('rest');
  });

  it('the copy of an original that is renamed away is known as the converted one', async () => {
    await bench.save({ afterwards: 'keep' });
    await bench.put('a.wav', 1);
    await bench.until('it is done', () => bench.jobs()[0]?.state === 'done' && line('a.wav')?.standing === 'rest');
    await copyFile(path('a.wav'), path('b.wav'));
    await bench.until('the copy is known', () => line('b.wav')?.verdict === 'same-sound');
    await rename(path('a.wav'), join(bench.folder, 'away.wav'));
    await bench.until('the copy is the one', () => line('b.wav')?.verdict === 'job');
    expect(bench.jobs()).toHaveLength(1);
  });

  it('an original that was in Done before a kill let anybody write that down is told as moved', async () => {
    await bench.put('a.wav', 1);
    await bench.until('it moved', () => isMoved('a.wav'));
    await bench.restart(async () => {
      const database = await openDatabase(join(bench.folder, 'data'));
      database.exec("UPDATE watched_file SET source_end = 'pending', moved_to = NULL, standing = 'open', is_there = 0");
      database.close();
    });
    await bench.until('it is told as moved', () => isMoved('a.wav'));
    expect(line('a.wav')).toMatchObject({ standing: 'rest', movedTo: join('Done', 'a.wav') });
  });
});

describe('source end', () => {
  let root: string;
  let path: string;
  let job: ConversionJob;
  let hidden: string;
  /** What another program does at the very moment in which the source loses its name. */
  let atHiding: () => void;
  let isOnItsWay: boolean;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'timbre-source-'));
    path = join(root, 'day', 'a.wav');
    await mkdir(join(root, 'day'));
    await writeFile(path, 'a recording');
    const output = join(root, 'result.wav');
    await writeFile(output, 'a result');
    const standing = await standingAt(output);
    if (!standing) throw new Error('there is no result');
    job = conversionJob({
      state: 'done',
      source: { path, subfolder: 'day', snapshot: snapshotOf(await lstat(path, { bigint: true })) },
      sourceSha256: createHash('sha256').update('a recording').digest('hex'),
      finished: {
        sizeBytes: standing.sizeBytes,
        sha256: createHash('sha256').update('a result').digest('hex'),
        identity: standing.identity,
      },
      output: { path: output } as unknown as ConversionJob['output'],
    });
    hidden = hiddenSourcePathOf(job.id, path);
    atHiding = () => undefined;
    isOnItsWay = false;
  });
  afterEach(() => rm(root, { recursive: true }));

  const end = (afterwards: 'done' | 'trash') =>
    disposeOfSource({
      job,
      path,
      root,
      afterwards,
      trash: (thrown) => rm(thrown),
      async onHiding() {
        await Promise.resolve();
        isOnItsWay = true;
        atHiding();
      },
      async onNamed() {
        await Promise.resolve();
        isOnItsWay = false;
      },
    });
  const moved = (...to: string[]) => ({ kind: 'moved', to: join('Done', 'day', ...to) });
  const sourceStays = { code: 'watch/source-stays' };
  const inDone = async (name: string) => readFile(join(root, 'Done', 'day', name), 'utf8');
  /** Everything in the folder but the result, by name. */
  async function recordings(): Promise<Record<string, string>> {
    const names = await readdir(root, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile() && entry.name !== 'result.wav');
    const contents = files.map(async ({ parentPath, name }) => {
      const whole = join(parentPath, name);
      return [relative(root, whole), await readFile(whole, 'utf8')] as const;
    });
    return Object.fromEntries(await Promise.all(contents));
  }

  describe('a source', () => {
    it('moves to Done, beside what has its name there', async () => {
      await mkdir(join(root, 'Done', 'day'), { recursive: true });
      await writeFile(join(root, 'Done', 'day', 'a.wav'), 'another');
      expect(await end('done')).toEqual(moved('a (2).wav'));
      expect(await recordings()).toEqual({ 'Done/day/a.wav': 'another', 'Done/day/a (2).wav': 'a recording' });
      expect(isOnItsWay).toBe(false);
    });

    it('has its name again where it cannot be moved', async () => {
      await mkdir(join(root, 'Done', 'day'), { recursive: true });
      atHiding = () => {
        rmSync(join(root, 'Done'), { recursive: true });
        writeFileSync(join(root, 'Done'), 'no folder');
      };
      await expect(end('done')).rejects.toThrow();
      expect(await recordings()).toEqual({ Done: 'no folder', 'day/a.wav': 'a recording' });
      expect(isOnItsWay).toBe(false);
    });

    it('that somebody took away is gone, and nobody says that it stayed', async () => {
      await rm(path);
      expect(await end('done')).toEqual({ kind: 'gone' });
      expect(await end('trash')).toEqual({ kind: 'gone' });
    });

    it('that is taken away at the last moment is gone too', async () => {
      atHiding = () => rmSync(path);
      expect(await end('done')).toEqual({ kind: 'gone' });
    });

    it('that was only touched is the same one', async () => {
      await utimes(path, 1_700_000_500, 1_700_000_500);
      expect(await end('done')).toEqual(moved('a.wav'));
    });

    it('is known by its bytes where its disk gives no number, or another one today', async () => {
      const { snapshot } = job.source;
      if (!snapshot) throw new Error('there is no snapshot');
      job = { ...job, source: { ...job.source, snapshot: { ...snapshot, device: '99', inode: '0' } } };
      expect(await end('done')).toEqual(moved('a.wav'));
    });

    it('is not known by its size and time alone', async () => {
      const { snapshot } = job.source;
      if (!snapshot) throw new Error('there is no snapshot');
      const sourceSha256 = createHash('sha256').update('a Recording').digest('hex');
      job = { ...job, sourceSha256, source: { ...job.source, snapshot: { ...snapshot, inode: '0' } } };
      await expect(end('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'a recording' });
    });
  });

  describe('another recording under the name of a source', () => {
    it('stays where it is', async () => {
      await writeFile(path, 'another recording');
      for (const afterwards of ['done', 'trash'] as const) {
        await expect(end(afterwards)).rejects.toMatchObject(sourceStays);
      }
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
    });

    it('that is saved over it at the last moment has its name, and is not in Done', async () => {
      const next = join(root, 'next');
      writeFileSync(next, 'another recording');
      atHiding = () => renameSync(next, path);
      await expect(end('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
      expect(isOnItsWay).toBe(false);
    });

    it('that is written into it at the last moment has its name, and is not in Done', async () => {
      atHiding = () => writeFileSync(path, 'another recording');
      await expect(end('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
    });
  });

  describe('a kill while a source moves', () => {
    it('leaves it hidden, and it goes on to Done, whatever has its name by now', async () => {
      await rename(path, hidden);
      await writeFile(path, 'another recording');
      expect(await end('done')).toEqual(moved('a.wav'));
      expect(await recordings()).toEqual({ 'Done/day/a.wav': 'a recording', 'day/a.wav': 'another recording' });
    });

    it('leaves it hidden and in Done, and only the hidden name goes', async () => {
      await rename(path, hidden);
      await mkdir(join(root, 'Done', 'day'), { recursive: true });
      await writeFile(join(root, 'Done', 'day', 'a.wav'), 'another');
      await link(hidden, join(root, 'Done', 'day', 'a (2).wav'));
      expect(await end('done')).toEqual(moved('a (2).wav'));
      expect(await recordings()).toEqual({ 'Done/day/a.wav': 'another', 'Done/day/a (2).wav': 'a recording' });
    });

    it('leaves it in Done, and it is found there', async () => {
      await mkdir(join(root, 'Done', 'day'), { recursive: true });
      await writeFile(join(root, 'Done', 'day', 'a.wav'), 'another');
      await rename(path, join(root, 'Done', 'day', 'a (2).wav'));
      await writeFile(path, 'another recording');
      expect(await end('done')).toEqual(moved('a (2).wav'));
      expect(await inDone('a.wav')).toBe('another');
    });

    it('leaves another recording hidden, and that has its name again, or the next one', async () => {
      await rm(path);
      await writeFile(hidden, 'another recording');
      await expect(end('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
      await writeFile(hidden, 'a third one');
      await expect(end('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording', 'day/a (2).wav': 'a third one' });
    });

    it('leaves another recording with both names, and only the hidden one goes', async () => {
      await writeFile(path, 'another recording');
      await link(path, hidden);
      await expect(end('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
    });

    it('brings the source back under its name where its result is not there any more', async () => {
      await rename(path, hidden);
      await rm(join(root, 'result.wav'));
      await expect(end('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'a recording' });
    });
  });
});
