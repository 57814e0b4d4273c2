import type { JobInfo } from './schemas/job.ts';

/** The parts of a job that determine its remaining time, for the window and the command line. */
export type TimedJob = Pick<JobInfo, 'kind' | 'state' | 'stateChangedAt' | 'connectionId' | 'durationSeconds'>;

interface TimingContext<Job> {
  /** Processing seconds per second of audio; null if unknown. */
  readonly realTimeFactorOf: (connectionId: string) => number | null;
  readonly isRunning: (job: Job) => boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Returns the remaining seconds of a running conversion; null if unknown, or if it takes longer than
 * usual.
 */
export function secondsLeft(
  { state, stateChangedAt, durationSeconds }: Pick<TimedJob, 'state' | 'stateChangedAt' | 'durationSeconds'>,
  realTimeFactor: number | null,
  now: number,
): number | null {
  if (realTimeFactor === null || durationSeconds === null || state !== 'converting') return null;
  const left = durationSeconds * realTimeFactor - Math.max(0, now - stateChangedAt) / 1000;
  return left >= 1 ? left : null;
}

/** Returns the remaining seconds of a connection at its current concurrency. */
function connectionLeft<Job extends TimedJob>(
  jobs: readonly Job[],
  { realTimeFactorOf, isRunning, now }: TimingContext<Job>,
): number | null {
  const realTimeFactor = realTimeFactorOf(jobs[0]?.connectionId ?? '');
  const sideBySide = jobs.filter(isRunning).length;
  if (realTimeFactor === null || sideBySide === 0) return null;
  let longest = 0;
  let sum = 0;
  for (const job of jobs) {
    if (job.durationSeconds === null) return null;
    const whole = job.durationSeconds * realTimeFactor;
    const left = job.state === 'converting' ? (secondsLeft(job, realTimeFactor, now) ?? 0) : whole;
    longest = Math.max(longest, left);
    sum += left;
  }
  return Math.max(longest, sum / sideBySide);
}

/**
 * Returns the seconds until all of these jobs are done, based on the user's own history. Connections
 * work in parallel, so the slowest counts. Null if a speed or a duration is unknown, or a connection
 * is paused.
 */
export function queueSecondsLeft<Job extends TimedJob>(
  jobs: readonly Job[],
  circumstances: TimingContext<Job>,
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

/** Rounds an estimate to 5 s, then to a minute, five or ten. */
export function roughly(seconds: number): number {
  const step = seconds < 60 ? 5 : seconds < 600 ? 60 : seconds < 3600 ? 300 : 600;
  return Math.max(step, Math.round(seconds / step) * step);
}

/** Returns the seconds of audio in these jobs; null if a recording's duration is unknown. */
export function soundSeconds(jobs: readonly TimedJob[]): number | null {
  let sum = 0;
  for (const { kind, durationSeconds } of jobs) {
    if (kind === 'conversion' && durationSeconds === null) return null;
    sum += durationSeconds ?? 0;
  }
  return sum >= 1 ? sum : null;
}
