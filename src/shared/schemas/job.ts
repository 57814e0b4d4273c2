import type { Problem } from '../errors.ts';
import type { Voice } from './voice.ts';

/** The states of a job, in the order in which a lucky one passes them; the last four are ends, or wait for a person. */
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

/** One row of the queue, as a page may know it. Times are milliseconds since 1970. */
export interface JobInfo {
  readonly id: string;
  readonly kind: 'conversion' | 'speech';
  /** Place in the queue; a job that is moved gets another one. */
  readonly order: number;
  /** Grows with each change of this job: of two copies the higher one is true. */
  readonly revision: number;
  readonly state: JobState;
  /** When `state` began. */
  readonly since: number;
  /** When a try that failed is repeated; null where nothing is waited for. */
  readonly nextTryAt: number | null;
  /** Tries that failed so far. */
  readonly attempts: number;
  /** File name of the source, or the first words of a text. */
  readonly name: string;
  readonly sizeBytes: number | null;
  readonly durationSeconds: number | null;
  readonly connectionId: string;
  readonly connectionName: string;
  /** The voice as it was named when the job was made. */
  readonly voice: Voice;
  /** Opaque ids: `media/<id>` plays the sound, `jobs.fold` draws it. Null while there is nothing to play. */
  readonly sourceMedia: string | null;
  readonly resultMedia: string | null;
  readonly outputName: string | null;
  readonly problem: Problem | null;
}

/** How much of the body that is on its way has passed. `totalBytes` is null where the other side did not say. */
export interface JobProgress {
  readonly id: string;
  readonly direction: 'upload' | 'download';
  readonly doneBytes: number;
  readonly totalBytes: number | null;
}

export interface JobPage {
  readonly jobs: readonly JobInfo[];
  /** Ask with this `after` for the next page; null on the last one. */
  readonly next: number | null;
}

export interface JobChanges {
  readonly put: readonly JobInfo[];
  readonly removed: readonly string[];
}

/** What became of a list of paths: bad ones get a row too, so that nothing vanishes without a word. */
export interface AddedJobs {
  readonly added: number;
  /** Not counted in `added`. */
  readonly refused: number;
  /** Files inside dropped folders that are not sound and were left out without a row. */
  readonly leftOut: number;
  /** Items that are no file on this computer, such as a picture dragged out of a web page. */
  readonly withoutPath: number;
}

/**
 * The drawing of one sound: `columns` is base64 of 1,024 x 3 bytes (peak, RMS, brightness, each 0-255; the loudest peak of the
 * file is 255).
 */
export interface WaveformData {
  readonly columns: string;
  readonly durationSeconds: number;
  /** How loud it is where there is sound, in dB below full scale; null for silence. */
  readonly levelDb: number | null;
}

/**
 * Why a queue stands still. `person` wished it; `offline`, `rate`, `quota`, `disk` and `data` (Timbre's own record cannot be written)
 * clear themselves, `token` with a new token, `uncertain` when a person has looked.
 */
export const pauseReasons = ['person', 'offline', 'token', 'quota', 'rate', 'disk', 'data', 'uncertain'] as const;

export type PauseReason = (typeof pauseReasons)[number];

export interface Pause {
  /** The connection that it holds up; null for all of them. */
  readonly connectionId: string | null;
  readonly reason: PauseReason;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** When it is tried again; null where only a person can end it. */
  readonly until: number | null;
  readonly problem: Problem | null;
}
