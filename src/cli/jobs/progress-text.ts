import { hasEnded, type Job } from '../../main/core/jobs/job.ts';
import type { Messages } from '../../shared/messages/index.ts';
import { queueSecondsLeft, roughly } from '../../shared/time-left.ts';
import type { JobState } from '../../shared/schemas/job.ts';

/** In the other states a job rests, if only for a moment between two steps. A result is fetched in the state `converted`. */
const working: ReadonlySet<JobState> = new Set(['creating', 'uploading', 'converting', 'converted', 'publishing']);

const isUnderWay = ({ state, nextTryAt }: Pick<Job, 'state' | 'nextTryAt'>): boolean =>
  working.has(state) && nextTryAt === null;

/** Seconds until the last of these has ended, as the window says it; null where nobody can know. */
export const secondsLeft = (jobs: readonly Job[], secondsPerSecond: number | null, now: number): number | null =>
  queueSecondsLeft(
    jobs
      .filter((job) => !hasEnded(job))
      .map((job) => ({
        kind: job.kind,
        state: job.state,
        since: job.since,
        nextTryAt: job.nextTryAt,
        connectionId: job.connection.id,
        durationSeconds: job.kind === 'conversion' ? job.durationSeconds : null,
      })),
    { paceOf: () => secondsPerSecond, isUnderWay, now },
  );

/** The state of a batch in one line: what is done and under way, then why it stands still, or how long it will take. */
export function progressText(
  jobs: readonly Job[],
  left: number | null,
  reasons: readonly string[],
  { cli, queue }: Messages,
): string {
  const done = jobs.filter(({ state }) => state === 'done').length;
  const underWay = jobs.filter(isUnderWay).length;
  const rest = reasons.length > 0 ? reasons : left === null ? [] : [queue.left(roughly(left))];
  return [cli.done(done, jobs.length), ...(underWay > 0 ? [cli.underWay(underWay)] : []), ...rest].join(', ');
}
