import { describe, expect, it } from 'vitest';
import type { Clock } from '../clock.ts';
import { createRateLimiter } from './rate-limiter.ts';

const { signal } = new AbortController();

/** A clock on which all sleep at once and no time passes but theirs. */
function createSleepingClock() {
  let time = 1_000_000;
  const clock: Clock = {
    now: () => time,
    sleep(ms, stop) {
      stop?.throwIfAborted();
      time += ms;
      return Promise.resolve();
    },
  };
  return { clock, set: (now: number) => (time = now) };
}

/** A clock whose sleeps end only by an abort. */
const stoppedClock: Clock = {
  now: () => 0,
  sleep: (_, stop) =>
    new Promise((_resolve, reject) => stop?.addEventListener('abort', () => reject(stop.reason as Error))),
};

describe('the rate limit', () => {
  it('allows no more than its number of requests in any minute, and as many at once', async () => {
    const { clock } = createSleepingClock();
    const limiter = createRateLimiter({ perMinute: 3, clock });
    const start = clock.now();
    const times = [];
    for (let turn = 0; turn < 8; turn += 1) {
      await limiter.acquire(signal);
      times.push(clock.now() - start);
    }
    expect(times).toEqual([0, 0, 0, 60_000, 60_000, 60_000, 120_000, 120_000]);
  });

  it('frees a slot a minute after it was used, not with the next full minute', async () => {
    const { clock, set } = createSleepingClock();
    const limiter = createRateLimiter({ perMinute: 2, clock });
    const start = clock.now();
    await limiter.acquire(signal);
    set(start + 50_000);
    await limiter.acquire(signal);
    await limiter.acquire(signal);
    expect(clock.now() - start).toBe(60_000);
    await limiter.acquire(signal);
    expect(clock.now() - start).toBe(110_000);
  });

  it('serves requests in order, even if some are aborted meanwhile', async () => {
    const { clock } = createSleepingClock();
    const limiter = createRateLimiter({ perMinute: 1, clock });
    const giveUp = new AbortController();
    const served: string[] = [];
    const ask = (name: string, stop = signal) => limiter.acquire(stop).then(() => void served.push(name));
    const asked = [ask('a'), ask('b'), ask('gone', giveUp.signal), ask('c')];
    giveUp.abort(new Error('enough'));
    await expect(asked[2]).rejects.toThrow('enough');
    await Promise.all([asked[0], asked[1], asked[3]]);
    expect(served).toEqual(['a', 'b', 'c']);
  });

  it('rejects an aborted wait with the signal’s reason, and uses no slot for it', async () => {
    const limiter = createRateLimiter({ perMinute: 1, clock: stoppedClock });
    await limiter.acquire(signal);
    const giveUp = new AbortController();
    const waits = [limiter.acquire(giveUp.signal), limiter.acquire(giveUp.signal)];
    giveUp.abort(new Error('enough'));
    const outcomes = await Promise.allSettled(waits);
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : ''))).toEqual([
      'Error: enough',
      'Error: enough',
    ]);
    await expect(limiter.acquire(AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  });

  it('delays nothing longer than a minute if the clock is set back', async () => {
    const { clock, set } = createSleepingClock();
    const limiter = createRateLimiter({ perMinute: 2, clock });
    await limiter.acquire(signal);
    await limiter.acquire(signal);
    set(0);
    await limiter.acquire(signal);
    await limiter.acquire(signal);
    expect(clock.now()).toBe(60_000);
  });
});
