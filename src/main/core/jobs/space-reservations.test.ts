import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
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
const outcomes = (results: readonly PromiseSettledResult<void>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'ok' : (result.reason as { code: string }).code)).sort();

it('does not reserve the same space for two concurrent jobs', async () => {
  const reservations = ['a', 'b', 'c', 'd'].map((id) => reserve(jobTaking(id, 0.4)));
  expect(outcomes(await Promise.allSettled(reservations))).toEqual([
    'ok',
    'ok',
    'output/disk-full',
    'output/disk-full',
  ]);
});

it('reserves released space again, and repeatedly for the same job', async () => {
  await reserve(jobTaking('a', 0.7));
  await reserve(jobTaking('a', 0.7));
  await expect(reserve(jobTaking('b', 0.7))).rejects.toMatchObject({ code: 'output/disk-full' });
  space.release('a');
  await reserve(jobTaking('b', 0.7));
});

it('does not reserve space that a paid result needs', async () => {
  await space.expect(jobTaking('paid', 0.7), signal);
  await expect(reserve(jobTaking('b', 0.7))).rejects.toMatchObject({ code: 'output/disk-full' });
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
