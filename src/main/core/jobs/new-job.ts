import type { ConversionSettings } from '../../../shared/schemas/settings.ts';
import type { SpeechJobSettings } from '../../../shared/schemas/speech.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import type { Finding } from './find-recordings.ts';
import type { Job, JobConnection, JobSource } from './job.ts';
import type { NewJob } from './job-store.ts';

/** What all jobs of one request share. */
interface AnyRequest {
  readonly connection: JobConnection;
  readonly voice: Voice;
  readonly nameTemplate: string;
}

export interface JobRequest extends AnyRequest {
  readonly settings: ConversionSettings;
  /** Null places each result beside its source. */
  readonly outputFolder: string | null;
  readonly audioName?: string | null;
  readonly platform?: string;
}

export interface SpeechRequest extends AnyRequest {
  readonly settings: SpeechJobSettings;
  /** Null places the result beside the text file. */
  readonly outputFolder: string | null;
}

export type NewConversion = Extract<NewJob, { kind: 'conversion' }>;

const blank = {
  nextTryAt: null,
  audioUrl: null,
  processingTime: null,
  durationSeconds: null,
  finished: null,
  output: null,
} as const;

const blankConversion = {
  kind: 'conversion',
  sourceSha256: null,
  outputFormat: null,
  taskId: null,
  changerType: null,
} as const;

export const newConversion = (id: string, { source, problem }: Finding, request: JobRequest): NewConversion => ({
  ...blank,
  ...blankConversion,
  id,
  state: problem ? 'failed' : 'queued',
  problem,
  source,
  target: { folder: request.outputFolder, nameTemplate: request.nameTemplate },
  connection: request.connection,
  voice: request.voice,
  settings: request.settings,
  audioName: request.audioName || request.settings.audioName || request.connection.document.audioName || null,
  platform: request.platform || request.settings.platformInfo || request.connection.document.platform,
});

export const newSpeech = (
  id: string,
  text: string,
  { connection, voice, settings, outputFolder, nameTemplate }: SpeechRequest,
  source: JobSource | null = null,
): Extract<NewJob, { kind: 'speech' }> => ({
  ...blank,
  kind: 'speech',
  id,
  state: 'queued',
  problem: null,
  text,
  source,
  target: { folder: outputFolder, nameTemplate },
  connection,
  voice,
  settings,
  // Assumed until the result arrives.
  outputFormat: '.wav',
});

/** A job like one that has ended, with the source as it is now. */
export function repeated(id: string, job: Job): NewJob {
  const { target, connection, voice } = job;
  const shared = { ...blank, id, state: 'queued', problem: null, target, connection, voice } as const;
  return job.kind === 'speech'
    ? {
        ...shared,
        kind: 'speech',
        text: job.text,
        settings: job.settings,
        // The user wants this text, whatever the file says by now.
        source: job.source && { path: job.source.path, subfolder: job.source.subfolder, snapshot: null },
        outputFormat: '.wav',
      }
    : {
        ...shared,
        ...blankConversion,
        settings: job.settings,
        source: { path: job.source.path, subfolder: job.source.subfolder, snapshot: null },
        audioName: job.audioName,
        platform: job.platform,
      };
}
