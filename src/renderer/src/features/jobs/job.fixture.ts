import type { JobInfo } from '../../../../shared/schemas/job.ts';

/** A queued job of this computer, five minutes long, with the given fields changed. */
export const jobOf = (id: string, change: Partial<JobInfo> = {}): JobInfo => ({
  id,
  kind: 'conversion',
  position: 1,
  revision: 1,
  state: 'queued',
  stateChangedAt: 0,
  nextTryAt: null,
  attempts: 0,
  name: `${id}.wav`,
  sizeBytes: 58_000_000,
  durationSeconds: 300,
  connectionId: 'local',
  connectionName: 'This computer',
  voice: { id: 'clear-fjord', name: 'Clear fjord', language: 'nb-NO', gender: 'female', category: 'natural' },
  sourceMedia: `${id}-source`,
  resultMedia: null,
  outputName: null,
  problem: null,
  ...change,
});
