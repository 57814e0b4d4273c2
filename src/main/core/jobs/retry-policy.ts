import type { ErrorCode, Problem } from '../../../shared/errors.ts';
import { numberFact } from '../../../shared/messages/facts.ts';
import type { JobState, PauseReason } from '../../../shared/schemas/job.ts';
import type { Clock } from '../clock.ts';
import { discardTemporary } from '../files/publish.ts';
import { missingStatuses, wasNotCarriedOut } from '../voice-service/paid-call-outcome.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { JobChange, JobStore } from './job-store.ts';
import { type Job, maxWaitMs, outputFolder } from './job.ts';

/** First and longest backoff, in milliseconds. */
const baseMs = 1000;
const capMs = 60_000;

/**
 * Delay after `tries` failed attempts: random between zero and a bound that doubles each time, so clients that
 * failed together do not retry together (full jitter; M. Brooker, "Exponential Backoff And Jitter", 2015).
 */
const backoffMs = (tries: number, random: () => number): number =>
  Math.round(random() * Math.min(capMs, baseMs * 2 ** tries));

/** Delay while offline. Frequent checks burden no service, and the user wants to continue at once: at most 4 s. */
const offlineMs = (tries: number): number => Math.min(4000, 500 * 2 ** tries);

/** A pause of the queue beside the job's own outcome. */
interface Beside {
  readonly by: PauseReason;
  readonly afterMs: number;
  readonly problem: Problem;
}

/** What happens to a job whose step failed. `state` is the state it continues from. */
export type Outcome =
  | {
      readonly kind: 'retry';
      readonly state: JobState;
      readonly afterMs: number;
      readonly problem: Problem;
      readonly beside?: Beside;
    }
  | {
      readonly kind: 'paused';
      readonly state: JobState;
      readonly by: PauseReason;
      /** Null: only the user can end it. */
      readonly afterMs: number | null;
      readonly problem: Problem;
    }
  /** The job waits for something of its own, however long: it has not failed. */
  | { readonly kind: 'held'; readonly state: JobState; readonly afterMs: number; readonly problem: Problem }
  | { readonly kind: 'failed'; readonly problem: Problem; readonly beside?: Beside }
  | {
      readonly kind: 'uncertain';
      readonly problem: Problem;
      readonly stopsQueue: boolean;
      readonly beside?: Beside;
    };

interface Circumstances {
  readonly random: () => number;
  /** True if the service denied the same job before, and the queue has waited since. */
  readonly wasForbidden?: boolean;
  /** Number of failed attempts to end a pause of this kind. */
  readonly pauseTries: (reason: PauseReason) => number;
}

/** Attempts at a free step before the job fails; with the backoff bounds, about three minutes. */
const maxTries = 8;
/** Attempts at a result that does not arrive complete. */
export const maxDownloads = 5;
/**
 * Further attempts at a result whose address answers one of `missingStatuses`, half a minute on average: an eventually
 * consistent storage may only not have it yet.
 */
const maxMissing = 6;
/** For results that expire each time, over the whole job: the steps in between succeed and reset the failure count. */
const maxAttempts = 6;

export const diskCheckMs = 2000;
/** Each of the jobs whose disk does not answer is written and shown anew: there may be thousands. */
const silentDiskMs = 60_000;

/** The state to restart from when a step certainly had no effect. */
export function stateAtRest({ kind, state }: Pick<Job, 'kind' | 'state'>): JobState {
  switch (state) {
    case 'creating':
      return 'queued';
    case 'uploading':
      return 'created';
    case 'converting':
      return kind === 'speech' ? 'queued' : 'uploaded';
    case 'publishing':
      return 'converted';
    default:
      return state;
  }
}

/** Transient errors, retried as long as a retry is free. */
const transientErrors: ReadonlySet<ErrorCode> = new Set([
  'network/cut',
  'network/timeout',
  'service/unavailable',
  'engine/not-started',
  'system/too-many-files',
]);

const corruptResults: ReadonlySet<ErrorCode> = new Set(['service/result-incomplete', 'service/result-not-audio']);

/** True if the disk took results before it became read-only. */
const isReadOnlyNow = ({ code, facts }: Problem): boolean =>
  code === 'output/not-writable' && facts?.['before'] === 'writable';

/** True if the address of a result answered that there is none. */
const isMissing = ({ code, facts }: Problem): boolean =>
  (code === 'service/unavailable' || code === 'service/result-gone') &&
  missingStatuses.has(numberFact(facts ?? {}, 'status') ?? 0);

/**
 * Decides after a paid call whose outcome is unknown or whose result has expired. The connection's policy is to
 * repeat it, to ask, or to ask and pause the connection until the user has answered.
 */
function decideUnknownOutcome(
  job: Job,
  problem: Problem,
  random: () => number,
): Exclude<Outcome, { readonly kind: 'paused' | 'held' }> {
  const { unknownOutcome: policy } = job.connection.document;
  // If the reply was parsed but could not be stored, there is nothing to repeat: its result can be fetched.
  const isKnown = hasPaidResult({ ...job, problem });
  if (policy === 'repeat' && !isKnown) {
    const triesPerResult = isMissing(problem) ? 1 + maxMissing : 1;
    const isEnough =
      problem.code === 'service/result-gone'
        ? job.attempts >= maxAttempts * triesPerResult
        : job.consecutiveFailures >= maxTries;
    if (isEnough) return { kind: 'failed', problem };
    const state = job.kind === 'speech' ? 'queued' : 'uploaded';
    return { kind: 'retry', state, afterMs: backoffMs(job.consecutiveFailures, random), problem };
  }
  const shown: Problem = problem.code === 'service/result-gone' ? problem : { ...problem, code: 'service/uncertain' };
  return { kind: 'uncertain', problem: shown, stopsQueue: policy === 'stop' };
}

/** Decides what a problem means for a job. Pure: time and randomness are injected. */
export function decideOutcome(
  job: Job,
  problem: Problem,
  { random, pauseTries, wasForbidden = false }: Circumstances,
): Outcome {
  const { code, facts } = problem;
  const state = stateAtRest(job);
  const retryAfterSeconds = numberFact(facts ?? {}, 'retryAfterSeconds');
  // Zero, or a date that has passed, names no wait: without the backoff, each failure would cause the next call at once.
  const retryAfterMs = retryAfterSeconds ? retryAfterSeconds * 1000 : undefined;
  const pausedBy = (by: PauseReason, afterMs: number | null): Outcome => ({
    kind: 'paused',
    state,
    by,
    afterMs,
    problem,
  });
  const rateMs = () => retryAfterMs ?? backoffMs(pauseTries('rate'), random);
  const isBusy = code === 'service/unavailable' && numberFact(facts ?? {}, 'status') === 503;
  const retryUpTo = (limit: number): Outcome =>
    job.consecutiveFailures + 1 >= limit
      ? { kind: 'failed', problem }
      : { kind: 'retry', state, afterMs: retryAfterMs ?? backoffMs(job.consecutiveFailures, random), problem };

  // Includes corrupt audio inside the paid reply itself, which cannot be fetched again.
  if (job.state === 'converting' && !wasNotCarriedOut(problem)) {
    const outcome = decideUnknownOutcome(job, problem, random);
    // This job's outcome is unknown, but no other is paid for until the disk has space or the service is back.
    if (code === 'output/disk-full' || code === 'output/folder-missing' || isReadOnlyNow(problem))
      return { ...outcome, beside: { by: 'disk', afterMs: diskCheckMs, problem } };
    return isBusy ? { ...outcome, beside: { by: 'rate', afterMs: rateMs(), problem } } : outcome;
  }
  if (job.state === 'converted' && isMissing(problem)) {
    const isGone = job.problem !== null && isMissing(job.problem) && job.consecutiveFailures >= maxMissing;
    if (isGone) return decideUnknownOutcome(job, { ...problem, code: 'service/result-gone' }, random);
    return { kind: 'retry', state, afterMs: backoffMs(job.consecutiveFailures, random), problem };
  }
  switch (code) {
    // Other recordings are on other disks, so the queue goes on.
    case 'input/disk-silent':
      return { kind: 'held', state, afterMs: silentDiskMs, problem };
    case 'network/insecure':
    case 'network/proxy':
      // Without a host, it is the address of the result or of the proxy itself, and would be the same each time.
      if (facts?.['host'] === undefined) return { kind: 'failed', problem };
      return pausedBy('offline', offlineMs(pauseTries('offline')));
    case 'network/unreachable':
      return pausedBy('offline', offlineMs(pauseTries('offline')));
    case 'auth/refused':
    case 'auth/missing':
      return pausedBy('token', null);
    case 'auth/forbidden':
      // It may be about the voice or the text of this job alone, which must not hold up the others for ever.
      return wasForbidden ? { kind: 'failed', problem } : pausedBy('quota', retryAfterMs ?? maxWaitMs);
    case 'quota/used-up':
      return pausedBy('quota', retryAfterMs ?? maxWaitMs);
    case 'rate/limited':
      return pausedBy('rate', rateMs());
    case 'output/disk-full':
      return pausedBy('disk', diskCheckMs);
    case 'output/folder-missing':
      // While its disk is away, nobody knows whether a result that was being published has its name.
      return {
        kind: 'paused',
        state: job.state === 'publishing' ? job.state : state,
        by: 'disk',
        afterMs: diskCheckMs,
        problem,
      };
    case 'service/result-gone':
      return decideUnknownOutcome(job, problem, random);
    case 'output/not-writable':
      return isReadOnlyNow(problem) ? pausedBy('disk', diskCheckMs) : { kind: 'failed', problem };
    default:
  }
  if (isBusy) return pausedBy('rate', rateMs());
  // The service drops tasks that stay idle too long. A new one is free, and the old one produced nothing.
  const isTaskGone = code === 'service/not-found' && (job.state === 'uploading' || job.state === 'converting');
  if (isTaskGone && job.kind === 'conversion' && job.attempts < maxAttempts) {
    return { kind: 'retry', state: 'queued', afterMs: backoffMs(job.consecutiveFailures, random), problem };
  }
  if (corruptResults.has(code)) return retryUpTo(maxDownloads);
  if (transientErrors.has(code)) return retryUpTo(maxTries);
  return { kind: 'failed', problem };
}

/** Errors that say that the connection does not suit the service, so that the next job is likely to share them. */
const mismatches: ReadonlySet<ErrorCode> = new Set([
  'service/not-understood',
  'service/no-audio',
  'service/redirected',
  'service/result-not-audio',
  'network/insecure',
]);

/**
 * True if a job failed, or was paid for in vain, in a way that other jobs are likely to share. A pause of its own, as for a
 * certificate, ends by itself.
 */
export const isMismatch = ({ state }: Job, { code }: Problem, { kind }: Outcome): boolean =>
  mismatches.has(code) && (kind === 'failed' || (state === 'converting' && kind !== 'paused'));

/** True if the service may have been paid for the job, now or in an earlier attempt. */
export const mayBePaid = ({ state, timings }: Job): boolean =>
  state === 'converting' || timings.converting !== undefined;

interface Dependencies {
  readonly store: JobStore;
  readonly breaker: CircuitBreaker;
  readonly clock: Clock;
}

/** Records the outcome of a failed step. `job` is the stored job with whatever its reply added. */
export const applyFailure =
  ({ store, breaker, clock }: Dependencies) =>
  (job: Job, outcome: Outcome): void => {
    const now = clock.now();
    const attempts = job.attempts + 1;
    const { problem } = outcome;
    const { finished, outputFormat } = job;
    // An address may be signed and thus secret: it is kept only as long as there may be something.
    const audioUrl = problem.code === 'service/result-gone' ? null : job.audioUrl;
    // A file that can be fetched again was discarded with its step; one from the reply still exists.
    const results = {
      audioUrl,
      ...(job.audioUrl === null ? { finished, outputFormat } : { finished: null, output: null }),
    };
    const pause = (reason: PauseReason, afterMs: number | null, cause = problem) =>
      breaker.pause({
        connectionId: reason === 'disk' ? null : job.connection.id,
        reason,
        resumesAt: afterMs === null ? null : now + afterMs,
        problem: cause,
      });
    if ('beside' in outcome) {
      const { by, afterMs, problem: cause } = outcome.beside;
      pause(by, afterMs, cause);
    }
    switch (outcome.kind) {
      case 'failed':
        store.change(job.id, { state: 'failed', attempts, problem, ...results });
        return;
      case 'uncertain':
        store.change(job.id, { state: 'uncertain', attempts, problem, ...results });
        if (outcome.stopsQueue) pause('uncertain', null);
        return;
      case 'retry': {
        const { state } = outcome;
        const isRepeated = state === 'uploaded' || state === 'queued';
        store.change(job.id, {
          state,
          attempts,
          consecutiveFailures: job.consecutiveFailures + 1,
          problem,
          nextTryAt: now + outcome.afterMs,
          ...results,
          ...(isRepeated && { audioUrl: null, finished: null, output: null }),
        });
        return;
      }
      case 'held': {
        const { consecutiveFailures } = job;
        const nextTryAt = now + outcome.afterMs;
        store.changeRelaxed(job.id, { state: outcome.state, consecutiveFailures, problem, nextTryAt });
        return;
      }
      case 'paused': {
        const { state, by, afterMs } = outcome;
        // A pause affects all jobs, so it does not count as a failure of this one.
        store.change(job.id, {
          state,
          consecutiveFailures: job.consecutiveFailures,
          problem: null,
          nextTryAt: null,
          ...(state !== 'publishing' && results),
        });
        pause(by, afterMs);
      }
    }
  };

const fromStart: JobChange = {
  state: 'queued',
  taskId: null,
  changerType: null,
  sourceSha256: null,
  audioUrl: null,
  finished: null,
  output: null,
};

/** True if the job's result is paid for and, as far as is known, still there: at the service or on disk. */
export const hasPaidResult = ({ problem, audioUrl, finished }: Job): boolean =>
  problem?.code !== 'service/result-gone' && (audioUrl !== null || finished !== null);

/** True if all that is missing is to fetch and save what was paid for. */
export const isUnfetched = (job: Job): boolean =>
  (job.state === 'failed' || job.state === 'cancelled') && hasPaidResult(job);

/** True if nobody knows whether the job's paid call was carried out. */
export const isInDoubt = ({ state, problem }: Job): boolean =>
  state === 'uncertain' || (state === 'cancelled' && problem?.code === 'service/may-charge');

/** Where a retry by the user begins: from what the service still has, or from the start with a new preflight. */
export function retryFrom(job: Job): JobChange {
  if (hasPaidResult(job)) return { state: 'converted', consecutiveFailures: 0 };
  if (job.kind === 'speech') return fromStart;
  const { source, taskId, sourceSha256 } = job;
  // The audio is uploaded; only the answer was lost or not awaited.
  if (isInDoubt(job) && taskId !== null && sourceSha256 !== null) return { state: 'uploaded', audioUrl: null };
  return { ...fromStart, outputFormat: null, source: { ...source, snapshot: null } };
}

/** Like `retryFrom`, with the result in another folder, unless the only sound that is paid for lies complete in the old one. */
export function retryIn(job: Job, folder: string): JobChange {
  const change = retryFrom(job);
  if (job.finished !== null && job.audioUrl === null) return change;
  return { ...change, target: { ...job.target, folder }, finished: null, output: null };
}

/** What moving a result changes in its job. */
interface MovedResult extends Pick<Job, 'target' | 'finished' | 'output'> {
  readonly state: JobState;
}

/**
 * Moves the result of a job that waits for its folder to another one: it is fetched again there. Null if the only sound that is
 * paid for lies complete in the old folder.
 */
export function moveTo(job: Job, folder: string | null): MovedResult | null {
  if (job.finished !== null && job.audioUrl === null) return null;
  // A text that the user wrote has no folder of its own.
  if (folder === null && job.source === null) return null;
  // All other states stay: nobody knows whether a paid call that was flagged was carried out.
  const state = job.state === 'publishing' ? 'converted' : job.state;
  return { state, target: { ...job.target, folder }, finished: null, output: null };
}

/** True if a kill of the job's process may have left a call to decide about, or a partial file. */
export const needsRecovery = ({ state }: Job): boolean => state === 'converting' || state === 'converted';

/**
 * Decides what happens to a job whose process was killed. Null if its step can simply be repeated. Whether a
 * flagged paid call was carried out is unknown.
 */
export function decideAfterCrash(job: Job): Outcome | null {
  if (job.state !== 'converting') return null;
  const problem: Problem = { code: 'network/cut' };
  const outcome = decideUnknownOutcome(job, problem, () => 0);
  return outcome.kind === 'failed' ? { kind: 'uncertain', problem, stopsQueue: false } : outcome;
}

/** Removes the partial file of a killed process. Keeps a finished one. */
export async function removeTemporaryAfterKill(job: Job): Promise<void> {
  const isWriting = job.state === 'converted' || (job.kind === 'speech' && job.state === 'converting');
  if (isWriting && job.finished === null) await discardTemporary(outputFolder(job), job.id);
}
