import * as v from 'valibot';
import type { Problem } from '../errors.ts';
import { connectionId, type ConversionSettings, conversionSettings, outputFolder } from './settings.ts';
import { speechEngines, type SpeechSettings, speechSettings } from './speech.ts';
import type { Voice } from './voice.ts';

export const historyStates = ['done', 'failed', 'cancelled', 'uncertain'] as const;
export type HistoryState = (typeof historyStates)[number];

/** One line of history: a job that has ended. Times are milliseconds since 1970. */
export interface HistoryRow {
  /** That of its job: `jobs.fold` and `jobs.reveal` take it. */
  readonly id: string;
  readonly kind: 'conversion' | 'speech';
  readonly state: HistoryState;
  readonly endedAt: number;
  /** File name of the source, or the first words of a text. */
  readonly name: string;
  /** The voice as it was named then. */
  readonly voice: Voice;
  readonly durationSeconds: number | null;
  /** Opaque ids: `media/<id>` plays the sound. Null where there is none; whether a file is still there `history.look` says. */
  readonly sourceMedia: string | null;
  readonly resultMedia: string | null;
  /** It came from a watched folder. */
  readonly isWatched: boolean;
  readonly isFavourite: boolean;
  readonly tags: readonly string[];
  readonly problem: Problem | null;
}

/** Characters of a search; what stands behind them is not looked for. */
export const longestQuery = 4000;

/** Why a search does not do what was written: `voice:` without a name, `after:tomorrow-ish`, `!!!` alone. Positions count UTF-16 units. */
export interface QueryError {
  readonly from: number;
  readonly to: number;
  readonly kind: 'empty' | 'unknown-filter' | 'bad-date' | 'bad-value' | 'open-quote' | 'no-word' | 'too-long';
  readonly word: string;
}

/** The newest rows that match, at once. `history.listed` tells of all of them when they are counted. */
export interface HistoryPage {
  /** Names this list in all that follows. A later search ends it. */
  readonly list: number;
  readonly rows: readonly HistoryRow[];
  /** These rows are all that match. */
  readonly isWhole: boolean;
  readonly faults: readonly QueryError[];
  /** Words to be marked in names, folded as the search folds them. */
  readonly terms: readonly string[];
}

/** Rows of one day stand together: index of the first, when the day began here, and the seconds of sound in it. */
export type HistoryDay = readonly [from: number, startsAt: number, seconds: number];
/** One month, also one without a match: when it began here, all its entries, those that match, and the index of the first of them. */
export type HistoryMonth = readonly [startsAt: number, entries: number, matches: number, from: number];

/** A list that was counted. Newest first; indexes are those of `history.rows`. */
export interface HistoryList {
  readonly list: number;
  readonly matches: number;
  /** Entries in all of history. */
  readonly entries: number;
  readonly days: readonly HistoryDay[];
  readonly months: readonly HistoryMonth[];
}

/** Names or ranges of a choice that one message takes: more than anybody selects one by one. */
export const mostParts = 20_000;

/** Which entries are meant: some, or parts of a list (`to` is exclusive) as it was counted. */
export type SelectionRef =
  | { readonly ids: readonly string[] }
  | { readonly list: number; readonly ranges: readonly (readonly [from: number, to: number])[] };

/**
 * What is to be another than in the entries that are made again; an absent field stays as each of them has it. What one kind of entry
 * does not know, such as the engine `v1` a conversion, changes nothing there.
 */
export interface RepeatChanges
  extends
    Partial<Omit<ConversionSettings, 'engine' | 'platformInfo' | 'audioName'>>,
    Partial<Omit<SpeechSettings, 'engine'>> {
  /** What else an entry has is then taken as that connection takes it. */
  readonly connectionId?: string;
  readonly engine?: ConversionSettings['engine'] | SpeechSettings['engine'];
  /** Null puts the result beside its original, which only a recording has. */
  readonly outputFolder?: string | null;
}

/** An entry that could not be made again, and why. Its name is null where history does not know it any more. */
export interface SkippedEntry {
  readonly name: string | null;
  readonly problem: Problem;
}

/** What came of making entries again: how many were added, how many could not be, and the first of those. */
export interface RepeatResult {
  readonly added: number;
  readonly left: number;
  readonly first: SkippedEntry | null;
}

/** A file as it stands now. `changed` has other bytes than were written then; `away` stands on a disk that is not there. */
export type FileStatus = 'there' | 'missing' | 'changed' | 'away';

export interface FileStatusReport {
  readonly id: string;
  /** Null where the entry never had one. */
  readonly source: FileStatus | null;
  readonly result: FileStatus | null;
}

export interface HistoryFile {
  readonly name: string;
  readonly folder: string;
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
}

/** Everything about one entry. */
export interface HistoryDetail {
  readonly row: HistoryRow;
  readonly source: HistoryFile | null;
  readonly result: HistoryFile | null;
  /** The whole text of a piece of speech, to 20,000 UTF-16 units. */
  readonly text: string | null;
  readonly connectionId: string;
  readonly connectionName: string;
  readonly settings: ConversionSettings | SpeechSettings;
  /** Where the result was to go; null is beside the original. */
  readonly outputFolder: string | null;
  readonly outputFormat: string | null;
  readonly taskId: string | null;
  readonly attempts: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  /** Milliseconds spent in each state. */
  readonly timings: Readonly<Record<string, number>>;
  /** As the service says it, in its own unit, which the interface does not name; the engine of this computer counts milliseconds. */
  readonly processingTime: number | null;
  readonly watchFolder: string | null;
  /** Other entries of the same sound or text, newest first, up to fifty. */
  readonly others: readonly HistoryRow[];
}

/** What was taken out of history, and how to bring it back. */
export interface HistoryRemoval {
  /** Names it in `history.undo`, until Timbre is closed. */
  readonly undo: string;
  readonly entries: number;
  readonly files: number;
  /** Files that were left where they are: they are still needed, Timbre did not make them, or they were changed since. */
  readonly keptFiles: number;
}

export interface HistorySuggestion {
  /** What takes the place of the text between `from` and `to`. */
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
  /** Entries whose result was not there to be taken along. */
  readonly withoutFile: number;
  readonly name: string;
}

export interface HistoryImport {
  readonly added: number;
  /** They were here already. */
  readonly known: number;
  /** Lines that hold no entry. */
  readonly refused: number;
  /** Entries whose result is not here, and was not in the archive, or damaged in it. None where a list alone was imported. */
  readonly withoutFile: number;
}

/**
 * What takes a while: an export, an import, a search for a file below a folder, a change of many entries. One at a time. All but an
 * undo may be stopped.
 */
export interface LongTaskProgress {
  readonly kind: 'export' | 'import' | 'find' | 'mark' | 'remove' | 'undo';
  /** 0..1; null where nobody knows how much there is. */
  readonly share: number | null;
  /** Entries that were gone through, or files that were looked at. */
  readonly count: number;
}

/** A file that was looked for by its bytes. */
export type HistoryFound =
  { readonly kind: 'found'; readonly entries: number } | { readonly kind: 'not-found'; readonly files: number };

const id = v.pipe(v.string(), v.uuid());
const ids = v.pipe(v.array(id), v.maxLength(mostParts));
const some = v.object({ ids: v.pipe(v.array(id), v.maxLength(100)) });
const index = v.pipe(v.number(), v.integer(), v.minValue(0));
// Of any length, because anything can be pasted: what is too long for a search is told by it.
const text = v.string();
const tag = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64));
const tags = v.exactOptional(v.pipe(v.array(tag), v.maxLength(50)));
const choice = v.union([
  v.object({ ids }),
  v.object({
    list: index,
    ranges: v.pipe(v.array(v.pipe(v.tuple([index, index]), v.readonly())), v.maxLength(mostParts)),
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
    // Speech knows each engine that a conversion knows.
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
  look: some,
  find: v.object({ id, which: v.picklist(['source', 'result']) }),
  mark: v.object({ choice, isFavourite: v.exactOptional(v.boolean()), addTags: tags, removeTags: tags }),
  tags: v.optional(v.undefined()),
  stop: v.optional(v.undefined()),
  remove: v.object({ choice, withFiles: v.boolean() }),
  undo: v.object({ undo: id }),
  again: v.object({ choice, changes: v.exactOptional(changes) }),
  exportTo: v.object({ choice: v.nullable(choice), what: v.picklist(['list', 'sound']) }),
  importFrom: v.optional(v.undefined()),
  copyPaths: some,
  drag: some,
};
