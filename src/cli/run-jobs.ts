import { basename } from 'node:path';
import { type Clock, systemClock } from '../main/core/clock.ts';
import { hasEnded, type Job, nameOf } from '../main/core/jobs/job.ts';
import { type Queue, settledOrStuck } from '../main/core/jobs/queue.ts';
import type { Problem } from '../shared/errors.ts';
import { type Messages, problemText } from '../shared/messages/index.ts';
import { type JobState, type Pause, pauseReasons } from '../shared/schemas/job.ts';
import { queueSecondsLeft, roughly } from '../shared/time-left.ts';
import type { Invocation } from './args.ts';
import type { Session } from './session.ts';

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
        since: job.stateChangedAt,
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

/** What a job is called in a line about it: its file, or the first words of its text. */
const jobName = (job: Job): string => (job.kind === 'conversion' ? basename(job.source.path) : nameOf(job));

/** Why a queue stands still, in half a line. `name` is that of the connection. */
export function pauseReason({ reason, until, problem }: Pause, name: string, messages: Messages, now: number): string {
  const { cli, queue, format } = messages;
  const at = until === null ? null : format.appointment(until, now);
  switch (reason) {
    case 'rate':
      return problem?.code === 'service/unavailable' ? cli.unavailable(name, at) : cli.askedForPause(name, at);
    case 'offline':
      return cli.offline;
    case 'person':
    case 'disk':
    case 'data':
      return queue[reason].title;
    case 'token':
    case 'quota':
    case 'uncertain':
      return queue[reason].title(name);
  }
}

/** Why a job is tried again, and when, in one line; null for one that is not. */
function retryReason(job: Job, messages: Messages, now: number): string | null {
  const { nextTryAt, problem } = job;
  if (hasEnded(job) || nextTryAt === null || !problem) return null;
  const { title } = problemText(messages, problem);
  return `${jobName(job)}: ${title}. ${messages.cli.tryingAgain(messages.format.appointment(nextTryAt, now))}`;
}

interface Followed {
  readonly queue: Pick<Queue, 'store' | 'breaker'>;
  readonly ids: readonly string[];
  readonly clock: Clock;
  readonly connection: { readonly id: string; readonly name: string };
  /** Tells what came of a job, once. */
  onEnded(job: Job): void;
}

/** As often as a person reads. */
const redrawMs = 250;
const paceMs = 5000;

/**
 * Tells of a batch while it goes on: of each job that has ended, each reason to wait once, and on a terminal one line
 * that says how far everything is. Ends with the function it returns.
 */
function followJobs(
  { queue: { store, breaker }, ids, clock, connection, onEnded }: Followed,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): () => void {
  const ending = new AbortController();
  const jobs = new Map<string, Job>();
  /** Reasons that were told, by what they are about. */
  const told = new Map<string, string>();

  const holdsUs = ({ connectionId }: Pause) => connectionId === null || connectionId === connection.id;
  const reasonOf = (pause: Pause) => pauseReason(pause, connection.name, messages, clock.now());

  function isNew(about: string, reason: string): boolean {
    if (told.get(about) === reason) return false;
    told.set(about, reason);
    return true;
  }

  function take(job: Job): void {
    const before = jobs.get(job.id);
    jobs.set(job.id, job);
    if (before && hasEnded(before)) return;
    if (hasEnded(job)) onEnded(job);
    const again = retryReason(job, messages, clock.now());
    // One line for what is wrong, however often it is tried.
    if (again !== null && isNew(`job ${job.id}`, job.problem?.code ?? '')) output.complain(again);
  }

  function announce(job: Job): void {
    const { state, nextTryAt, problem } = job;
    output.event({
      event: 'job',
      ...(job.kind === 'conversion' && { source: job.source.path }),
      state,
      ...(nextTryAt !== null && { nextTryAt }),
      ...(problem && { code: problem.code }),
    });
  }

  function takePauses(all: readonly Pause[]): void {
    const ours = all.filter(holdsUs);
    for (const reason of pauseReasons) {
      if (ours.some((pause) => pause.reason === reason)) continue;
      told.delete(`event ${reason}`);
      told.delete(`pause ${reason}`);
    }
    for (const pause of ours) {
      const { connectionId, reason, until, problem } = pause;
      if (isNew(`event ${reason}`, String(until))) {
        const code = problem && { code: problem.code };
        output.event({ event: 'pause', connection: connectionId && connection.name, reason, until, ...code });
      }
      const text = reasonOf(pause);
      if (isNew(`pause ${reason}`, text) && !output.hasStatus) output.complain(text);
    }
  }

  async function keepStatus(): Promise<void> {
    let secondsPerSecond: number | null = null;
    let paceAt = -Infinity;
    for (;;) {
      const now = clock.now();
      if (now - paceAt >= paceMs) {
        secondsPerSecond = store.processingSpeed(connection.id);
        paceAt = now;
      }
      const all = [...jobs.values()];
      const left = secondsLeft(all, secondsPerSecond, now);
      output.status(progressText(all, left, breaker.list().filter(holdsUs).map(reasonOf), messages));
      await clock.sleep(redrawMs, ending.signal);
    }
  }

  for (const id of ids) {
    const job = store.get(id);
    if (job) take(job);
  }
  takePauses(breaker.list());
  const ends = [
    store.onEvent((news) => {
      if (news.kind !== 'upserted') return;
      for (const job of news.jobs) {
        if (!jobs.has(job.id)) continue;
        announce(job);
        take(job);
      }
    }),
    breaker.onChanged(takePauses),
  ];
  if (output.hasStatus) {
    keepStatus().catch((error: unknown) => {
      if (!ending.signal.aborted) throw error;
    });
  }
  return () => {
    ending.abort();
    ends.forEach((end) => end());
    output.status(null);
  };
}

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
  const { store, scheduler } = queue;
  const takeBack = () => {
    if (!leaving.aborted) ids.forEach(scheduler.cancel);
  };
  signal.addEventListener('abort', takeBack);
  // Ctrl-C may have come while the last rows were written.
  if (signal.aborted) takeBack();
  // A new command is a new try: what held the last one up may be over.
  scheduler.resume(connectionId);
  scheduler.resume(null);
  const connection = { id: connectionId, name };
  const endFollowing = followJobs({ queue, ids, clock: systemClock, connection, onEnded }, invocation);
  scheduler.start();
  const end = await untilOver(queue, ids, core.signal, leaving);
  endFollowing();
  const jobs = ids.map((id) => store.get(id)).filter((job) => job !== undefined);
  const result = conclude({ jobs, end });
  // What has not ended is asked for again by the same command.
  store.acknowledge(jobs.filter(hasEnded).map(({ id }) => id));
  return result;
}

/** How a batch ended: all of it has (null), a pause holds up what is left, or the process was told to go. */
export type BatchEnd = Pause | 'left' | null;

/** What went wrong with a job, or holds it up where it has not ended; null where nothing does. */
export const failureOf = (job: Job, end: BatchEnd): Problem | null =>
  hasEnded(job) || end === 'left' ? job.problem : (end?.problem ?? job.problem);
