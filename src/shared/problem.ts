import type { ErrorCode } from './error-code.ts';

/** What a sentence may mention: sizes in bytes, times in seconds, names. */
export type Facts = Readonly<Record<string, string | number>>;

/**
 * Why something did not happen, in a form that any room can turn into words. `words` are those of whoever refused (the
 * service's `error` and `details`); they are shown beside ours, never instead of them.
 */
export interface Problem {
  readonly code: ErrorCode;
  readonly facts?: Facts;
  readonly words?: string;
}
