import * as v from 'valibot';
import { spokenLanguages } from '../messages/languages.ts';
import { type ChangerEngine, changerEngines } from '../operations.ts';
import { defaultNameTemplate, maxTemplateLength, templateFaults } from '../text/name-template.ts';
import type { ConnectionInfo, Range } from './connection.ts';
import { connectionId, ratio, voiceId, wellFormed } from './fields.ts';
import { type HookSettings, hookSettings } from './hook.ts';
import { type Speaker, type SpeechSettings, speechSettings } from './speech.ts';
import { maxPreviewLength } from './voice.ts';

export const themes = ['system', 'light', 'dark'] as const;
export const contrasts = ['system', 'more'] as const;
const languages = ['system', ...spokenLanguages] as const;
export const closeActions = ['ask', 'background', 'quit'] as const;
/** Formats that every connection offers; a voice may list others. */
export const outputFormats = ['same', '.wav', '.mp3', '.flac', '.ogg'] as const;
/** Values that the local engine supports; empty keeps the formants. */
export const localPitchControls = ['', 'shift-formants'] as const;

/** What voices are heard with: a sentence in their language, the user's own text or recording. */
const previewChoices = ['sentence', 'text', 'recording'] as const;

export type PreviewChoice = (typeof previewChoices)[number];
export type Theme = (typeof themes)[number];
export type Contrast = (typeof contrasts)[number];
export type Language = (typeof languages)[number];
/**
 * What closing the window does while a folder is watched or jobs are open: `ask` until the user has
 * answered once, `background` keeps Timbre running, `quit` ends it. Otherwise closing always quits.
 */
export type CloseAction = (typeof closeActions)[number];
/** `same` is the source's format if the service writes it, else wav. All others begin with a dot. */
export type OutputFormat = 'same' | `.${string}`;

/** Extensions that a system executes. */
const programs = new Set(
  (
    'app apk appimage bash bat cmd com command cpl csh deb desktop dll dmg docm exe fish hta htm html inf iso jar js jse jsp ' +
    'ksh lnk msc msi mjs php pif pkg pl ps1 py pyw rb reg rpm run scpt scr sh so svg swf sys url vb vbe vbs webloc workflow ' +
    'ws wsf wsh xhtml xlsm xml zsh'
  ).split(' '),
);

/** True if a service's name for a format can be requested and used as the extension of a result. */
export function isFormatName(name: string): boolean {
  return /^[a-z0-9]{1,16}$/i.test(name) && !programs.has(name.toLowerCase());
}
export const isOutputFormat = (format: string): format is OutputFormat =>
  format === 'same' || (format.startsWith('.') && isFormatName(format.slice(1)));

/** Returns the formats to offer: ours, those that the voice lists, and the one selected before. */
export function offeredFormats(supported: readonly string[], chosen: OutputFormat): readonly OutputFormat[] {
  const further = supported.filter(isFormatName).map((name): OutputFormat => `.${name}`);
  return [...new Set<OutputFormat>([...outputFormats, ...further, chosen])];
}
export type LocalPitchControl = (typeof localPitchControls)[number];

/**
 * The settings of a conversion, in the interface's fields. `pitch` and `speed` are in the
 * connection's range.
 */
export interface ConversionSettings {
  readonly voiceId: string;
  readonly pitch: number;
  readonly speed: number;
  /** Free text for the service; empty means its default. */
  readonly pitchControl: string;
  readonly autoF0: boolean;
  readonly engine: ChangerEngine;
  readonly format: OutputFormat;
  /**
   * `platform` and `audioName` of the interface. Omitted or empty means the connection's default,
   * and for a name the file's.
   */
  readonly platformInfo?: string;
  readonly audioName?: string;
}

/** Zoom levels of the page. */
export const zoomPercents = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const;
type ZoomPercent = (typeof zoomPercents)[number];

/** The user's settings, kept between starts. */
export interface Settings {
  readonly theme: Theme;
  readonly contrast: Contrast;
  readonly language: Language;
  readonly connectionId: string;
  /** `voiceId` is empty until a voice is selected. */
  readonly conversion: ConversionSettings;
  /** `voiceId` is empty until a voice is selected; an empty `language` is the voice's own. */
  readonly speech: SpeechSettings;
  /** Ids of the presets that were chosen last, by kind; empty if none. */
  readonly presets: { readonly conversion: string; readonly speech: string };
  /** Output folder; null places each result beside its source. */
  readonly outputFolder: string | null;
  /** Template for names of results, valid by `name-template.ts`. */
  readonly nameTemplate: string;
  /** Proxy for remote services: empty uses the environment's, `direct` uses none, else its address. */
  readonly proxy: string;
  /** Number of jobs that the local engine runs at once: 1 to 8. */
  readonly localConcurrency: number;
  readonly zoomPercent: ZoomPercent;
  /**
   * True if single letters are shortcuts. Off helps users of speech input and those who press keys
   * by accident.
   */
  readonly hasLetterKeys: boolean;
  readonly keys: KeyChanges;
  readonly closeAction: CloseAction;
  /** True if no call leaves this computer: only its own engine works, and jobs of services wait. */
  readonly isOfflineMode: boolean;
  readonly previewContent: PreviewChoice;
  /** The user's own text for previews; while it is empty, voices say a sentence in their language. */
  readonly previewText: string;
  /** True if no job goes on while the computer runs on battery power. */
  readonly isPausedOnBattery: boolean;
  readonly copies: CopySettings;
  readonly hook: HookSettings;
  readonly updates: UpdateSettings;
  /** Absolute path of ffmpeg, which only the user's choice in a system dialog sets; null for the one on the PATH. */
  readonly ffmpegPath: string | null;
}

export const updateChannels = ['stable', 'beta'] as const;

export type UpdateChannel = (typeof updateChannels)[number];

/** Whether Timbre looks for newer versions once a day, and which ones it offers. */
export interface UpdateSettings {
  readonly isOn: boolean;
  readonly channel: UpdateChannel;
}

/** Limits of the space for copies, in gigabytes of 1,000,000,000 bytes. */
export const copyGigabytes = { min: 1, max: 10_000 } as const;

/** Whether Timbre keeps a copy of each result. */
export interface CopySettings {
  readonly isOn: boolean;
  /** A whole number; the oldest copies are removed first. */
  readonly maxGigabytes: number;
  /** Results from before, in milliseconds since 1970, are not copied. */
  readonly since: number;
}

/** Keys that the user has changed, by shortcut, in the form of the page's table; null is switched off. */
export type KeyChanges = Readonly<Record<string, string | null>>;

/** True for an http or https address without path, query or fragment. It may contain a user and password. */
export function isProxyAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, pathname, search, hash } = new URL(address);
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '';
}

export const conversionSettings = v.object({
  voiceId,
  pitch: ratio,
  speed: ratio,
  pitchControl: v.pipe(v.string(), v.maxLength(256)),
  autoF0: v.boolean(),
  engine: v.picklist(changerEngines),
  format: v.custom<OutputFormat>((format) => typeof format === 'string' && isOutputFormat(format)),
  platformInfo: v.exactOptional(v.pipe(v.string(), v.maxLength(256))),
  audioName: v.exactOptional(v.pipe(v.string(), v.maxLength(256))),
});

/** Null places each result beside its source. */
export const outputFolder = v.nullable(v.pipe(v.string(), v.minLength(1)));

const proxy = v.pipe(
  v.string(),
  v.maxLength(2048),
  v.check(
    (text) => text === '' || text === 'direct' || isProxyAddress(text),
    'must be empty, "direct" or the address of a proxy, such as http://proxy.example:8080',
  ),
);

const nameTemplate = v.pipe(
  v.string(),
  v.maxLength(maxTemplateLength),
  v.check((template) => templateFaults(template).length === 0, 'must be a template without faults'),
);

const presetId = v.pipe(v.string(), v.maxLength(64));

const copies = v.object({
  isOn: v.boolean(),
  maxGigabytes: v.pipe(v.number(), v.integer(), v.minValue(copyGigabytes.min), v.maxValue(copyGigabytes.max)),
  since: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
/** What the user sets; main keeps the rest. */
export const copyChange = v.omit(copies, ['since']);

const entries = {
  theme: v.picklist(themes),
  contrast: v.picklist(contrasts),
  language: v.picklist(languages),
  connectionId,
  conversion: conversionSettings,
  speech: speechSettings,
  presets: v.object({ conversion: presetId, speech: presetId }),
  outputFolder,
  nameTemplate,
  proxy,
  localConcurrency: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8)),
  zoomPercent: v.picklist(zoomPercents),
  hasLetterKeys: v.boolean(),
  keys: v.record(v.pipe(v.string(), v.maxLength(40)), v.nullable(v.pipe(v.string(), v.maxLength(20)))),
  closeAction: v.picklist(closeActions),
  isOfflineMode: v.boolean(),
  previewContent: v.picklist(previewChoices),
  previewText: v.pipe(v.string(), v.maxLength(maxPreviewLength), wellFormed),
  isPausedOnBattery: v.boolean(),
  copies,
  hook: hookSettings,
  updates: v.object({ isOn: v.boolean(), channel: v.picklist(updateChannels) }),
  ffmpegPath: v.nullable(v.pipe(v.string(), v.minLength(1))),
};

const settingsSchema = v.object(entries);
/** A change of settings: only the present fields change. Those of copies, of the hook and of ffmpeg have requests of their own. */
export const settingsPatch = v.object({
  theme: v.exactOptional(entries.theme),
  contrast: v.exactOptional(entries.contrast),
  language: v.exactOptional(entries.language),
  connectionId: v.exactOptional(entries.connectionId),
  conversion: v.exactOptional(entries.conversion),
  speech: v.exactOptional(entries.speech),
  presets: v.exactOptional(entries.presets),
  outputFolder: v.exactOptional(entries.outputFolder),
  nameTemplate: v.exactOptional(entries.nameTemplate),
  proxy: v.exactOptional(entries.proxy),
  localConcurrency: v.exactOptional(entries.localConcurrency),
  zoomPercent: v.exactOptional(entries.zoomPercent),
  hasLetterKeys: v.exactOptional(entries.hasLetterKeys),
  keys: v.exactOptional(entries.keys),
  closeAction: v.exactOptional(entries.closeAction),
  isOfflineMode: v.exactOptional(entries.isOfflineMode),
  previewContent: v.exactOptional(entries.previewContent),
  previewText: v.exactOptional(entries.previewText),
  isPausedOnBattery: v.exactOptional(entries.isPausedOnBattery),
  updates: v.exactOptional(entries.updates),
});

export const defaultSettings: Settings = {
  theme: 'system',
  contrast: 'system',
  language: 'system',
  connectionId: 'local',
  conversion: { voiceId: '', pitch: 1, speed: 1, pitchControl: '', autoF0: true, engine: 'v7', format: 'same' },
  speech: { voiceId: '', language: '', speed: 1, pitch: 1, engine: 'v7', platform: 'web' },
  presets: { conversion: '', speech: '' },
  outputFolder: null,
  nameTemplate: defaultNameTemplate,
  proxy: '',
  localConcurrency: 2,
  zoomPercent: 100,
  hasLetterKeys: true,
  keys: {},
  closeAction: 'ask',
  isOfflineMode: false,
  previewContent: 'text',
  previewText: '',
  isPausedOnBattery: false,
  copies: { isOn: false, maxGigabytes: 5, since: 0 },
  hook: { isOn: false, program: null, args: ['{result}'], timeoutSeconds: 60 },
  updates: { isOn: true, channel: 'stable' },
  ffmpegPath: null,
};

/** Merges the valid leaves of `stored` over `defaults`. An invalid leaf does not affect the others. */
function readLeaves(leaves: v.ObjectEntries, stored: unknown, defaults: object): object {
  const source = v.is(v.record(v.string(), v.unknown()), stored) ? stored : {};
  const read: Record<string, unknown> = { ...defaults };
  for (const [key, schema] of Object.entries(leaves)) {
    const value = source[key];
    if ('entries' in schema) read[key] = readLeaves(schema.entries as v.ObjectEntries, value, read[key] as object);
    else if (value !== undefined && v.is(schema, value)) read[key] = value;
  }
  return read;
}

/** True for what a file of settings contains, whatever its values are. */
export const isStoredSettings = (stored: unknown): boolean =>
  typeof stored === 'object' && stored !== null && !Array.isArray(stored);

const network = v.object({ isOfflineMode: v.optional(entries.isOfflineMode), proxy: v.optional(entries.proxy) });

/**
 * Reads stored settings. Invalid and missing values become the default, but an invalid one that decides what leaves
 * this computer, and how, turns the offline mode on: the default would send what the user may have forbidden.
 */
export function readSettings(stored: unknown): Settings {
  const settings = v.parse(settingsSchema, readLeaves(entries, stored, defaultSettings));
  return isStoredSettings(stored) && v.is(network, stored) ? settings : { ...settings, isOfflineMode: true };
}

interface Sound {
  readonly pitch: number;
  readonly speed: number;
  /** Only for conversions. */
  readonly pitchControl?: string;
  readonly format?: OutputFormat;
  /** Only for speech. */
  readonly speakers?: readonly Speaker[];
}

const into = (value: number, { min, max }: Range): number => Math.min(max, Math.max(min, value));
const isLocalControl = (value: string): value is LocalPitchControl =>
  (localPitchControls as readonly string[]).includes(value);

/**
 * Fits settings to a connection. Values from another connection may be outside its ranges, and are
 * clamped, or a value or format that the local engine rejects.
 */
export function fitSettings<Settings extends Sound>(
  settings: Settings,
  { kind, pitch, speed }: Pick<ConnectionInfo, 'kind' | 'pitch' | 'speed'>,
): Settings {
  const fitted = { ...settings, pitch: into(settings.pitch, pitch), speed: into(settings.speed, speed) };
  const { pitchControl, speakers } = settings;
  const isForeign = kind === 'local' && pitchControl !== undefined && !isLocalControl(pitchControl);
  const { format } = settings;
  const isUnwritten =
    kind === 'local' && format !== undefined && !(outputFormats as readonly string[]).includes(format);
  return {
    ...fitted,
    ...(isForeign && { pitchControl: '' }),
    ...(isUnwritten && { format: 'same' }),
    ...(speakers && {
      speakers: speakers.map((speaker) => ({
        ...speaker,
        ...(speaker.pitch !== undefined && { pitch: into(speaker.pitch, pitch) }),
        ...(speaker.speed !== undefined && { speed: into(speaker.speed, speed) }),
      })),
    }),
  };
}
