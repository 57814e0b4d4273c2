import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { createCircuitBreaker, createHalfOpenProbes, type CircuitBreaker } from './circuit-breaker.ts';
import { conversionJob } from './job.fixture.ts';

describe('the circuit breaker', () => {
  let folder: string;
  let database: DatabaseSync;
  let now: number;
  let breaker: CircuitBreaker;
  let writes: WriteGate;
  let changes: number;

  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const applyAll = () => true;
  const pause = { connectionId: 'studio', reason: 'rate', resumesAt: 2000, problem: null } as const;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-pauses-'));
    database = await openDatabase(folder);
    now = 1000;
    changes = 0;
    writes = createWriteGate({ database, clock: systemClock, onDefect: expect.unreachable });
    breaker = createCircuitBreaker({ database, clock, writes }, applyAll);
    breaker.onChanged(() => (changes += 1));
  });
  afterEach(async () => {
    writes.stop();
    database.close();
    await rm(folder, { recursive: true });
  });

  it('pauses the services, and not this computer, while the offline mode is on, with nothing on disk', () => {
    let offline: readonly string[] = [];
    const offlineBreaker = createCircuitBreaker(
      { database, clock, writes, offlineConnections: () => offline },
      applyAll,
    );
    const lists: unknown[] = [];
    offlineBreaker.onChanged((pauses) => lists.push(pauses.map(({ connectionId, reason }) => [connectionId, reason])));
    offline = ['studio', 'north'];
    // At once, before the next poll.
    expect([offlineBreaker.admission('studio'), offlineBreaker.admission('local')]).toEqual(['none', 'all']);
    offlineBreaker.poll();
    now = 5000;
    offlineBreaker.poll();
    expect(offlineBreaker.find('studio', 'offline-mode')).toMatchObject({ since: 1000, resumesAt: null });
    expect(breaker.list()).toEqual([]);
    offline = [];
    offlineBreaker.poll();
    expect(offlineBreaker.admission('studio')).toBe('all');
    expect(lists).toEqual([
      [
        ['studio', 'offline-mode'],
        ['north', 'offline-mode'],
      ],
      [],
    ]);
  });

  it('opens with the pauses that it knows, although a later version has written another', () => {
    breaker.pause(pause);
    database.exec("INSERT INTO pause (connection_id, reason, started_at, tries) VALUES ('studio', 'mood', 0, 0)");
    const again = createCircuitBreaker({ database, clock, writes }, applyAll);
    expect(again.list()).toMatchObject([{ connectionId: 'studio', reason: 'rate' }]);
  });

  it('keeps no job waiting longer than any service may ask for, if the clock was set back since', () => {
    now = 100 * 3_600_000;
    breaker.pause({ ...pause, resumesAt: now + 3_600_000 });
    expect(breaker.admission('studio')).toBe('none');
    now = 1000;
    expect(breaker.admission('studio')).toBe('probe');
  });

  describe('a probe', () => {
    const job = conversionJob();
    const connectionId = job.connection.id;
    const find = () => job;
    const longMs = 10 * 60_000;

    it('counts as answered when its call has lasted too long to have been refused', () => {
      const probes = createHalfOpenProbes({ breaker, clock });
      breaker.pause({ ...pause, connectionId });
      now = 2000;
      probes.start(job);
      probes.sent(job);
      probes.assumeSuccess(find);
      expect(breaker.admission(connectionId)).toBe('probe');
      expect(probes.times()).toHaveLength(1);
      [now = 0] = probes.times();
      probes.assumeSuccess(find);
      expect(breaker.admission(connectionId)).toBe('all');
    });

    it('proves nothing while its call waits for a rate limit or a token, however long', () => {
      const probes = createHalfOpenProbes({ breaker, clock });
      breaker.pause({ ...pause, connectionId });
      now = 2000;
      probes.start(job);
      now += longMs;
      probes.assumeSuccess(find);
      expect(breaker.admission(connectionId)).toBe('probe');
      expect(probes.times()).toEqual([]);
    });
  });

  describe('a pause', () => {
    it('applies to its connection only, or to all if it names none', () => {
      breaker.pause(pause);
      expect([breaker.admission('studio'), breaker.admission('local')]).toEqual(['none', 'all']);
      breaker.pause({ ...pause, connectionId: null, reason: 'user', resumesAt: null });
      expect(breaker.admission('local')).toBe('none');
    });

    it('allows one probe after it expires', () => {
      breaker.pause(pause);
      now = 2000;
      expect(breaker.admission('studio')).toBe('probe');
    });

    it('that lasts as long as one may is kept if the clock is corrected, and ended if it is set back', () => {
      breaker.pause({ ...pause, resumesAt: now + 3_600_000 });
      now -= 1000;
      expect(breaker.admission('studio')).toBe('none');
      now -= 600_000;
      expect(breaker.admission('studio')).toBe('probe');
    });

    it('for a quota still allows downloads of finished results', () => {
      breaker.pause({ ...pause, reason: 'quota' });
      expect(breaker.admission('studio')).toBe('results');
      breaker.pause({ ...pause, reason: 'token', resumesAt: null });
      expect(breaker.admission('studio')).toBe('none');
    });

    it('of a full disk is never probed by a job', () => {
      breaker.pause({ ...pause, connectionId: null, reason: 'disk' });
      now = 3000;
      expect(breaker.admission('studio')).toBe('none');
    });

    it('is extended by concurrent failures, never shortened, and counts as one attempt', () => {
      breaker.pause(pause);
      breaker.pause({ ...pause, resumesAt: 5000 });
      breaker.pause({ ...pause, resumesAt: 1500 });
      expect(breaker.list()).toMatchObject([{ resumesAt: 5000, tries: 0, since: 1000 }]);
    });

    it('counts failed probes after it expires', () => {
      breaker.pause(pause);
      now = 2500;
      breaker.pause({ ...pause, resumesAt: 4000 });
      expect(breaker.list()).toMatchObject([{ resumesAt: 4000, tries: 1, since: 1000 }]);
    });

    it('is emitted once, and not if nothing changes', () => {
      breaker.pause({ ...pause, reason: 'token', resumesAt: null });
      breaker.pause({ ...pause, reason: 'token', resumesAt: null });
      breaker.resume('studio', ['rate']);
      expect(changes).toBe(1);
      breaker.resume('studio', ['token']);
      expect(changes).toBe(2);
      expect(breaker.list()).toEqual([]);
    });

    it('survives the process and is visible to others', () => {
      const problem = { code: 'rate/limited', facts: { retryAfterSeconds: 1 } } as const;
      breaker.pause({ ...pause, problem });
      const other = createCircuitBreaker({ database, clock, writes }, applyAll);
      expect(other.list()).toEqual(breaker.list());
      expect(other.list()).toMatchObject([{ ...pause, problem }]);
      breaker.resume('studio', ['rate']);
      other.poll();
      expect(other.admission('studio')).toBe('all');
    });

    it('of the user keeps the word that earlier versions store', () => {
      database.exec("INSERT INTO pause VALUES ('', 'person', 5, NULL, 0, NULL)");
      breaker.poll();
      expect(breaker.list()).toMatchObject([{ connectionId: null, reason: 'user', since: 5 }]);
      breaker.resume(null, ['user']);
      expect(database.prepare('SELECT reason FROM pause').all()).toEqual([]);
      breaker.pause({ ...pause, connectionId: null, reason: 'user', resumesAt: null });
      expect(database.prepare('SELECT reason FROM pause').all()).toEqual([{ reason: 'person' }]);
    });

    it('that does not apply to a process does not hold it up', () => {
      breaker.pause({ ...pause, connectionId: null, reason: 'user', resumesAt: null });
      const command = createCircuitBreaker({ database, clock, writes }, ({ reason }) => reason !== 'user');
      expect(command.admission('studio')).toBe('all');
      command.pause(pause);
      expect(breaker.list()).toHaveLength(1);
    });
  });
});
