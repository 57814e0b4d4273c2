import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useLibrary } from './history-entries.fixture.ts';
import { createTestRemovals } from './removal.fixture.ts';
import type { Removals, VisibleEntries } from './removal.ts';
import { useRemovals } from './use-removals.fixture.ts';

const library = useLibrary();
const { bench, entry, names, inodeOf, left } = useRemovals(library);
const { signal } = new AbortController();
let visible: VisibleEntries;
let removals: Removals;
let trashFolder: string;
beforeEach(() => {
  ({ visible, removals, trashFolder } = bench());
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
    expect(left()).toMatchObject([{ intent: 'restore' }]);
    expect(visible.isVisible('a')).toBe(true);
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
    await bench().next().start();
    expect(left()).toMatchObject([{ intent: 'restore' }]);
    await bringDisk();
    await bench().next().start();
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
  it('does not wait for an undo of many entries: the next start goes on with it', async () => {
    const result = await library().write('out/many.wav', 'the result of all');
    const ids = Array.from({ length: 120 }, (_, k) => `entry-${k}`);
    for (const id of ids) await library().done(id, null, result);
    const { undo } = await removals.remove(ids, true, signal);
    const undone = removals.undo(undo);
    await removals.stop();
    await undone;
    expect(ids.filter(visible.isVisible)).not.toEqual(ids);
    await bench().next().start();
    expect(ids.filter(visible.isVisible)).toEqual(ids);
    expect(await names('out')).toEqual(['many.wav']);
    expect(left()).toEqual([]);
  });

  it('brings what was removed to the trash, under its own name', async () => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    await removals.remove(['a'], true, signal);
    await removals.stop();
    expect(await names('out')).toEqual([]);
    expect((await stat(join(trashFolder, 'a.wav'))).ino).toBe(inode);
    expect(visible.isVisible('a')).toBe(false);
    expect(left()).toEqual([]);
  });

  it('brings to the trash what was made again meanwhile, and not the new one', async () => {
    await entry();
    const inode = await inodeOf('out/a.wav');
    await removals.remove(['a'], true, signal);
    await entry('again');
    await removals.stop();
    expect(await names('out')).toEqual(['a.wav']);
    expect((await stat(join(trashFolder, 'a (2).wav'))).ino).toBe(inode);
    expect(library().store.get('again')?.output?.path).toBe(library().at('out/a.wav'));
  });

  it('does not take what was made again for what was removed, where only bytes can tell', async () => {
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

  it('leaves a file under its name whose entry something else has shown again', async () => {
    await entry();
    await removals.remove(['a'], true, signal);
    visible.show(['a']);
    await removals.stop();
    expect(await names('out')).toEqual(['a.wav']);
    expect(left()).toEqual([]);
  });

  it('leaves what another process took out to that process, which may still undo it', async () => {
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

  it('may still be undone where it came before the start was over', async () => {
    await entry();
    const removal = await removals.remove(['a'], true, signal);
    await removals.start();
    await removals.undo(removal.undo);
    expect(await names('out')).toEqual(['a.wav']);
  });

  it('leaves a file under its name that is the original of an entry which has come back', async () => {
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

  it('puts a file back, and shows its entry, that the trash does not take', async () => {
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
    await bench().next().start();
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
    expect(visible.isVisible('a')).toBe(false);
  });
});
