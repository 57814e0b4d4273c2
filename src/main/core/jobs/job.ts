import type { Problem } from '../../../shared/problem.ts';
import type { JobState } from '../../../shared/wire/job.ts';
import type { ConversionSettings } from '../../../shared/wire/settings.ts';
import type { Voice } from '../../../shared/wire/voice.ts';

/** The source as it stood when it was queued. Another size or time later means another sound. */
export interface JobSource {
  readonly path: string;
  /** Folders between the dropped folder and the file; empty for a file that was dropped itself. */
  readonly subfolder: string;
  readonly sizeBytes: number | null;
  readonly modifiedMs: number | null;
}

/** Where the result goes. A null folder is the source's own. */
export interface JobTarget {
  readonly folder: string | null;
}

/**
 * One conversion, from the moment it was asked for. Plain data: the store keeps it, the runner moves it on, and every change goes
 * through `JobStore.change`.
 */
export interface Job {
  readonly id: string;
  readonly order: number;
  readonly revision: number;
  readonly state: JobState;
  readonly since: number;
  readonly createdAt: number;
  readonly source: JobSource;
  readonly target: JobTarget;
  readonly connectionId: string;
  readonly connectionName: string;
  readonly voice: Voice;
  readonly settings: ConversionSettings;
  readonly audioName: string | null;
  readonly platform: string;
  /** The format to ask for, with its leading dot; null until the source was examined. */
  readonly outputFormat: string | null;
  readonly durationSeconds: number | null;
  readonly taskId: string | null;
  readonly changerType: string | null;
  readonly sourceSha256: string | null;
  readonly audioUrl: string | null;
  readonly processingTime: number | null;
  readonly outputPath: string | null;
  readonly outputSha256: string | null;
  readonly problem: Problem | null;
}

export const endStates: ReadonlySet<JobState> = new Set(['done', 'failed', 'cancelled', 'uncertain']);

export const hasEnded = ({ state }: Job): boolean => endStates.has(state);
