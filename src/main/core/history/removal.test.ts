import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../clock.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import { ignoredName } from '../scanner/ignore-rules.ts';
import { createOwnResults } from '../jobs/own-results.ts';
import { useLibrary } from './history-entries.fixture.ts';
import { createTestRemovals, createTestTrash } from './removal.fixture.ts';
import type { Removals, VisibleEntries } from './removal.ts';
import { useRemovals } from './use-removals.fixture.ts';

const library = useLibrary();
const { fixture, entry, names, inodeOf, left } = useRemovals(library);
const { signal } = new AbortController();
let visible: VisibleEntries;
let removals: Removals;
let filesChanged: readonly (readonly string[])[];
beforeEach(() => {
  ({ visible, removals, filesChanged } = fixture());
});

it('removing and restoring fail with the reason and change nothing while the database is not writable', async () => {
  await entry();
  const { database } = library();
  const refused = { code: 'data/not-writable' };
  database.exec('PRAGMA query_only = ON');
  await expect(removals.remove(['a'], true, signal)).rejects.toMatchObject(refused);
  expect([visible.isVisible('a'), await names('out')]).toEqual([true, ['a.wav']]);
  database.exec('PRAGMA query_only = OFF');
  const { undo } = await removals.remove(['a'], true, signal);
  database.exec('PRAGMA query_only = ON');
  await expect(removals.undo(undo)).rejects.toMatchObject(refused);
  expect(visible.isVisible('a')).toBe(false);
  database.exec('PRAGMA query_only = OFF');
  await removals.undo(undo);
  expect([visible.isVisible('a'), await names('out')]).toEqual([true, ['a.wav']]);
});

describe('removing', () => {
  it('only the entry leaves its files, and can be undone', async () => {
    await entry();
    const removal = await removals.remove(['a', 'unknown'], false, signal);
    expect(removal).toMatchObject({ entries: 1, files: 0, keptFiles: 0 });
    expect(visible.isVisible('a')).toBe(false);
    expect(await names('out')).toEqual(['a.wav']);
    await removals.undo(removal.undo);
    expect(visible.isVisible('a')).toBe(true);
    await expect(removals.undo(removal.undo)).rejects.toMatchObject({ code: 'history/undo-over' });
  });

  it('an entry with its result restores the same file on undo, and never touches the source', async () => {
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
    expect(filesChanged).toEqual([['a']]);
    expect(left()).toEqual([]);
  });

  it('does not affect a watched folder: it ignores the stash name and recognizes the restored file', async () => {
    const job = await entry();
    await removals.remove(['a'], true, signal);
    const [name = ''] = await names('out');
    expect(ignoredName(name)).toMatchObject({ kind: 'temporary' });
    expect(createOwnResults(library().database).hasContent(job.finished?.sha256 ?? '')).toBe(true);
  });

  it('restores a file under the next free name if its own is taken, and updates the entry', async () => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    const { undo } = await removals.remove(['a'], true, signal);
    await library().write('out/a.wav', 'somebody else’s');
    await removals.undo(undo);
    expect(await readFile(library().at('out/a.wav'), 'utf8')).toBe('somebody else’s');
    expect(await inodeOf('out/a (2).wav')).toBe(inode);
    expect(library().store.get('a')?.output?.path).toBe(library().at('out/a (2).wav'));
    expect(filesChanged).toEqual([['a']]);
  });

  it('restores a file beside a newer result, and each entry has its own', async () => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    const { undo } = await removals.remove(['a'], true, signal);
    await entry('again');
    await removals.undo(undo);
    expect(await inodeOf('out/a (2).wav')).toBe(inode);
    const pathOf = (id: string) => library().store.get(id)?.output?.path;
    expect(['a', 'again'].map(pathOf)).toEqual([library().at('out/a (2).wav'), library().at('out/a.wav')]);
    expect(filesChanged).toEqual([['a']]);
  });

  it('restores a file with the first of its entries that is shown again, whichever removed it', async () => {
    await entry();
    await library().done('twin', null, library().at('out/a.wav'));
    const first = await removals.remove(['a'], false, signal);
    const second = await removals.remove(['twin'], true, signal);
    await removals.undo(first.undo);
    expect(await names('out')).toEqual(['a.wav']);
    expect(['a', 'twin'].map(visible.isVisible)).toEqual([true, false]);
    await removals.undo(second.undo);
    expect(['a', 'twin'].map(visible.isVisible)).toEqual([true, true]);
  });

  it('keeps a file stashed that an entry had before it was repeated', async () => {
    await entry();
    const first = await removals.remove(['a'], true, signal);
    await entry('again');
    await removals.remove(['again'], true, signal);
    await removals.undo(first.undo);
    expect(await names('out')).toEqual([expect.stringMatching(/^\.timbre-removed-/), 'a.wav']);
    expect(left()).toMatchObject([{ jobs: ['again'] }]);
  });

  it('restores the file of an entry that was shown again otherwise', async () => {
    await entry();
    await removals.remove(['a'], true, signal);
    await removals.restoreVisible();
    expect(left()).toHaveLength(1);
    visible.show(['a']);
    await removals.restoreVisible();
    expect(await names('out')).toEqual(['a.wav']);
    expect(left()).toEqual([]);
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
  ])('leaves a file in place that %s', async (_, change) => {
    await entry();
    await change(library().at('out/a.wav'));
    const before = await names('out');
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ entries: 1, files: 0, keptFiles: 1 });
    expect(await names('out')).toEqual(before);
  });

  it('ignores a file that is already gone', async () => {
    await entry();
    await rm(library().at('out/a.wav'));
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ entries: 1, files: 0, keptFiles: 0 });
  });

  it('keeps a result that another entry has until the last one is removed', async () => {
    await entry();
    await library().done('twin', null, library().at('out/a.wav'));
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ files: 0, keptFiles: 1 });
    expect(await removals.remove(['twin'], true, signal)).toMatchObject({ files: 1, keptFiles: 0 });
  });

  it('keeps a result that is the source of a remaining entry', async () => {
    await entry();
    const again = await library().write('out/a (Bruno).wav', 'the second result');
    await library().done('b', library().at('out/a.wav'), again);
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ entries: 1, files: 0, keptFiles: 1 });
    expect(await names('out')).toEqual(['a (Bruno).wav', 'a.wav']);
  });

  it('removes a result together with an entry that was converted from it', async () => {
    await entry();
    const again = await library().write('out/a (Bruno).wav', 'the second result');
    await library().done('b', library().at('out/a.wav'), again);
    expect(await removals.remove(['a', 'b'], true, signal)).toMatchObject({ entries: 2, files: 2, keptFiles: 0 });
  });

  it.each(['queued', 'converting'] as const)('keeps a result that a job needs which is %s', async (state) => {
    await entry();
    const source = { path: library().at('out/a.wav'), subfolder: '', snapshot: null };
    library().store.add([conversionJob({ id: 'waits', state, source })]);
    expect(await removals.remove(['a', 'waits'], true, signal)).toMatchObject({ files: 0, keptFiles: 1 });
  });

  it('removes a result if a remaining entry had another recording of that name as its source', async () => {
    await library().done('old', await library().write('out/a.wav', 'a recording'), await library().write('b.wav', 'b'));
    await entry();
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ files: 1, keptFiles: 0 });
  });

  it('removes a result once if all entries that share it are removed', async () => {
    await entry();
    await library().done('twin', null, library().at('out/a.wav'));
    const removal = await removals.remove(['a', 'twin'], true, signal);
    expect(removal).toMatchObject({ entries: 2, files: 1, keptFiles: 0 });
    await removals.undo(removal.undo);
    expect(await names('out')).toEqual(['a.wav']);
    expect(['a', 'twin'].map(visible.isVisible)).toEqual([true, true]);
  });

  it('ignores jobs that have not ended', async () => {
    const job = await entry();
    library().store.reopen(job.id, { state: 'queued' });
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ entries: 0, files: 0 });
    expect(await names('out')).toEqual(['a.wav']);
  });

  it.skipIf(process.getuid?.() === 0)('leaves a file in a folder that is not writable', async () => {
    await entry();
    await chmod(library().at('out'), 0o500);
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ files: 0, keptFiles: 1 });
    await chmod(library().at('out'), 0o700);
    expect(left()).toEqual([]);
  });
});

describe('after an hour', () => {
  const hourMs = 3_600_000;
  let now: number;
  let sleepers: (() => void)[];
  const clock: Clock = {
    ...systemClock,
    now: () => now,
    sleep: (_ms, stopped) =>
      new Promise((resolve, reject) => {
        sleepers.push(resolve);
        stopped?.addEventListener('abort', () => reject(stopped.reason as Error));
      }),
  };
  const advance = (ms: number) => {
    now += ms;
    sleepers.splice(0).forEach((wake) => wake());
  };
  let trashFolder: string;
  beforeEach(() => {
    now = 1_000_000_000_000;
    sleepers = [];
    ({ trashFolder } = fixture());
    const { database, store } = library();
    removals = createTestRemovals({ database, store, visible, clock, trash: createTestTrash(trashFolder) });
  });
  const trashed = () => readdir(trashFolder).catch(() => []);

  it('a removed file is in the trash, and its removal can no longer be undone', async () => {
    await entry();
    const { undo } = await removals.remove(['a'], true, signal);
    advance(hourMs - 1);
    await nextTurn();
    expect(await names('out')).toHaveLength(1);
    advance(1);
    await expect.poll(trashed).toHaveLength(1);
    expect([await names('out'), left()]).toEqual([[], []]);
    await expect(removals.undo(undo)).rejects.toMatchObject({ code: 'history/undo-over' });
    expect(visible.isVisible('a')).toBe(false);
  });

  it('what was removed since then can still be undone', async () => {
    await entry();
    await entry('b', 'out/b.wav', 'in/b.wav');
    await removals.remove(['a'], true, signal);
    advance(hourMs - 1);
    const later = await removals.remove(['b'], true, signal);
    advance(1);
    await expect.poll(trashed).toHaveLength(1);
    await removals.undo(later.undo);
    expect(await names('out')).toEqual(['b.wav']);
  });

  it('entries that were removed without their files can still be undone', async () => {
    await entry();
    const { undo } = await removals.remove(['a'], false, signal);
    expect(sleepers).toEqual([]);
    advance(2 * hourMs);
    await removals.undo(undo);
    expect(visible.isVisible('a')).toBe(true);
  });

  it('nothing is moved once Timbre has quit', async () => {
    await entry();
    await removals.remove(['a'], true, signal);
    await removals.stop();
    expect(await trashed()).toHaveLength(1);
    advance(hourMs);
    expect(sleepers).toEqual([]);
  });
});
