import { parseArgs } from 'node:util';
import type { CreateSpawnService } from '../main/core/child-process.ts';
import type { Log } from '../main/core/diagnostics/log.ts';
import { filterNames } from '../main/core/history/query.ts';
import type { PortableData } from '../main/core/portable.ts';
import type { CliMessages } from '../shared/messages/cli.ts';
import type { ConnectionDocument } from '../shared/schemas/connection.ts';
import type { Settings } from '../shared/schemas/settings.ts';
import {
  type CommandEntry,
  type CommandName,
  commandNames,
  entryOf,
  type Flag,
  globalFlags,
  flagsOf,
  type Form,
  isCommandName,
  usageOf,
} from './command-table.ts';
import { type ExitCode, type UserError, usageError } from './errors.ts';
import type { Output } from './output.ts';

export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What runs the command line: Node, or Electron where Timbre is installed. */
export interface Program {
  /** Folder of the built entries. */
  readonly entryFolder: string;
  readonly createSpawnService: CreateSpawnService;
}

/** What a command runs with. Arguments and flags match the command table; flag values are not validated yet. */
export interface Invocation extends Program {
  /** The subcommand; empty for commands without one. */
  readonly verb: string;
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly output: Output;
  readonly messages: CliMessages;
  /** The app's settings, with overrides from the environment. */
  readonly settings: Settings;
  /** Absolute. */
  readonly dataFolder: string;
  /** Null unless the data is beside the program. */
  readonly portable: PortableData | null;
  /** Aborted when the command must end, for any reason. */
  readonly signal: AbortSignal;
  /** Aborted on SIGTERM, SIGHUP or a closed pipe: the process ends, but unlike on Ctrl-C its jobs are not cancelled. */
  readonly shutdownSignal: AbortSignal;
  /** Reports an error that does not end the command. */
  onDefect(error: unknown): void;
  /** Full details of errors that are only summarised for the user. Tokens are redacted. */
  readonly log: Log;
  /** Reports what a command that was asked to end is waiting for; null once it no longer waits. */
  reportWait(sentence: string | null): void;
}

/** Where flags are read from, and the messages that reject them. */
export type FlagSource = Pick<Invocation, 'flags' | 'messages'>;

export type Run = (invocation: Invocation) => Promise<ExitCode>;

/** True if `TIMBRE_DEBUG` is set: everything written to the log also goes to stderr. */
export const isDebugging = (): boolean => Boolean(process.env['TIMBRE_DEBUG']);

/** The value of a flag, or undefined if it was not given. */
export function textFlag(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of a flag that may be given several times. */
export function textFlags(flags: Flags, name: string): readonly string[] {
  const value = flags[name];
  return typeof value === 'object' ? value : [];
}

/** The object without its undefined values. */
export const definedOnly = <T extends object>(all: { readonly [K in keyof T]: T[K] | undefined }): Partial<T> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Reads text of at most `maxLength` characters. The schema rejects a longer one when the stored job is read back. */
export function boundedText({ flags, messages }: FlagSource, name: string, maxLength: number): string | undefined {
  const given = textFlag(flags, name);
  if (given !== undefined && given.length > maxLength)
    throw usageError(messages.cli.usage.tooLong({ flag: name, most: maxLength }));
  return given;
}

/** A positive number with a decimal point, in every locale. */
export function positiveNumber({ flags, messages }: FlagSource, name: string): number | undefined {
  const given = textFlag(flags, name);
  if (given === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
  if (!(value > 0)) throw usageError(messages.cli.usage.aboveZero({ flag: name, given }));
  return value;
}

/** A number from `min` to `max` with a decimal point, in every locale. */
export function numberBetween(
  { flags, messages }: FlagSource,
  name: string,
  min: number,
  max: number,
): number | undefined {
  const given = textFlag(flags, name);
  if (given === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
  if (!(value >= min && value <= max)) throw usageError(messages.cli.usage.between({ flag: name, min, max, given }));
  return value;
}

/** Seconds from 0 to `most` with a decimal point, in every locale. */
export function seconds({ flags, messages }: FlagSource, name: string, most: number): number | undefined {
  const given = textFlag(flags, name);
  if (given === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
  if (!(value <= most)) throw usageError(messages.cli.usage.seconds({ flag: name, most }));
  return value;
}

export function wholeNumber(
  { flags, messages: { cli } }: FlagSource,
  name: string,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const given = textFlag(flags, name);
  if (given === undefined) return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : NaN;
  if (value >= min && value <= max) return value;
  const isUnbounded = max === Number.MAX_SAFE_INTEGER;
  throw usageError(
    isUnbounded ? cli.usage.from({ flag: name, min, given }) : cli.usage.fromTo({ flag: name, min, max, given }),
  );
}

export function oneOf<const T extends string>(
  { flags, messages }: FlagSource,
  name: string,
  choices: readonly T[],
): T | undefined {
  const given = textFlag(flags, name);
  if (given === undefined) return undefined;
  const found = choices.find((choice) => choice === given);
  if (found === undefined)
    throw usageError(messages.cli.usage.oneOf({ flag: name, choices: choices.join(', '), given }));
  return found;
}

/** Throws a usage error if speed or pitch is outside the ranges of the connection, whose display name is `name`. */
export function assertInRange(
  given: { readonly speed?: number | undefined; readonly pitch?: number | undefined },
  { ranges }: ConnectionDocument,
  { messages: { cli } }: Pick<FlagSource, 'messages'>,
  name: string,
): void {
  for (const flag of ['speed', 'pitch'] as const) {
    const { min, max } = ranges[flag];
    const value = given[flag] ?? min;
    if (value < min || value > max) throw usageError(cli.usage.inRange({ flag, min, max, name }));
  }
}

/** A parsed command line. */
export type ParsedLine =
  | { readonly kind: 'version' }
  /** Help for one command, or for all (null). */
  | { readonly kind: 'help'; readonly of: CommandName | null }
  | {
      readonly kind: 'command';
      readonly name: CommandName;
      readonly verb: string;
      readonly args: readonly string[];
      readonly flags: Flags;
    };

interface GivenFlag {
  /** As typed, without the value. */
  readonly typed: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly isInline: boolean;
}

/** A command line split into arguments and flags, not validated yet. */
export interface ScannedLine {
  readonly args: readonly string[];
  readonly given: readonly GivenFlag[];
  /** Global flags only. They are read first, since they decide how errors in the rest are printed. */
  readonly flags: Flags;
}

const allFlags: readonly Flag[] = [...globalFlags, ...commandNames.flatMap((name) => flagsOf(entryOf(name)))];
const options = Object.fromEntries(
  allFlags.map(({ name, short, value }) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
  ]),
);

/** `-status:failed` leaves entries out of a search. It would otherwise be read as the flags -s, -t and so on. */
const isNegatedFilter = (word: string): boolean => filterNames.some((name) => word.startsWith(`-${name}:`));
/** No argument of a process contains it. */
const mark = '\0';
const unmarked = (word: string): string => (word.startsWith(mark) ? word.slice(mark.length) : word);

/** Splits a command line. A flag takes a value in every command or in none, so the command need not be known yet. */
export function scanLine(argv: readonly string[]): ScannedLine {
  const words = argv.map((word) => (isNegatedFilter(word) ? mark + word : word));
  const { tokens } = parseArgs({ args: words, options, strict: false, allowPositionals: true, tokens: true });
  const args = tokens.flatMap((token) => (token.kind === 'positional' ? [unmarked(token.value)] : []));
  const given = tokens.flatMap((token) =>
    token.kind === 'option'
      ? [
          {
            typed: token.rawName,
            name: token.name,
            value: token.value && unmarked(token.value),
            isInline: token.inlineValue === true,
          },
        ]
      : [],
  );
  const flags: Record<string, string | boolean> = {};
  for (const { name } of globalFlags) {
    const last = given.findLast((flag) => flag.name === name);
    if (last) flags[name] = last.value ?? true;
  }
  return { args, given, flags };
}

const looksLikeFlag = (value: string): boolean => /^-[^\d]/.test(value) && !isNegatedFilter(value);

function readFlags(
  given: readonly GivenFlag[],
  known: readonly Flag[],
  { format, cli: { usage } }: CliMessages,
  name: CommandName | null,
): Flags {
  const flags: Record<string, string | boolean | readonly string[]> = {};
  for (const { typed, name: long, value, isInline } of given) {
    const negated = long.startsWith('no-') ? known.find((one) => `no-${one.name}` === long && !one.value) : undefined;
    const flag = negated ?? known.find((one) => one.name === long);
    if (!flag) {
      const near = nearest(
        long,
        known.map((one) => (one.isOnByDefault ? `no-${one.name}` : one.name)),
      );
      throw usageError(
        format.sentences(
          usage.unknownFlag({ flag: typed }),
          near === null ? '' : usage.didYouMeanFlag({ near: `--${near}` }),
          // A word such as -word is read as several short options.
          near === null && !typed.startsWith('--') ? usage.hyphen : '',
          name === null ? usage.listFlags : usage.listFlagsOf({ command: name }),
        ),
      );
    }
    if (flag.value === undefined) {
      if (value !== undefined) throw usageError(usage.noValue({ flag: typed }));
      flags[flag.name] = negated === undefined;
      continue;
    }
    const isMissing = value === undefined || (value === '' && !flag.mayBeEmpty) || (!isInline && looksLikeFlag(value));
    if (isMissing) throw usageError(usage.needsValue({ flag: typed, value: flag.value }));
    flags[flag.name] = flag.isRepeatable ? [...textFlags(flags, flag.name), value] : value;
  }
  return flags;
}

const formsText = (name: string, forms: readonly Form[], { usage }: CliMessages['cli']): string =>
  forms.map((form) => usageOf(name, form, usage.options)).join('\n  ');

/** Selects the form by its subcommand, and returns the arguments after it. */
function chooseForm(
  name: CommandName,
  { forms }: CommandEntry,
  args: readonly string[],
  cli: CliMessages['cli'],
): { readonly form: Form; readonly rest: readonly string[] } {
  const [only] = forms;
  if (only.verb === undefined) return { form: only, rest: args };
  const [verb, ...rest] = args;
  const defaultForm = forms.find(({ isDefault }) => isDefault);
  if (verb === undefined && defaultForm) return { form: defaultForm, rest: args };
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
    throw usageError(cli.usage.unknownVerb({ given: `${name} ${verb}`, near: `${name} ${near}` }));
  throw usageError(cli.usage.forms({ forms: formsText(name, forms, cli), isSeveral: forms.length > 1 }));
}

function unknownCommand(given: string, { format, cli: { usage } }: CliMessages): UserError {
  const near = nearest(given, commandNames);
  return usageError(
    format.sentences(
      usage.unknownCommand({ name: given }),
      near === null ? '' : usage.didYouMeanCommand({ near }),
      usage.listCommands,
    ),
  );
}

/** Parses a command line by the command table. Throws a usage error that says what to type instead. */
export function parseLine({ args, given, flags: globals }: ScannedLine, messages: CliMessages): ParsedLine {
  const { cli } = messages;
  const [first, ...others] = args;
  if (first !== undefined && !isCommandName(first)) throw unknownCommand(first, messages);
  const isHelp = globals['help'] === true || first === 'help';
  if (isHelp) {
    const [topic] = first === 'help' && others.length > 0 ? others : [globals['help'] === true ? first : undefined];
    if (topic !== undefined && !isCommandName(topic)) throw unknownCommand(topic, messages);
    return { kind: 'help', of: topic ?? null };
  }
  if (globals['version'] === true || first === 'version') return { kind: 'version' };
  if (first === undefined) {
    readFlags(given, globalFlags, messages, null);
    if (given.length === 0) return { kind: 'help', of: null };
    throw usageError(cli.usage.noCommand);
  }
  const { form, rest } = chooseForm(first, entryOf(first), others, cli);
  const flags = readFlags(given, [...form.flags, ...globalFlags], messages, first);
  const [min, max] = form.argCount;
  if (rest.length < min || rest.length > max)
    throw usageError(cli.usage.forms({ forms: formsText(first, [form], cli), isSeveral: false }));
  return { kind: 'command', name: first, verb: form.verb ?? '', args: rest, flags };
}

/** Returns the word closest to `given`: up to a third of the letters may differ, or `given` is a prefix of it. Null if none is. */
export function nearest(given: string, words: readonly string[]): string | null {
  const typed = given.toLowerCase();
  const [best] = words
    .map((word) => ({ word, distance: editDistance(typed, word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(Math.max(word.length, typed.length) / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.word ?? (typed.length > 1 ? (words.find((word) => word.toLowerCase().startsWith(typed)) ?? null) : null);
}

/** Optimal string alignment distance: insertions, deletions, substitutions and swaps of adjacent letters. */
function editDistance(a: string, b: string): number {
  let previousRow: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i += 1) {
    const nextRow = [i];
    for (let k = 1; k <= b.length; k += 1) {
      const same = a[i - 1] === b[k - 1];
      const swapped = i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      nextRow.push(
        Math.min(
          (row[k] ?? 0) + 1,
          (nextRow[k - 1] ?? 0) + 1,
          (row[k - 1] ?? 0) + (same ? 0 : 1),
          ...(swapped ? [(previousRow[k - 2] ?? 0) + 1] : []),
        ),
      );
    }
    previousRow = row;
    row = nextRow;
  }
  return row.at(-1) ?? 0;
}
