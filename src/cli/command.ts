import type { Log } from '../main/core/diagnostics/log.ts';
import type { Messages } from '../shared/messages/index.ts';
import type { Settings } from '../shared/schemas/settings.ts';
import type { ExitCode } from './exit-code.ts';
import type { Output } from './output.ts';

export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** What a command is run with: words and flags fit the table of commands, values are still to be read. */
export interface Invocation {
  /** The word behind the command; empty where it has none. */
  readonly verb: string;
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly output: Output;
  readonly messages: Messages;
  /** Those of the app, where nothing else is said. */
  readonly settings: Settings;
  /** Absolute. */
  readonly dataFolder: string;
  readonly entryFolder: string;
  /** Aborted when the command is to end, however. */
  readonly signal: AbortSignal;
  /** Aborted where the process has to go, by SIGTERM or SIGHUP, and nobody took back what was asked for, as Ctrl-C does. */
  readonly leaving: AbortSignal;
  /** What went wrong beside the command, which goes on. */
  onDefect(error: unknown): void;
  /** What went wrong without being told in full. No token of this person is in it. */
  readonly log: Log;
  /** Says what a command that was told to end waits for, as long as that is; null when it waits no more. */
  waitsFor(sentence: string | null): void;
}

/** What a flag is read from, and refused in. */
export type Asked = Pick<Invocation, 'flags' | 'messages'>;

export type Run = (invocation: Invocation) => Promise<ExitCode>;

/** Whether the person looks for a defect: all that is written into the log is on stderr too. */
export const isDebugging = (): boolean => Boolean(process.env['TIMBRE_DEBUG']);

/** A flag's text, or undefined where it was not given. */
export function text(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}
