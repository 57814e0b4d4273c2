import { parseArgs } from 'node:util';
import type { Log } from '../main/core/diagnostics/log.ts';
import type { Messages } from '../shared/messages/index.ts';
import type { ConnectionDocument } from '../shared/schemas/connection.ts';
import type { Settings } from '../shared/schemas/settings.ts';
import {
  type CommandEntry,
  type CommandName,
  commandNames,
  entryOf,
  type Flag,
  flagsEverywhere,
  flagsOf,
  type Form,
  isCommandName,
  usageOf,
} from './command-table.ts';
import { type ExitCode, type UserError, usageError } from './errors.ts';
import type { Output } from './output.ts';

/** Edits between two words: a letter more, less, another one, or two that changed places (optimal string alignment). */
function edits(a: string, b: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let k = 1; k <= b.length; k += 1) {
      const same = a[i - 1] === b[k - 1];
      const swapped = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      next.push(
        Math.min(
          (row[k] ?? 0) + 1,
          (next[k - 1] ?? 0) + 1,
          (row[k - 1] ?? 0) + (same ? 0 : 1),
          ...(swapped ? [(before[k - 2] ?? 0) + 1] : []),
        ),
      );
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The word that was most likely meant, or null where none is near: a third of its letters may be wrong, or it is only begun. */
function nearest(given: string, words: readonly string[]): string | null {
  const typed = given.toLowerCase();
  const [best] = words
    .map((word) => ({ word, far: edits(typed, word) }))
    .filter(({ word, far }) => far <= Math.max(1, Math.floor(Math.max(word.length, typed.length) / 3)))
    .sort((a, b) => a.far - b.far);
  return best?.word ?? (typed.length > 1 ? (words.find((word) => word.startsWith(typed)) ?? null) : null);
}

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
export type FlagSource = Pick<Invocation, 'flags' | 'messages'>;

export type Run = (invocation: Invocation) => Promise<ExitCode>;

/** Whether the person looks for a defect: all that is written into the log is on stderr too. */
export const isDebugging = (): boolean => Boolean(process.env['TIMBRE_DEBUG']);

/** A flag's text, or undefined where it was not given. */
export function text(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** Those of these values that were given. */
export const givenOf = <T extends object>(all: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<T>;

/** As much text as can be stored with a job: a longer one would be refused when the job is read again. */
export function shortText({ flags, messages }: FlagSource, name: string, most: number): string | undefined {
  const given = text(flags, name);
  if (given !== undefined && given.length > most) throw usageError(messages.cli.usage.tooLong(name, most));
  return given;
}

/** A positive number, written with a point whatever the language of the system. */
export function positiveNumber({ flags, messages }: FlagSource, name: string): number | undefined {
  const given = text(flags, name);
  if (given === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
  if (!(value > 0)) throw usageError(messages.cli.usage.aboveZero(name, given));
  return value;
}

export function wholeNumber(
  { flags, messages: { cli } }: FlagSource,
  name: string,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const given = text(flags, name);
  if (given === undefined) return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : NaN;
  if (value >= min && value <= max) return value;
  const isOpen = max === Number.MAX_SAFE_INTEGER;
  throw usageError(isOpen ? cli.usage.from(name, min, given) : cli.usage.fromTo(name, min, max, given));
}

export function oneOf<const T extends string>(
  { flags, messages }: FlagSource,
  name: string,
  choices: readonly T[],
): T | undefined {
  const given = text(flags, name);
  if (given === undefined) return undefined;
  const found = choices.find((choice) => choice === given);
  if (found === undefined) throw usageError(messages.cli.usage.oneOf(name, choices.join(', '), given));
  return found;
}

/** Speed and pitch are asked for only as the connection, which people call `name`, says that they can be. */
export function mustBeInRange(
  given: { readonly speed?: number | undefined; readonly pitch?: number | undefined },
  { ranges }: ConnectionDocument,
  { messages: { cli } }: Pick<FlagSource, 'messages'>,
  name: string,
): void {
  for (const flag of ['speed', 'pitch'] as const) {
    const { min, max } = ranges[flag];
    const value = given[flag] ?? min;
    if (value < min || value > max) throw usageError(cli.usage.inRange(flag, min, max, name));
  }
}

/** What a line asks for. */
export type Line =
  | { readonly kind: 'version' }
  /** Of one command, or of all. */
  | { readonly kind: 'help'; readonly of: CommandName | null }
  | {
      readonly kind: 'command';
      readonly name: CommandName;
      readonly verb: string;
      readonly words: readonly string[];
      readonly flags: Flags;
    };

interface GivenFlag {
  /** As it was typed, without its value. */
  readonly typed: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly isInline: boolean;
}

/** A line taken apart, before anybody knows whether it is right. */
export interface Scanned {
  readonly words: readonly string[];
  readonly given: readonly GivenFlag[];
  /** Of the flags that hold everywhere: what the rest is told with depends on them. */
  readonly flags: Flags;
}

const allFlags: readonly Flag[] = [...flagsEverywhere, ...commandNames.flatMap((name) => flagsOf(entryOf(name)))];
const options = Object.fromEntries(
  allFlags.map(({ name, short, value }) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
  ]),
);

/** Every flag takes a value in all commands, or in none: so a line can be taken apart before its command is known. */
export function scanLine(args: readonly string[]): Scanned {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const given = tokens.flatMap((token) =>
    token.kind === 'option'
      ? [{ typed: token.rawName, name: token.name, value: token.value, isInline: token.inlineValue === true }]
      : [],
  );
  const flags: Record<string, string | boolean> = {};
  for (const { name } of flagsEverywhere) {
    const last = given.findLast((flag) => flag.name === name);
    if (last) flags[name] = last.value ?? true;
  }
  return { words, given, flags };
}

const looksLikeFlag = (value: string): boolean => /^-[^\d]/.test(value);

function readFlags(
  given: readonly GivenFlag[],
  known: readonly Flag[],
  { usage }: Messages['cli'],
  name: CommandName | null,
): Flags {
  const flags: Record<string, string | boolean> = {};
  for (const { typed, name: long, value, isInline } of given) {
    const negated = long.startsWith('no-') ? known.find((one) => `no-${one.name}` === long && !one.value) : undefined;
    const flag = negated ?? known.find((one) => one.name === long);
    if (!flag) {
      const near = nearest(
        long,
        known.map((one) => (one.isOn ? `no-${one.name}` : one.name)),
      );
      throw usageError(usage.unknownFlag(typed, near === null ? null : `--${near}`, name));
    }
    if (flag.value === undefined) {
      if (value !== undefined) throw usageError(usage.noValue(typed));
      flags[flag.name] = negated === undefined;
      continue;
    }
    const isMissing = value === undefined || (value === '' && !flag.mayBeEmpty) || (!isInline && looksLikeFlag(value));
    if (isMissing) throw usageError(usage.needsValue(typed, flag.value));
    flags[flag.name] = value;
  }
  return flags;
}

const formsText = (name: string, forms: readonly Form[], { usage }: Messages['cli']): string =>
  forms.map((form) => usageOf(name, form, usage.options)).join('\n  ');

/** The form that is meant, and the words that belong to it. */
function chooseForm(
  name: CommandName,
  { forms }: CommandEntry,
  words: readonly string[],
  cli: Messages['cli'],
): { readonly form: Form; readonly rest: readonly string[] } {
  const [only] = forms;
  if (only.verb === undefined) return { form: only, rest: words };
  const [verb, ...rest] = words;
  const usual = forms.find(({ isUsual }) => isUsual);
  if (verb === undefined && usual) return { form: usual, rest: words };
  const form = forms.find((one) => one.verb === verb);
  if (form) return { form, rest };
  const near =
    verb === undefined
      ? null
      : nearest(
          verb,
          forms.flatMap((one) => one.verb ?? []),
        );
  if (verb !== undefined && near !== null)
    throw usageError(cli.usage.unknownVerb(`${name} ${verb}`, `${name} ${near}`));
  throw usageError(cli.usage.write(formsText(name, forms, cli), forms.length > 1));
}

function unknownCommand(given: string, { usage }: Messages['cli']): UserError {
  return usageError(usage.unknownCommand(given, nearest(given, commandNames)));
}

/** Reads a line by the table of commands. Throws a usage error that says what to write instead. */
export function parseLine({ words, given, flags: everywhere }: Scanned, { cli }: Messages): Line {
  const [first, ...behind] = words;
  if (first !== undefined && !isCommandName(first)) throw unknownCommand(first, cli);
  const isHelp = everywhere['help'] === true || first === 'help';
  if (isHelp) {
    const [topic] = first === 'help' && behind.length > 0 ? behind : [everywhere['help'] === true ? first : undefined];
    if (topic !== undefined && !isCommandName(topic)) throw unknownCommand(topic, cli);
    return { kind: 'help', of: topic ?? null };
  }
  if (everywhere['version'] === true || first === 'version') return { kind: 'version' };
  if (first === undefined) {
    readFlags(given, flagsEverywhere, cli, null);
    if (given.length === 0) return { kind: 'help', of: null };
    throw usageError(cli.usage.noCommand);
  }
  const { form, rest } = chooseForm(first, entryOf(first), behind, cli);
  const flags = readFlags(given, [...form.flags, ...flagsEverywhere], cli, first);
  const [min, max] = form.count;
  if (rest.length < min || rest.length > max) throw usageError(cli.usage.write(formsText(first, [form], cli), false));
  return { kind: 'command', name: first, verb: form.verb ?? '', words: rest, flags };
}
