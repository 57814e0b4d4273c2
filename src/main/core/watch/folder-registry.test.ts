import { execFile } from 'node:child_process';
import { cp, mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { hasCaselessDisk, withCaselessDisk } from '../files/caseless-disk.fixture.ts';
import { hasEnded } from '../jobs/job.ts';
import { folderSpeech, openWatchFixture, useWatchFixture, type WatchFixture } from './watch.fixture.ts';

let app: WatchFixture;
let command: WatchFixture;

useWatchFixture(async (opened) => {
  app = opened;
  command = await openWatchFixture(app.engine, app);
});
afterEach(async () => {
  const { defects } = command;
  await command.stop();
  expect(defects).toEqual([]);
});

const run = promisify(execFile);
const overlaps = { code: 'watch/overlaps' };
const isDone = (fixture: WatchFixture, path: string) => fixture.file(path)?.job?.state === 'done';
const decisionOf = (fixture: WatchFixture, path: string) => fixture.file(path)?.record.decision;
/** The command has scanned the folder and is idle. */
const isScanned = (id: string) => () => command.watch.getFolder(id).checkedAt !== null && command.watch.isIdle();

it('a folder that a command watches cannot be watched again: not a subfolder, a parent or a link to it', async () => {
  const other = await openWatchFixture(app.engine, app);
  const { root, folder } = app;
  const sub = join(root, 'sub');
  await mkdir(sub);
  await symlink(root, join(folder, 'by-link'));
  await command.run('convert');
  await expect(other.run('convert', { path: sub })).rejects.toMatchObject(overlaps);
  await expect(other.run('convert', { path: folder })).rejects.toMatchObject(overlaps);
  await expect(other.run('convert', { path: join(folder, 'by-link') })).rejects.toMatchObject({
    code: 'watch/elsewhere',
  });
  await expect(app.save({ path: sub }, null)).rejects.toMatchObject(overlaps);
  await expect(app.save({ path: folder }, null)).rejects.toMatchObject(overlaps);
  await command.watch.stop();
  await other.run('convert', { path: sub });
  await other.stop();
});

it.skipIf(!hasCaselessDisk)(
  'a folder cannot be watched again in other letters, where case does not count (skipped without exFAT)',
  () =>
    withCaselessDisk(async (disk) => {
      await mkdir(join(disk, 'Takes/sub'), { recursive: true });
      await command.run('convert', { path: join(disk, 'Takes') });
      const other = await openWatchFixture(app.engine, app);
      await expect(other.run('convert', { path: join(disk, 'TAKES') })).rejects.toMatchObject({
        code: 'watch/elsewhere',
      });
      await expect(app.save({ path: join(disk, 'takes/SUB') }, null)).rejects.toMatchObject(overlaps);
      await other.stop();
      await command.watch.stop();
    }),
);

it('a folder that is added twice at once is watched once', async () => {
  const asked = await Promise.allSettled([app.save({}, null), app.save({}, null)]);
  expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(app.watch.listFolders()).toHaveLength(1);
});

it.each<readonly [string, () => unknown]>([
  ['queued', () => undefined],
  ['done', () => app.queue.scheduler.resume(null)],
])(
  'a folder that is removed and added again pays for nothing twice that was in the queue, and is %s by then',
  async (state, then) => {
    const speech = folderSpeech;
    const id = await app.watchFolder({ speech });
    app.queue.scheduler.pause();
    await app.put('a.wav', 1);
    await app.write('b.txt', 'A text.');
    await app.write('c.csv', 'text\nOne.\nTwo.\n');
    const names = ['a.wav', 'b.txt', 'c.csv'];
    await app.until('all are queued', () => names.every((name) => decisionOf(app, name) === 'job'));
    app.watch.remove(id);
    expect(app.watch.listFolders()).toEqual([]);
    await app.put('d.wav', 2);
    then();
    const isReady = () => app.jobs().every((job) => job.state === state);
    await app.until('the jobs are as they should be', isReady);
    const { folder } = await app.save({ speech }, null);
    await app.until('it asks', () => app.watch.getFolder(folder.id).baseline !== null);
    expect(app.watch.getFolder(folder.id).baseline?.files).toBe(1);
    app.watch.answerBaseline(folder.id, 'convert');
    app.queue.scheduler.resume(null);
    await app.until(
      'all is done',
      () => [...names, 'd.wav'].every((name) => isDone(app, name)) && app.jobs().every(hasEnded),
    );
    expect(app.jobs()).toHaveLength(5);
  },
);

it('a folder that is removed and added again asks about a failed row of a table whose others were in the queue', async () => {
  const speech = folderSpeech;
  const id = await app.watchFolder({ speech });
  app.queue.scheduler.pause();
  await app.write('list.csv', 'text\nOne.\nTwo.\n');
  await app.until('it is queued', () => decisionOf(app, 'list.csv') === 'job');
  const [first] = app.jobs();
  app.queue.store.change(first?.id ?? '', { state: 'failed', problem: { code: 'voice/not-found' } });
  app.watch.remove(id);
  await app.save({ speech }, null);
  app.queue.scheduler.resume(null);
  await app.until('all has ended', () => app.jobs().every(hasEnded) && app.watch.isIdle());
  expect(app.file('list.csv')).toMatchObject({ record: { stage: 'attention', jobId: first?.id } });
});

it.each([
  ['above it', 'sub', ''],
  ['in it', '', 'sub'],
])(
  'what a removed folder has in the queue is not paid for again if a folder %s is added',
  async (_where, first, second) => {
    const speech = folderSpeech;
    await mkdir(join(app.root, 'sub'));
    const id = await app.watchFolder({ speech, path: join(app.root, first) });
    app.queue.scheduler.pause();
    await app.put('sub/a.wav', 1);
    await app.write('sub/b.txt', 'A text.');
    await app.write('sub/c.csv', 'text\nOne.\nTwo.\n');
    await app.until('all are queued', () => app.jobs().length === 4);
    app.watch.remove(id);
    await app.put('sub/d.wav', 2);
    const { folder } = await app.save({ speech, path: join(app.root, second) }, null);
    await app.until('it asks', () => app.watch.getFolder(folder.id).baseline !== null);
    app.watch.answerBaseline(folder.id, 'convert');
    app.queue.scheduler.resume(null);
    const names = ['a.wav', 'b.txt', 'c.csv', 'd.wav'].map((name) => (second === '' ? join('sub', name) : name));
    await app.until('all is done', () => names.every((name) => isDone(app, name)) && app.jobs().every(hasEnded));
    expect(app.jobs()).toHaveLength(5);
  },
);

it('a folder removed in the window while a command watches it is still known to the command', async () => {
  const { folder } = await command.run('convert');
  await command.put('a.wav', 1);
  await command.until('it is done', () => isDone(command, 'a.wav'));
  const { id } = (await app.save()).folder;
  expect(app.watch.getFolder(id).mode).toBe('elsewhere');
  app.watch.remove(id);
  expect([id, app.watch.listFolders()]).toEqual([folder.id, []]);
  await command.put('b.wav', 2);
  await command.until('the next one is done', () => isDone(command, 'b.wav'));
  expect(decisionOf(command, 'a.wav')).toBe('job');
});

it('the window changes nothing in a folder that a command watches', async () => {
  await command.run('convert');
  const { id } = (await app.save()).folder;
  expect(() => app.watch.convert(id, ['a.wav'])).toThrow(expect.objectContaining({ code: 'watch/elsewhere' }));
  expect(() => app.watch.answerBaseline(id, 'convert')).toThrow(expect.objectContaining({ code: 'watch/elsewhere' }));
});

it('a folder is answered only after all of its baseline is handled', async () => {
  for (let k = 0; k < 3; k++) await app.put(`${k}.wav`, k);

  const { id } = (await command.run('convert')).folder;
  const notYet: number[] = [];
  const end = command.watch.onFile(() => {
    const { baselineStage } = command.watch.getFolder(id).folder;
    const left = [0, 1, 2].filter((k) => (decisionOf(command, `${k}.wav`) ?? 'baseline') === 'baseline').length;
    if (baselineStage === 'answered') notYet.push(left);
  });
  await command.until('all are done', () => [0, 1, 2].every((k) => isDone(command, `${k}.wav`)));
  end();
  expect(notYet.length).toBeGreaterThan(0);
  expect(notYet.filter((left) => left > 0)).toEqual([]);
});

it('a folder with settings that could not be read back is refused, and nothing is stored', async () => {
  const invalid = { dailyMinutes: 0.5 };
  await expect(command.run('convert', invalid)).rejects.toThrow('>=1');
  const { id } = (await command.run('convert')).folder;
  await command.restart();
  await expect(command.run('convert', invalid)).rejects.toThrow('>=1');
  expect((await command.run('convert')).folder.id).toBe(id);
});

it('a folder whose settings were damaged is mended by the next command, and nothing in it is paid for again', async () => {
  const { id } = (await command.run('convert')).folder;
  await command.put('a.wav', 1);
  await command.until('it is done', () => isDone(command, 'a.wav') && command.file('a.wav')?.record.stage === 'rest');
  await command.restart(() => {
    const database = new DatabaseSync(join(command.folder, 'data/timbre.db'));
    database.exec(`UPDATE watch_folder SET settings = json_set(settings, '$.dailyMinutes', 0.5)`);
    database.close();
    return Promise.resolve();
  });
  expect((await command.run('convert')).folder.id).toBe(id);
  await command.until('it was looked over', isScanned(id));
  expect([decisionOf(command, 'a.wav'), isDone(command, 'a.wav')]).toEqual(['job', true]);
  expect(command.jobs()).toHaveLength(1);
  for (const fixture of [app, command]) fixture.forgetDefects();
});

it('a command converts what an earlier one left in the baseline', async () => {
  await app.put('a.wav', 1);
  const { id } = (await command.run('leave')).folder;
  await command.until('it was looked over', isScanned(id));
  expect(decisionOf(command, 'a.wav')).toBe('baseline');
  await command.restart();
  await command.run('convert');
  await command.until('it is done', () => isDone(command, 'a.wav'));
});

it('a command with other settings offers what was converted with the former ones', async () => {
  const { id } = (await command.run('convert')).folder;
  await command.put('a.wav', 1);
  await command.until('it is done', () => isDone(command, 'a.wav') && command.file('a.wav')?.record.stage === 'rest');
  await command.restart();
  await command.run('convert', { conversion: { ...command.settings.conversion, pitch: 1.2 } });
  await command.until('it was looked over', isScanned(id));
  expect(decisionOf(command, 'a.wav')).toBe('other-settings');
  expect(command.jobs()).toHaveLength(1);
});

/** Replaces the folder with an empty one, like the mount point of an unmounted disk. */
async function unmount(): Promise<() => Promise<void>> {
  const away = join(app.folder, 'away');
  await rename(app.root, away);
  await mkdir(app.root);
  return async () => {
    await rm(app.root, { recursive: true });
    await rename(away, app.root);
  };
}

it('settings saved while another folder is at its path do not adopt that folder', async () => {
  const { id } = (await app.save()).folder;
  await app.until('it is watched', () => app.watch.getFolder(id).mode === 'watching');
  const mount = await unmount();
  await app.save({ dailyMinutes: 60 });
  await app.until('it is offline', () => app.watch.getFolder(id).mode === 'offline');
  await mount();
  await app.put('new.wav', 1);
  await app.until('what is new is done', () => isDone(app, 'new.wav'));
});

it('a command that starts before the disk is mounted waits for it', async () => {
  const { id } = (await command.run('convert')).folder;
  await command.until('it was looked over', isScanned(id));
  await command.restart();
  const mount = await unmount();
  await command.run('convert');
  await command.until('it is offline', () => command.watch.getFolder(id).mode === 'offline');
  await mount();
  await command.put('new.wav', 1);
  await command.until('what is new is done', () => isDone(command, 'new.wav'));
});

const isSettled = () => isDone(command, 'a.wav') && command.file('a.wav')?.record.stage === 'rest';

/** A command has converted a recording in the folder, and has ended. */
async function converted(): Promise<void> {
  await command.run('convert');
  await command.put('a.wav', 1);
  await command.until('it is done', isSettled);
  await command.restart();
}

it('a command knows a folder that was moved, or whose disk is somewhere else now, and converts nothing in it again', async () => {
  await converted();
  const path = join(app.folder, 'moved');
  await rename(app.root, path);
  await command.run('convert', { path });
  await command.until('it is known', isSettled);
  await command.restart(() => rename(path, app.root));
  await command.run('convert');
  await command.until('it is known again', isSettled);
  expect(command.jobs()).toHaveLength(1);
});

it('the window knows what a command has converted in a folder that was moved since', async () => {
  await converted();
  const path = join(app.folder, 'moved');
  await rename(app.root, path);
  const { id } = (await app.save({ path }, null)).folder;
  await app.until('it was looked over', () => app.watch.getFolder(id).checkedAt !== null);
  expect([decisionOf(app, 'a.wav'), isDone(app, 'a.wav')]).toEqual(['job', true]);
});

it.skipIf(process.platform !== 'linux' || !hasCaselessDisk)(
  'a command knows a folder through another mount of it (skipped where nothing can be mounted)',
  async () => {
    await converted();
    const path = join(app.folder, 'bound');
    await mkdir(path);
    await run('mount', ['--bind', app.root, path]);
    try {
      await command.run('convert', { path });
      await command.until('it is known', isSettled);
      expect(command.jobs()).toHaveLength(1);
    } finally {
      await command.watch.stop();
      await run('umount', ['-l', path]);
    }
  },
);

it.skipIf(process.platform !== 'linux' || !hasCaselessDisk)(
  'a folder cannot be watched again through another mount of it (skipped where nothing can be mounted)',
  async () => {
    await app.save();
    const path = join(app.folder, 'bound');
    await mkdir(path);
    await run('mount', ['--bind', app.root, path]);
    try {
      await expect(app.save({ path }, null)).rejects.toMatchObject(overlaps);
      await expect(command.run('convert', { path })).rejects.toMatchObject(overlaps);
    } finally {
      await app.watch.stop();
      await command.watch.stop();
      await run('umount', ['-l', path]);
    }
  },
);

it('a command takes a copy of a folder that is still there for another one', async () => {
  await converted();
  const path = join(app.folder, 'copy');
  await cp(app.root, path, { recursive: true, preserveTimestamps: true });
  await command.run('convert', { path });
  await command.until('both are done', () => command.jobs().length === 2 && command.jobs().every(hasEnded));
});

it('a command watches a folder that was deleted and created again', async () => {
  const { id } = (await command.run('convert')).folder;
  await command.until('it was looked over', isScanned(id));
  await command.restart();
  await unmount();
  await command.put('new.wav', 1);
  await command.run('convert');
  await command.until('what is there is done', () => isDone(command, 'new.wav'));
});

it('a folder that a Timbre with other data watches is left to it, and taken over when that one ends', async () => {
  const other = await openWatchFixture(app.engine);
  await app.save();
  await app.until('it is watched', () => app.watch.listFolders()[0]?.mode === 'watching');
  const { id } = (await other.save({ path: app.root })).folder;
  await other.until('it is refused', () => other.watch.getFolder(id).mode === 'elsewhere');
  await app.put('a.wav', 1);
  await app.until('it is done', () => isDone(app, 'a.wav'));
  expect(() => other.watch.convert(id, ['a.wav'])).toThrow(expect.objectContaining({ code: 'watch/elsewhere' }));
  expect(other.jobs()).toEqual([]);
  await app.watch.stop();
  await other.until('it is watched', () => other.watch.getFolder(id).mode === 'watching');
  await app.put('b.wav', 2);
  await other.until('what is new is done', () => isDone(other, 'b.wav'));
  expect(other.jobs()).toHaveLength(1);
  await other.stop();
});
