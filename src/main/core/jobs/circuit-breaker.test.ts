import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { createDiskWatch, createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';

describe('pauses', () => {
  let folder: string;
  let database: DatabaseSync;
  let now: number;
  let pauses: CircuitBreaker;
  let writes: WriteGate;
  let told: number;

  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const heedAll = () => true;
  const pause = { connectionId: 'studio', reason: 'rate', until: 2000, problem: null } as const;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-pauses-'));
    database = await openDatabase(folder);
    now = 1000;
    told = 0;
    writes = createWriteGate({ database, clock: systemClock, onDefect: expect.unreachable });
    pauses = createCircuitBreaker({ database, clock, writes }, heedAll);
    pauses.onChanged(() => (told += 1));
  });
  afterEach(async () => {
    writes.stop();
    database.close();
    await rm(folder, { recursive: true });
  });

  describe('a pause', () => {
    it('holds up its connection and no other, and all of them where it names none', () => {
      pauses.pause(pause);
      expect([pauses.admission('studio'), pauses.admission('local')]).toEqual(['none', 'all']);
      pauses.pause({ ...pause, connectionId: null, reason: 'person', until: null });
      expect(pauses.admission('local')).toBe('none');
    });

    it('lets one job try once its time is over', () => {
      pauses.pause(pause);
      now = 2000;
      expect(pauses.admission('studio')).toBe('probe');
    });

    it('for an account lets results come that wait at the service', () => {
      pauses.pause({ ...pause, reason: 'quota' });
      expect(pauses.admission('studio')).toBe('results');
      pauses.pause({ ...pause, reason: 'token', until: null });
      expect(pauses.admission('studio')).toBe('none');
    });

    it('of a full disk is never tried by a job', () => {
      pauses.pause({ ...pause, connectionId: null, reason: 'disk' });
      now = 3000;
      expect(pauses.admission('studio')).toBe('none');
    });

    it('is made longer by others that meet the same wall, never shorter, and is one try', () => {
      pauses.pause(pause);
      pauses.pause({ ...pause, until: 5000 });
      pauses.pause({ ...pause, until: 1500 });
      expect(pauses.list()).toMatchObject([{ until: 5000, tries: 0, since: 1000 }]);
    });

    it('counts what was tried in vain after its time', () => {
      pauses.pause(pause);
      now = 2500;
      pauses.pause({ ...pause, until: 4000 });
      expect(pauses.list()).toMatchObject([{ until: 4000, tries: 1, since: 1000 }]);
    });

    it('is told once, and not again where nothing changes', () => {
      pauses.pause({ ...pause, reason: 'token', until: null });
      pauses.pause({ ...pause, reason: 'token', until: null });
      pauses.resume('studio', ['rate']);
      expect(told).toBe(1);
      pauses.resume('studio', ['token']);
      expect(told).toBe(2);
      expect(pauses.list()).toEqual([]);
    });

    it('outlives the program, and is seen by others', () => {
      const problem = { code: 'rate/limited', facts: { retryAfterSeconds: 1 } } as const;
      pauses.pause({ ...pause, problem });
      const other = createCircuitBreaker({ database, clock, writes }, heedAll);
      expect(other.list()).toEqual(pauses.list());
      expect(other.list()).toMatchObject([{ ...pause, problem }]);
      pauses.resume('studio', ['rate']);
      other.poll();
      expect(other.admission('studio')).toBe('all');
    });

    it('that is not meant for a process does not hold it up', () => {
      pauses.pause({ ...pause, connectionId: null, reason: 'person', until: null });
      const command = createCircuitBreaker({ database, clock, writes }, ({ reason }) => reason !== 'person');
      expect(command.admission('studio')).toBe('all');
      command.pause(pause);
      expect(pauses.list()).toHaveLength(1);
    });
  });
});

describe('disk watch', () => {
  let folder: string;
  let database: DatabaseSync;
  let writes: WriteGate;
  let pauses: CircuitBreaker;
  let watch: ReturnType<typeof createDiskWatch>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-disk-'));
    database = await openDatabase(folder);
    writes = createWriteGate({ database, clock: systemClock, onDefect: expect.unreachable });
    pauses = createCircuitBreaker({ database, clock: systemClock, writes }, () => true);
    watch = createDiskWatch({ breaker: pauses, clock: systemClock, onDefect: expect.unreachable });
  });
  afterEach(async () => {
    watch.stop();
    writes.stop();
    database.close();
    await rm(folder, { recursive: true });
  });

  const hold = (facts: Readonly<Record<string, string | number>>) =>
    pauses.pause({
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
    pauses.resume(null, ['disk']);
    hold({ folder: join(folder, 'out'), neededBytes: 3_000_000, reason: 'EDQUOT' });
    await expect.poll(held).toBeUndefined();
    expect(await readdir(join(folder, 'out'))).toEqual([]);
  });

  it('changes nothing once it is stopped, and brings no pause back that somebody ended meanwhile', async () => {
    hold({ folder, neededBytes: 2 ** 60 });
    watch.start();
    pauses.resume(null, ['disk']);
    await expect.poll(held).toBeUndefined();
    hold({ folder, neededBytes: 2 ** 60 });
    watch.stop();
    const { until } = held() ?? {};
    await systemClock.sleep(100);
    expect(held()?.until).toBe(until);
  });
});
