import type { Job } from './job.ts';
import type { JobChange } from './job-store.ts';

const fresh: JobChange = {
  state: 'queued',
  taskId: null,
  changerType: null,
  sourceSha256: null,
  audioUrl: null,
  finished: null,
  output: null,
};

/** Where a person's second try begins: from what the service has of the job, or from the start with a fresh look at the source. */
export function againFrom(job: Job): JobChange {
  const isGone = job.problem?.code === 'service/result-gone';
  if (!isGone && (job.audioUrl !== null || job.finished !== null)) return { state: 'converted' };
  if (job.kind === 'speech') return fresh;
  const { source, taskId, sourceSha256 } = job;
  // The sound is up there: it is only the answer that was lost, or that nobody waited for.
  const isUnknown = job.state === 'uncertain' || job.problem?.code === 'service/may-charge';
  if (isUnknown && taskId !== null && sourceSha256 !== null) return { state: 'uploaded', audioUrl: null };
  return { ...fresh, outputFormat: null, source: { ...source, snapshot: null } };
}
