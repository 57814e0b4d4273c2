import type { CliMessages } from '../shared/messages/cli.ts';
import {
  commandNames,
  entryOf,
  globalFlags,
  typedFlag,
  usageOf,
  type CommandName,
  type Flag,
  type Form,
} from './command-table.ts';
import { exitCodes } from './errors.ts';
import { padColumns, wrapColumns } from './output.ts';

const columns = 80;
const nameColumns = 22;

type Cli = CliMessages['cli'];
type Rows = readonly (readonly [name: string, about: string])[];

/** Describes a flag: what it does, its choices and its default. */
export function describeFlag({ about, choices, default: usual }: Flag, { flags, help }: Cli): string {
  const text = choices ? `${flags[about]}; ${help.choices({ choices: choices.join(', ') })}` : flags[about];
  return usual === undefined ? text : help.value({ value: text, usual });
}

/** Formats rows in two columns. A name too long for the first column gets its own line. */
function table(rows: Rows): readonly string[] {
  return rows.flatMap(([name, about]) => {
    const [first = '', ...others] = wrapColumns(about, columns - nameColumns - 4);
    const rest = others.map((line) => ' '.repeat(nameColumns + 4) + line);
    return name.length > nameColumns
      ? [`  ${name}`, ' '.repeat(nameColumns + 4) + first, ...rest]
      : [`  ${padColumns(name, nameColumns)}  ${first}`, ...rest];
  });
}

const flagRows = (flags: readonly Flag[], cli: Cli): Rows =>
  flags.map((flag) => [typedFlag(flag), describeFlag(flag, cli)]);

const exitRows = ({ exits }: Cli): Rows =>
  Object.entries(exitCodes).map(([name, code]) => [String(code), exits[name as keyof typeof exits]]);

const environmentRows = ({ environment }: Cli): Rows => Object.entries(environment);

const usages = (name: string, forms: readonly Form[], { usage }: Cli): readonly string[] =>
  forms.map((form) => usageOf(name, form, usage.options));

const heading = (title: string, { format }: CliMessages): string => format.labelled(title, '').trimEnd();

/** Help for all commands, one line each. */
export function helpLines(messages: CliMessages): readonly string[] {
  const { cli } = messages;
  const { help } = cli;
  return [
    ...wrapColumns(help.intro, columns),
    '',
    heading(help.commands, messages),
    ...table([
      ['timbre', help.app],
      ...commandNames.map((name) => [`timbre ${name}`, help[entryOf(name).about] as string] as const),
      ['timbre test', help.test],
    ]),
    '',
    heading(help.everywhere, messages),
    ...table(flagRows(globalFlags, cli)),
    '',
    help.more,
  ];
}

/** Help for one command. */
export function helpOf(name: CommandName, messages: CliMessages): readonly string[] {
  const { cli } = messages;
  const { help } = cli;
  const { about, forms } = entryOf(name);
  const section = (title: string, rows: Rows) =>
    rows.length === 0 ? [] : ['', heading(title, messages), ...table(rows)];
  return [
    ...wrapColumns(help[about] as string, columns),
    '',
    heading(help.usage, messages),
    ...usages(name, forms, cli).flatMap((usage) => wrapColumns(usage, columns - 2, 4).map((line) => `  ${line}`)),
    ...forms.flatMap(({ verb, flags }) =>
      section(
        verb === undefined || forms.length === 1 ? help.options : help.optionsOf({ form: `${name} ${verb}` }),
        flagRows(flags, cli),
      ),
    ),
    ...section(help.everywhere, flagRows(globalFlags, cli)),
    ...section(help.environment, environmentRows(cli)),
    ...section(help.exits, exitRows(cli)),
  ];
}

const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
const bold = (text: string): string => `\\fB${roff(text)}\\fR`;
const terms = (rows: Rows): readonly string[] => rows.flatMap(([name, about]) => ['.TP', bold(name), roff(about)]);

/** The man page, for `man -l -`. */
export function manPage({ cli }: CliMessages, version: string): readonly string[] {
  const { help } = cli;
  return [
    `.TH TIMBRE 1 "" "Timbre ${roff(version)}"`,
    '.SH NAME',
    `timbre \\- ${roff(help.intro)}`,
    '.SH SYNOPSIS',
    ...commandNames.flatMap((name) => usages(name, entryOf(name).forms, cli)).flatMap((usage) => [bold(usage), '.br']),
    `.SH ${help.commands.toUpperCase()}`,
    ...commandNames.flatMap((name) => {
      const { about, forms } = entryOf(name);
      return [
        `.SS ${roff(name)}`,
        roff(help[about] as string),
        ...forms.flatMap((form) => [
          '.PP',
          bold(usageOf(name, form, cli.usage.options)),
          ...terms(flagRows(form.flags, cli)),
        ]),
      ];
    }),
    `.SH ${help.everywhere.toUpperCase()}`,
    ...terms(flagRows(globalFlags, cli)),
    `.SH ${help.environment.toUpperCase()}`,
    ...terms(environmentRows(cli)),
    `.SH ${help.exits.toUpperCase()}`,
    ...terms(exitRows(cli)),
  ];
}
