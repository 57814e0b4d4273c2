import type { Quiet } from './quiet.ts';

/** How the writers of files behaved that have left the gate: one that is refused half-written comes back with its next piece. */
export interface Paces {
  keep(key: string, quiet: Quiet): void;
  /** And forgets it. Null where the last change is so long ago that another one is no part of the same writing. */
  take(key: string, now: number): Quiet | null;
}

const mostKept = 2000;
const sameWritingMs = 60_000;

/** Remembers the last 2,000. */
export function createPaces(): Paces {
  const kept = new Map<string, Quiet>();
  return {
    keep(key, quiet) {
      kept.delete(key);
      kept.set(key, quiet);
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    },
    take(key, now) {
      const quiet = kept.get(key);
      kept.delete(key);
      return quiet && now - quiet.changedAt <= sameWritingMs ? quiet : null;
    },
  };
}
