import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestEngine } from '../../../engine/engine.fixture.ts';
import { openWatchBench, startWatchEngine, type WatchBench } from './watch.fixture.ts';

let engine: TestEngine;
let app: WatchBench;
let command: WatchBench;

beforeAll(async () => {
  engine = await startWatchEngine();
});
afterAll(() => engine.remove());
beforeEach(async () => {
  app = await openWatchBench(engine);
  command = await openWatchBench(engine, app);
});
afterEach(async () => {
  const { defects } = command;
  await command.stop();
  await app.stop();
  expect([...app.defects, ...defects]).toEqual([]);
});

const overlaps = { code: 'watch/overlaps' };
const isDone = (bench: WatchBench, path: string) => bench.file(path)?.job?.state === 'done';
const verdict = (bench: WatchBench, path: string) => bench.file(path)?.line.verdict;
/** Looked over once, by a command that nobody sees in a window. */
const isScanned = (id: string) => () => command.watch.folder(id).checkedAt !== null && command.watch.isRested();

it('what a command watches is watched by nobody else, be it inside, around, or named by a link', async () => {
  const other = await openWatchBench(engine, app);
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

it('a folder that is asked for twice at once is watched once', async () => {
  const asked = await Promise.allSettled([app.save({}, null), app.save({}, null)]);
  expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(app.watch.folders()).toHaveLength(1);
});

it('a folder that goes from the window while a command watches it is still known to the command', async () => {
  const { folder } = await command.run('convert');
  await command.put('a.wav', 1);
  await command.until('it is done', () => isDone(command, 'a.wav'));
  const { id } = (await app.save()).folder;
  expect(app.watch.folder(id).mode).toBe('elsewhere');
  app.watch.remove(id);
  expect([id, app.watch.folders()]).toEqual([folder.id, []]);
  await command.put('b.wav', 2);
  await command.until('the next one is done', () => isDone(command, 'b.wav'));
  expect(verdict(command, 'a.wav')).toBe('job');
});

it('nothing is asked for behind the back of the command that watches a folder', async () => {
  await command.run('convert');
  const { id } = (await app.save()).folder;
  expect(() => app.watch.convert(id, ['a.wav'])).toThrow(expect.objectContaining({ code: 'watch/elsewhere' }));
  expect(() => app.watch.answerExisting(id, 'convert')).toThrow(expect.objectContaining({ code: 'watch/elsewhere' }));
});

it('a command that is stopped early goes on with what it had not come to', async () => {
  for (let k = 0; k < 3; k++) await app.put(`${k}.wav`, k);

  const { id } = (await command.run('convert')).folder;
  const notYet: number[] = [];
  const end = command.watch.onFile(() => {
    const { existing } = command.watch.folder(id).folder;
    const left = [0, 1, 2].filter((k) => (verdict(command, `${k}.wav`) ?? 'before') === 'before').length;
    if (existing === 'answered') notYet.push(left);
  });
  await command.until('all are done', () => [0, 1, 2].every((k) => isDone(command, `${k}.wav`)));
  end();
  expect(notYet.length).toBeGreaterThan(0);
  expect(notYet.filter((left) => left > 0)).toEqual([]);
});

it('a command takes what an earlier one was told to leave alone', async () => {
  await app.put('a.wav', 1);
  const { id } = (await command.run('leave')).folder;
  await command.until('it was looked over', isScanned(id));
  expect(verdict(command, 'a.wav')).toBe('before');
  await command.restart();
  await command.run('convert');
  await command.until('it is done', () => isDone(command, 'a.wav'));
});

it('a command with other settings offers what was converted with the ones before', async () => {
  const { id } = (await command.run('convert')).folder;
  await command.put('a.wav', 1);
  await command.until('it is done', () => isDone(command, 'a.wav') && command.file('a.wav')?.line.standing === 'rest');
  await command.restart();
  await command.run('convert', { conversion: { ...command.settings.conversion, pitch: 1.2 } });
  await command.until('it was looked over', isScanned(id));
  expect(verdict(command, 'a.wav')).toBe('other-settings');
  expect(command.jobs()).toHaveLength(1);
});

/** Where a disk was there stands its empty mount point. */
async function takeAway(): Promise<() => Promise<void>> {
  const away = join(app.folder, 'away');
  await rename(app.root, away);
  await mkdir(app.root);
  return async () => {
    await rm(app.root, { recursive: true });
    await rename(away, app.root);
  };
}

it('settings that are saved while another folder stands in its place take that one for none of ours', async () => {
  const { id } = (await app.save()).folder;
  await app.until('it is watched', () => app.watch.folder(id).mode === 'watching');
  const bringBack = await takeAway();
  await app.save({ dailyMinutes: 60 });
  await app.until('it is offline', () => app.watch.folder(id).mode === 'offline');
  await bringBack();
  await app.put('new.wav', 1);
  await app.until('what is new is done', () => isDone(app, 'new.wav'));
});

it('a command that begins before the disk is there waits for it', async () => {
  const { id } = (await command.run('convert')).folder;
  await command.until('it was looked over', isScanned(id));
  await command.restart();
  const bringBack = await takeAway();
  await command.run('convert');
  await command.until('it is offline', () => command.watch.folder(id).mode === 'offline');
  await bringBack();
  await command.put('new.wav', 1);
  await command.until('what is new is done', () => isDone(command, 'new.wav'));
});

it('a folder that was made anew is taken by a command', async () => {
  const { id } = (await command.run('convert')).folder;
  await command.until('it was looked over', isScanned(id));
  await command.restart();
  await takeAway();
  await command.put('new.wav', 1);
  await command.run('convert');
  await command.until('what is there is done', () => isDone(command, 'new.wav'));
});
