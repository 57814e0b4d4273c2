import type { Clock } from '../clock.ts';

/** Rings once at a time that may be moved. */
export interface Alarm {
  /** Milliseconds since 1970; null switches it off. */
  set(at: number | null): void;
}

/** The clock on the wall may be set meanwhile, so it is looked at again at least this often. */
const longestSleepMs = 30_000;

export function createAlarm(clock: Clock, ring: () => void): Alarm {
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
