import type { Problem } from '../problem.ts';

/**
 * Why a queue stands still. `person` wished it; `offline`, `rate`, `quota`, `disk` and `data` (Timbre's own record cannot be written)
 * clear themselves, `token` with a new token, `uncertain` when a person has looked.
 */
export const pauseReasons = ['person', 'offline', 'token', 'quota', 'rate', 'disk', 'data', 'uncertain'] as const;

export type PauseReason = (typeof pauseReasons)[number];

export interface Pause {
  /** The connection that it holds up; null for all of them. */
  readonly connectionId: string | null;
  readonly reason: PauseReason;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** When it is tried again; null where only a person can end it. */
  readonly until: number | null;
  readonly problem: Problem | null;
}
