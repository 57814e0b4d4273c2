import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Sliced } from '../../shared/time-slicing.ts';

/** The time source of core, injected so that tests can control it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** True while nobody sees what other processes change. Never, by default. */
  readonly isUnseen?: () => boolean;
}

/** How often an idle process looks for what others changed: rarely while nobody sees it, since each look wakes the processor. */
export const idlePollMs = ({ isUnseen }: Pick<Clock, 'isUnseen'>): number => (isUnseen?.() ? 10_000 : 1000);

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

/** True for so long after a time; no longer if the clock was set back since, or it could be for years. */
export const isWithin = (ms: number, since: number, now: number): boolean => now >= since && now - since < ms;

/** Settles as `promise` does, or rejects with the signal's reason on abort. Leaves no listener on the signal. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    // Also after an abort, or a failure of the promise would be an unhandled rejection.
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** Resolves when the clock shows a multiple of `ms`, so that all polls wake an idle process at once. Rejects like `sleep`. */
export function sleepToTick({ now, sleep }: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  const leftMs = ms - (now() % ms);
  // A timer may fire a little early.
  return sleep(leftMs < ms / 10 ? leftMs + ms : leftMs, signal);
}

/** Fires once, at a time that can be changed; earlier if the clock is set back, by which that time may be years away. */
export interface WakeTimer {
  /** Milliseconds since 1970; null turns the timer off. */
  set(at: number | null): void;
}

/** The wall clock may be set meanwhile, so the timer checks it at least this often. */
const longestSleepMs = 30_000;

export function createWakeTimer(clock: Clock, ring: () => void): WakeTimer {
  let target: number | null = null;
  let sleeping: AbortController | undefined;

  async function sleepTo(signal: AbortSignal): Promise<void> {
    for (let before = -Infinity; target !== null;) {
      const now = clock.now();
      const left = target - now;
      if (left <= 0 || now < before) {
        target = null;
        ring();
        return;
      }
      before = now;
      await clock.sleep(Math.min(left, longestSleepMs), signal);
    }
  }

  return {
    set(at) {
      if (at === target) return;
      sleeping?.abort();
      target = at;
      if (at === null) return;
      sleeping = new AbortController();
      const { signal } = sleeping;
      sleepTo(signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
  };
}

/** A sleep that others can end. One at a time. */
export interface InterruptibleSleep {
  /** Resolves after `ms`, on abort, or when `end` is called, including since the previous sleep. */
  sleep(ms: number): Promise<void>;
  end(): void;
}

export function createInterruptibleSleep(signal: AbortSignal): InterruptibleSleep {
  let wake: (() => void) | undefined;
  let isWanted = false;
  const end = () => {
    isWanted = true;
    wake?.();
  };
  signal.addEventListener('abort', end, { once: true });
  return {
    end,
    async sleep(ms) {
      if (!isWanted && ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = undefined;
      isWanted = signal.aborted;
    },
  };
}

/** The machine's monotonic clock and its wall clock. */
export interface MonotonicClock {
  /** Milliseconds that only ever grow. */
  monotonic(): number;
  /** Milliseconds since 1970, as set by the user or the network. */
  wallNow(): number;
}

export const systemMonotonicClock: MonotonicClock = { monotonic: () => performance.now(), wallNow: () => Date.now() };

/** Time synchronisation corrects clocks by a few milliseconds all the time. */
const toleratedMs = 500;
const distrustMs = 60_000;

/**
 * Returns a function that says whether file times can be compared with the wall clock: false for a minute
 * after the clock was set or the machine slept. Call it often; it only compares with the previous call.
 */
export function createClockJumpDetector({ monotonic, wallNow }: MonotonicClock): () => boolean {
  let offset = wallNow() - monotonic();
  let distrustedUntil = -Infinity;
  return () => {
    const now = monotonic();
    const current = wallNow() - now;
    if (Math.abs(current - offset) > toleratedMs) distrustedUntil = now + distrustMs;
    offset = current;
    return now >= distrustedUntil;
  };
}

const beatMs = 500;
const lateMs = 1000;

/**
 * Calls `onLate` when this process did not run for a while: it was stopped, its event loop was blocked, or the
 * machine slept. File-system events may then be lost silently. Setting the clock looks the same; a needless
 * rescan does no harm.
 */
export function detectStalls({ monotonic, wallNow }: MonotonicClock, onLate: () => void): { stop(): void } {
  let expected = monotonic() + beatMs;
  let expectedWall = wallNow() + beatMs;
  const timer = setInterval(() => {
    const lateBy = Math.max(monotonic() - expected, Math.abs(wallNow() - expectedWall));
    expected = monotonic() + beatMs;
    expectedWall = wallNow() + beatMs;
    if (lateBy > lateMs) onLate();
  }, beatMs);
  return { stop: () => clearInterval(timer) };
}

/** Long enough to be worth a yield, short enough to keep the event loop responsive. */
const sliceMs = 4;

/** Yields to the event loop once it was held for a few milliseconds. Call it in every step of a long task. */
export function createEventLoopYielder(monotonic: () => number): () => Promise<void> | undefined {
  let since = monotonic();
  return () => {
    if (monotonic() - since < sliceMs) return undefined;
    return setImmediate().then(() => {
      since = monotonic();
    });
  };
}

/** Does long work in turns of a few milliseconds. Rejects with the signal's reason after the turn in which it aborts. */
export async function runInSlices<T>(work: Sliced<T>, signal?: AbortSignal): Promise<T> {
  const yieldIfLate = createEventLoopYielder(() => performance.now());
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    const turn = yieldIfLate();
    if (turn === undefined) continue;
    await turn;
    signal?.throwIfAborted();
  }
}

/** Local midnight, in milliseconds since 1970. */
export const startOfDay = (now: number): number => new Date(now).setHours(0, 0, 0, 0);
