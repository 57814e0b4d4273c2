import { describe, expect, it } from 'vitest';
import { createListeners } from '../listeners.ts';
import type { Job } from './job.ts';
import { conversionJob } from './job.fixture.ts';
import type { JobStore, StoreNews } from './job-store.ts';
import type { HeldPause, Pauses } from './pauses.ts';
import { settled, settledOrStuck } from './settled.ts';

function setUp(states: Readonly<Record<string, Job['state']>>) {
  const jobs = new Map(Object.entries(states).map(([id, state]) => [id, conversionJob({ id, state })]));
  const news = createListeners<StoreNews>();
  const held: HeldPause[] = [];
  let now = 0;
  const clock = {
    now: () => now,
    async sleep(ms: number, signal?: AbortSignal) {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      now += ms;
    },
  };
  const store = { get: (id: string) => jobs.get(id), onNews: news.add } as Pick<JobStore, 'get' | 'onNews'> as JobStore;
  const pauses = { list: () => held } as Pick<Pauses, 'list'> as Pauses;
  return {
    store,
    pauses,
    clock,
    hold: (pause: Partial<HeldPause>) =>
      held.push({
        connectionId: 'studio',
        reason: 'rate',
        since: now,
        until: now + 1000,
        tries: 0,
        problem: null,
        ...pause,
      }),
    put(id: string, state: Job['state']) {
      const job = conversionJob({ id, state });
      jobs.set(id, job);
      news.tell({ kind: 'put', jobs: [job] });
    },
    time: () => now,
  };
}

const { signal } = new AbortController();

describe('waiting for jobs', () => {
  it('is over when all of them have ended, not before', async () => {
    const { store, put } = setUp({ a: 'queued', b: 'done', other: 'queued' });
    let isOver = false;
    const wait = settled(store, ['a', 'b']).then((jobs) => {
      isOver = true;
      return jobs;
    });
    put('other', 'done');
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    put('a', 'failed');
    expect((await wait).map(({ state }) => state)).toEqual(['failed', 'done']);
  });

  it('is over at once where there is nothing to wait for', async () => {
    const { store } = setUp({ a: 'done' });
    expect(await settled(store, ['a'])).toHaveLength(1);
    expect(await settled(store, [])).toEqual([]);
  });
});

describe('a command', () => {
  it.each<Partial<HeldPause>>([
    { reason: 'token', until: null },
    { reason: 'quota' },
    { reason: 'disk', connectionId: null },
  ])('gives up where a person is needed: %o', async (pause) => {
    const { hold, ...rest } = setUp({ a: 'queued' });
    hold(pause);
    expect(await settledOrStuck({ ...rest, signal }, ['a'])).toMatchObject(pause);
  });

  it('waits a minute for a network, and for a pause that a service asked for as long as it takes', async () => {
    const { hold, time, ...rest } = setUp({ a: 'queued' });
    hold({ reason: 'rate', until: 3_600_000 });
    hold({ reason: 'offline', until: 4000 });
    expect(await settledOrStuck({ ...rest, signal }, ['a'])).toMatchObject({ reason: 'offline' });
    expect(time()).toBe(60_000);
  });

  it('does not mind what holds up other connections', async () => {
    const { hold, put, ...rest } = setUp({ a: 'queued' });
    hold({ connectionId: 'other', reason: 'token', until: null });
    const wait = settledOrStuck({ ...rest, signal }, ['a']);
    put('a', 'done');
    expect(await wait).toBeNull();
  });
});
