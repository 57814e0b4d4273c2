import { systemClock } from '../../main/core/clock.ts';
import { hasEnded, type Job } from '../../main/core/jobs/job.ts';
import { type Queue, settledOrStuck } from '../../main/core/jobs/queue.ts';
import type { Invocation } from '../command.ts';
import type { Session } from '../session.ts';
import { followJobs } from './follow-jobs.ts';
import type { BatchEnd } from './held-up.ts';

interface Batch {
  readonly jobs: readonly Job[];
  readonly end: BatchEnd;
}

async function untilOver(
  queue: Queue,
  ids: readonly string[],
  signal: AbortSignal,
  leaving: AbortSignal,
): Promise<BatchEnd> {
  try {
    return await settledOrStuck({ ...queue, clock: systemClock, signal: AbortSignal.any([signal, leaving]) }, ids);
  } catch (error) {
    if (leaving.aborted) return 'left';
    throw error;
  }
}

/**
 * Works on jobs until all have ended or nothing goes on by itself, and tells of it. Ctrl-C takes them back; what a signal to go leaves
 * open is for the next command that asks for the same. `conclude` is the last word: only then do those that have ended count as told.
 */
export async function runJobs<T>(
  { core, connectionId, name }: Session,
  ids: readonly string[],
  invocation: Invocation,
  { onEnded, conclude }: { onEnded(job: Job): void; conclude(batch: Batch): T },
): Promise<T> {
  const { signal, leaving } = invocation;
  const queue = await core.queue();
  const { store, runner } = queue;
  const takeBack = () => {
    if (!leaving.aborted) ids.forEach(runner.cancel);
  };
  signal.addEventListener('abort', takeBack);
  // Ctrl-C may have come while the last rows were written.
  if (signal.aborted) takeBack();
  // A new command is a new try: what held the last one up may be over.
  runner.resume(connectionId);
  runner.resume(null);
  const connection = { id: connectionId, name };
  const endFollowing = followJobs({ queue, ids, clock: systemClock, connection, onEnded }, invocation);
  runner.start();
  const end = await untilOver(queue, ids, core.signal, leaving);
  endFollowing();
  const jobs = ids.map((id) => store.get(id)).filter((job) => job !== undefined);
  const result = conclude({ jobs, end });
  // What has not ended is asked for again by the same command.
  store.told(jobs.filter(hasEnded).map(({ id }) => id));
  return result;
}
