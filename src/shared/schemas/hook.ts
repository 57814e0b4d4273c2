import * as v from 'valibot';
import type { Problem } from '../errors.ts';
import { areArgumentsAllowed } from '../text/hook-arguments.ts';

/** Limits of the time that a hook may take, in seconds. */
export const hookSeconds = { min: 1, max: 3600 } as const;
/** The program that Timbre runs after each result. */
export interface HookSettings {
  readonly isOn: boolean;
  /** Absolute path, which only the user's choice in a system dialog sets; null until there was one. */
  readonly program: string | null;
  /** Templates of its arguments (`text/hook-arguments.ts`). */
  readonly args: readonly string[];
  /** A whole number. */
  readonly timeoutSeconds: number;
}

export const hookSettings = v.object({
  isOn: v.boolean(),
  program: v.nullable(v.pipe(v.string(), v.minLength(1))),
  args: v.pipe(
    v.array(v.string()),
    v.check((args) => areArgumentsAllowed(args)),
  ),
  timeoutSeconds: v.pipe(v.number(), v.integer(), v.minValue(hookSeconds.min), v.maxValue(hookSeconds.max)),
});

/** What a page may set. */
export const hookChange = v.omit(hookSettings, ['program']);

/** A run of the hook that has ended. */
export interface HookRun {
  /** Name of the recording or text; null for the bundled sample. */
  readonly name: string | null;
  readonly isTest: boolean;
  readonly endedAt: number;
  readonly seconds: number;
  /** Null if it did not start, or was ended. */
  readonly exitCode: number | null;
  /** The end of what it wrote. */
  readonly output: string;
  /** Why it failed; null if it did not. */
  readonly problem: Problem | null;
}

/** A result that the hook failed for. */
export interface HookFailure {
  readonly id: string;
  readonly problem: Problem;
}

export interface HookStatus {
  /** Results that it waits for, or runs for. */
  readonly waiting: number;
  /** Results in history for which it failed. */
  readonly failed: number;
  /** The latest of these. */
  readonly failures: readonly HookFailure[];
  /** The last run since Timbre started. */
  readonly last: HookRun | null;
}
