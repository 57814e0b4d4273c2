import { basename, dirname, extname, join } from 'node:path';
import type { Problem } from '../../../shared/errors.ts';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import type { JobState } from '../../../shared/schemas/job.ts';
import type { ConversionSettings } from '../../../shared/schemas/settings.ts';
import type { SpeechSettings } from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { SourceSnapshot } from '../files/identity.ts';
import { outputPath } from '../files/names.ts';
import type { FinishedOutput } from '../files/pending-output.ts';

/** The recording as it stood when it was queued. Another identity, size or time later means another sound. */
export interface JobSource {
  readonly path: string;
  /** Folders between the dropped folder and the file; empty for a file that was dropped itself. */
  readonly subfolder: string;
  /** Null until somebody could look at it. */
  readonly snapshot: SourceSnapshot | null;
  /** What its bytes must be when they are sent, as hex: given where somebody read them before. */
  readonly sha256?: string;
}

/** Where the result goes. A null folder is the source's own. */
export interface JobTarget {
  readonly folder: string | null;
  readonly nameTemplate: string;
}

/** The connection as it stood when the job was made: a job is finished with what it began with. */
export interface JobConnection {
  readonly id: string;
  readonly name: string;
  readonly document: ConnectionDocument;
}

/** A name that is being taken, or was. `how` tells a recovery what a kill may have left there. */
export interface TakenName {
  readonly path: string;
  readonly how: 'link' | 'placeholder';
}

/** Milliseconds spent in each state, over all tries. */
export type JobTimings = Readonly<Partial<Record<JobState, number>>>;

interface AnyJob {
  readonly id: string;
  /** Place in the queue. */
  readonly order: number;
  readonly revision: number;
  readonly state: JobState;
  readonly since: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** A try that failed is repeated then; null where nothing is waited for. */
  readonly nextTryAt: number | null;
  /** Tries that failed, ever, and since the last step that succeeded. */
  readonly attempts: number;
  readonly tries: number;
  readonly problem: Problem | null;
  readonly timings: JobTimings;
  /** False once a person has taken the row off the list; history keeps it. */
  readonly listed: boolean;
  readonly connection: JobConnection;
  readonly voice: Voice;
  readonly target: JobTarget;
  /** The format to ask for, with its leading dot; null until the source was examined. */
  readonly outputFormat: string | null;
  /** The result's address; a secret where it is signed, and forgotten when the job is done. */
  readonly audioUrl: string | null;
  readonly processingTime: number | null;
  /** What is on disk: a finished temporary file, or the result itself. */
  readonly finished: FinishedOutput | null;
  readonly output: TakenName | null;
}

export interface ConversionJob extends AnyJob {
  readonly kind: 'conversion';
  readonly settings: ConversionSettings;
  readonly source: JobSource;
  readonly sourceSha256: string | null;
  readonly durationSeconds: number | null;
  readonly audioName: string | null;
  readonly platform: string;
  readonly taskId: string | null;
  readonly changerType: string | null;
}

export interface SpeechJob extends AnyJob {
  readonly kind: 'speech';
  readonly settings: SpeechSettings;
  readonly text: string;
}

/**
 * One conversion or one piece of speech, from the moment it was asked for. Plain data: the journal keeps it, the runner moves it on,
 * and every change goes through the journal before the world sees its effect.
 */
export type Job = ConversionJob | SpeechJob;

export const endStates: ReadonlySet<JobState> = new Set(['done', 'failed', 'cancelled', 'uncertain']);

export const hasEnded = ({ state }: Pick<Job, 'state'>): boolean => endStates.has(state);

/** As long as a title is read at a glance. */
const maxTitleLength = 48;

/** What a piece of speech is called: its first words. */
export function titleOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= maxTitleLength) return line;
  const cut = line.slice(0, maxTitleLength + 1);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > maxTitleLength / 2 ? end : maxTitleLength).toWellFormed()}…`;
}

export const nameOf = (job: Job): string =>
  job.kind === 'speech' ? titleOf(job.text) : basename(job.source.path, extname(job.source.path));

function baseFolder(job: Job): string {
  const { folder } = job.target;
  if (job.kind === 'speech') {
    if (folder === null) throw new Error(`speech ${job.id} has no folder`);
    return folder;
  }
  return folder === null ? dirname(job.source.path) : join(folder, job.source.subfolder);
}

/** The name that a job's result is to have, at the first attempt or a later one. */
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

/** The folder in which a job's result grows and stays. */
export const outputFolder = (job: Job): string => dirname(outputPathOf(job, 1));
