import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { canDisturb } from '../files/disturbed-publish.fixture.ts';
import { freeBytes } from '../files/folders.ts';
import { temporaryPathOf } from '../files/publish.ts';
import { conversionJob } from './job.fixture.ts';
import type { Job } from './job.ts';
import { createSpaceReservations, expectedBytes, type SpaceReservations } from './space-reservations.ts';

let folder: string;
let space: SpaceReservations;
let free: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-space-'));
  space = createSpaceReservations(folder, systemClock);
  free = await freeBytes(folder);
});
afterEach(() => rm(folder, { recursive: true }));

/** A job whose result takes this share of the free space. */
function jobTaking(id: string, share: number) {
  const target = { folder: join(folder, 'out'), nameTemplate: '{name}' };
  const thousand = expectedBytes(conversionJob({ durationSeconds: 1000 })) / 1000;
  return conversionJob({ id, target, durationSeconds: (free * share) / thousand });
}
const { signal } = new AbortController();
const reserve = (job: Job) => space.reserve(job, signal);

it('does not reserve the same space for concurrent jobs: those it is not enough for wait until it is released', async () => {
  const reserved: string[] = [];
  const reservations = ['a', 'b', 'c', 'd'].map(async (id) => {
    await reserve(jobTaking(id, 0.4));
    reserved.push(id);
  });
  await expect.poll(() => reserved).toHaveLength(2);
  await systemClock.sleep(100);
  expect(reserved).toHaveLength(2);
  reserved.slice().forEach(space.release);
  await Promise.all(reservations);
});

it.skipIf(process.platform === 'win32')(
  'refuses a folder in which the name of the result is too long (not on Windows)',
  async () => {
    const longest = process.platform === 'darwin' ? 1024 : 4096;
    let deep = folder;
    while (deep.length < longest - 260) deep = join(deep, 'd'.repeat(200));
    deep = join(deep, 'd'.repeat(longest - 60 - deep.length));
    const name = 'a recording with a name that says what was said, when, where and to whom.wav';
    const job = conversionJob({ source: { path: join(folder, name), subfolder: '', snapshot: null } });
    const target = { folder: deep, nameTemplate: '{name}' };
    await expect(reserve({ ...job, target })).rejects.toMatchObject({ code: 'output/failed' });
  },
);

it('reserves released space again, and repeatedly for the same job', async () => {
  await reserve(jobTaking('a', 0.7));
  await reserve(jobTaking('a', 0.7));
  const waiting = reserve(jobTaking('b', 0.7));
  space.release('a');
  await waiting;
});

it('does not reserve space that a paid result needs', async () => {
  await space.expect(jobTaking('paid', 0.7), signal);
  const stopping = new AbortController();
  const waiting = space.reserve(jobTaking('b', 0.7), stopping.signal);
  await systemClock.sleep(100);
  stopping.abort();
  await expect(waiting).rejects.toBe(stopping.signal.reason);
  expect(await space.reservedBytes(folder)).toBe(expectedBytes(jobTaking('paid', 0.7)));
});

it('reports a full disk as soon as nobody else has reserved any of it, with the space for the log', async () => {
  const tooLong = jobTaking('b', 2);
  await reserve(jobTaking('a', 0.1));
  const waiting = reserve(tooLong);
  await systemClock.sleep(100);
  space.release('a');
  await expect(waiting).rejects.toMatchObject({
    code: 'output/disk-full',
    problem: { facts: { folder: join(folder, 'out'), neededBytes: expectedBytes(tooLong) + 1.25 * 1024 ** 2 } },
  });
});

it('lets no two jobs wait for each other that reserved before and then need more', async () => {
  await reserve(jobTaking('a', 0.4));
  await reserve(jobTaking('b', 0.4));
  const waiting = reserve(jobTaking('a', 0.7));
  await systemClock.sleep(100);
  await reserve(jobTaking('b', 0.7));
  space.release('b');
  await waiting;
});

it('tells how much of a disk is reserved, less what is written of it', async () => {
  expect(await space.reservedBytes(folder)).toBe(0);
  const job = conversionJob({
    id: 'a',
    target: { folder: join(folder, 'out'), nameTemplate: '{name}' },
    durationSeconds: 60,
  });
  await reserve(job);
  expect(await space.reservedBytes(folder)).toBe(expectedBytes(job));
  await writeFile(temporaryPathOf(join(folder, 'out'), 'a'), Buffer.alloc(1000));
  expect(await space.reservedBytes(folder)).toBe(expectedBytes(job) - 1000);
  expect(await space.reservedBytes('/proc')).toBe(0);
  space.release('a');
  expect(await space.reservedBytes(folder)).toBe(0);
});

it('rejects when aborted if a disk does not answer, and reserves nothing', async () => {
  const stopping = new AbortController();
  const reservation = space.reserve(jobTaking('a', 0.7), stopping.signal);
  stopping.abort();
  await expect(reservation).rejects.toBe(stopping.signal.reason);
  await reserve(jobTaking('b', 0.7));
});

it('does not take the time that the machine slept for a disk that does not answer', async () => {
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  const stopping = createSpaceReservations(folder, { sleep: (ms, ended) => systemClock.sleep(ms / 20, ended) });
  const reserved = stopping.reserve(jobTaking('a', 0.1), signal);
  Atomics.wait(stopped, 0, 0, 1500);
  await reserved;
});

it('lets work take as long as it takes on a disk that answers', async () => {
  let sleeps = 0;
  const isLong = Promise.withResolvers<string>();
  /** A question is answered before its deadline, and the next one follows at once. */
  const sleep: typeof systemClock.sleep = async (ms, ended) => {
    sleeps += 1;
    if (sleeps % 2 === 1) return systemClock.sleep(ms, ended);
    if (sleeps === 20) isLong.resolve('done');
    return nextTurn();
  };
  const patient = createSpaceReservations(folder, { sleep });
  const work = patient.attend(
    jobTaking('a', 0.1),
    signal,
    () => isLong.promise,
    () => expect.unreachable(),
  );
  expect(await work).toBe('done');
});

it.skipIf(!canDisturb)(
  'tells a disk that does not answer, and asks it once for all results (needs strace)',
  async () => {
    const out = join(folder, 'out');
    const log = join(folder, 'calls');
    await mkdir(out);
    const child = fileURLToPath(new URL('reserve-child.fixture.ts', import.meta.url));
    const hang = ['-e', 'trace=statx', '-P', out, '-e', 'inject=statx:delay_enter=4s'];
    const { stdout } = spawnSync('strace', ['-f', '-qq', '-o', log, ...hang, process.execPath, child, folder, out]);
    expect(JSON.parse(String(stdout))).toEqual(Array.from({ length: 3 }, () => 'output/folder-missing'));
    expect((await readFile(log, 'utf8')).match(/statx\(/g)).toHaveLength(1);
  },
);
