/** Both clocks of the machine, and whether they agree. */
export interface SteadyClock {
  /** Milliseconds that only ever grow. */
  monotonic(): number;
  /** Milliseconds since 1970, as the person or the network sets them. */
  wallNow(): number;
}

export const systemSteadyClock: SteadyClock = { monotonic: () => performance.now(), wallNow: () => Date.now() };

/** Clocks are corrected by some milliseconds all the time. */
const toleratedMs = 500;
const distrustMs = 60_000;

/**
 * Tells whether the times of files can be compared with the wall clock: not for a minute after it was set, or the machine slept. Ask it
 * often; what happened between two questions is all that it sees.
 */
export function createJumpWatch({ monotonic, wallNow }: SteadyClock): () => boolean {
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
