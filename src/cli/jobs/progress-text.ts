import { hasEnded, type Job } from '../../main/core/jobs/job.ts';
import type { Messages } from '../../shared/messages/index.ts';
import type { JobState } from '../../shared/wire/job.ts';

/** In the other states a job rests, if only for a moment between two steps. A result is fetched in the state `converted`. */
const working: ReadonlySet<JobState> = new Set(['creating', 'uploading', 'converting', 'converted', 'publishing']);

const isUnderWay = ({ state, nextTryAt }: Job): boolean => working.has(state) && nextTryAt === null;

/** Of the sound that a job converts; null where nobody knows it, as of a text. */
const lengthOf = (job: Job): number | null => (job.kind === 'conversion' ? job.durationSeconds : null);

interface Pace {
  /** Seconds of work that a second of sound costs; null where too little of it was done. */
  readonly secondsPerSecond: number | null;
  /** Jobs that may be under way at once. */
  readonly atOnce: number;
}

/**
 * Seconds until the last of these has ended, at the pace of this person's past. Null where there is no past, or where the length of
 * none is known. A recording that nobody has looked at yet counts as long as the others are.
 */
export function secondsLeft(jobs: Iterable<Job>, { secondsPerSecond, atOnce }: Pace, now: number): number | null {
  if (secondsPerSecond === null) return null;
  const open = [...jobs].filter((job) => !hasEnded(job));
  const lengths = open.flatMap((job) => lengthOf(job) ?? []);
  if (lengths.length === 0) return null;
  const usual = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const works = open.map((job) => {
    const spent = isUnderWay(job) ? (now - (job.startedAt ?? now)) / 1000 : 0;
    return Math.max(0, (lengthOf(job) ?? usual) * secondsPerSecond - spent);
  });
  const all = works.reduce((sum, work) => sum + work, 0);
  return Math.max(all / Math.min(atOnce, open.length), ...works);
}

/** The state of a batch in one line: what is done and under way, then why it stands still, or how long it will take. */
export function progressText(
  jobs: readonly Job[],
  left: number | null,
  reasons: readonly string[],
  { cli, queue }: Messages,
): string {
  const done = jobs.filter(({ state }) => state === 'done').length;
  const underWay = jobs.filter(isUnderWay).length;
  const rest = reasons.length > 0 ? reasons : left === null ? [] : [queue.left(left)];
  return [cli.done(done, jobs.length), ...(underWay > 0 ? [cli.underWay(underWay)] : []), ...rest].join(', ');
}
