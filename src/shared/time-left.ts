import type { JobState } from './schemas/job.ts';

/** What of a job says how long it will take: the same for a row of the window and for a job of a command. */
export interface TimedJob {
  readonly kind: 'conversion' | 'speech';
  readonly state: JobState;
  /** When `state` began, in milliseconds since 1970. */
  readonly since: number;
  readonly connectionId: string;
  /** Null for a text, and for a recording that nobody has looked at. */
  readonly durationSeconds: number | null;
}

interface Circumstances<Job> {
  /** Seconds of work a second of sound; null where it is not known. */
  readonly paceOf: (connectionId: string) => number | null;
  readonly isUnderWay: (job: Job) => boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Seconds that are left of one conversion that is under way; null where nobody can know, or it takes longer than others did. */
export function secondsLeft(
  { state, since, durationSeconds }: Pick<TimedJob, 'state' | 'since' | 'durationSeconds'>,
  pace: number | null,
  now: number,
): number | null {
  if (pace === null || durationSeconds === null || state !== 'converting') return null;
  const left = durationSeconds * pace - Math.max(0, now - since) / 1000;
  return left >= 1 ? left : null;
}

/** Seconds until one connection is through, if it goes on with as many side by side as now. */
function connectionLeft<Job extends TimedJob>(
  jobs: readonly Job[],
  { paceOf, isUnderWay, now }: Circumstances<Job>,
): number | null {
  const pace = paceOf(jobs[0]?.connectionId ?? '');
  const sideBySide = jobs.filter(isUnderWay).length;
  if (pace === null || sideBySide === 0) return null;
  let longest = 0;
  let sum = 0;
  for (const job of jobs) {
    if (job.durationSeconds === null) return null;
    const whole = job.durationSeconds * pace;
    const left = job.state === 'converting' ? (secondsLeft(job, pace, now) ?? 0) : whole;
    longest = Math.max(longest, left);
    sum += left;
  }
  return Math.max(longest, sum / sideBySide);
}

/**
 * Seconds until all of these jobs are done, from this person's own past alone: connections work side by side, so the slowest counts.
 * Null where the pace or a length is not known, or one of the connections stands still.
 */
export function queueSecondsLeft<Job extends TimedJob>(
  jobs: readonly Job[],
  circumstances: Circumstances<Job>,
): number | null {
  const groups = Map.groupBy(jobs, ({ connectionId }) => connectionId);
  let longest = 0;
  for (const group of groups.values()) {
    const left = connectionLeft(group, circumstances);
    if (left === null) return null;
    longest = Math.max(longest, left);
  }
  return longest >= 1 ? longest : null;
}

/** As exact as an estimate can be: to 5 s, then to a minute, to five, to ten. */
export function roughly(seconds: number): number {
  const step = seconds < 60 ? 5 : seconds < 600 ? 60 : seconds < 3600 ? 300 : 600;
  return Math.max(step, Math.round(seconds / step) * step);
}

/** Seconds of sound in these jobs; null where one recording's length is not known yet. */
export function soundSeconds(jobs: readonly TimedJob[]): number | null {
  let sum = 0;
  for (const { kind, durationSeconds } of jobs) {
    if (kind === 'conversion' && durationSeconds === null) return null;
    sum += durationSeconds ?? 0;
  }
  return sum >= 1 ? sum : null;
}
