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
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobState } from '../../../shared/schemas/job.ts';
import { openDatabase } from '../database/database.ts';
import { snapshotOf, fileStampAt } from '../files/identity.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import type { ConversionJob } from '../jobs/job.ts';
import { disposeOfSource, stashPathOf } from './source-disposal.ts';
import { useWatchFixture, type WatchFixture } from './watch.fixture.ts';

describe('disposing of sources', () => {
  let fixture: WatchFixture;

  useWatchFixture(async (opened) => {
    fixture = opened;
    await fixture.watchFolder({ afterwards: 'done' });
  });

  const path = (name: string) => join(fixture.root, name);
  const recordOf = (name: string) => fixture.file(name)?.record;
  const isScanned = () => {
    const [view] = fixture.watch.listFolders();
    return view?.checkedAt !== null && view?.mode === 'watching';
  };
  const isMoved = (name: string) => recordOf(name)?.disposalState === 'moved' && existsSync(path(`Done/${name}`));

  /** Runs `act` when the first job reaches a state, before other listeners receive the event. */
  async function putAndActOn(name: string, state: JobState, act: () => Promise<void>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = fixture.queue.store.onEvent((event) => {
      if (event.kind !== 'upserted' || !event.jobs.some((job) => job.state === state)) return;
      end();
      act().then(resolve, reject);
    });
    await fixture.put(name, 1);
    await promise;
  }

  describe('a source that is renamed during its job', () => {
    it.each(['uploaded', 'converted', 'done'] as const)('moves to Done under its new name: %s', async (state) => {
      await putAndActOn('a.wav', state, () => rename(path('a.wav'), path('b.wav')).catch(() => undefined));
      await fixture.until('it moved', () => isMoved('a.wav') || isMoved('b.wav'));
      expect(recordOf('a.wav')?.stage).toBe('rest');
      expect(fixture.jobs()).toHaveLength(1);
    });

    it('moves to Done under the name that it got while Timbre was closed', async () => {
      await putAndActOn('a.wav', 'uploaded', () => {
        fixture.queue.scheduler.pause();
        return Promise.resolve();
      });
      await fixture.restart(() => rename(path('a.wav'), path('b.wav')));
      await fixture.until('it was looked over again', isScanned);
      fixture.queue.scheduler.resume(null);
      await fixture.until('it moved', () => isMoved('b.wav'));
    });
  });

  it('a source that is touched during its job moves to Done, because its bytes are the same', async () => {
    await putAndActOn('a.wav', 'converted', () => utimes(path('a.wav'), 1_700_000_500, 1_700_000_500));
    await fixture.until('it moved', () => isMoved('a.wav'));
    expect(recordOf('a.wav')?.stage).toBe('rest');
  });

  it('the copy of a source that is moved away counts as the converted file', async () => {
    await fixture.save({ afterwards: 'keep' });
    await fixture.put('a.wav', 1);
    await fixture.until('it is done', () => fixture.jobs()[0]?.state === 'done' && recordOf('a.wav')?.stage === 'rest');
    await copyFile(path('a.wav'), path('b.wav'));
    await fixture.until('the copy is known', () => recordOf('b.wav')?.decision === 'same-sound');
    await rename(path('a.wav'), join(fixture.folder, 'away.wav'));
    await fixture.until('the copy is the one', () => recordOf('b.wav')?.decision === 'job');
    expect(fixture.jobs()).toHaveLength(1);
  });

  it('a source whose disk was pulled out before it could move does so once the disk is back, and needs nobody until then', async () => {
    const away = join(fixture.folder, 'pulled out');
    await putAndActOn('a.wav', 'done', () => {
      renameSync(fixture.root, away);
      return Promise.resolve();
    });
    await fixture.until('the disk is missed', () => fixture.watch.listFolders()[0]?.mode === 'offline');
    expect(recordOf('a.wav')).toMatchObject({ disposalState: 'pending', problem: null });
    await rename(away, fixture.root);
    await fixture.until('it moved', () => isMoved('a.wav'));
    expect(fixture.watch.listFolders()[0]?.counts.attention).toBe(0);
  });

  it('a source that moved to Done before a crash could record it is recorded as moved', async () => {
    await fixture.put('a.wav', 1);
    await fixture.until('it moved', () => isMoved('a.wav'));
    await fixture.restart(async () => {
      const database = await openDatabase(join(fixture.folder, 'data'));
      database.exec(
        "UPDATE watched_file SET disposal_state = 'pending', moved_to = NULL, stage = 'open', is_present = 0",
      );
      database.close();
    });
    await fixture.until('it is told as moved', () => isMoved('a.wav'));
    expect(recordOf('a.wav')).toMatchObject({ stage: 'rest', movedTo: join('Done', 'a.wav') });
  });
});

describe('disposeOfSource', () => {
  let root: string;
  let path: string;
  let job: ConversionJob;
  let stashed: string;
  /** Action of another program at the moment the source loses its name. */
  let onStash: () => void;
  let isStashed: boolean;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'timbre-source-'));
    path = join(root, 'day', 'a.wav');
    await mkdir(join(root, 'day'));
    await writeFile(path, 'a recording');
    const output = join(root, 'result.wav');
    await writeFile(output, 'a result');
    const stamp = await fileStampAt(output);
    if (!stamp) throw new Error('there is no result');
    job = conversionJob({
      state: 'done',
      source: { path, subfolder: 'day', snapshot: snapshotOf(await lstat(path, { bigint: true })) },
      sourceSha256: createHash('sha256').update('a recording').digest('hex'),
      finished: {
        sizeBytes: stamp.sizeBytes,
        sha256: createHash('sha256').update('a result').digest('hex'),
        identity: stamp.identity,
      },
      output: { path: output } as unknown as ConversionJob['output'],
    });
    stashed = stashPathOf(job.id, path);
    onStash = () => undefined;
    isStashed = false;
  });
  afterEach(() => rm(root, { recursive: true }));

  const dispose = (afterwards: 'done' | 'trash') =>
    disposeOfSource({
      job,
      path,
      root,
      afterwards,
      trash: (thrown) => rm(thrown),
      async onBeforeStash() {
        await Promise.resolve();
        isStashed = true;
        onStash();
      },
      async onUnstashed() {
        await Promise.resolve();
        isStashed = false;
      },
    });
  const moved = (...to: string[]) => ({ kind: 'moved', to: join('Done', 'day', ...to) });
  const sourceStays = { code: 'watch/source-stays' };
  const inDone = async (name: string) => readFile(join(root, 'Done', 'day', name), 'utf8');
  /** All files in the folder except the result, by name. */
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
    it('moves to Done, beside a file with its name', async () => {
      await mkdir(join(root, 'Done', 'day'), { recursive: true });
      await writeFile(join(root, 'Done', 'day', 'a.wav'), 'another');
      expect(await dispose('done')).toEqual(moved('a (2).wav'));
      expect(await recordings()).toEqual({ 'Done/day/a.wav': 'another', 'Done/day/a (2).wav': 'a recording' });
      expect(isStashed).toBe(false);
    });

    it('moves to Done beside a file with its name, although that has no room for a number', async () => {
      const long = `${'й'.repeat(125)}a.wav`;
      renameSync(path, join(root, 'day', long));
      path = join(root, 'day', long);
      await mkdir(join(root, 'Done', 'day'), { recursive: true });
      await writeFile(join(root, 'Done', 'day', long), 'another');
      const numbered = `${'й'.repeat(123)} (2).wav`;
      expect(await dispose('done')).toEqual(moved(numbered));
      expect([await inDone(long), await inDone(numbered)]).toEqual(['another', 'a recording']);
    });

    it('gets its name back if it cannot be moved', async () => {
      await mkdir(join(root, 'Done', 'day'), { recursive: true });
      onStash = () => {
        rmSync(join(root, 'Done'), { recursive: true });
        writeFileSync(join(root, 'Done'), 'no folder');
      };
      await expect(dispose('done')).rejects.toThrow();
      expect(await recordings()).toEqual({ Done: 'no folder', 'day/a.wav': 'a recording' });
      expect(isStashed).toBe(false);
    });

    it('is reported as gone, not as kept, if another program removed it', async () => {
      await rm(path);
      expect(await dispose('done')).toEqual({ kind: 'gone' });
      expect(await dispose('trash')).toEqual({ kind: 'gone' });
    });

    it('is reported as gone if it is removed at the last moment', async () => {
      onStash = () => rmSync(path);
      expect(await dispose('done')).toEqual({ kind: 'gone' });
    });

    it('is the same file if it was only touched', async () => {
      await utimes(path, 1_700_000_500, 1_700_000_500);
      expect(await dispose('done')).toEqual(moved('a.wav'));
    });

    it('is identified by its bytes if its disk has no inodes or new device numbers', async () => {
      const { snapshot } = job.source;
      if (!snapshot) throw new Error('there is no snapshot');
      job = { ...job, source: { ...job.source, snapshot: { ...snapshot, device: '99', inode: '0' } } };
      expect(await dispose('done')).toEqual(moved('a.wav'));
    });

    it('is not identified by its size and time alone', async () => {
      const { snapshot } = job.source;
      if (!snapshot) throw new Error('there is no snapshot');
      const sourceSha256 = createHash('sha256').update('a Recording').digest('hex');
      job = { ...job, sourceSha256, source: { ...job.source, snapshot: { ...snapshot, inode: '0' } } };
      await expect(dispose('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'a recording' });
    });
  });

  describe('another recording under the name of a source', () => {
    it('stays where it is', async () => {
      await writeFile(path, 'another recording');
      for (const afterwards of ['done', 'trash'] as const) {
        await expect(dispose(afterwards)).rejects.toMatchObject(sourceStays);
      }
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
    });

    it('that is saved over it at the last moment has its name, and is not in Done', async () => {
      const next = join(root, 'next');
      writeFileSync(next, 'another recording');
      onStash = () => renameSync(next, path);
      await expect(dispose('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
      expect(isStashed).toBe(false);
    });

    it('that is written into it at the last moment has its name, and is not in Done', async () => {
      onStash = () => writeFileSync(path, 'another recording');
      await expect(dispose('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
    });
  });

  describe('a crash while a source moves', () => {
    it('leaves it stashed, and it continues to Done, even if another file has its name', async () => {
      await rename(path, stashed);
      await writeFile(path, 'another recording');
      expect(await dispose('done')).toEqual(moved('a.wav'));
      expect(await recordings()).toEqual({ 'Done/day/a.wav': 'a recording', 'day/a.wav': 'another recording' });
    });

    it('leaves it stashed and in Done, and only the stash name is removed', async () => {
      await rename(path, stashed);
      await mkdir(join(root, 'Done', 'day'), { recursive: true });
      await writeFile(join(root, 'Done', 'day', 'a.wav'), 'another');
      await link(stashed, join(root, 'Done', 'day', 'a (2).wav'));
      expect(await dispose('done')).toEqual(moved('a (2).wav'));
      expect(await recordings()).toEqual({ 'Done/day/a.wav': 'another', 'Done/day/a (2).wav': 'a recording' });
    });

    it('leaves it in Done, and it is found there', async () => {
      await mkdir(join(root, 'Done', 'day'), { recursive: true });
      await writeFile(join(root, 'Done', 'day', 'a.wav'), 'another');
      await rename(path, join(root, 'Done', 'day', 'a (2).wav'));
      await writeFile(path, 'another recording');
      expect(await dispose('done')).toEqual(moved('a (2).wav'));
      expect(await inDone('a.wav')).toBe('another');
    });

    it('leaves another recording stashed, which gets its name back, or the next one', async () => {
      await rm(path);
      await writeFile(stashed, 'another recording');
      await expect(dispose('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
      await writeFile(stashed, 'a third one');
      await expect(dispose('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording', 'day/a (2).wav': 'a third one' });
    });

    it('leaves another recording with both names, and only the stash name is removed', async () => {
      await writeFile(path, 'another recording');
      await link(path, stashed);
      await expect(dispose('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'another recording' });
    });

    it('leaves it stashed, and it is not forgotten if its disk is pulled out before it goes on', async () => {
      await rename(path, stashed);
      isStashed = true;
      const { output } = job;
      const away = `${root}-away`;
      const pullOut = () => existsSync(root) && renameSync(root, away);
      const pulledOut = {
        get path() {
          pullOut();
          return output?.path ?? '';
        },
      };
      job = { ...job, output: pulledOut as ConversionJob['output'] };
      await expect(dispose('done')).rejects.toThrow();
      expect(isStashed).toBe(true);
      await rename(away, root);
      job = { ...job, output };
      expect(await dispose('done')).toEqual(moved('a.wav'));
      expect(isStashed).toBe(false);
    });

    it('leaves it stashed, and it gets its name back if its result is missing', async () => {
      await rename(path, stashed);
      await rm(join(root, 'result.wav'));
      await expect(dispose('done')).rejects.toMatchObject(sourceStays);
      expect(await recordings()).toEqual({ 'day/a.wav': 'a recording' });
    });
  });
});
