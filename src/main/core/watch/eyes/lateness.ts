import type { SteadyClock } from './steady-clock.ts';

const beatMs = 500;
const lateMs = 1000;

/**
 * Calls back when this process did not run for a while: it was stopped, its loop was blocked, or the machine slept. Then hints may have
 * been lost without a word. A clock that was set looks the same, and a needless look does no harm.
 */
export function watchLateness({ monotonic, wallNow }: SteadyClock, onLate: () => void): { stop(): void } {
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
