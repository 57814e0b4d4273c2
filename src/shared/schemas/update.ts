import type { Problem } from '../errors.ts';

/**
 * - `unsupported`: this Timbre was not installed from a package that names a list of releases.
 * - `idle`: nothing happens; `available` may be there.
 * - `downloaded`: the update replaces this Timbre at the next `install`.
 */
export interface UpdateStatus {
  readonly phase: 'unsupported' | 'idle' | 'checking' | 'downloading' | 'downloaded';
  /** The host that lists the releases; empty if none does. */
  readonly host: string;
  /** When the list of releases was last read, in milliseconds since 1970; null if it never was. */
  readonly checkedAt: number | null;
  /** A version that is newer than the one that runs. */
  readonly available: {
    readonly version: string;
    /** Milliseconds since 1970. */
    readonly date: number;
    /** Plain text; may be empty. */
    readonly notes: string;
  } | null;
  /** False if the user replaces this kind of package with the system's own means. */
  readonly canInstall: boolean;
  /** While downloading, a share of 0 to 1. */
  readonly progress: number;
  /** Why the last thing that the user asked for failed. */
  readonly problem: Problem | null;
}
