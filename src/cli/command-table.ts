import { speechEngines, speechPlatforms, changerEngines } from '../shared/operations.ts';
import { logLevels } from '../shared/schemas/log.ts';
import { statisticsKinds, statisticsTables } from '../shared/schemas/statistics.ts';
import type { CliMessages } from '../shared/messages/cli.ts';

/** An option of a command, typed as `--name`. It takes a value if `value` is set; otherwise it is a switch. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** Placeholder for the value in a usage line; not translated. */
  readonly value?: string;
  readonly about: keyof CliMessages['cli']['flags'];
  readonly choices?: readonly string[];
  /** As typed; only if it does not depend on the connection or the app's settings. */
  readonly default?: string;
  readonly isRequired?: true;
  /** Another flag, with its placeholder, that a required one may be replaced by. */
  readonly or?: string;
  /** The switch is on by default and is turned off by `--no-name`. */
  readonly isOnByDefault?: true;
  /** May be given several times. */
  readonly isRepeatable?: true;
  /** Accepts an empty value. */
  readonly mayBeEmpty?: true;
  readonly completes?: 'file' | 'folder';
}

/** One way to write a command. */
export interface Form {
  /** The subcommand; only for commands that have several forms. */
  readonly verb?: string;
  /** The arguments, as shown in a usage line. */
  readonly args: string;
  /** Minimum and maximum number of arguments. */
  readonly argCount: readonly [min: number, max: number];
  /** An argument may be empty: the command says better what is missing. */
  readonly mayBeEmpty?: true;
  readonly flags: readonly Flag[];
  /** Used if no subcommand is given. */
  readonly isDefault?: true;
  readonly completes?: 'file' | 'folder' | readonly string[];
}

export interface CommandEntry {
  readonly about: keyof CliMessages['cli']['help'];
  readonly forms: readonly [Form, ...Form[]];
}

export const voicesLimit = 100;
export const entriesLimit = 50;
export const logLimit = 50;
const firstPage = 1;

/** Flags that every command accepts, before or after its name. */
export const globalFlags: readonly Flag[] = [
  { name: 'connection', value: 'NAME|FILE.json', about: 'connection', completes: 'file' },
  { name: 'data-dir', value: 'DIR', about: 'dataDir', completes: 'folder' },
  { name: 'json', about: 'json' },
  { name: 'quiet', short: 'q', about: 'quiet' },
  { name: 'help', short: 'h', about: 'help' },
  { name: 'version', short: 'v', about: 'version' },
];

/** A voice, or a preset that has one. */
const voiceFlags: readonly Flag[] = [
  { name: 'voice', value: 'ID', about: 'voice', isRequired: true, or: '--preset NAME' },
  { name: 'preset', value: 'NAME', about: 'preset' },
];
const anotherVoice: Flag = { name: 'voice', value: 'ID', about: 'anotherVoice' };
const page: Flag = { name: 'page', value: 'N', about: 'page', default: String(firstPage) };
const yes: Flag = { name: 'yes', about: 'yes' };
const hook: Flag = { name: 'hook', about: 'hook', isOnByDefault: true };
const speaker: Flag = { name: 'speaker', value: 'NAME=ID', about: 'speaker', isRepeatable: true };
const dryRun: Flag = { name: 'dry-run', about: 'dryRun' };
const limit = (count: number): Flag => ({ name: 'limit', value: 'N', about: 'limit', default: String(count) });
const outFolder = (about: Flag['about']): Flag => ({
  name: 'out',
  short: 'o',
  value: 'DIR',
  about,
  completes: 'folder',
});

const conversionFlags: readonly Flag[] = [
  { name: 'pitch', value: 'N', about: 'pitch', default: '1' },
  { name: 'speed', value: 'N', about: 'speed', default: '1' },
  { name: 'format', value: 'F', about: 'format', choices: ['same', 'wav', 'mp3', 'flac', 'ogg'], default: 'same' },
  { name: 'pitch-control', value: 'WORD', about: 'pitchControl', mayBeEmpty: true },
  { name: 'auto-f0', about: 'autoF0', isOnByDefault: true },
  { name: 'engine', value: 'V', about: 'engine', choices: changerEngines, default: 'v7' },
];

const speechFlags: readonly Flag[] = [
  { name: 'language', value: 'L', about: 'speechLanguage' },
  { name: 'pitch', value: 'N', about: 'speechPitch' },
  { name: 'speed', value: 'N', about: 'speechSpeed' },
  { name: 'engine', value: 'V', about: 'engine', choices: speechEngines, default: 'v7' },
  { name: 'platform', value: 'P', about: 'speechPlatform', choices: speechPlatforms, default: 'web' },
];

const withoutDefault = ({ name, value, about, choices, isOnByDefault, mayBeEmpty }: Flag): Flag => ({
  name,
  about,
  ...(value !== undefined && { value }),
  ...(choices && { choices }),
  ...(isOnByDefault && { isOnByDefault }),
  ...(mayBeEmpty && { mayBeEmpty }),
});
const repeatFlags: readonly Flag[] = [
  anotherVoice,
  outFolder('outAgain'),
  ...conversionFlags.map(withoutDefault).filter(({ name }) => name !== 'engine'),
  { name: 'language', value: 'L', about: 'speechLanguage' },
  { name: 'engine', value: 'V', about: 'engine', choices: [...new Set([...changerEngines, ...speechEngines])] },
  { name: 'platform', value: 'P', about: 'speechPlatform', choices: speechPlatforms },
  hook,
];

export const shells = ['bash', 'zsh', 'fish'] as const;

/** Every command with its forms and flags: the source for parsing, help, suggestions, completion and the man page. */
const commands = {
  convert: {
    about: 'convert',
    forms: [
      {
        args: 'FILE|DIR...',
        argCount: [1, Infinity],
        completes: 'file',
        flags: [
          ...voiceFlags,
          outFolder('outConvert'),
          ...conversionFlags,
          { name: 'audio-name', value: 'NAME', about: 'audioName' },
          { name: 'platform', value: 'P', about: 'platform' },
          { name: 'again', about: 'again' },
          hook,
          dryRun,
        ],
      },
    ],
  },
  watch: {
    about: 'watch',
    forms: [
      {
        args: 'DIR',
        argCount: [1, 1],
        completes: 'folder',
        flags: [
          ...voiceFlags,
          outFolder('outConvert'),
          ...conversionFlags,
          { name: 'once', about: 'once' },
          hook,
          dryRun,
          { name: 'only-new', about: 'onlyNew' },
          { name: 'subfolders', about: 'subfolders', isOnByDefault: true },
          { name: 'move-done', about: 'moveDone' },
          { name: 'minutes-a-day', value: 'N', about: 'minutesADay' },
          { name: 'hours', value: 'HH:MM-HH:MM', about: 'hours' },
          { name: 'subfolder-voices', about: 'subfolderVoices' },
          { name: 'speak-texts', about: 'speakTexts' },
          speaker,
        ],
      },
    ],
  },
  speak: {
    about: 'speak',
    forms: [
      {
        args: '[TEXT|-|FILE...]',
        argCount: [0, Infinity],
        completes: 'file',
        mayBeEmpty: true,
        flags: [
          ...voiceFlags,
          speaker,
          { name: 'file', value: 'FILE', about: 'textFile', completes: 'file', isRepeatable: true },
          { name: 'split-chapters', about: 'splitChapters' },
          { name: 'split-paragraphs', about: 'splitParagraphs' },
          { name: 'sentence-pause', value: 'SECONDS', about: 'sentencePause' },
          { name: 'paragraph-pause', value: 'SECONDS', about: 'paragraphPause' },
          { name: 'out', short: 'o', value: 'FILE', about: 'outSpeak', completes: 'file' },
          ...speechFlags,
          hook,
          { name: 'dry-run', about: 'dryRunSpeech' },
        ],
      },
    ],
  },
  history: {
    about: 'history',
    forms: [
      { verb: 'list', args: '', argCount: [0, 0], flags: [limit(entriesLimit)], isDefault: true },
      { verb: 'search', args: 'QUERY...', argCount: [1, Infinity], flags: [limit(entriesLimit)] },
      { verb: 'show', args: 'ID', argCount: [1, 1], flags: [] },
      { verb: 'again', args: 'ID', argCount: [1, 1], flags: repeatFlags },
      {
        verb: 'restore',
        args: '[ID...]',
        argCount: [0, Infinity],
        flags: [{ name: 'search', value: 'QUERY', about: 'search' }],
      },
      {
        verb: 'export',
        args: 'FILE.jsonl|FILE.zip',
        argCount: [1, 1],
        flags: [{ name: 'search', value: 'QUERY', about: 'search' }],
        completes: 'file',
      },
      {
        verb: 'statistics',
        args: '',
        argCount: [0, 0],
        flags: [
          { name: 'period', value: '30d|12m|YEAR|all', about: 'period', default: '12m' },
          { name: 'kind', value: 'K', about: 'statisticsKind', choices: statisticsKinds, default: 'all' },
          { name: 'csv', about: 'csv' },
          { name: 'by', value: 'T', about: 'csvTable', choices: statisticsTables, default: 'time' },
        ],
      },
      { verb: 'import', args: 'FILE', argCount: [1, 1], flags: [outFolder('outImport')], completes: 'file' },
    ],
  },
  voices: {
    about: 'voices',
    forms: [
      {
        verb: 'list',
        args: '',
        argCount: [0, 0],
        isDefault: true,
        flags: [
          { name: 'language', value: 'L', about: 'language' },
          { name: 'gender', value: 'G', about: 'gender', choices: ['all', 'male', 'female'] },
          { name: 'category', value: 'C', about: 'category' },
          page,
          limit(voicesLimit),
        ],
      },
      { verb: 'show', args: 'ID', argCount: [1, 1], flags: [] },
    ],
  },
  models: {
    about: 'models',
    forms: [
      { verb: 'list', args: '', argCount: [0, 0], flags: [page, limit(voicesLimit)], isDefault: true },
      { verb: 'delete', args: 'NAME', argCount: [1, 1], flags: [yes] },
    ],
  },
  token: {
    about: 'token',
    forms: [
      { verb: 'set', args: '', argCount: [0, 0], flags: [{ name: 'store-in-file', about: 'storeInFile' }] },
      { verb: 'clear', args: '', argCount: [0, 0], flags: [] },
      { verb: 'test', args: '', argCount: [0, 0], flags: [] },
    ],
  },
  connections: {
    about: 'connections',
    forms: [
      { verb: 'list', args: '', argCount: [0, 0], flags: [], isDefault: true },
      { verb: 'show', args: 'NAME', argCount: [1, 1], flags: [] },
      { verb: 'import', args: 'FILE', argCount: [1, 1], flags: [], completes: 'file' },
      { verb: 'export', args: 'NAME [FILE]', argCount: [1, 2], flags: [] },
      { verb: 'remove', args: 'NAME', argCount: [1, 1], flags: [yes] },
    ],
  },
  presets: {
    about: 'presets',
    forms: [
      { verb: 'list', args: '', argCount: [0, 0], flags: [], isDefault: true },
      { verb: 'export', args: '[FILE]', argCount: [0, 1], flags: [], completes: 'file' },
      { verb: 'import', args: 'FILE', argCount: [1, 1], flags: [], completes: 'file' },
    ],
  },
  plant: {
    about: 'plant',
    forms: [
      {
        verb: 'create',
        args: '',
        argCount: [0, 0],
        flags: [
          { name: 'id', value: 'INT64', about: 'plantId', isRequired: true },
          { name: 'name', value: 'NAME', about: 'plantName', isRequired: true },
          { name: 'tag', value: 'TAG', about: 'plantTag', mayBeEmpty: true },
        ],
      },
    ],
  },
  engine: {
    about: 'engine',
    forms: [{ args: '', argCount: [0, 0], flags: [{ name: 'port', value: 'N', about: 'port', default: '0' }] }],
  },
  doctor: { about: 'doctor', forms: [{ args: '', argCount: [0, 0], flags: [] }] },
  log: {
    about: 'log',
    forms: [
      {
        args: '',
        argCount: [0, 0],
        flags: [
          { name: 'level', value: 'LEVEL', about: 'level', choices: logLevels, default: 'debug' },
          { name: 'follow', short: 'f', about: 'follow' },
          limit(logLimit),
        ],
      },
    ],
  },
  completion: {
    about: 'completion',
    forms: [{ args: shells.join('|'), argCount: [1, 1], flags: [], completes: shells }],
  },
  man: { about: 'man', forms: [{ args: '', argCount: [0, 0], flags: [] }] },
  help: { about: 'helpOf', forms: [{ args: '[COMMAND]', argCount: [0, 2], flags: [] }] },
  version: { about: 'versionOf', forms: [{ args: '', argCount: [0, 0], flags: [] }] },
} as const satisfies Readonly<Record<string, CommandEntry>>;

export type CommandName = keyof typeof commands;

export const commandNames = Object.keys(commands) as readonly CommandName[];
export const entryOf = (name: CommandName): CommandEntry => commands[name];
export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commands, name);

/** The flags of all forms of a command, without duplicates. */
export const flagsOf = ({ forms }: CommandEntry): readonly Flag[] => [
  ...new Map(forms.flatMap(({ flags }) => flags).map((flag) => [flag.name, flag])).values(),
];

/** A flag as typed: `-o, --out DIR`, or `--no-subfolders` for a switch that is on by default. */
export const typedFlag = ({ name, short, value, isOnByDefault }: Flag): string =>
  [
    ...(short === undefined ? [] : [`-${short},`]),
    `--${isOnByDefault ? 'no-' : ''}${name}`,
    ...(value ? [value] : []),
  ].join(' ');

/** A form as typed, with its required flags. */
export function usageOf(command: string, { verb, args, flags }: Form, options: string): string {
  const required = flags
    .filter(({ isRequired }) => isRequired)
    .map(({ name, value = '', or }) => `--${name} ${value}${or === undefined ? '' : `|${or}`}`);
  const rest = flags.length > required.length ? [`[${options}]`] : [];
  return ['timbre', command, verb ?? '', args, ...required, ...rest].filter((part) => part !== '').join(' ');
}

/** The name of an argument in a usage line: `FILE|DIR` for each of `FILE|DIR...`. */
export function argumentName({ args }: Form, index: number): string {
  const names = args.replace(/[[\]]|\.{3}/g, '').split(' ');
  return names[index] ?? names.at(-1) ?? '';
}
