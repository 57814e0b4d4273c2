import * as v from 'valibot';
import type { Problem } from '../errors.ts';
import type { Hours } from '../text/hours.ts';
import type { ConnectionInfo } from './connection.ts';
import { connectionId, nothing, uuid as id } from './fields.ts';
import type { JobInfo } from './job.ts';
import { type PresetReference, presetReference } from './preset.ts';
import { type ConversionSettings, conversionSettings } from './settings.ts';
import { type SpeechSettings, speechSettings } from './speech.ts';
import type { Voice } from './voice.ts';

export const sourceDisposals = ['keep', 'done', 'trash'] as const;

/**
 * What happens to a source once its result is verified on disk: it stays, moves into the folder
 * `Done`, or goes to the trash.
 */
export type SourceDisposal = (typeof sourceDisposals)[number];

/** Extensions of recordings that a folder accepts, in lower case with the dot. */
export const watchedExtensions = [
  '.wav',
  '.mp3',
  '.flac',
  '.ogg',
  '.oga',
  '.opus',
  '.m4a',
  '.aac',
  '.webm',
  '.aiff',
  '.aif',
  '.caf',
  '.amr',
  '.3gp',
  '.wma',
  '.mka',
  '.spx',
  '.mp4',
  '.mov',
  '.mkv',
] as const;

export type WatchedExtension = (typeof watchedExtensions)[number];

const films: ReadonlySet<WatchedExtension> = new Set(['.mp4', '.mov', '.mkv']);
/** What a new folder accepts: films only if the user says so. */
export const defaultWatchedExtensions: readonly WatchedExtension[] = watchedExtensions.filter(
  (extension) => !films.has(extension),
);

/** Extensions of texts that a folder speaks if it is told to, in lower case with the dot. */
export const textExtensions = ['.txt', '.md', '.srt', '.vtt', '.csv'] as const;

/** True for the name or path of a text; anything else in a watched folder is a recording. */
export const isTextPath = (path: string): boolean => {
  const lower = path.toLowerCase();
  return textExtensions.some((extension) => lower.endsWith(extension));
};

/** True for subtitles, each of which is spoken at its time. */
export const isSubtitlesPath = (path: string): boolean => /\.(?:srt|vtt)$/i.test(path);

/** True for a table whose rows are spoken. */
export const isTablePath = (path: string): boolean => /\.(?:csv|tsv)$/i.test(path);

/** True for a text with marks that are not spoken. */
export const isMarkdownPath = (path: string): boolean => path.toLowerCase().endsWith('.md');

/** How a folder's texts are spoken. The voice is the folder's, or that of the subfolder. */
export type FolderSpeech = Omit<SpeechSettings, 'voiceId'>;

/** As the voice speaks by itself; pitch and speed are relative to it, not to a recording. */
export const defaultFolderSpeech = ({ pitch, speed }: Pick<ConnectionInfo, 'pitch' | 'speed'>): FolderSpeech => ({
  language: '',
  speed: speed.default,
  pitch: pitch.default,
  engine: 'v7',
  platform: 'web',
});

/** The user's settings for a folder. */
export interface WatchSettings {
  /** Absolute path as selected by the user. Does not change once the folder is watched. */
  readonly path: string;
  readonly isRecursive: boolean;
  readonly endings: readonly WatchedExtension[];
  readonly connectionId: string;
  readonly conversion: ConversionSettings;
  /** The preset that connection and conversion come from. The folder follows its changes only when told to. */
  readonly preset?: PresetReference;
  /** Null places each result beside its source. Otherwise subfolders are kept. */
  readonly outputFolder: string | null;
  readonly afterwards: SourceDisposal;
  /** Minutes of audio that may be converted per calendar day; null for no limit. */
  readonly dailyMinutes: number | null;
  /** Time of the day in which recordings are converted; null for any. */
  readonly hours: Hours | null;
  /** True if a recording in a subfolder is converted with the voice that the subfolder is named after. */
  readonly hasSubfolderVoices: boolean;
  /** Null if text files are not spoken. */
  readonly speech: FolderSpeech | null;
  /** False if the hook does not run for this folder's results. */
  readonly runsHook: boolean;
}

/**
 * How a folder is watched. `polling`: its disk reports no changes, so it is checked regularly.
 * `offline`: the folder is not reachable; its records are kept. `elsewhere`: another Timbre watches
 * it.
 */
export type WatchMode = 'paused' | 'starting' | 'watching' | 'polling' | 'offline' | 'elsewhere';

/** Files from before the folder was watched, about which the user has not decided. */
export interface Baseline {
  readonly files: number;
  /** How many of them are texts. */
  readonly texts: number;
  /** Seconds of audio in those measured so far, with the estimated length of texts. */
  readonly seconds: number;
  readonly isMeasured: boolean;
}

export interface WatchFolderInfo {
  readonly id: string;
  /** Last part of the path. */
  readonly name: string;
  readonly settings: WatchSettings;
  readonly voice: Voice;
  readonly connectionName: string;
  readonly mode: WatchMode;
  /** When `mode` began, in milliseconds since 1970. */
  readonly modeChangedAt: number;
  /** Problems of a watched folder, or why it is not watched. */
  readonly problems: readonly Problem[];
  /** Time of the last full scan; null before the first. */
  readonly checkedAt: number | null;
  /** Seconds between scans. */
  readonly scanIntervalSeconds: number;
  /** Null once the user has decided, or if there were none. */
  readonly baseline: Baseline | null;
  /** Number of files that Timbre has a record of. */
  readonly recorded: number;
  /** Number of files that are awaited or being converted. */
  readonly incoming: number;
  /** Number of files that need the user: quarantined, failed, uncertain. */
  readonly attention: number;
  /** Minutes of audio that were accepted today. */
  readonly minutesToday: number;
}

/** What a file waits for before it becomes a job. */
export type WatchWait =
  /** It changed recently. `neededSeconds` grows with the pauses of its writer. */
  | {
      readonly kind: 'quiet';
      readonly sizeBytes: number;
      readonly quietSeconds: number;
      readonly neededSeconds: number;
    }
  /** A program has it open for writing; null if its name is unknown. */
  | { readonly kind: 'writer'; readonly sizeBytes: number; readonly program: string | null }
  /** It no longer changes, and its bytes are being read for the final check. */
  | { readonly kind: 'reading' }
  /** The daily limit is reached. */
  | { readonly kind: 'budget'; readonly usedMinutes: number; readonly limitMinutes: number }
  /** It is outside the folder's hours. */
  | { readonly kind: 'hours'; readonly hours: Hours }
  /** It was discovered but not checked yet. */
  | { readonly kind: 'turn' };

/** The state of a file and its reason. */
export type WatchedFileState =
  | { readonly kind: 'waiting'; readonly wait: WatchWait }
  /** It is a job, whose state is in `job`. */
  | { readonly kind: 'job' }
  /** Its job failed and is retried at `at`. */
  | { readonly kind: 'retrying'; readonly failures: number; readonly at: number; readonly problem: Problem }
  /** Its job failed so often that only the user can retry it. */
  | { readonly kind: 'quarantined'; readonly failures: number; readonly problem: Problem }
  /** It was converted, but could not be moved or deleted. */
  | { readonly kind: 'source-stays'; readonly problem: Problem }
  /** It was in the folder before that was watched, and was skipped. */
  | { readonly kind: 'baseline' }
  /** Its audio was converted under another name (relative to the folder). */
  | { readonly kind: 'same-sound'; readonly as: string }
  /** Its audio was converted with other settings than the folder's current ones. */
  | { readonly kind: 'other-settings' }
  /** Timbre created it. */
  | { readonly kind: 'own-output' }
  /** It is incomplete or cannot be converted; it is checked again when it changes. */
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** A link, which could lead out of the folder. */
  | { readonly kind: 'link' }
  /** Its content is in a cloud, and reading would download it. */
  | { readonly kind: 'placeholder' };

/** One file of a folder. */
export interface WatchedFile {
  readonly folderId: string;
  /** Relative to the folder, in this system's notation. */
  readonly path: string;
  /** Sort key: newest first is descending; a change increases it. */
  readonly sortKey: number;
  /** When `state` began, in milliseconds since 1970. */
  readonly stateChangedAt: number;
  readonly sizeBytes: number;
  readonly durationSeconds: number | null;
  readonly state: WatchedFileState;
  /** Set for `job`, `retrying`, `quarantined`, and once a file was converted. */
  readonly job: JobInfo | null;
  /**
   * Where the source was moved after its result was verified, relative to the folder; null if it was
   * not moved.
   */
  readonly movedTo: string | null;
}

export interface WatchedFilePage {
  readonly files: readonly WatchedFile[];
  /** The `before` of the next page; null on the last one. */
  readonly next: number | null;
}

export interface WatchedFileChanges {
  readonly upserted: readonly WatchedFile[];
  /** Deleted files whose records are no longer needed. */
  readonly removed: readonly { readonly folderId: string; readonly path: string }[];
}

/** What would be converted in a folder before it is watched. Sends and stores nothing. */
export interface WatchPreview {
  /** The first 500, by name. The length of a text is an estimate. */
  readonly files: readonly {
    readonly path: string;
    readonly seconds: number | null;
    readonly problem: Problem | null;
  }[];
  /** Number of recordings. */
  readonly count: number;
  readonly texts: number;
  /** Length of the recordings and, as an estimate, of the texts once they are spoken. */
  readonly seconds: number;
  /** Number of recordings whose duration only decoding can tell. */
  readonly unmeasured: number;
  /** Number of recordings that are incomplete or not audio, and of texts that cannot be spoken. */
  readonly refused: number;
  /** Number of ignored files: their extension is not selected, or they are temporary. */
  readonly ignored: number;
  readonly links: number;
}

/** Why a file is or is not converted; `folder` is the path of the watched one. */
export type WatchExplanation =
  | { readonly kind: 'file'; readonly folder: string; readonly file: WatchedFile }
  | { readonly kind: 'outside' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'paused' | 'offline'; readonly folder: string }
  | { readonly kind: 'subfolder'; readonly folder: string }
  | { readonly kind: 'excluded'; readonly folder: string }
  | { readonly kind: 'hidden'; readonly folder: string }
  | { readonly kind: 'temporary'; readonly folder: string; readonly pattern: string }
  | { readonly kind: 'ending'; readonly folder: string; readonly ending: string }
  | { readonly kind: 'link'; readonly folder: string }
  | { readonly kind: 'unseen'; readonly folder: string };

const path = v.pipe(v.string(), v.minLength(1), v.maxLength(32_768));

const minuteOfDay = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(24 * 60 - 1));
const hours = v.pipe(
  v.object({ from: minuteOfDay, to: minuteOfDay }),
  v.check(({ from, to }) => from !== to, 'must be two different times'),
);

/** Bounds of `dailyMinutes`. */
export const minDailyMinutes = 1;
export const maxDailyMinutes = 100_000;

export const watchSettings = v.object({
  path,
  isRecursive: v.boolean(),
  endings: v.pipe(v.array(v.picklist(watchedExtensions)), v.minLength(1)),
  connectionId,
  conversion: conversionSettings,
  preset: v.exactOptional(presetReference),
  outputFolder: v.nullable(path),
  afterwards: v.picklist(sourceDisposals),
  dailyMinutes: v.nullable(v.pipe(v.number(), v.finite(), v.minValue(minDailyMinutes), v.maxValue(maxDailyMinutes))),
  // Folders that were stored before these settings existed have the default.
  hours: v.optional(v.nullable(hours), null),
  hasSubfolderVoices: v.optional(v.boolean(), false),
  speech: v.optional(v.nullable(v.omit(speechSettings, ['voiceId'])), null),
  runsHook: v.optional(v.boolean(), true),
});

const folder = v.object({ id });

export const watchInputs = {
  list: nothing,
  findFolders: v.object({ paths: v.pipe(v.array(path), v.maxLength(1000)) }),
  preview: v.object({ settings: watchSettings }),
  save: v.object({ id: v.nullable(id), settings: watchSettings }),
  remove: folder,
  setPaused: v.object({ id, isPaused: v.boolean() }),
  answerBaseline: v.object({ id, answer: v.picklist(['convert', 'leave']) }),
  answerPreset: v.object({ id, answer: v.picklist(['use', 'keep']) }),
  listFiles: v.object({
    id,
    before: v.nullable(v.pipe(v.number(), v.integer())),
    only: v.picklist(['all', 'attention']),
  }),
  convert: v.object({ id, paths: v.pipe(v.array(path), v.maxLength(1000)) }),
  explain: nothing,
  reveal: v.object({ id, path: v.nullable(path) }),
};
