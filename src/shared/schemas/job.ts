import type { Problem } from '../errors.ts';
import type { Voice } from './voice.ts';

/** The states of a job, in their usual order. In the last four it has ended or waits for the user. */
export const jobStates = [
  'queued',
  'creating',
  'created',
  'uploading',
  'uploaded',
  'converting',
  'converted',
  'publishing',
  'done',
  'failed',
  'cancelled',
  'uncertain',
] as const;

export type JobState = (typeof jobStates)[number];

/** States in which nothing was paid for, unless a step was repeated. */
export const unpaidStates: ReadonlySet<JobState> = new Set([
  'queued',
  'creating',
  'created',
  'uploading',
  'uploaded',
  'failed',
  'cancelled',
]);

/** A row of the queue. Times are milliseconds since 1970. */
export interface JobInfo {
  readonly id: string;
  readonly kind: 'conversion' | 'speech';
  /** Position in the queue; changes when the job is moved. */
  readonly position: number;
  /** Increases with each change of this job; the higher of two copies is current. */
  readonly revision: number;
  readonly state: JobState;
  /** When `state` began. */
  readonly stateChangedAt: number;
  /** When a failed attempt is retried; null if no retry is due. */
  readonly nextTryAt: number | null;
  /** Number of failed attempts. */
  readonly attempts: number;
  /** File name of the source, or the first words of a text without a file. */
  readonly name: string;
  readonly sizeBytes: number | null;
  /** Length of the recording; of speech that of its result, null until it is done. */
  readonly durationSeconds: number | null;
  readonly connectionId: string;
  readonly connectionName: string;
  /** The voice with its name when the job was created. */
  readonly voice: Voice;
  /**
   * Keys of the files: equal for one file, another once it has moved. `media/<job id>/<side>` plays
   * the sound, `jobs.getWaveform` returns its waveform. Null while there is nothing to play.
   */
  readonly sourceMedia: string | null;
  readonly resultMedia: string | null;
  readonly outputName: string | null;
  readonly problem: Problem | null;
}

/** Progress of the current upload or download. `totalBytes` is null if unknown. */
export interface TransferProgress {
  readonly id: string;
  readonly direction: 'upload' | 'download';
  readonly doneBytes: number;
  readonly totalBytes: number | null;
}

/** Progress of a long text, which is spoken passage by passage. */
interface SpeechProgress {
  readonly id: string;
  readonly direction: 'speech';
  readonly donePassages: number;
  readonly passages: number;
}

export type JobProgress = TransferProgress | SpeechProgress;

export interface JobPage {
  readonly jobs: readonly JobInfo[];
  /** The `after` of the next page; null on the last one. */
  readonly next: number | null;
}

export interface JobChanges {
  readonly upserted: readonly JobInfo[];
  readonly removed: readonly string[];
}

/** The result of adding paths. Invalid ones get a row too, so that nothing disappears silently. */
export interface AddedJobs {
  readonly added: number;
  /** Not counted in `added`. */
  readonly refused: number;
  /** Files in added folders that are not audio, or results of earlier jobs; they get no row. */
  readonly ignored: number;
  /** Items that are not a file on this computer, such as a picture dragged from a web page. */
  readonly withoutPath: number;
  /** Undoes this addition until Timbre quits; null if nothing was added. */
  readonly addition: number | null;
  readonly createdIds: readonly string[];
}

/** How much would be sent. Recordings that can't be converted are not counted. */
export interface AdditionSize {
  readonly recordings: number;
  /** Length of the measured recordings. */
  readonly seconds: number;
  /** Number of recordings whose length is not known: only decoding can tell it, or measuring all would take too long. */
  readonly unmeasured: number;
  /** Length of all recordings if those that are not measured are as long as their size allows. */
  readonly longestSeconds: number;
  /** Number of recordings that are longer than the connection accepts. */
  readonly tooLong: number;
}

/** What adding paths would send. */
export interface AddPreview extends AdditionSize {
  /** Number of files that would become jobs, also those that cannot be converted. */
  readonly found: number;
}

/** The result of undoing an addition. Jobs that a service may already charge for, and finished ones, stay. */
export interface UndoneAddition {
  readonly removed: number;
  readonly kept: number;
}

/**
 * A waveform: `columns` is base64 of 1,024 x 3 bytes (peak, RMS, brightness, each 0-255; the file's
 * highest peak is 255), or empty if the file needs ffmpeg to be decoded and is drawn as a plain bar.
 */
export interface WaveformData {
  readonly columns: string;
  readonly durationSeconds: number;
  /** Loudness without pauses, in dB relative to full scale; null for silence. */
  readonly levelDb: number | null;
}

/**
 * Why the queue is paused. `user`: by the user. `offline`, `rate`, `quota`, `disk` and `data` (the
 * database is not writable) end by themselves, `token` with a new token, `uncertain` when the user
 * has checked, `offline-mode` when the user turns it off, `battery` on mains power or when the user continues.
 */
export const pauseReasons = [
  'user',
  'offline-mode',
  'battery',
  'offline',
  'token',
  'quota',
  'rate',
  'disk',
  'data',
  'uncertain',
] as const;

export type PauseReason = (typeof pauseReasons)[number];

/** Pauses that last until the user does something, here or elsewhere. */
export const attentionReasons: ReadonlySet<PauseReason> = new Set(['token', 'quota', 'disk', 'data', 'uncertain']);

export interface Pause {
  /** The paused connection; null for all. */
  readonly connectionId: string | null;
  readonly reason: PauseReason;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** When it is retried; null if only the user can end it. */
  readonly resumesAt: number | null;
  readonly problem: Problem | null;
}
