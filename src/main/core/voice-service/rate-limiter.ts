import { type Clock, unlessAborted } from '../clock.ts';
import type { Http } from './http.ts';

const minuteMs = 60_000;

export interface RateLimiter {
  /** Resolves when a request may be sent, in order of calls; rejects with the signal's reason on abort. */
  acquire(signal: AbortSignal): Promise<void>;
}

/**
 * Limits requests to `perMinute` in any minute: each token returns one minute after it was taken. A
 * leaky bucket would allow twice as many in the first minute, and services count that.
 */
export function createRateLimiter({
  perMinute,
  clock,
}: {
  readonly perMinute: number;
  readonly clock: Clock;
}): RateLimiter {
  /** Times of the last `perMinute` tokens, oldest first. */
  let taken: readonly number[] = [];
  let last = Promise.resolve();

  function waitMs(): number {
    const now = clock.now();
    // After the clock is set back, no request may wait longer than a minute.
    taken = taken.map((time) => Math.min(time, now));
    const [oldest] = taken;
    return oldest === undefined || taken.length < perMinute ? 0 : oldest + minuteMs - now;
  }

  return {
    async acquire(signal) {
      const before = last;
      const { promise: after, resolve: leave } = Promise.withResolvers<void>();
      last = after;
      try {
        await unlessAborted(before, signal);
        for (let ms = waitMs(); ms > 0; ms = waitMs()) await clock.sleep(ms, signal);
        signal.throwIfAborted();
        taken = [...taken, clock.now()].slice(-perMinute);
      } finally {
        // An aborted request keeps the order of the others.
        void before.then(leave);
      }
    },
  };
}

/**
 * Rate-limits every request. Paid calls acquire their token earlier, with
 * `ServiceClient.waitForRateLimit`, before they are recorded as possibly sent.
 */
export const rateLimitedHttp = (http: Http, limiter: RateLimiter): Http => ({
  async send(request) {
    if (request.fresh !== true) await limiter.acquire(request.signal);
    return http.send(request);
  },
  close: http.close,
});
