import { type Clock, unlessAborted } from '../clock.ts';
import type { Http } from './http.ts';

const minuteMs = 60_000;

export interface RateLimit {
  /** Resolves when a request may leave, in the order of asking; rejects with the signal's reason as soon as it is aborted. */
  acquire(signal: AbortSignal): Promise<void>;
}

/**
 * Keeps requests to `perMinute` in any minute: each token comes back a minute after it was taken. A bucket that drips would let
 * twice as many through in its first minute, which is what a service counts.
 */
export function createRateLimit({
  perMinute,
  clock,
}: {
  readonly perMinute: number;
  readonly clock: Clock;
}): RateLimit {
  /** When the last `perMinute` tokens were taken, the oldest first. */
  let taken: readonly number[] = [];
  let last = Promise.resolve();

  function waitMs(): number {
    const now = clock.now();
    // A clock that was set back must not keep anybody waiting for more than the minute.
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
        // Whoever gives up in the middle of the line leaves its order as it is.
        void before.then(leave);
      }
    },
  };
}

/**
 * The network at the pace that a connection allows: every request, whatever the operation, takes a token first. A paid call has taken
 * its own by `VoiceService.turn`, before it was written down that the call may have left.
 */
export const rateLimitedHttp = (http: Http, bucket: RateLimit): Http => ({
  async send(request) {
    if (request.fresh !== true) await bucket.acquire(request.signal);
    return http.send(request);
  },
  close: http.close,
});
