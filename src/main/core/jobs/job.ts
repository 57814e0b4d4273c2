import { basename, dirname, extname, join } from 'node:path';
import type { Problem } from '../../../shared/errors.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import type { JobState } from '../../../shared/schemas/job.ts';
import type { ConversionSettings } from '../../../shared/schemas/settings.ts';
import type { SpeechJobSettings } from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { speechTitle } from '../../../shared/text/text-parts.ts';
import type { SourceSnapshot } from '../files/identity.ts';
import { outputPath } from '../files/names.ts';
import type { OutputName } from '../files/publish.ts';
import type { FinishedOutput } from '../files/content.ts';

/** The source file as it was when queued. If its identity, size or time differs later, it is another recording or text. */
export interface JobSource {
  readonly path: string;
  /** Where the path leads to; set if that is another one, since links are on it. */
  readonly realPath?: string;
  /** Folders between the dropped folder and the file; empty for a file that was dropped itself. */
  readonly subfolder: string;
  /** Null until the file has been checked. */
  readonly snapshot: SourceSnapshot | null;
  /** Hex SHA-256 that the upload must have; set if the file was hashed before it was queued. */
  readonly sha256?: string;
}

/** Where the result goes. A null folder means the source's folder. */
interface JobTarget {
  readonly folder: string | null;
  readonly nameTemplate: string;
}

/**
 * The connection as the job is sent. While the job waits for its next call it is as the connection says by now, unless that has other
 * hosts; afterwards as it was then. The name is that from when the job was created.
 */
export interface JobConnection {
  readonly id: string;
  readonly name: string;
  readonly document: ConnectionDocument;
}

/** Milliseconds spent in each state, over all attempts. */
type JobTimings = Readonly<Partial<Record<JobState, number>>>;

interface AnyJob {
  readonly id: string;
  /** Position in the queue. */
  readonly position: number;
  readonly revision: number;
  readonly state: JobState;
  readonly stateChangedAt: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** When the failed step is retried; null if the job is not waiting for a retry. */
  readonly nextTryAt: number | null;
  /** Failed steps over the whole job. */
  readonly attempts: number;
  /** Failed steps since the last one that succeeded. */
  readonly consecutiveFailures: number;
  readonly problem: Problem | null;
  readonly timings: JobTimings;
  /** False once the user has removed the job from the list; history keeps it. */
  readonly isListed: boolean;
  readonly connection: JobConnection;
  readonly voice: Voice;
  readonly target: JobTarget;
  /** The requested format with its leading dot; null until preflight. */
  readonly outputFormat: string | null;
  /** URL of the result. May be signed and thus secret, so it is cleared when the job is done. */
  readonly audioUrl: string | null;
  readonly processingTime: number | null;
  /** Length of a conversion's recording; of speech that of its sound, once that is complete. Null if unknown. */
  readonly durationSeconds: number | null;
  /** The complete file on disk: still temporary, or the result itself. */
  readonly finished: FinishedOutput | null;
  readonly output: OutputName | null;
}

export interface ConversionJob extends AnyJob {
  readonly kind: 'conversion';
  readonly settings: ConversionSettings;
  readonly source: JobSource;
  readonly sourceSha256: string | null;
  readonly audioName: string | null;
  readonly platform: string;
  readonly taskId: string | null;
  readonly changerType: string | null;
}

export interface SpeechJob extends AnyJob {
  readonly kind: 'speech';
  readonly settings: SpeechJobSettings;
  readonly text: string;
  /** The text file in a watched folder; null for a text that was written, opened or piped. */
  readonly source: JobSource | null;
}

/**
 * One conversion or one speech request. Plain data: the job store saves it, the scheduler advances it, and
 * every change is saved before it takes effect.
 */
export type Job = ConversionJob | SpeechJob;

export type SourceJob = Job & { readonly source: JobSource };

export const hasSource = (job: Job): job is SourceJob => job.source !== null;

/** Hex SHA-256 of the source; undefined until it was read. */
export const sourceHashOf = (job: Job): string | undefined =>
  (job.kind === 'conversion' ? job.sourceSha256 : null) ?? job.source?.sha256;

/** Nothing waits longer for its next try: no service may ask for more, and a used-up quota is tried every hour. */
export const maxWaitMs = 3_600_000;

/** A next try that is further ahead is of a clock that was set back since, by more than clocks are corrected all the time. */
export const maxAheadMs = maxWaitMs + 60_000;

const endStates: ReadonlySet<JobState> = new Set(['done', 'failed', 'cancelled', 'uncertain']);

export const hasEnded = ({ state }: Pick<Job, 'state'>): boolean => endStates.has(state);

/** Problems of a failed job that was never sent, so nothing was paid for it. */
export const neverSentCodes: readonly string[] = ['input/changed', 'input/missing', 'input/unreadable'];

/** True if the source changed before it was sent, or went away, perhaps with its disk. */
export const wasNeverSent = ({ state, problem }: Pick<Job, 'state' | 'problem'>): boolean =>
  state === 'failed' && problem !== null && neverSentCodes.includes(problem.code);

/** True if a watched file was never sent: its folder decides about it again, so the user need not do anything about this job. */
export const isSuperseded = (job: Job): boolean => wasNeverSent(job) && job.source?.sha256 !== undefined;

/** Name of the source or of a text, or else the first words of the text. */
export function titleOf(job: Job): string {
  if (job.kind === 'speech' && job.settings.title !== undefined) return job.settings.title;
  return job.kind === 'speech' && job.source === null ? speechTitle(job.text) : basename(job.source?.path ?? '');
}

/** Like `titleOf`, without the extension of a file. */
export const nameOf = (job: Job): string => {
  const title = titleOf(job);
  const isFileName = job.source !== null && title === basename(job.source.path);
  return isFileName ? basename(title, extname(title)) : title;
};

/** The folder that the name template counts from. */
export function baseFolder({ id, target: { folder }, source }: Job): string {
  if (source !== null) return folder === null ? dirname(source.path) : join(folder, source.subfolder);
  if (folder === null) throw new Error(`speech ${id} has no folder`);
  return folder;
}

/** Path of a job's result; each attempt yields another name, starting with 1. */
export const outputPathOf = (job: Job, attempt: number): string =>
  outputPath(
    baseFolder(job),
    job.target.nameTemplate,
    {
      name: nameOf(job),
      voice: job.voice.name,
      connection: job.connection.name,
      createdAt: new Date(job.createdAt),
      format: job.outputFormat ?? '.wav',
      language: job.kind === 'speech' ? job.settings.language : job.voice.language,
    },
    attempt,
  );

/** The folder of a job's result and of its temporary file. */
export const outputFolder = (job: Job): string => dirname(outputPathOf(job, 1));
