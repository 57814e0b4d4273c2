import * as v from 'valibot';
import type { Problem } from '../errors.ts';
import { controlCharacters } from '../text/control-characters.ts';

/** Limits of the time that a hook may take, in seconds. */
export const hookSeconds = { min: 1, max: 3600 } as const;
/** So that the user can read all of them in the dialog that asks for consent. */
const maxArguments = 20;
const maxArgumentLength = 300;

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

/** Without what could make it look like another one. */
const argument = v.pipe(
  v.string(),
  v.maxLength(maxArgumentLength),
  v.check((text) => text.search(controlCharacters) < 0),
);

export const hookSettings = v.object({
  isOn: v.boolean(),
  program: v.nullable(v.pipe(v.string(), v.minLength(1))),
  args: v.pipe(v.array(argument), v.maxLength(maxArguments)),
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
