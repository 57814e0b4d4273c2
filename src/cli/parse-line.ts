import { parseArgs } from 'node:util';
import type { Messages } from '../shared/messages/index.ts';
import type { Flags } from './command.ts';
import {
  commandNames,
  entryOf,
  flagsEverywhere,
  flagsOf,
  isCommandName,
  usageOf,
  type CommandEntry,
  type CommandName,
  type Flag,
  type Form,
} from './command-table.ts';
import { nearest } from './nearest.ts';
import { usageError, type ToldError } from './usage-error.ts';

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

export function unknownCommand(given: string, { usage }: Messages['cli']): ToldError {
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
