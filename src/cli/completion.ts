import type { CliMessages } from '../shared/messages/cli.ts';
import type { Run } from './args.ts';
import { commandNames, entryOf, type Flag, globalFlags, flagsOf, type Form, shells } from './command-table.ts';
import { exitCodes, usageError } from './errors.ts';
import { describeFlag } from './help.ts';
import { shellQuote } from './shell-word.ts';

type Shell = (typeof shells)[number];

/** What can be completed after a command, or after a command with its subcommand. */
interface CompletionContext {
  readonly after: string;
  readonly words: readonly string[];
  readonly flags: readonly Flag[];
  /** Whether files or folders are completed as well. */
  readonly files: 'file' | 'folder' | null;
}

const fileKind = ({ completes }: Form): CompletionContext['files'] =>
  typeof completes === 'string' ? completes : null;
const fixedWords = ({ completes }: Form): readonly string[] => (typeof completes === 'object' ? completes : []);

/** Before the subcommand is typed, the flags of all forms are offered. */
const contexts: readonly CompletionContext[] = commandNames.flatMap((name) => {
  const entry = entryOf(name);
  const [first] = entry.forms;
  if (name === 'help') return [{ after: name, words: commandNames, flags: [], files: null }];
  if (first.verb === undefined) {
    return [{ after: name, words: fixedWords(first), flags: first.flags, files: fileKind(first) }];
  }
  return [
    { after: name, words: entry.forms.flatMap(({ verb }) => verb ?? []), flags: flagsOf(entry), files: null },
    ...entry.forms.map((form) => ({
      after: `${name} ${form.verb ?? ''}`,
      words: fixedWords(form),
      flags: form.flags,
      files: fileKind(form),
    })),
  ];
});

const longFlag = ({ name, isOnByDefault }: Flag): string => `--${isOnByDefault ? 'no-' : ''}${name}`;
const flagForms = (flag: Flag): readonly string[] => [...(flag.short ? [`-${flag.short}`] : []), longFlag(flag)];
const allFlags = [
  ...new Map([...globalFlags, ...contexts.flatMap(({ flags }) => flags)].map((flag) => [flag.name, flag])).values(),
];

/** Arms of the shell's `case` on the previous flag: complete its choices, files, folders, or nothing. */
function valueArms(choose: (words: readonly string[]) => string, files: string, folders: string): readonly string[] {
  return allFlags
    .filter(({ value }) => value !== undefined)
    .map((flag) => {
      const { choices, completes } = flag;
      const what = choices ? choose(choices) : completes === 'file' ? files : completes === 'folder' ? folders : ':';
      return `    ${flagForms(flag).join('|')}) ${what}; return ;;`;
    });
}

function bash(): string {
  const choose = (words: readonly string[]) => `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$word"))`;
  // Readline's own completion, which quotes names with spaces.
  const files = 'compopt -o default';
  const folders = 'compopt -o dirnames';
  const arms = contexts.map(({ after, words, flags, files: found }) => {
    const typed = [...flags, ...globalFlags].map(longFlag);
    const more = found === 'file' ? `; ${files}` : found === 'folder' ? `; ${folders}` : '';
    return `    '${after}') case "$word" in -*) ${choose(typed)} ;; *) ${choose(words)}${more} ;; esac ;;`;
  });
  return `_timbre() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} place='' each
  COMPREPLY=()
  # Bash splits --flag=value into three words.
  [[ $word != = ]] || word=''
  [[ $before != = ]] || before=\${COMP_WORDS[COMP_CWORD-2]}
  case "$before" in
${valueArms(choose, files, folders).join('\n')}
  esac
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place\${place:+ }$each" in
      ${contexts.map(({ after }) => `'${after}'`).join('|')}) place="$place\${place:+ }$each" ;;
    esac
  done
  case "$place" in
    '') case "$word" in -*) ${choose(globalFlags.map(longFlag))} ;; *) ${choose(commandNames)} ;; esac ;;
${arms.join('\n')}
  esac
}
complete -F _timbre timbre`;
}

function zsh(messages: CliMessages): string {
  const { cli } = messages;
  const choose = (words: readonly string[]) => `compadd -- ${words.join(' ')}`;
  const described = (rows: readonly (readonly [string, string])[]) =>
    `_describe '' '(${rows.map(([name, about]) => `${name}\\:"${about.replaceAll(/["'\\:]/g, '')}"`).join(' ')})'`;
  const flagRows = (flags: readonly Flag[]) =>
    described(flags.map((flag) => [longFlag(flag), describeFlag(flag, cli)] as const));
  const arms = contexts.map(({ after, words, flags, files }) => {
    const found = [
      ...(words.length > 0 ? [choose(words)] : []),
      ...(files === 'file' ? ['_files'] : files === 'folder' ? ['_files -/'] : []),
    ].join('; ');
    return `    '${after}') case "$word" in -*) ${flagRows([...flags, ...globalFlags])} ;; *) ${found || ':'} ;; esac ;;`;
  });
  const commands = described(commandNames.map((name) => [name, cli.help[entryOf(name).about] as string] as const));
  return `#compdef timbre
_timbre() {
  local word=\${words[CURRENT]} before=\${words[CURRENT-1]} place='' each
  if compset -P 1 '--*='; then before=\${word%%=*}; fi
  case "$before" in
${valueArms(choose, '_files', '_files -/').join('\n')}
  esac
  for each in "\${(@)words[2,CURRENT-1]}"; do
    case "$place\${place:+ }$each" in
      ${contexts.map(({ after }) => `'${after}'`).join('|')}) place="$place\${place:+ }$each" ;;
    esac
  done
  case "$place" in
    '') case "$word" in -*) ${flagRows(globalFlags)} ;; *) ${commands} ;; esac ;;
${arms.join('\n')}
  esac
}
# zsh reads this file when it completes the first word, or a script of the user's sources it.
if [[ \${funcstack[1]} = _timbre ]]; then _timbre; else compdef _timbre timbre; fi`;
}

function fish({ cli }: CliMessages): string {
  const names = { file: '-F', folder: "-f -a '(__fish_complete_directories)'" } as const;
  const given = (flag: Flag): string =>
    [
      ...(flag.short ? [`-s ${flag.short}`] : []),
      `-l ${longFlag(flag).slice(2)}`,
      ...(flag.value === undefined ? [] : ['-r']),
      ...(flag.choices ? [`-f -a ${shellQuote(flag.choices.join(' '))}`] : []),
      ...(flag.completes ? [names[flag.completes]] : []),
      `-d ${shellQuote(describeFlag(flag, cli))}`,
    ].join(' ');
  const isAt = (after: string): string => {
    const [command = '', verb] = after.split(' ');
    const seen = `__fish_seen_subcommand_from ${command}`;
    return shellQuote(verb === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${verb}`);
  };
  const isAlone = ({ after, words }: CompletionContext): string => {
    // "help" is one of the words after "help".
    const others = words.filter((word) => word !== after).join(' ');
    return shellQuote(`__fish_seen_subcommand_from ${after}; and not __fish_seen_subcommand_from ${others}`);
  };
  return [
    'complete -c timbre -f',
    ...globalFlags.map((flag) => `complete -c timbre ${given(flag)}`),
    ...commandNames.map(
      (name) =>
        `complete -c timbre -n __fish_use_subcommand -a ${name} -d ${shellQuote(cli.help[entryOf(name).about] as string)}`,
    ),
    ...contexts.flatMap((place) => [
      ...(place.words.length > 0
        ? [`complete -c timbre -n ${isAlone(place)} -a ${shellQuote(place.words.join(' '))}`]
        : []),
      ...(place.files ? [`complete -c timbre -n ${isAt(place.after)} ${names[place.files]}`] : []),
      ...place.flags.map((flag) => `complete -c timbre -n ${isAt(place.after)} ${given(flag)}`),
    ]),
  ].join('\n');
}

/** The script for a shell to complete commands, subcommands, flags and values, from the command table. */
export const completionOf = (shell: Shell, messages: CliMessages): string =>
  ({ bash, zsh: () => zsh(messages), fish: () => fish(messages) })[shell]();

export const completion: Run = ({ args: [given = ''], output, messages }) => {
  const shell = shells.find((one) => one === given);
  if (!shell) throw usageError(messages.cli.usage.shell({ shells: shells.join(', '), given }));
  const script = completionOf(shell, messages);
  for (const line of script.split('\n')) output.print(line);
  output.event({ event: 'result', shell, script });
  return Promise.resolve(exitCodes.done);
};
