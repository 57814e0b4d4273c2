import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { calls, canDisturb } from '../outputs/disturbed-publish.fixture.ts';
import { passedOverName } from '../watch/eyes/passed-over.ts';
import { createLedger } from '../watch/ledger.ts';
import { useLibrary } from './library.fixture.ts';
import { createTestRemovals, createTestShown, createTestTrash } from './removal.fixture.ts';
import type { Removals, Shown } from './removal.ts';
import { createRemovedFiles } from './removed-files.ts';

const library = useLibrary();
const { signal } = new AbortController();
let shown: Shown;
let removals: Removals;
let trashFolder: string;
let linked: (readonly string[])[];

beforeEach(() => {
  const { database, store, folder } = library();
  shown = createTestShown(database);
  trashFolder = join(folder, 'trash');
  linked = [];
  removals = createTestRemovals({
    database,
    store,
    shown,
    trash: createTestTrash(trashFolder),
    onLinked: (ids) => linked.push(ids),
  });
});

async function entry(id = 'a', result = 'out/a.wav', source = 'in/a.wav') {
  return library().done(
    id,
    await library().write(source, 'the source'),
    await library().write(result, `the result in ${result}`),
  );
}
const names = (folder: string) => readdir(library().at(folder)).then((found) => found.sort());
const inodeOf = async (name: string) => (await stat(library().at(name))).ino;
const left = () => createRemovedFiles(library().database).all();

describe('removing', () => {
  it('a record alone leaves its files, and is undone', async () => {
    await entry();
    const removal = await removals.remove(['a', 'unknown'], false, signal);
    expect(removal).toMatchObject({ entries: 1, files: 0, keptFiles: 0 });
    expect(shown.isShown('a')).toBe(false);
    expect(await names('out')).toEqual(['a.wav']);
    await removals.undo(removal.undo);
    expect(shown.isShown('a')).toBe(true);
    await expect(removals.undo(removal.undo)).rejects.toMatchObject({ code: 'history/undo-over' });
  });

  it('a record and its result brings back the very same file, and never touches the source', async () => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    const removal = await removals.remove(['a'], true, signal);
    expect(removal).toMatchObject({ entries: 1, files: 1, keptFiles: 0 });
    expect(await names('out')).toEqual([expect.stringMatching(/^\.timbre-removed-.*\.part$/)]);
    expect(await names('in')).toEqual(['a.wav']);
    await removals.undo(removal.undo);
    expect(await names('out')).toEqual(['a.wav']);
    expect(await inodeOf('out/a.wav')).toBe(inode);
    expect(await readFile(library().at('out/a.wav'), 'utf8')).toBe('the result in out/a.wav');
    expect(linked).toEqual([]);
    expect(left()).toEqual([]);
  });

  it('is nothing to a folder that is watched: the hidden name is passed over, and what comes back is known', async () => {
    const job = await entry();
    await removals.remove(['a'], true, signal);
    const [name = ''] = await names('out');
    expect(passedOverName(name)).toMatchObject({ kind: 'temporary' });
    const ledger = createLedger(library().database, { now: Date.now });
    expect(ledger.isOwnOutput(job.finished?.sha256 ?? '')).toBe(true);
  });

  it('brings a file back under the next free name where its own is taken meanwhile, and the entry follows', async () => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    const { undo } = await removals.remove(['a'], true, signal);
    await library().write('out/a.wav', 'somebody else’s');
    await removals.undo(undo);
    expect(await readFile(library().at('out/a.wav'), 'utf8')).toBe('somebody else’s');
    expect(await inodeOf('out/a (2).wav')).toBe(inode);
    expect(library().store.get('a')?.output?.path).toBe(library().at('out/a (2).wav'));
    expect(linked).toEqual([['a']]);
  });

  it.each([
    ['was changed', (path: string) => writeFile(path, 'THE RESULT IN out/a.wav')],
    [
      'was replaced by another file',
      async (path: string) => {
        await rename(path, `${path}.mine`);
        await writeFile(path, 'the result in out/a.wav');
      },
    ],
    ['is a folder now', (path: string) => rm(path).then(() => mkdir(path))],
  ])('leaves a file where it is that %s', async (_, change) => {
    await entry();
    await change(library().at('out/a.wav'));
    const before = await names('out');
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ entries: 1, files: 0, keptFiles: 1 });
    expect(await names('out')).toEqual(before);
  });

  it('takes no file along that is gone already', async () => {
    await entry();
    await rm(library().at('out/a.wav'));
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ entries: 1, files: 0, keptFiles: 0 });
  });

  it('keeps a result that another entry has, until the last one goes', async () => {
    await entry();
    await library().done('twin', null, library().at('out/a.wav'));
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ files: 0, keptFiles: 1 });
    expect(await removals.remove(['twin'], true, signal)).toMatchObject({ files: 1, keptFiles: 0 });
  });

  it('takes a result once that several entries have which all go', async () => {
    await entry();
    await library().done('twin', null, library().at('out/a.wav'));
    const removal = await removals.remove(['a', 'twin'], true, signal);
    expect(removal).toMatchObject({ entries: 2, files: 1, keptFiles: 0 });
    await removals.undo(removal.undo);
    expect(await names('out')).toEqual(['a.wav']);
    expect(['a', 'twin'].map(shown.isShown)).toEqual([true, true]);
  });

  it('does nothing to what has not ended', async () => {
    const job = await entry();
    library().store.revive(job.id, { state: 'queued' });
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ entries: 0, files: 0 });
    expect(await names('out')).toEqual(['a.wav']);
  });

  it.skipIf(process.getuid?.() === 0)('leaves a file in a folder that cannot be written to', async () => {
    await entry();
    await chmod(library().at('out'), 0o500);
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ files: 0, keptFiles: 1 });
    await chmod(library().at('out'), 0o700);
    expect(left()).toEqual([]);
  });
});

describe('undoing while the disk is away', () => {
  const out = () => library().at('out');
  const takeAway = () => rename(out(), `${out()}-elsewhere`);
  const bringDisk = async () => {
    await rm(out(), { recursive: true, force: true });
    await rename(`${out()}-elsewhere`, out());
  };
  const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['whose folder is gone with it', takeAway],
    [
      'that left the place empty where it hung',
      async () => {
        library().database.exec("UPDATE removed_file SET device = '1'");
        await takeAway();
        await mkdir(out());
      },
    ],
  ];

  it.each(ways)('one %s, says so, and may be repeated', async (_, unplug) => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    const { undo } = await removals.remove(['a'], true, signal);
    await unplug();
    await expect(removals.undo(undo)).rejects.toMatchObject({ code: 'history/files-away' });
    expect(left()).toMatchObject([{ wish: 'back' }]);
    expect(shown.isShown('a')).toBe(true);
    await bringDisk();
    await removals.undo(undo);
    expect(await names('out')).toEqual(['a.wav']);
    expect(await inodeOf('out/a.wav')).toBe(inode);
    expect(left()).toEqual([]);
  });

  it.each(ways)('one %s, is made good at the first start with the disk', async (_, unplug) => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    const { undo } = await removals.remove(['a'], true, signal);
    await unplug();
    await expect(removals.undo(undo)).rejects.toThrow();
    await removals.stop();
    await removals.start();
    expect(left()).toMatchObject([{ wish: 'back' }]);
    await bringDisk();
    await removals.start();
    expect(await names('out')).toEqual(['a.wav']);
    expect(await inodeOf('out/a.wav')).toBe(inode);
    expect(left()).toEqual([]);
  });

  it('brings back what lies elsewhere all the same', async () => {
    await entry();
    await entry('b', 'here/b.wav', 'in/b.wav');
    const { undo } = await removals.remove(['a', 'b'], true, signal);
    await takeAway();
    await expect(removals.undo(undo)).rejects.toMatchObject({ code: 'history/files-away' });
    expect(await names('here')).toEqual(['b.wav']);
    expect(left()).toHaveLength(1);
  });
});

describe('at the end', () => {
  it('brings what was removed to the trash, under its own name', async () => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    await removals.remove(['a'], true, signal);
    await removals.stop();
    expect(await names('out')).toEqual([]);
    expect((await stat(join(trashFolder, 'a.wav'))).ino).toBe(inode);
    expect(shown.isShown('a')).toBe(false);
    expect(left()).toEqual([]);
  });

  it('leaves what another process took out to that process, which may still undo it', async () => {
    await entry();
    const removal = await removals.remove(['a'], true, signal);
    const { database, store } = library();
    const command = createTestRemovals({ database, store, shown, trash: () => Promise.reject(new Error('no trash')) });
    await command.stop();
    expect(shown.isShown('a')).toBe(false);
    expect(await names('out')).toEqual([expect.stringMatching(/^\.timbre-removed-/)]);
    await removals.undo(removal.undo);
    expect(await names('out')).toEqual(['a.wav']);
  });

  it('may still be undone where it came before the start was over', async () => {
    await entry();
    const removal = await removals.remove(['a'], true, signal);
    await removals.start();
    await removals.undo(removal.undo);
    expect(await names('out')).toEqual(['a.wav']);
  });

  it('puts a file back, and shows its entry, that the trash does not take', async () => {
    await entry();
    const defects: unknown[] = [];
    const { database, store } = library();
    const trash = () => Promise.reject(new Error('this disk has no trash'));
    removals = createTestRemovals({ database, store, shown, trash, onDefect: (error) => defects.push(error) });
    await removals.remove(['a'], true, signal);
    await removals.stop();
    expect(await names('out')).toEqual(['a.wav']);
    expect(shown.isShown('a')).toBe(true);
    expect(left()).toEqual([]);
    expect(defects).toHaveLength(1);
  });

  it('waits with what stood on a disk that is not there', async () => {
    await entry();
    await removals.remove(['a'], true, signal);
    const out = library().at('out');
    await rename(out, `${out}-elsewhere`);
    const [file] = left();
    library()
      .database.prepare("UPDATE removed_file SET path = '/media/anna/gone/a.wav' WHERE id = ?")
      .run(file?.id ?? '');
    await removals.stop();
    expect(left()).toHaveLength(1);
  });

  it('waits with what stood in a folder that is not there, and brings it to the trash once it is', async () => {
    await entry();
    await removals.remove(['a'], true, signal);
    const out = library().at('out');
    await rename(out, `${out}-elsewhere`);
    await removals.stop();
    expect(left()).toHaveLength(1);
    await rename(`${out}-elsewhere`, out);
    await removals.start();
    expect(await names('out')).toEqual([]);
    expect(await readdir(trashFolder)).toEqual(['a.wav']);
    expect(left()).toEqual([]);
  });

  it('forgets what somebody has taken away for good', async () => {
    await entry();
    await removals.remove(['a'], true, signal);
    const [name = ''] = await names('out');
    await rm(library().at('out', name));
    await removals.stop();
    expect(left()).toEqual([]);
    expect(shown.isShown('a')).toBe(false);
  });
});

describe.skipIf(!canDisturb)('a process killed on the way (needs strace)', () => {
  const child = fileURLToPath(new URL('./removal-child.fixture.ts', import.meta.url));

  /** Runs the child until a system call of this kind that has to do with the path, and kills it before that is carried out. */
  function killAt(kind: keyof typeof calls, path: string, then: string, when = 1, alsoInject: string[] = []): void {
    const { folder } = library();
    const { signal: ended, stderr } = spawnSync(
      'strace',
      [
        ...['-f', '-qq', '-o', '/dev/null', '-P', path],
        ...['-e', `trace=${calls[kind]},${calls.link}`, '-e', `inject=${calls[kind]}:signal=KILL:when=${when}`],
        ...alsoInject,
        ...[process.execPath, child, join(folder, 'data'), trashFolder, then],
      ],
      { encoding: 'utf8', env: { ...process.env, UV_THREADPOOL_SIZE: '1' } },
    );
    expect(stderr).toBe('');
    expect(ended).toBe('SIGKILL');
  }

  const hidden = () => join(library().at('out'), '.timbre-removed-00000000-0000-4000-8000-000000000002.part');

  it.each([
    ['before the file is hidden', 'nothing', () => ['rename', library().at('out/a.wav')] as const],
    ['once the file is hidden', 'nothing', () => ['sync', library().at('out')] as const],
    ['before an undo gives the name back', 'undo', () => ['link', library().at('out/a.wav')] as const],
    ['while an undo has both names', 'undo', () => ['unlink', hidden()] as const],
    ['before an undo’s name is safe', 'undo', () => ['sync', library().at('out'), 2] as const],
    ['before the end gives the name back', 'stop', () => ['link', library().at('out/a.wav')] as const],
    ['while the end has both names', 'stop', () => ['unlink', hidden()] as const],
    ['before the file is in the trash', 'stop', () => ['rename', library().at('out/a.wav'), 2] as const],
  ])('%s loses nothing', async (_, then, at) => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    const [kind, path, when] = at();
    killAt(kind, path, then, when);
    expect(left()).toHaveLength(1);

    await removals.start();
    await removals.start();
    expect(left()).toEqual([]);
    const place = then === 'undo' ? library().at('out/a.wav') : join(trashFolder, 'a.wav');
    expect((await stat(place)).ino).toBe(inode);
    expect(await readFile(place, 'utf8')).toBe('the result in out/a.wav');
    expect(await names('out')).toEqual(then === 'undo' ? ['a.wav'] : []);
    expect(shown.isShown('a')).toBe(then === 'undo');
    expect(dirname(library().store.get('a')?.output?.path ?? '')).toBe(library().at('out'));
  });

  it.each([
    // The content is read once before the file is hidden.
    ['before a placeholder holds its name', () => ['open', library().at('out/a.wav'), 2] as const],
    // strace knows a rename by the old name.
    ['while a placeholder holds its name', () => ['rename', hidden(), 1] as const],
  ])('where there are no links, %s, loses nothing and leaves no empty file', async (_, at) => {
    await entry();
    const [kind, path, when] = at();
    killAt(kind, path, 'undo', when, ['-e', `inject=${calls.link}:error=EPERM`]);
    await removals.start();
    expect(left()).toEqual([]);
    expect(await names('out')).toEqual(['a.wav']);
    expect(await readFile(library().at('out/a.wav'), 'utf8')).toBe('the result in out/a.wav');
    expect(shown.isShown('a')).toBe(true);
  });
});
