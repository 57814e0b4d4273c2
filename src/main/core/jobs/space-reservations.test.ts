import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { freeBytes } from '../files/folders.ts';
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

/** A job whose result takes such a part of what is free. */
function jobOf(id: string, share: number) {
  const target = { folder: join(folder, 'out'), nameTemplate: '{name}' };
  const thousand = expectedBytes(conversionJob({ durationSeconds: 1000 })) / 1000;
  return conversionJob({ id, target, durationSeconds: (free * share) / thousand });
}
const { signal } = new AbortController();
const reserve = (job: Job) => space.reserve(job, signal);
const outcomes = (results: readonly PromiseSettledResult<void>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? 'ok' : (result.reason as { code: string }).code)).sort();

it('gives the same room to no two jobs that ask at once', async () => {
  const asked = ['a', 'b', 'c', 'd'].map((id) => reserve(jobOf(id, 0.4)));
  expect(outcomes(await Promise.allSettled(asked))).toEqual(['ok', 'ok', 'output/disk-full', 'output/disk-full']);
});

it('gives room again that was released, and to the same job as often as it asks', async () => {
  await reserve(jobOf('a', 0.7));
  await reserve(jobOf('a', 0.7));
  await expect(reserve(jobOf('b', 0.7))).rejects.toMatchObject({ code: 'output/disk-full' });
  space.release('a');
  await reserve(jobOf('b', 0.7));
});

it('gives away no room that a paid result still needs', async () => {
  await space.expect(jobOf('paid', 0.7), signal);
  await expect(reserve(jobOf('b', 0.7))).rejects.toMatchObject({ code: 'output/disk-full' });
});

it('ends with its signal where a disk does not answer, and reserves nothing', async () => {
  const leaving = new AbortController();
  const asked = space.reserve(jobOf('a', 0.7), leaving.signal);
  leaving.abort();
  await expect(asked).rejects.toBe(leaving.signal.reason);
  await reserve(jobOf('b', 0.7));
});
