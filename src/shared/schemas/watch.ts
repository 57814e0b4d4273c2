import * as v from 'valibot';
import type { Problem } from '../errors.ts';
import type { JobInfo } from './job.ts';
import { connectionId, type ConversionSettings, conversionSettings } from './settings.ts';
import type { Voice } from './voice.ts';

export const sourceDisposals = ['keep', 'done', 'trash'] as const;

/** What becomes of a recording whose result was verified on the disk: it stays, moves into the folder `Done`, or goes to the trash. */
export type SourceDisposal = (typeof sourceDisposals)[number];

/** Endings of recordings that a folder takes, lower case with the dot. */
export const watchedEndings = [
  '.wav',
  '.mp3',
  '.flac',
  '.ogg',
  '.opus',
  '.m4a',
  '.aac',
  '.webm',
  '.aiff',
  '.caf',
] as const;

export type WatchedEnding = (typeof watchedEndings)[number];

/** What a person chose for a folder. */
export interface WatchSettings {
  /** Absolute, as the person chose it. Never changes once the folder is watched. */
  readonly path: string;
  readonly isRecursive: boolean;
  readonly endings: readonly WatchedEnding[];
  readonly connectionId: string;
  readonly conversion: ConversionSettings;
  /** Null puts each result beside its original; else the tree of the folder is kept in there. */
  readonly outputFolder: string | null;
  readonly afterwards: SourceDisposal;
  /** Minutes of sound that may be converted in one day of this computer's calendar; null for no limit. */
  readonly dailyMinutes: number | null;
}

/**
 * How a folder is watched just now. `polling` looks by itself because the system tells nothing of this disk; `offline` has nothing in
 * front of it that is the folder, and remembers everything; `elsewhere` is watched by another Timbre.
 */
export type WatchMode = 'paused' | 'starting' | 'watching' | 'polling' | 'offline' | 'elsewhere';

/** Recordings that were there before the folder was watched, about which the person has not decided yet. */
interface Existing {
  readonly files: number;
  /** Seconds of sound in those that could be measured so far. */
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
  readonly since: number;
  /** What does not work although the folder is watched, or why it is not. */
  readonly problems: readonly Problem[];
  /** The last complete look over the folder; null before the first. */
  readonly checkedAt: number | null;
  /** Seconds between two looks. */
  readonly everySeconds: number;
  /** Null once the person has answered, or where nothing was there. */
  readonly existing: Existing | null;
  /** Files that Timbre keeps a line about. */
  readonly known: number;
  /** Files that are being waited for or converted. */
  readonly incoming: number;
  /** Files that need a person: in quarantine, failed, uncertain. */
  readonly attention: number;
  /** Minutes of sound that were taken up today. */
  readonly minutesToday: number;
}

/** What a file waits for before it becomes a job. */
export type WatchWait =
  /** It changed a moment ago. `neededSeconds` grows with the pauses that its writer makes. */
  | {
      readonly kind: 'quiet';
      readonly sizeBytes: number;
      readonly quietSeconds: number;
      readonly neededSeconds: number;
    }
  /** A program has it open for writing; null where its name is not known. */
  | { readonly kind: 'writer'; readonly sizeBytes: number; readonly program: string | null }
  /** It is quiet, and its bytes are being read for the last check. */
  | { readonly kind: 'reading' }
  /** The day's minutes are used up. */
  | { readonly kind: 'budget'; readonly usedMinutes: number; readonly limitMinutes: number }
  /** It was seen, and its turn has not come. */
  | { readonly kind: 'turn' };

/** What became of a file, and why. */
export type WatchedState =
  | { readonly kind: 'waiting'; readonly wait: WatchWait }
  /** It is a job; how that stands says `job`. */
  | { readonly kind: 'job' }
  /** Its job failed and is begun again at `at`. */
  | { readonly kind: 'retrying'; readonly failures: number; readonly at: number; readonly problem: Problem }
  /** Its job failed so often that only a person can send it again. */
  | { readonly kind: 'quarantined'; readonly failures: number; readonly problem: Problem }
  /** It was converted, and then could not be moved or thrown away. */
  | { readonly kind: 'source-stays'; readonly problem: Problem }
  /** It was here before this folder was watched, and was left alone. */
  | { readonly kind: 'before' }
  /** Its sound was converted under another name (relative to the folder). */
  | { readonly kind: 'same-sound'; readonly as: string }
  /** Its sound was converted with other settings than the folder has now. */
  | { readonly kind: 'other-settings' }
  /** Timbre made it. */
  | { readonly kind: 'own-output' }
  /** It is not whole yet, or cannot be converted; it is looked at again when it changes. */
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** A link: followed, it could lead out of the folder. */
  | { readonly kind: 'link' }
  /** Its bytes are in a cloud, and reading would fetch them. */
  | { readonly kind: 'placeholder' };

/** One file of a folder. */
export interface WatchedFile {
  readonly folderId: string;
  /** Relative to the folder, as this system writes paths. */
  readonly path: string;
  /** Newest first is descending; a change gives a higher one. */
  readonly order: number;
  /** When `state` began, in milliseconds since 1970. */
  readonly at: number;
  readonly sizeBytes: number;
  readonly durationSeconds: number | null;
  readonly state: WatchedState;
  /** Of `job`, `retrying`, `quarantined` and of whatever was converted once. */
  readonly job: JobInfo | null;
  /** Where the source went after the result was verified, relative to the folder; null where it stayed. */
  readonly movedTo: string | null;
}

export interface WatchedFilePage {
  readonly files: readonly WatchedFile[];
  /** Ask with this `before` for the next page; null on the last one. */
  readonly next: number | null;
}

export interface WatchedFileChanges {
  readonly put: readonly WatchedFile[];
  /** Files that are there no more and about which nothing has to be remembered. */
  readonly removed: readonly { readonly folderId: string; readonly path: string }[];
}

/** What would be converted in a folder, before it is switched on. Nothing is sent and nothing is kept for it. */
export interface WatchPreview {
  /** The first 500, by name. */
  readonly files: readonly {
    readonly path: string;
    readonly seconds: number | null;
    readonly problem: Problem | null;
  }[];
  readonly count: number;
  readonly seconds: number;
  /** Recordings whose length cannot be told without decoding them. */
  readonly unmeasured: number;
  /** Recordings that are not whole or not sound. */
  readonly refused: number;
  /** Files that were passed over: their ending is not among the chosen ones, or they are temporary. */
  readonly passedOver: number;
  readonly links: number;
}

/** Why a file is or is not converted. */
export type WatchAnswer =
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

export const watchSettings = v.object({
  path,
  isRecursive: v.boolean(),
  endings: v.pipe(v.array(v.picklist(watchedEndings)), v.minLength(1)),
  connectionId,
  conversion: conversionSettings,
  outputFolder: v.nullable(path),
  afterwards: v.picklist(sourceDisposals),
  dailyMinutes: v.nullable(v.pipe(v.number(), v.finite(), v.minValue(1), v.maxValue(100_000))),
});

const nothing = v.optional(v.undefined());
const id = v.pipe(v.string(), v.uuid());
const folder = v.object({ id });

export const watchInputs = {
  list: nothing,
  preview: v.object({ settings: watchSettings }),
  save: v.object({ id: v.nullable(id), settings: watchSettings }),
  remove: folder,
  setPaused: v.object({ id, isPaused: v.boolean() }),
  answerExisting: v.object({ id, answer: v.picklist(['convert', 'leave']) }),
  files: v.object({
    id,
    before: v.nullable(v.pipe(v.number(), v.integer())),
    only: v.picklist(['all', 'attention']),
  }),
  convert: v.object({ id, paths: v.pipe(v.array(path), v.maxLength(1000)) }),
  explain: nothing,
  reveal: v.object({ id, path: v.nullable(path) }),
};
