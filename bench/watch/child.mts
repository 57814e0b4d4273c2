import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a child of the bench is asked to watch, one after the other. */
export interface WatchAsked {
  readonly empty: string;
  readonly full: string;
}

/** What it measured. Bytes are growth over the same processes with an empty folder. */
export interface WatchFigures {
  readonly readyMs: number;
  readonly allBytes: number;
  readonly mainBytes: number;
  readonly longestLagMs: number;
}

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) * 1024;
}

/** Collects garbage where the process was started for it, so that growth is what is kept. */
export const collect = () => globalThis.gc?.();

/** The longest time for which the loop did not turn, beyond its resolution. */
export function watchLag(): () => number {
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  return () => {
    lag.disable();
    return lag.max / 1e6;
  };
}
