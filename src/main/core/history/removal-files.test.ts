import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useLibrary } from './history-entries.fixture.ts';
import { createTestRemovals } from './removal.fixture.ts';
import type { Removals, VisibleEntries } from './removal.ts';
import { useRemovals } from './use-removals.fixture.ts';

const library = useLibrary();
const { fixture, entry, names, inodeOf, left } = useRemovals(library);
const { signal } = new AbortController();
let visible: VisibleEntries;
let removals: Removals;
let trashFolder: string;
beforeEach(() => {
  ({ visible, removals, trashFolder } = fixture());
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

  it.each(ways)('one %s, reports it, and may be repeated', async (_, unplug) => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    const { undo } = await removals.remove(['a'], true, signal);
    await unplug();
    await expect(removals.undo(undo)).rejects.toMatchObject({ code: 'history/files-away' });
    expect(left()).toMatchObject([{ intent: 'restore' }]);
    expect(visible.isVisible('a')).toBe(true);
    await bringDisk();
    await removals.undo(undo);
    expect(await names('out')).toEqual(['a.wav']);
    expect(await inodeOf('out/a.wav')).toBe(inode);
    expect(left()).toEqual([]);
  });

  it.each(ways)('one %s, is completed at the first start with the disk mounted', async (_, unplug) => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    const { undo } = await removals.remove(['a'], true, signal);
    await unplug();
    await expect(removals.undo(undo)).rejects.toThrow();
    await removals.stop();
    await fixture().next().start();
    expect(left()).toMatchObject([{ intent: 'restore' }]);
    await bringDisk();
    await fixture().next().start();
    expect(await names('out')).toEqual(['a.wav']);
    expect(await inodeOf('out/a.wav')).toBe(inode);
    expect(left()).toEqual([]);
  });

  it('restores files on other disks anyway', async () => {
    await entry();
    await entry('b', 'here/b.wav', 'in/b.wav');
    const { undo } = await removals.remove(['a', 'b'], true, signal);
    await takeAway();
    await expect(removals.undo(undo)).rejects.toMatchObject({ code: 'history/files-away' });
    expect(await names('here')).toEqual(['b.wav']);
    expect(left()).toHaveLength(1);
  });
});

describe('shutdown', () => {
  it('does not wait for an undo of many entries, which the next start continues', async () => {
    const result = await library().write('out/many.wav', 'the result of all');
    const ids = Array.from({ length: 120 }, (_, k) => `entry-${k}`);
    for (const id of ids) await library().done(id, null, result);
    const { undo } = await removals.remove(ids, true, signal);
    const undone = removals.undo(undo);
    await removals.stop();
    await undone;
    expect(ids.filter(visible.isVisible)).not.toEqual(ids);
    await fixture().next().start();
    expect(ids.filter(visible.isVisible)).toEqual(ids);
    expect(await names('out')).toEqual(['many.wav']);
    expect(left()).toEqual([]);
  });

  it('trashes removed files under their own names', async () => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    await removals.remove(['a'], true, signal);
    await removals.stop();
    expect(await names('out')).toEqual([]);
    expect((await stat(join(trashFolder, 'a.wav'))).ino).toBe(inode);
    expect(visible.isVisible('a')).toBe(false);
    expect(left()).toEqual([]);
  });

  it('trashes the removed file although a new result has its name, and keeps the new one', async () => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    await removals.remove(['a'], true, signal);
    await entry('again');
    await removals.stop();
    expect(await names('out')).toEqual(['a.wav']);
    expect((await stat(join(trashFolder, 'a (2).wav'))).ino).toBe(inode);
    expect(library().store.get('again')?.output?.path).toBe(library().at('out/a.wav'));
  });

  it('does not confuse a new result with the removed file if only bytes can distinguish them', async () => {
    await entry();
    await removals.remove(['a'], true, signal);
    library().database.exec("UPDATE removed_file SET method = 'placeholder'");
    const [name = ''] = await names('out');
    await rm(library().at('out', name));
    await entry('again');
    await removals.stop();
    expect(await names('out')).toEqual(['a.wav']);
    expect(left()).toEqual([]);
  });

  it('keeps a file whose entry was shown again otherwise', async () => {
    await entry();
    await removals.remove(['a'], true, signal);
    visible.show(['a']);
    await removals.stop();
    expect(await names('out')).toEqual(['a.wav']);
    expect(left()).toEqual([]);
  });

  it('leaves removals of another process to that process, which may still undo them', async () => {
    await entry();
    const removal = await removals.remove(['a'], true, signal);
    const { database, store } = library();
    const command = createTestRemovals({
      database,
      store,
      visible,
      trash: () => Promise.reject(new Error('no trash')),
    });
    await command.stop();
    expect(visible.isVisible('a')).toBe(false);
    expect(await names('out')).toEqual([expect.stringMatching(/^\.timbre-removed-/)]);
    await removals.undo(removal.undo);
    expect(await names('out')).toEqual(['a.wav']);
  });

  it('allows an undo that arrives before startup is complete', async () => {
    await entry();
    const removal = await removals.remove(['a'], true, signal);
    await removals.start();
    await removals.undo(removal.undo);
    expect(await names('out')).toEqual(['a.wav']);
  });

  it('keeps a file that is the source of a restored entry', async () => {
    await entry();
    const again = await library().write('b.wav', 'the second result');
    await library().done('b', library().at('out/a.wav'), again);
    const { undo } = await removals.remove(['b'], false, signal);
    expect(await removals.remove(['a'], true, signal)).toMatchObject({ files: 1 });
    await removals.undo(undo);
    await removals.stop();
    expect(await names('out')).toEqual(['a.wav']);
    expect([visible.isVisible('a'), visible.isVisible('b')]).toEqual([false, true]);
    expect(left()).toEqual([]);
  });

  it('restores the file and its entry if the trash rejects it', async () => {
    await entry();
    const defects: unknown[] = [];
    const { database, store } = library();
    const trash = () => Promise.reject(new Error('this disk has no trash'));
    removals = createTestRemovals({ database, store, visible, trash, onDefect: (error) => defects.push(error) });
    await removals.remove(['a'], true, signal);
    await removals.stop();
    expect(await names('out')).toEqual(['a.wav']);
    expect(visible.isVisible('a')).toBe(true);
    expect(left()).toEqual([]);
    expect(defects).toHaveLength(1);
  });

  it('postpones files on a disk that is not mounted', async () => {
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

  it('postpones files in a missing folder, and trashes them once it exists', async () => {
    await entry();
    await removals.remove(['a'], true, signal);
    const out = library().at('out');
    await rename(out, `${out}-elsewhere`);
    await removals.stop();
    expect(left()).toHaveLength(1);
    await rename(`${out}-elsewhere`, out);
    await fixture().next().start();
    expect(await names('out')).toEqual([]);
    expect(await readdir(trashFolder)).toEqual(['a.wav']);
    expect(left()).toEqual([]);
  });

  it('forgets files that the user deleted permanently', async () => {
    await entry();
    await removals.remove(['a'], true, signal);
    const [name = ''] = await names('out');
    await rm(library().at('out', name));
    await removals.stop();
    expect(left()).toEqual([]);
    expect(visible.isVisible('a')).toBe(false);
  });
});
