import { describe, expect, it } from 'vitest';
import { createListeners } from '../events.ts';
import type { CircuitBreaker, StoredPause } from './circuit-breaker.ts';
import type { JobEvent, JobStore } from './job-store.ts';
import { conversionJob } from './job.fixture.ts';
import type { Job } from './job.ts';
import { settled, settledOrStuck } from './wait-for-jobs.ts';

describe('settled', () => {
  function setUp(states: Readonly<Record<string, Job['state']>>) {
    const jobs = new Map(Object.entries(states).map(([id, state]) => [id, conversionJob({ id, state })]));
    const events = createListeners<JobEvent>();
    const pauses: StoredPause[] = [];
    let now = 0;
    let isWritable: (now: number) => boolean = () => true;
    const clock = {
      now: () => now,
      async sleep(ms: number, signal?: AbortSignal) {
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
        now += ms;
      },
    };
    let listeners = 0;
    let unanswered = 0;
    const onEvent: JobStore['onEvent'] = (listener) => {
      listeners += 1;
      const unsubscribe = events.add(listener);
      return () => {
        listeners -= 1;
        unsubscribe();
      };
    };
    const store = { get: (id: string) => jobs.get(id), onEvent } as Pick<JobStore, 'get' | 'onEvent'> as JobStore;
    const breaker = { list: () => pauses } as Pick<CircuitBreaker, 'list'> as CircuitBreaker;
    return {
      store,
      breaker,
      writes: { heldSince: () => (isWritable(now) ? null : 0), isDamaged: () => false },
      scheduler: { unansweredPaidCalls: () => unanswered },
      clock,
      listeners: () => listeners,
      /** How many paid calls wait for their answers from now on. */
      setUnanswered: (count: number) => void (unanswered = count),
      /** The database is writable from then on. */
      writableFrom: (ms: number) => (isWritable = (at) => at >= ms),
      hold: (pause: Partial<StoredPause>) =>
        pauses.push({
          connectionId: 'studio',
          reason: 'rate',
          since: now,
          resumesAt: now + 1000,
          tries: 0,
          problem: null,
          ...pause,
        }),
      put(id: string, state: Job['state']) {
        const job = conversionJob({ id, state });
        jobs.set(id, job);
        events.emit({ kind: 'upserted', jobs: [job] });
      },
      time: () => now,
    };
  }

  const { signal } = new AbortController();

  describe('waiting for jobs', () => {
    it('resolves when all have ended, not before', async () => {
      const { store, put } = setUp({ a: 'queued', b: 'done', other: 'queued' });
      let isSettled = false;
      const wait = settled(store, ['a', 'b']).then((jobs) => {
        isSettled = true;
        return jobs;
      });
      put('other', 'done');
      await new Promise((resolve) => setImmediate(resolve));
      expect(isSettled).toBe(false);
      put('a', 'failed');
      expect((await wait).map(({ state }) => state)).toEqual(['failed', 'done']);
    });

    it('rejects when it is aborted, and stops listening', async () => {
      const { store, listeners } = setUp({ a: 'queued' });
      const leaving = new AbortController();
      const wait = settled(store, ['a'], leaving.signal);
      leaving.abort(new Error('left'));
      await expect(wait).rejects.toThrow('left');
      expect(listeners()).toBe(0);
    });

    it('rejects at once if it was aborted before, and does not listen', async () => {
      const { store, listeners } = setUp({ a: 'queued' });
      await expect(settled(store, ['a'], AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
      expect(listeners()).toBe(0);
    });

    it('resolves at once if all have ended', async () => {
      const { store } = setUp({ a: 'done' });
      expect(await settled(store, ['a'])).toHaveLength(1);
      expect(await settled(store, [])).toEqual([]);
    });
  });

  describe('a command', () => {
    it.each<Partial<StoredPause>>([{ reason: 'token', resumesAt: null }, { reason: 'quota' }, { reason: 'uncertain' }])(
      'gives up if the user is needed: %o',
      async (pause) => {
        const { hold, ...rest } = setUp({ a: 'queued' });
        hold(pause);
        expect(await settledOrStuck({ ...rest, signal }, ['a'])).toMatchObject(pause);
        expect(rest.listeners()).toBe(0);
      },
    );

    it('waits a minute for a network, and any time for a pause that a service requested', async () => {
      const { hold, time, ...rest } = setUp({ a: 'queued' });
      hold({ reason: 'rate', resumesAt: 3_600_000 });
      hold({ reason: 'offline', resumesAt: 4000 });
      expect(await settledOrStuck({ ...rest, signal }, ['a'])).toMatchObject({ reason: 'offline' });
      expect(time()).toBe(60_000);
    });

    it('gives up on a full disk once the disk was checked again', async () => {
      const { hold, time, ...rest } = setUp({ a: 'queued' });
      hold({ reason: 'disk', connectionId: null });
      expect(await settledOrStuck({ ...rest, signal }, ['a'])).toMatchObject({ reason: 'disk' });
      expect(time()).toBeGreaterThan(2000);
      expect(time()).toBeLessThan(4000);
    });

    it.each(['disk', 'token'] as const)(
      'does not give up on %s while a paid result may be in memory only, nor before the disk was checked after that (Q21)',
      async (reason) => {
        const { hold, put, writableFrom, clock, ...rest } = setUp({ a: 'converted' });
        writableFrom(60_000);
        hold({ reason, connectionId: null, resumesAt: null });
        const stuck = settledOrStuck({ ...rest, clock, signal }, ['a']);
        const mended = (async () => {
          while (clock.now() < (reason === 'disk' ? 62_000 : 59_000))
            await new Promise((resolve) => setImmediate(resolve));
          put('a', 'done');
          return null;
        })();
        expect(await Promise.race([stuck, mended])).toBeNull();
      },
    );

    it.each(['token', 'quota', 'disk'] as const)(
      'does not give up on %s while a paid call is unanswered: the service would charge for what nobody receives',
      async (reason) => {
        const { hold, setUnanswered, clock, ...rest } = setUp({ a: 'converting', b: 'queued' });
        hold({ reason, connectionId: null, resumesAt: null });
        setUnanswered(1);
        const stuck = settledOrStuck({ ...rest, clock, signal }, ['a', 'b']);
        const answered = (async () => {
          while (clock.now() < 60_000) await new Promise((resolve) => setImmediate(resolve));
          setUnanswered(0);
          return null;
        })();
        expect(await Promise.race([stuck, answered])).toBeNull();
        expect(await stuck).toMatchObject({ reason });
      },
    );

    it('ignores pauses of other connections', async () => {
      const { hold, put, ...rest } = setUp({ a: 'queued' });
      hold({ connectionId: 'other', reason: 'token', resumesAt: null });
      const wait = settledOrStuck({ ...rest, signal }, ['a']);
      put('a', 'done');
      expect(await wait).toBeNull();
    });
  });
});
