import type { JobInfo, JobProgress, JobState } from '../../../shared/wire/job.ts';

const busy: ReadonlySet<JobState> = new Set(['creating', 'uploading', 'converting', 'publishing']);

/** Somebody works on it at this moment. A result that waits to be fetched has a state of its own, and bytes once it is fetched. */
export const isUnderWay = ({ state }: Pick<JobInfo, 'state'>, progress: JobProgress | undefined): boolean =>
  busy.has(state) || (state === 'converted' && progress?.direction === 'download');
