import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { calls, canDisturb } from '../files/disturbed-publish.fixture.ts';
import { useLibrary } from './history-entries.fixture.ts';
import type { Removals, VisibleEntries } from './removal.ts';
import { useRemovals } from './use-removals.fixture.ts';

const library = useLibrary();
const { fixture, entry, names, inodeOf, left } = useRemovals(library);
let visible: VisibleEntries;
let removals: Removals;
let trashFolder: string;
beforeEach(() => {
  ({ visible, removals, trashFolder } = fixture());
});

const child = fileURLToPath(new URL('./removal-child.fixture.ts', import.meta.url));

it('completes an undo of many entries that was killed halfway', async () => {
  const result = await library().write('out/many.wav', 'the result of all');
  const ids = Array.from({ length: 120 }, (_, k) => `entry-${k}`);
  for (const id of ids) await library().done(id, null, result);
  const data = join(library().folder, 'data');
  const { signal } = spawnSync(process.execPath, [child, data, trashFolder, 'half an undo', ...ids]);
  expect(signal).toBe('SIGKILL');
  const before = ids.filter(visible.isVisible).length;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(ids.length);

  await removals.start();
  expect(ids.filter(visible.isVisible)).toEqual(ids);
  expect(await names('out')).toEqual(['many.wav']);
  expect(left()).toEqual([]);
});

describe.skipIf(!canDisturb)('a process that is killed during a removal (needs strace)', () => {
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
    expect(visible.isVisible('a')).toBe(then === 'undo');
    expect(dirname(library().store.get('a')?.output?.path ?? '')).toBe(library().at('out'));
  });

  it.each([
    // The content is read once before the file is hidden.
    ['before a placeholder holds its name', () => ['open', library().at('out/a.wav'), 2] as const],
    // strace knows a rename by the old name.
    ['while a placeholder holds its name', () => ['rename', hidden(), 1] as const],
  ])('without links, %s loses nothing and leaves no empty file', async (_, at) => {
    await entry();
    const [kind, path, when] = at();
    killAt(kind, path, 'undo', when, ['-e', `inject=${calls.link}:error=EPERM`]);
    await removals.start();
    expect(left()).toEqual([]);
    expect(await names('out')).toEqual(['a.wav']);
    expect(await readFile(library().at('out/a.wav'), 'utf8')).toBe('the result in out/a.wav');
    expect(visible.isVisible('a')).toBe(true);
  });
});
