import { beforeEach, describe, expect, it } from 'vitest';
import {
  type WakeTimer,
  type Clock,
  createWakeTimer,
  createClockJumpDetector,
  idlePollMs,
  sleepToTick,
  unlessAborted,
} from './clock.ts';

describe('a promise that an abort may overtake', () => {
  it('rejects with the reason of an earlier abort, and its own failure afterwards is no unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const late = Promise.withResolvers<void>();
    const outcome = unlessAborted(late.promise, AbortSignal.abort(new Error('aborted')));
    await expect(outcome).rejects.toThrow('aborted');
    late.reject(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});

it.each([
  [1000, 250, 750],
  [1000, 2000, 1000],
  [1000, 1999, 1001],
  [500, 1250, 250],
])('a poll every %i ms that begins at %i sleeps %i ms, so that polls fall together', async (everyMs, now, sleptMs) => {
  const slept: number[] = [];
  const sleep = (ms: number) => Promise.resolve(void slept.push(ms));
  await sleepToTick({ now: () => now, sleep }, everyMs);
  expect(slept).toEqual([sleptMs]);
});

it('an idle process polls rarely while nobody sees it', () => {
  expect([{}, { isUnseen: () => false }, { isUnseen: () => true }].map(idlePollMs)).toEqual([1000, 1000, 10_000]);
});

describe('wake timer', () => {
  let now: number;
  let rings: number[];
  let sleepers: { readonly until: number; readonly wake: () => void }[];
  let timer: WakeTimer;

  /** A clock whose time the test moves on. */
  const clock: Clock = {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ until: now + ms, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  };

  async function goTo(time: number): Promise<void> {
    now = time;
    const due = sleepers.filter(({ until }) => until <= now);
    sleepers = sleepers.filter(({ until }) => until > now);
    for (const { wake } of due) wake();
    await new Promise((resolve) => setImmediate(resolve));
  }

  beforeEach(() => {
    now = 0;
    rings = [];
    sleepers = [];
    timer = createWakeTimer(clock, () => rings.push(now));
  });

  it('fires once, at its time', async () => {
    timer.set(1000);
    await goTo(999);
    expect(rings).toEqual([]);
    await goTo(1000);
    await goTo(2000);
    expect(rings).toEqual([1000]);
  });

  it('can be moved to an earlier or a later time, and cancelled', async () => {
    timer.set(1000);
    timer.set(500);
    await goTo(500);
    expect(rings).toEqual([500]);
    timer.set(600);
    timer.set(800);
    await goTo(700);
    expect(rings).toEqual([500]);
    timer.set(null);
    await goTo(900);
    expect(rings).toEqual([500]);
  });

  it('fires at once for a time in the past', async () => {
    now = 100;
    timer.set(50);
    await goTo(100);
    expect(rings).toEqual([100]);
  });

  it('checks the clock again at intervals, because users change the clock', async () => {
    timer.set(3_600_000);
    await goTo(30_000);
    // The clock was set forward by an hour: the next check finds that the time has passed.
    now = 3_700_000;
    await goTo(now);
    expect(rings).toEqual([3_700_000]);
  });

  it('fires early if the clock is set back, as its time may not come for years', async () => {
    now = 100_000;
    timer.set(101_000);
    now = 0;
    for (const { wake } of sleepers) wake();
    await new Promise((resolve) => setImmediate(resolve));
    expect(rings).toEqual([0]);
  });

  it('may be set again by its own callback', async () => {
    timer = createWakeTimer(clock, () => {
      rings.push(now);
      if (rings.length < 3) timer.set(now + 10);
    });
    timer.set(10);
    for (const time of [10, 20, 30, 40]) await goTo(time);
    expect(rings).toEqual([10, 20, 30]);
  });
});

describe('steady clock', () => {
  describe('detectClockJumps', () => {
    it('distrusts the wall clock for a minute after it was changed in either direction', () => {
      let now = 0;
      let wall = 1_000_000;
      const pass = (ms: number) => {
        now += ms;
        wall += ms;
      };
      const isSteady = createClockJumpDetector({ monotonic: () => now, wallNow: () => wall });
      pass(100);
      expect(isSteady()).toBe(true);
      for (const jumpMs of [3_600_000, -3_600_000]) {
        wall += jumpMs;
        expect(isSteady()).toBe(false);
        pass(59_999);
        expect(isSteady()).toBe(false);
        pass(1);
        expect(isSteady()).toBe(true);
      }
    });
  });
});
