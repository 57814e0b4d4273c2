import { speechEngines, speechPlatforms } from '../shared/schemas/speech.ts';
import { changerEngines } from '../shared/schemas/settings.ts';
import type { Messages } from '../shared/messages/index.ts';

/** An option of a command. `--name`, with its value where `value` says what that is, else a switch. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** What stands for the value in a usage line, the same in every language. */
  readonly value?: string;
  readonly about: keyof Messages['cli']['flags'];
  readonly choices?: readonly string[];
  /** Where it is fixed, as it would be typed. */
  readonly default?: string;
  readonly isRequired?: true;
  /** A switch that is on, so that only `--no-name` says anything. */
  readonly isOn?: true;
  /** An empty value is a value. */
  readonly mayBeEmpty?: true;
  readonly completes?: 'file' | 'folder';
}

/** One way to write a command. */
export interface Form {
  /** The word behind the command, where it has several forms. */
  readonly verb?: string;
  /** The words behind that, as a usage line has them. */
  readonly words: string;
  /** How many of those words there are: at least, at most. */
  readonly count: readonly [min: number, max: number];
  readonly flags: readonly Flag[];
  /** Meant where no verb is given. */
  readonly isUsual?: true;
  readonly completes?: 'file' | 'folder' | readonly string[];
}

export interface CommandEntry {
  readonly about: keyof Messages['cli']['help'];
  readonly forms: readonly [Form, ...Form[]];
}

export const voicesLimit = 100;
export const entriesLimit = 50;
const firstPage = 1;

/** Flags that hold for every command, and may stand before it. */
export const flagsEverywhere: readonly Flag[] = [
  { name: 'connection', value: 'NAME|FILE.json', about: 'connection' },
  { name: 'data-dir', value: 'DIR', about: 'dataDir', completes: 'folder' },
  { name: 'json', about: 'json' },
  { name: 'quiet', short: 'q', about: 'quiet' },
  { name: 'help', short: 'h', about: 'help' },
  { name: 'version', short: 'v', about: 'version' },
];

const voice: Flag = { name: 'voice', value: 'ID', about: 'voice', isRequired: true };
const anotherVoice: Flag = { name: 'voice', value: 'ID', about: 'anotherVoice' };
const page: Flag = { name: 'page', value: 'N', about: 'page', default: String(firstPage) };
const yes: Flag = { name: 'yes', about: 'yes' };
const dryRun: Flag = { name: 'dry-run', about: 'dryRun' };
const limit = (most: number): Flag => ({ name: 'limit', value: 'N', about: 'limit', default: String(most) });
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
  { name: 'auto-f0', about: 'autoF0', isOn: true },
  { name: 'engine', value: 'V', about: 'engine', choices: changerEngines, default: 'v7' },
];

const speechFlags: readonly Flag[] = [
  { name: 'language', value: 'L', about: 'speechLanguage' },
  { name: 'pitch', value: 'N', about: 'speechPitch' },
  { name: 'speed', value: 'N', about: 'speechSpeed' },
  { name: 'engine', value: 'V', about: 'engine', choices: speechEngines, default: 'v7' },
  { name: 'platform', value: 'P', about: 'speechPlatform', choices: speechPlatforms, default: 'web' },
];

const asItWas = ({ name, value, about, choices, isOn, mayBeEmpty }: Flag): Flag => ({
  name,
  about,
  ...(value !== undefined && { value }),
  ...(choices && { choices }),
  ...(isOn && { isOn }),
  ...(mayBeEmpty && { mayBeEmpty }),
});
const againFlags: readonly Flag[] = [
  anotherVoice,
  outFolder('outAgain'),
  ...conversionFlags.map(asItWas).filter(({ name }) => name !== 'engine'),
  { name: 'language', value: 'L', about: 'speechLanguage' },
  { name: 'engine', value: 'V', about: 'engine', choices: [...new Set([...changerEngines, ...speechEngines])] },
  { name: 'platform', value: 'P', about: 'speechPlatform', choices: speechPlatforms },
];

export const shells = ['bash', 'zsh', 'fish'] as const;

/** Every command with its forms and flags: what is parsed, told in help, suggested and completed, and stands in the man page. */
const commandTable = {
  convert: {
    about: 'convert',
    forms: [
      {
        words: 'FILE|DIR...',
        count: [1, Infinity],
        completes: 'file',
        flags: [
          voice,
          outFolder('outConvert'),
          ...conversionFlags,
          { name: 'audio-name', value: 'NAME', about: 'audioName' },
          { name: 'platform', value: 'P', about: 'platform' },
          dryRun,
        ],
      },
    ],
  },
  watch: {
    about: 'watch',
    forms: [
      {
        words: 'DIR',
        count: [1, 1],
        completes: 'folder',
        flags: [
          voice,
          outFolder('outConvert'),
          ...conversionFlags,
          { name: 'once', about: 'once' },
          dryRun,
          { name: 'only-new', about: 'onlyNew' },
          { name: 'subfolders', about: 'subfolders', isOn: true },
          { name: 'move-done', about: 'moveDone' },
          { name: 'minutes-a-day', value: 'N', about: 'minutesADay' },
        ],
      },
    ],
  },
  speak: {
    about: 'speak',
    forms: [
      {
        words: '[TEXT|-]',
        count: [0, 1],
        flags: [
          voice,
          { name: 'file', value: 'FILE', about: 'textFile', completes: 'file' },
          { name: 'out', short: 'o', value: 'FILE', about: 'outSpeak', completes: 'file' },
          ...speechFlags,
        ],
      },
    ],
  },
  history: {
    about: 'history',
    forms: [
      { verb: 'list', words: '', count: [0, 0], flags: [limit(entriesLimit)], isUsual: true },
      { verb: 'search', words: 'QUERY...', count: [1, Infinity], flags: [limit(entriesLimit)] },
      { verb: 'show', words: 'ID', count: [1, 1], flags: [] },
      { verb: 'again', words: 'ID', count: [1, 1], flags: againFlags },
      {
        verb: 'export',
        words: 'FILE.jsonl|FILE.zip',
        count: [1, 1],
        flags: [{ name: 'search', value: 'QUERY', about: 'search' }],
        completes: 'file',
      },
      { verb: 'import', words: 'FILE', count: [1, 1], flags: [outFolder('outImport')], completes: 'file' },
    ],
  },
  voices: {
    about: 'voices',
    forms: [
      {
        verb: 'list',
        words: '',
        count: [0, 0],
        isUsual: true,
        flags: [
          { name: 'language', value: 'L', about: 'language' },
          { name: 'gender', value: 'G', about: 'gender', choices: ['all', 'male', 'female'] },
          { name: 'category', value: 'C', about: 'category' },
          page,
          limit(voicesLimit),
        ],
      },
      { verb: 'show', words: 'ID', count: [1, 1], flags: [] },
    ],
  },
  models: {
    about: 'models',
    forms: [
      { verb: 'list', words: '', count: [0, 0], flags: [page, limit(voicesLimit)], isUsual: true },
      { verb: 'delete', words: 'NAME', count: [1, 1], flags: [yes] },
    ],
  },
  token: {
    about: 'token',
    forms: [
      { verb: 'set', words: '', count: [0, 0], flags: [{ name: 'store-in-file', about: 'storeInFile' }] },
      { verb: 'clear', words: '', count: [0, 0], flags: [] },
      { verb: 'test', words: '', count: [0, 0], flags: [] },
    ],
  },
  connections: {
    about: 'connections',
    forms: [
      { verb: 'list', words: '', count: [0, 0], flags: [], isUsual: true },
      { verb: 'show', words: 'NAME', count: [1, 1], flags: [] },
      { verb: 'import', words: 'FILE', count: [1, 1], flags: [], completes: 'file' },
      { verb: 'export', words: 'NAME [FILE]', count: [1, 2], flags: [] },
      { verb: 'remove', words: 'NAME', count: [1, 1], flags: [yes] },
    ],
  },
  plant: {
    about: 'plant',
    forms: [
      {
        verb: 'create',
        words: '',
        count: [0, 0],
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
    forms: [{ words: '', count: [0, 0], flags: [{ name: 'port', value: 'N', about: 'port', default: '0' }] }],
  },
  doctor: { about: 'doctor', forms: [{ words: '', count: [0, 0], flags: [] }] },
  completion: {
    about: 'completion',
    forms: [{ words: shells.join('|'), count: [1, 1], flags: [], completes: shells }],
  },
  man: { about: 'man', forms: [{ words: '', count: [0, 0], flags: [] }] },
  help: { about: 'helpOf', forms: [{ words: '[COMMAND]', count: [0, 2], flags: [] }] },
  version: { about: 'versionOf', forms: [{ words: '', count: [0, 0], flags: [] }] },
} as const satisfies Readonly<Record<string, CommandEntry>>;

export type CommandName = keyof typeof commandTable;

export const commandNames = Object.keys(commandTable) as readonly CommandName[];
export const entryOf = (name: CommandName): CommandEntry => commandTable[name];
export const isCommandName = (name: string): name is CommandName => Object.hasOwn(commandTable, name);

/** Each flag of a command once, in the order of its forms. */
export const flagsOf = ({ forms }: CommandEntry): readonly Flag[] => [
  ...new Map(forms.flatMap(({ flags }) => flags).map((flag) => [flag.name, flag])).values(),
];

/** A flag as it is typed: `-o, --out DIR`, or `--no-subfolders` for a switch that is on. */
export const typedFlag = ({ name, short, value, isOn }: Flag): string =>
  [...(short === undefined ? [] : [`-${short},`]), `--${isOn ? 'no-' : ''}${name}`, ...(value ? [value] : [])].join(
    ' ',
  );

/** A form as it is typed, with the flags that it can't do without. */
export function usageOf(command: string, { verb, words, flags }: Form, options: string): string {
  const required = flags.filter(({ isRequired }) => isRequired).map((flag) => `--${flag.name} ${flag.value ?? ''}`);
  const rest = flags.length > required.length ? [`[${options}]`] : [];
  return ['timbre', command, verb ?? '', words, ...required, ...rest].filter((part) => part !== '').join(' ');
}
