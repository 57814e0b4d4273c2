import { setImmediate } from 'node:timers/promises';

/** Long enough to be worth the pause, short enough that nobody waits for the loop. */
const sliceMs = 4;

/** Lets the loop turn whenever it was held for a few milliseconds. Call it in every step of long work. */
export function createBreather(monotonic: () => number): () => Promise<void> | undefined {
  let since = monotonic();
  return () => {
    if (monotonic() - since < sliceMs) return undefined;
    return setImmediate().then(() => {
      since = monotonic();
    });
  };
}
