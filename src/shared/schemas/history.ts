import * as v from 'valibot';
import type { Problem } from '../errors.ts';
import { connectionId, nothing, uuid as id } from './fields.ts';
import { type ConversionSettings, conversionSettings, outputFolder } from './settings.ts';
import { type SpeechJobSettings, type SpeechSettings, type VoiceSettings, speechSettings } from './speech.ts';
import { speechEngines } from '../operations.ts';
import { statisticsExport, statisticsQuery } from './statistics.ts';
import type { Voice } from './voice.ts';

export const historyStates = ['done', 'failed', 'cancelled', 'uncertain'] as const;
export type HistoryState = (typeof historyStates)[number];

/** A row of history: a job that has ended. Times are milliseconds since 1970. */
export interface HistoryRow {
  /** Id of its job, for `jobs.getWaveform` and `jobs.reveal`. */
  readonly id: string;
  readonly kind: 'conversion' | 'speech';
  readonly state: HistoryState;
  readonly endedAt: number;
  /** File name of the source, or the first words of a text without a file. */
  readonly name: string;
  /** The voice with its name at that time. */
  readonly voice: Voice;
  /** Length of the recording, or of what was spoken. */
  readonly durationSeconds: number | null;
  /**
   * As in `JobInfo`; null if there is none. `history.getFileStatus` tells whether a file still exists.
   */
  readonly sourceMedia: string | null;
  readonly resultMedia: string | null;
  /** True if it came from a watched folder. */
  readonly isWatched: boolean;
  readonly isFavourite: boolean;
  readonly tags: readonly string[];
  readonly problem: Problem | null;
}

/** A result that takes much space. */
export interface LargeResult {
  /** Id of its job. */
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly sizeBytes: number;
}

/** The largest results on one disk, largest first. */
export interface DiskResults {
  /** Where the disk is mounted. */
  readonly disk: string;
  readonly freeBytes: number;
  readonly results: readonly LargeResult[];
}

/** Maximum length of a search; the rest is ignored. */
export const longestQuery = 4000;

/**
 * An error in a search: `voice:` without a name, `after:tomorrow-ish`, `!!!` alone. Positions count
 * UTF-16 units.
 */
export interface QueryError {
  readonly from: number;
  readonly to: number;
  readonly kind: 'empty' | 'unknown-filter' | 'bad-date' | 'bad-value' | 'open-quote' | 'no-word' | 'too-long';
  readonly word: string;
}

/** The newest matches, returned at once. `history.listed` follows when all are counted. */
export interface HistoryPage {
  /** Id of this list. A later search ends it. */
  readonly list: number;
  readonly rows: readonly HistoryRow[];
  /** True if these rows are all matches. */
  readonly isWhole: boolean;
  readonly errors: readonly QueryError[];
  /** Words to highlight in names, folded as in the search. */
  readonly terms: readonly string[];
}

/**
 * A day of consecutive rows: index of the first, start of the day in local time, and seconds of
 * audio in it. The seconds are not rounded: a list that grew is recognized by their sum.
 */
export type HistoryDay = readonly [from: number, startsAt: number, seconds: number];
/**
 * A month, even without matches: its start in local time, all its entries, the matches, and the
 * index of the first match.
 */
export type HistoryMonth = readonly [startsAt: number, entries: number, matches: number, from: number];

/** A counted list, newest first. Indexes are those of `history.rows`. */
export interface HistoryList {
  readonly list: number;
  readonly matches: number;
  /** Number of entries in all of history. */
  readonly entries: number;
  readonly days: readonly HistoryDay[];
  readonly months: readonly HistoryMonth[];
}

/** Maximum number of ids or ranges in one message; more than any user selects one by one. */
export const maxSelectionParts = 20_000;

/** A selection of entries: ids, or ranges (`to` is exclusive) of a counted list. */
export type SelectionRef =
  | { readonly ids: readonly string[] }
  | { readonly list: number; readonly ranges: readonly (readonly [from: number, to: number])[] };

/**
 * Settings to change when entries are converted again; absent fields stay as they are. Values that
 * do not apply to an entry, such as the engine `v1` to a conversion, are ignored.
 */
export interface RepeatChanges
  extends
    Partial<Omit<ConversionSettings, 'engine' | 'platformInfo' | 'audioName'>>,
    Partial<Omit<VoiceSettings, 'engine'>> {
  /** The entry's other settings are fitted to this connection. */
  readonly connectionId?: string;
  readonly engine?: ConversionSettings['engine'] | SpeechSettings['engine'];
  /** Null places the result beside its source; only a recording has one. */
  readonly outputFolder?: string | null;
}

/** An entry that could not be converted again, and why. Its name is null if it is no longer in history. */
export interface SkippedEntry {
  readonly name: string | null;
  readonly problem: Problem;
}

/** What converting entries again would send to services, which may charge for it. */
export interface RepeatPreview {
  /** Names of the services, each once. */
  readonly services: readonly string[];
  readonly entries: number;
  /** How many of the entries are texts. */
  readonly texts: number;
  /** Length of the recordings, as far as it is known. */
  readonly seconds: number;
  /** Number of recordings whose length is not known. */
  readonly unmeasured: number;
}

/** The result of converting entries again: how many were added, how many were not, and the first of those. */
export interface RepeatResult {
  readonly added: number;
  readonly skipped: number;
  readonly firstSkipped: SkippedEntry | null;
}

/**
 * Current status of a file. `changed`: its bytes differ from those written; `away`: its disk is not
 * connected.
 */
export type FileStatus = 'there' | 'missing' | 'changed' | 'away';

export interface FileStatusReport {
  readonly id: string;
  /** Null if the entry never had one. */
  readonly source: FileStatus | null;
  readonly result: FileStatus | null;
  /** The result is missing or has changed, and Timbre has a copy of it. */
  readonly hasCopy: boolean;
}

/** What became of the entries whose results were to be restored from their copies. */
export interface RestoredResults {
  readonly restored: number;
  /** Results that are where they were. */
  readonly there: number;
  /** Entries without a copy. */
  readonly none: number;
  /** Copies that had changed, and were removed. */
  readonly damaged: number;
  /** Results whose disk is not connected. */
  readonly away: number;
  readonly failed: number;
  /** Why the first of those failed. */
  readonly firstProblem: Problem | null;
}

export interface HistoryFile {
  readonly name: string;
  readonly folder: string;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
}

/** All details of an entry. */
export interface HistoryDetail {
  readonly row: HistoryRow;
  readonly source: HistoryFile | null;
  readonly result: HistoryFile | null;
  /** Full text of speech, up to 20,000 UTF-16 units. */
  readonly text: string | null;
  readonly connectionId: string;
  readonly connectionName: string;
  readonly settings: ConversionSettings | SpeechJobSettings;
  /** Requested output folder; null is beside the source. */
  readonly outputFolder: string | null;
  readonly outputFormat: string | null;
  readonly taskId: string | null;
  readonly attempts: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  /** Milliseconds spent in each state. */
  readonly timings: Readonly<Record<string, number>>;
  /**
   * Processing time as stated by the service, in a unit that the interface does not name; the local
   * engine uses milliseconds.
   */
  readonly processingTime: number | null;
  readonly watchFolder: string | null;
  /** Other entries with the same audio or text, newest first, at most fifty. */
  readonly others: readonly HistoryRow[];
}

/** Entries removed from history, and how to undo it. */
export interface HistoryRemoval {
  /** Id for `history.undo`, valid until Timbre quits. */
  readonly undo: string;
  readonly entries: number;
  readonly files: number;
  /** Files that were kept: they are still in use, were not made by Timbre, or have changed since. */
  readonly keptFiles: number;
}

export interface HistorySuggestion {
  /** Text that replaces the range from `from` to `to`. */
  readonly insert: string;
  readonly label: string;
}

export interface HistorySuggestions {
  readonly from: number;
  readonly to: number;
  readonly items: readonly HistorySuggestion[];
}

export interface HistoryExport {
  readonly entries: number;
  readonly files: number;
  /** Entries without their result, which was missing. */
  readonly withoutFile: number;
  readonly name: string;
}

export interface HistoryImport {
  readonly added: number;
  /** Entries that already existed. */
  readonly known: number;
  /** Lines without a valid entry. */
  readonly refused: number;
  /** Entries whose result is neither here nor, undamaged, in the archive. Zero if only a list was imported. */
  readonly withoutFile: number;
}

/** A line of a list that was not imported. */
export interface RefusedLine {
  /** From 1; the header of the list is the first. */
  readonly line: number;
  /** It is no JSON object, is longer than an entry can be, or one of its fields is missing or wrong. */
  readonly reason: 'no-object' | 'too-long' | 'missing' | 'wrong';
  /** Name of that field, dotted, such as `result.sha256`; empty without one. */
  readonly field: string;
}

/** Maximum number of refused lines in one report. */
export const maxRefusedLines = 200;

/** What an import did, also if it ended early. */
export interface HistoryImportReport extends HistoryImport {
  /** Entries that had been removed, and are shown again. They are not among the known ones. */
  readonly broughtBack: number;
  /** The first of the refused lines. */
  readonly refusedLines: readonly RefusedLine[];
  /** Id for `history.undo`, valid until Timbre quits or the next import; null if nothing was imported. */
  readonly undo: string | null;
  /** Whether the user stopped it. */
  readonly isStopped: boolean;
  /** Why else it ended early. */
  readonly problem: Problem | null;
}

/**
 * Progress of a long task: an export, an import, a search for a file below a folder, a change of
 * many entries. Only one runs at a time. All but an undo can be stopped.
 */
export interface LongTaskProgress {
  readonly kind: 'export' | 'import' | 'find' | 'mark' | 'remove' | 'restore' | 'undo';
  /** 0..1; null if the total is unknown. */
  readonly share: number | null;
  /** Entries processed or files checked so far. */
  readonly count: number;
}

/** The result of searching for a file by its bytes. */
export type HistoryFound =
  { readonly kind: 'found'; readonly entries: number } | { readonly kind: 'not-found'; readonly files: number };

const ids = v.pipe(v.array(id), v.maxLength(maxSelectionParts));
const some = v.object({ ids: v.pipe(v.array(id), v.maxLength(100)) });
const index = v.pipe(v.number(), v.integer(), v.minValue(0));
// Of any length, because anything can be pasted; the search reports a text that is too long.
const text = v.string();
const tag = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64));
const tags = v.exactOptional(v.pipe(v.array(tag), v.maxLength(50)));
const choice = v.union([
  v.object({ ids }),
  v.object({
    list: index,
    ranges: v.pipe(v.array(v.pipe(v.tuple([index, index]), v.readonly())), v.maxLength(maxSelectionParts)),
  }),
]);

const changes = v.strictObject(
  {
    connectionId: v.exactOptional(connectionId),
    voiceId: v.exactOptional(conversionSettings.entries.voiceId),
    pitch: v.exactOptional(conversionSettings.entries.pitch),
    speed: v.exactOptional(conversionSettings.entries.speed),
    pitchControl: v.exactOptional(conversionSettings.entries.pitchControl),
    autoF0: v.exactOptional(conversionSettings.entries.autoF0),
    format: v.exactOptional(conversionSettings.entries.format),
    language: v.exactOptional(speechSettings.entries.language),
    platform: v.exactOptional(speechSettings.entries.platform),
    // Speech supports every engine of conversions.
    engine: v.exactOptional(v.picklist(speechEngines)),
    outputFolder: v.exactOptional(outputFolder),
  },
  'must hold settings of conversions or of speech, and nothing else',
);

export const historyInputs = {
  search: v.object({ text }),
  rows: v.object({ list: index, from: index, count: v.pipe(index, v.maxValue(100)) }),
  suggest: v.object({ text, caret: index }),
  detail: v.object({ id }),
  getFileStatus: some,
  findFile: v.object({ id, which: v.picklist(['source', 'result']) }),
  update: v.object({ choice, isFavourite: v.exactOptional(v.boolean()), addTags: tags, removeTags: tags }),
  tags: nothing,
  largestResults: nothing,
  statistics: statisticsQuery,
  exportStatistics: statisticsExport,
  cancelTask: nothing,
  remove: v.object({ choice, withFiles: v.boolean() }),
  undo: v.object({ undo: id }),
  hasRestorable: v.object({ choice }),
  restoreResults: v.object({ choice }),
  previewRepeat: v.object({ choice, changes: v.exactOptional(changes) }),
  repeat: v.object({ choice, changes: v.exactOptional(changes) }),
  export: v.object({ choice: v.nullable(choice), what: v.picklist(['list', 'sound']) }),
  import: nothing,
  copyPaths: some,
  copyFiles: some,
  share: some,
  drag: some,
};
