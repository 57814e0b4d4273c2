import { setImmediate, setTimeout as delay } from 'node:timers/promises';

/** Time as core sees it. Injected, so that a test can own it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

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

/** What `promise` comes to, or the signal's reason as soon as it is aborted. Leaves no listener on a signal that lives long. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason as Error);
    if (signal.aborted) {
      giveUp();
      return;
    }
    signal.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** Rings once at a time that may be moved. */
export interface WakeTimer {
  /** Milliseconds since 1970; null switches it off. */
  set(at: number | null): void;
}

/** The clock on the wall may be set meanwhile, so it is looked at again at least this often. */
const longestSleepMs = 30_000;

export function createWakeTimer(clock: Clock, ring: () => void): WakeTimer {
  let target: number | null = null;
  let sleeping: AbortController | undefined;

  async function sleepTo(signal: AbortSignal): Promise<void> {
    while (target !== null) {
      const left = target - clock.now();
      if (left <= 0) {
        target = null;
        ring();
        return;
      }
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

/** A pause that others can end. One at a time. */
export interface InterruptibleSleep {
  /** Resolves after `ms`, when `end` was called, now or since the last pause, and when the signal is aborted. */
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

/** Both clocks of the machine, and whether they agree. */
export interface MonotonicClock {
  /** Milliseconds that only ever grow. */
  monotonic(): number;
  /** Milliseconds since 1970, as the person or the network sets them. */
  wallNow(): number;
}

export const systemMonotonicClock: MonotonicClock = { monotonic: () => performance.now(), wallNow: () => Date.now() };

/** Clocks are corrected by some milliseconds all the time. */
const toleratedMs = 500;
const distrustMs = 60_000;

/**
 * Tells whether the times of files can be compared with the wall clock: not for a minute after it was set, or the machine slept. Ask it
 * often; what happened between two questions is all that it sees.
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
 * Calls back when this process did not run for a while: it was stopped, its loop was blocked, or the machine slept. Then hints may have
 * been lost without a word. A clock that was set looks the same, and a needless look does no harm.
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

/** Long enough to be worth the pause, short enough that nobody waits for the loop. */
const sliceMs = 4;

/** Lets the loop turn whenever it was held for a few milliseconds. Call it in every step of long work. */
export function createEventLoopYielder(monotonic: () => number): () => Promise<void> | undefined {
  let since = monotonic();
  return () => {
    if (monotonic() - since < sliceMs) return undefined;
    return setImmediate().then(() => {
      since = monotonic();
    });
  };
}

/** Midnight of this computer's calendar, in milliseconds since 1970. */
export const startOfDay = (now: number): number => new Date(now).setHours(0, 0, 0, 0);
