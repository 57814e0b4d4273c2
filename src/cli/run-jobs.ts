import { pauseTitle } from '../shared/messages/pause-text.ts';
import { problemText } from '../shared/messages/problem-text.ts';
import { type Clock, systemClock } from '../main/core/clock.ts';
import type { Core } from '../main/core/core.ts';
import { hasEnded, type Job, titleOf } from '../main/core/jobs/job.ts';
import type { Queue } from '../main/core/jobs/queue.ts';
import { settledOrStuck } from '../main/core/jobs/wait-for-jobs.ts';
import type { Problem } from '../shared/errors.ts';
import { type CliMessages } from '../shared/messages/cli.ts';
import { type JobState, type Pause, pauseReasons } from '../shared/schemas/job.ts';
import { queueSecondsLeft, roughly } from '../shared/time-left.ts';
import type { Invocation } from './args.ts';
import { damagedData, sentence } from './errors.ts';
import { runHooks } from './run-hooks.ts';
import type { Session } from './session.ts';

/** How a batch ended: all jobs have (null), a pause blocks the rest, or the process was told to end before they had. */
export type BatchEnd = Pause | 'shutdown' | null;

interface Batch {
  readonly jobs: readonly Job[];
  readonly end: BatchEnd;
}

interface RunOptions<T> {
  onEnded(job: Job): void;
  summarize(batch: Batch): T;
  /** What the status line says of running jobs besides their number; null for nothing. */
  detail?(): string | null;
}

/**
 * Runs jobs until all have ended or a pause needs the user, and reports progress. Ctrl-C cancels them, but for those that another
 * process works on; after a shutdown signal the paid calls in flight finish, and the same command resumes the jobs. The batch is
 * acknowledged after `summarize`, once all of it has ended.
 */
export async function runJobs<T>(
  { core, connectionId, name }: Session,
  ids: readonly string[],
  invocation: Invocation,
  { onEnded, summarize, detail }: RunOptions<T>,
): Promise<T> {
  const { signal, shutdownSignal } = invocation;
  const queue = await core.queue();
  const { store, scheduler } = queue;
  const isOwn = (id: string) => !store.isElsewhere(id);
  const cancelAll = () => {
    if (!shutdownSignal.aborted) ids.filter(isOwn).forEach(scheduler.cancel);
  };
  signal.addEventListener('abort', cancelAll);
  // Ctrl-C may have arrived while the jobs were being submitted.
  if (signal.aborted) cancelAll();
  // A new command is a new attempt: the cause of an old pause may be gone.
  scheduler.resume(connectionId);
  scheduler.resume(null);
  const connection = { id: connectionId, name };
  const stopFollowing = followJobs(
    { queue, ids, clock: systemClock, connection, onEnded, ...(detail && { detail }) },
    invocation,
  );
  const finishHooks = await runHooks(core, invocation);
  const finishCopies = await reportCopies(core, invocation);
  scheduler.start();
  const end = await waitForEnd(queue, ids, core.signal, invocation);
  if (end === 'shutdown') await finishPaidCalls(queue, invocation);
  stopFollowing();
  // Nothing can be read any more.
  if (isDamaged(end)) throw damagedData(invocation.dataFolder, invocation.messages.cli);
  await finishHooks();
  // After a shutdown, a call that was paid for may still bring a result to copy.
  if (end !== 'shutdown') await finishCopies();
  const jobs = ids.map((id) => store.get(id)).filter((job) => job !== undefined);
  const result = summarize({ jobs, end });
  // Of an unfinished batch, the same command also adopts the jobs that are done: they must not be paid for again.
  if (jobs.every(hasEnded)) store.acknowledge(jobs.map(({ id }) => id));
  return result;
}

/**
 * Reports each new reason why results are not copied, as long as the command runs. Call the returned function once all jobs have
 * ended: it waits for the copies of their results, not for long.
 */
export async function reportCopies(
  core: Pick<Core, 'data'>,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): Promise<() => Promise<void>> {
  const { copies } = await core.data();
  let reported: Problem | null = null;
  const unsubscribe = copies.onChanged(() => {
    const problem = copies.problem();
    const isNew = problem?.code !== reported?.code;
    reported = problem;
    if (!problem || !isNew) return;
    const { code, facts: { folder } = {} } = problem;
    // Copies leave some space free, so the disk need not be full.
    const message =
      code === 'output/disk-full' && typeof folder === 'string'
        ? messages.copies.notCopied.full({ folder })
        : messages.cli.notCopied({ why: problemText(messages, problem).title });
    output.error(message);
    output.event({ event: 'copy', code, message });
  });
  return async () => {
    await copies.stop();
    unsubscribe();
  };
}

const isDamaged = (end: BatchEnd): boolean =>
  end !== null && end !== 'shutdown' && end.problem?.code === 'data/damaged';

/** The problem of a job or, if it has not ended, the pause that blocks it; null if there is none. */
export const failureOf = (job: Job, end: BatchEnd): Problem | null =>
  hasEnded(job) || end === 'shutdown' ? job.problem : (end?.problem ?? job.problem);

async function waitForEnd(
  queue: Queue,
  ids: readonly string[],
  stopped: AbortSignal,
  { signal, shutdownSignal }: Pick<Invocation, 'signal' | 'shutdownSignal'>,
): Promise<BatchEnd> {
  const wait = (some: readonly string[], until: AbortSignal) =>
    settledOrStuck({ ...queue, clock: systemClock, signal: AbortSignal.any([stopped, until]) }, some);
  try {
    return await wait(ids, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  try {
    // After Ctrl-C, what another process works on is its own affair.
    const own = ids.filter((id) => !queue.store.isElsewhere(id));
    const end = await wait(own, shutdownSignal);
    return own.length === ids.length ? end : 'shutdown';
  } catch (error) {
    if (!shutdownSignal.aborted) throw error;
    return 'shutdown';
  }
}

const paidCallPollMs = 100;

/** Starts nothing more and waits for the answers to paid calls, which the service charges for even if nobody receives them. */
async function finishPaidCalls(
  { scheduler, writes }: Pick<Queue, 'scheduler' | 'writes'>,
  { messages, reportWait, onDefect }: Pick<Invocation, 'messages' | 'reportWait' | 'onDefect'>,
): Promise<void> {
  // Free steps in flight are not waited for.
  scheduler.drain().catch(onDefect);
  if (scheduler.unansweredPaidCalls() === 0) return;
  reportWait(messages.cli.finishing);
  while (scheduler.unansweredPaidCalls() > 0 && !writes.isDamaged()) await systemClock.sleep(paidCallPollMs);
  reportWait(null);
}

interface FollowOptions {
  readonly queue: Pick<Queue, 'store' | 'breaker' | 'writes'>;
  readonly ids: readonly string[];
  readonly clock: Clock;
  readonly connection: { readonly id: string; readonly name: string };
  /** Called once for each job that has ended. */
  onEnded(job: Job): void;
  detail?(): string | null;
}

const redrawMs = 250;
const speedRefreshMs = 5000;

/**
 * Reports the progress of a batch: each job that ends, each reason to wait once, and on a terminal a status line.
 * The returned function stops it.
 */
export function followJobs(
  { queue: { store, breaker, writes }, ids, clock, connection, onEnded, detail }: FollowOptions,
  { output, messages }: Pick<Invocation, 'output' | 'messages'>,
): () => void {
  const ending = new AbortController();
  const jobs = new Map<string, Job>();
  /** The last reason reported for each job or pause; the same one is not repeated. */
  const reported = new Map<string, string>();

  const appliesHere = ({ connectionId }: Pause) => connectionId === null || connectionId === connection.id;
  const pauseText = (pause: Pause) => pauseReason(pause, connection.name, messages, clock.now());

  function isNew(key: string, reason: string): boolean {
    if (reported.get(key) === reason) return false;
    reported.set(key, reason);
    return true;
  }

  function update(job: Job): void {
    const previous = jobs.get(job.id);
    jobs.set(job.id, job);
    if (previous && hasEnded(previous)) return;
    if (hasEnded(job)) onEnded(job);
    const reason = waitReason(job, messages, clock.now());
    // One line per error code, however often the job is retried.
    if (reason !== null && isNew(`job ${job.id}`, job.problem?.code ?? '')) output.error(reason);
  }

  function emitJob(job: Job): void {
    const { state, nextTryAt, problem } = job;
    output.event({
      event: 'job',
      ...(job.source && { source: job.source.path }),
      state,
      ...(nextTryAt !== null && { nextTryAt }),
      ...(problem && { code: problem.code }),
    });
  }

  function reportPauses(all: readonly Pause[]): void {
    const ours = all.filter(appliesHere);
    for (const reason of pauseReasons) {
      if (ours.some((pause) => pause.reason === reason)) continue;
      reported.delete(`event ${reason}`);
      reported.delete(`pause ${reason}`);
    }
    for (const pause of ours) {
      const { connectionId, reason, resumesAt, problem } = pause;
      if (isNew(`event ${reason}`, String(resumesAt))) {
        const code = problem && { code: problem.code };
        output.event({ event: 'pause', connection: connectionId && connection.name, reason, resumesAt, ...code });
      }
      // The command ends with this.
      if (isDamaged(pause)) continue;
      const text = pauseText(pause);
      if (isNew(`pause ${reason}`, text) && !output.hasStatus) output.error(text);
    }
  }

  async function drawStatus(): Promise<void> {
    let processingSpeed: number | null = null;
    let speedReadAt = -Infinity;
    for (;;) {
      const now = clock.now();
      if (now - speedReadAt >= speedRefreshMs) {
        speedReadAt = now;
        try {
          processingSpeed = store.processingSpeed(connection.id);
        } catch (error) {
          // A paid call may be in flight, whose answer must not be lost because a line could not be drawn.
          if (!writes.holdFor(error)) throw error;
        }
      }
      const all = [...jobs.values()];
      const left = secondsLeft(all, processingSpeed, now);
      const reasons = breaker.list().filter(appliesHere).map(pauseText);
      output.status(progressText(all, left, reasons, messages, detail?.() ?? null));
      await clock.sleep(redrawMs, ending.signal);
    }
  }

  for (const id of ids) {
    const job = store.get(id);
    if (!job) continue;
    update(job);
    if (!hasEnded(job) && store.isElsewhere(id)) output.error(elsewhereReason(job, messages));
  }
  reportPauses(breaker.list());
  const unsubscribers = [
    store.onEvent((event) => {
      if (event.kind !== 'upserted') return;
      for (const job of event.jobs) {
        if (!jobs.has(job.id)) continue;
        emitJob(job);
        update(job);
      }
    }),
    breaker.onChanged(reportPauses),
  ];
  if (output.hasStatus) {
    drawStatus().catch((error: unknown) => {
      if (!ending.signal.aborted) throw error;
    });
  }
  return () => {
    ending.abort();
    unsubscribers.forEach((end) => end());
    output.status(null);
  };
}

/** States with a step in progress; in all others the job waits. In `converted` the result is being downloaded. */
const activeStates: ReadonlySet<JobState> = new Set(['creating', 'uploading', 'converting', 'converted', 'publishing']);

const isRunning = ({ state, nextTryAt }: Pick<Job, 'state' | 'nextTryAt'>): boolean =>
  activeStates.has(state) && nextTryAt === null;

/** Estimated seconds until the last job ends, as in the window; null if unknown. `processingSpeed`: seconds of audio per second. */
export const secondsLeft = (jobs: readonly Job[], processingSpeed: number | null, now: number): number | null =>
  queueSecondsLeft(
    jobs
      .filter((job) => !hasEnded(job))
      .map((job) => ({
        kind: job.kind,
        state: job.state,
        stateChangedAt: job.stateChangedAt,
        nextTryAt: job.nextTryAt,
        connectionId: job.connection.id,
        durationSeconds: job.kind === 'conversion' ? job.durationSeconds : null,
      })),
    { realTimeFactorOf: () => processingSpeed, isRunning: isRunning, now },
  );

/** One line about a batch: jobs done and running, then why it is paused, or the time left. */
export function progressText(
  jobs: readonly Job[],
  left: number | null,
  reasons: readonly string[],
  { cli, queue, format }: CliMessages,
  detail: string | null = null,
): string {
  const done = jobs.filter(({ state }) => state === 'done').length;
  const running = jobs.filter(isRunning).length;
  const tail = reasons.length > 0 ? reasons : left === null ? [] : [queue.left({ seconds: roughly(left) })];
  const now = running > 0 ? [cli.running({ n: running }), ...(detail === null ? [] : [detail])] : [];
  return format.facts(cli.done({ done, all: jobs.length }), ...now, ...tail);
}

/** A short reason for a pause. `name` is the display name of the connection. */
export function pauseReason(pause: Pause, name: string, messages: CliMessages, now: number): string {
  const { reason, resumesAt, problem } = pause;
  const { cli, format } = messages;
  if (reason === 'offline') {
    const isAway = problem === null || problem.code === 'network/unreachable';
    return isAway ? cli.offline : problemText(messages, problem).title;
  }
  if (reason !== 'rate') return pauseTitle(pause, name, messages);
  const isUnavailable = problem?.code === 'service/unavailable';
  if (resumesAt === null) return (isUnavailable ? cli.unavailable : cli.askedForPause)({ name });
  return (isUnavailable ? cli.unavailableUntil : cli.askedForPauseUntil)({
    name,
    ...format.appointment(resumesAt, now),
  });
}

const elsewhereReason = (job: Job, messages: CliMessages): string =>
  `${titleOf(job)}: ${sentence(messages, { code: 'job/elsewhere' })}`;

/** Why a job waits for another process, or why and when it is retried, in one line; null if it does not wait. */
function waitReason(job: Job, messages: CliMessages, now: number): string | null {
  const { nextTryAt, problem } = job;
  if (hasEnded(job) || !problem) return null;
  if (problem.code === 'job/elsewhere') return elsewhereReason(job, messages);
  if (nextTryAt === null) return null;
  const { title } = problemText(messages, problem);
  const words = problem.words?.replace(/\s+/g, ' ') ?? '';
  const { cli, format } = messages;
  const nextTry = cli.tryingAgain(format.appointment(nextTryAt, now));
  return `${titleOf(job)}: ${format.sentences(format.sentence(title), words, nextTry)}`;
}
