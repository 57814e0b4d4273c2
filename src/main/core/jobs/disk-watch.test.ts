import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/open-database.ts';
import { createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { createDiskWatch } from './disk-watch.ts';
import { createPauses, type Pauses } from './pauses.ts';

let folder: string;
let database: DatabaseSync;
let writes: WriteGate;
let pauses: Pauses;
let watch: ReturnType<typeof createDiskWatch>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-disk-'));
  database = await openDatabase(folder);
  writes = createWriteGate({ database, clock: systemClock, onDefect: expect.unreachable });
  pauses = createPauses({ database, clock: systemClock, writes }, () => true);
  watch = createDiskWatch({ pauses, clock: systemClock, onDefect: expect.unreachable });
});
afterEach(async () => {
  watch.stop();
  writes.stop();
  database.close();
  await rm(folder, { recursive: true });
});

const hold = (facts: Readonly<Record<string, string | number>>) =>
  pauses.hold({
    connectionId: null,
    reason: 'disk',
    until: Date.now() - 1,
    problem: { code: 'output/disk-full', facts },
  });
const held = () => pauses.find(null, 'disk');
const secondsLeft = () => ((held()?.until ?? 0) - Date.now()) / 1000;

it('ends the pause of a disk that has room again, also one that was due before the watch began', async () => {
  hold({ folder, neededBytes: 1 });
  watch.start();
  await expect.poll(held).toBeUndefined();
});

it('looks again two seconds later at a disk that is still full', async () => {
  hold({ folder, neededBytes: 2 ** 60 });
  watch.start();
  await expect.poll(secondsLeft).toBeGreaterThan(1);
  expect(secondsLeft()).toBeLessThanOrEqual(2);
});

it('takes a quota for used up until so much could be written, whatever the disk says is free', async () => {
  hold({ folder: join(folder, 'missing'), neededBytes: 1, reason: 'EDQUOT' });
  watch.start();
  await expect.poll(secondsLeft).toBeGreaterThan(20);
  await mkdir(join(folder, 'out'));
  pauses.release(null, ['disk']);
  hold({ folder: join(folder, 'out'), neededBytes: 3_000_000, reason: 'EDQUOT' });
  await expect.poll(held).toBeUndefined();
  expect(await readdir(join(folder, 'out'))).toEqual([]);
});

it('changes nothing once it is stopped, and brings no pause back that somebody ended meanwhile', async () => {
  hold({ folder, neededBytes: 2 ** 60 });
  watch.start();
  pauses.release(null, ['disk']);
  await expect.poll(held).toBeUndefined();
  hold({ folder, neededBytes: 2 ** 60 });
  watch.stop();
  const { until } = held() ?? {};
  await systemClock.sleep(100);
  expect(held()?.until).toBe(until);
});
