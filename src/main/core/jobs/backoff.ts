/** First wait and longest one, in milliseconds. */
const baseMs = 1000;
const capMs = 60_000;

/**
 * How long to wait after `tries` tries in vain: anything between nothing and twice the bound of the try before, so that many clients
 * that failed together do not come back together (full jitter; M. Brooker, "Exponential Backoff And Jitter", 2015).
 */
export const backoffMs = (tries: number, random: () => number): number =>
  Math.round(random() * Math.min(capMs, baseMs * 2 ** tries));

/** Without a network nobody is burdened by asking often, and a person wants it to go on at once: every four seconds at last. */
export const offlineMs = (tries: number): number => Math.min(4000, 500 * 2 ** tries);
