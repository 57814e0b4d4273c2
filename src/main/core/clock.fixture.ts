import { systemClock, type Clock } from './clock.ts';

/** The system's clock, so many times as fast. */
export function fastClock(factor: number): Clock {
  const startedAt = systemClock.now();
  return {
    now: () => startedAt + (systemClock.now() - startedAt) * factor,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  };
}
