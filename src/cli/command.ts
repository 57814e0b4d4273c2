import type { ParseArgsConfig } from 'node:util';
import type { Messages } from '../shared/messages/index.ts';
import type { ExitCode } from './exit-code.ts';
import type { Output } from './output.ts';

export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** What a command is run with. */
export interface Invocation {
  readonly words: readonly string[];
  readonly flags: Flags;
  readonly output: Output;
  readonly messages: Messages;
  readonly entryFolder: string;
  /** Aborted when the command is to end, however. */
  readonly signal: AbortSignal;
  /** Aborted where the process has to go, by SIGTERM or SIGHUP, and nobody took back what was asked for, as Ctrl-C does. */
  readonly leaving: AbortSignal;
}

/** What a flag is read from, and refused in. */
export type Asked = Pick<Invocation, 'flags' | 'messages'>;

export interface Command {
  /** One line a form, as it is typed. */
  readonly usage: readonly string[];
  /** One line, what it is for. */
  purpose(messages: Messages): string;
  readonly options: NonNullable<ParseArgsConfig['options']>;
  run(invocation: Invocation): Promise<ExitCode>;
}

/** A flag's text, or undefined where it was not given. */
export function text(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** The forms of a command inside a sentence. */
export const usageText = (usage: readonly string[], { cli }: Messages): string =>
  usage.map((form) => `"${form}"`).join(cli.usage.or);
