import { basename } from 'node:path';
import type { JobInfo } from '../../../shared/wire/job.ts';
import type { MediaRegistry } from '../media/media-registry.ts';
import type { Job } from './job.ts';

/** A job as a page may know it: names instead of paths, opaque ids for what can be played. */
export const toJobInfo = (job: Job, media: MediaRegistry): JobInfo => ({
  id: job.id,
  order: job.order,
  revision: job.revision,
  state: job.state,
  since: job.since,
  name: basename(job.source.path),
  sizeBytes: job.source.sizeBytes,
  durationSeconds: job.durationSeconds,
  connectionName: job.connectionName,
  voice: job.voice,
  settings: job.settings,
  sourceMedia: job.outputFormat === null ? null : media.idOf(job.source.path),
  resultMedia: job.outputPath === null ? null : media.idOf(job.outputPath),
  outputName: job.outputPath === null ? null : basename(job.outputPath),
  problem: job.problem,
});
