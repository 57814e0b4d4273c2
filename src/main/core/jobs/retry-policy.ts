import type { ErrorCode, Facts, Problem } from '../../../shared/errors.ts';
import type { JobState, PauseReason } from '../../../shared/schemas/job.ts';
import type { Clock } from '../clock.ts';
import { discardTemporary } from '../files/publish.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { JobChange, JobStore } from './job-store.ts';
import { type Job, outputFolder } from './job.ts';

/** First wait and longest one, in milliseconds. */
const baseMs = 1000;
const capMs = 60_000;

/**
 * How long to wait after `tries` tries in vain: anything between nothing and twice the bound of the try before, so that many clients
 * that failed together do not come back together (full jitter; M. Brooker, "Exponential Backoff And Jitter", 2015).
 */
export const backoffMs = (tries: number, random: () => number): number =>
  Math.round(random() * Math.min(capMs, baseMs * 2 ** tries));

/** Without a network nobody is burdened by asking often, and a person wants it to go on at once: every four seconds at last. */
export const offlineMs = (tries: number): number => Math.min(4000, 500 * 2 ** tries);

/** What becomes of a job whose step failed. `state` is where it goes on from. */
export type Outcome =
  | { readonly kind: 'retry'; readonly state: JobState; readonly afterMs: number; readonly problem: Problem }
  | {
      readonly kind: 'paused';
      readonly state: JobState;
      readonly by: PauseReason;
      /** Null: only a person can end it. */
      readonly afterMs: number | null;
      readonly problem: Problem;
    }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'uncertain'; readonly problem: Problem; readonly stopsQueue: boolean };

interface Circumstances {
  readonly random: () => number;
  /** How often a pause of this kind was tried in vain. */
  readonly pauseTries: (reason: PauseReason) => number;
}

/** Free steps are repeated this often before a person is asked; with the backoff's bounds that is some three minutes. */
const maxTries = 8;
/** A result that does not arrive whole. */
const maxDownloads = 5;
/** For what is gone again each time it was made, counted over all tries of a job: the steps between succeed and count anew. */
const maxAttempts = 6;

const hourMs = 3_600_000;
export const diskCheckMs = 2000;

/** A state in which nothing is under way, where a step that certainly had no effect can begin anew. */
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

const numberOf = (facts: Facts | undefined, key: string): number | undefined => {
  const value = facts?.[key];
  return typeof value === 'number' ? value : undefined;
};

/**
 * What says for certain that a paid call was not carried out: it never left, or the service refused it in so many words. After any other
 * error nobody knows.
 */
const notCarriedOut: ReadonlySet<ErrorCode> = new Set([
  'network/unreachable',
  'network/insecure',
  'network/proxy',
  'system/too-many-files',
  'engine/not-started',
  'connection/invalid',
  'connection/not-found',
  'request/invalid',
  'input/text-empty',
  'input/text-too-long',
  'input/not-text',
  'voice/missing',
  'voice/not-found',
  'service/refused',
  'service/not-found',
  'service/too-large',
  'service/redirected',
  'auth/missing',
  'auth/refused',
  'auth/forbidden',
  'quota/used-up',
  'rate/limited',
]);

/** Passes by itself: worth another try as long as no try costs anything. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'network/cut',
  'network/timeout',
  'service/unavailable',
  'engine/not-started',
  'system/too-many-files',
]);

const spoiltResults: ReadonlySet<ErrorCode> = new Set(['service/result-incomplete', 'service/result-not-audio']);

/**
 * Nobody knows whether the paid call was carried out, or what it made is gone. The connection says what then: make it again, ask, or
 * ask and let nothing else go out before a person has looked.
 */
export function unknownOutcome(job: Job, problem: Problem, random: () => number): Outcome {
  const { unknownOutcome: policy } = job.connection.document;
  // Where the reply was understood and only could not be written down, there is nothing to repeat: what it made is to be fetched.
  const isKnown = problem.code !== 'service/result-gone' && (job.audioUrl !== null || job.finished !== null);
  if (policy === 'repeat' && !isKnown) {
    const isEnough = problem.code === 'service/result-gone' ? job.attempts >= maxAttempts : job.tries >= maxTries;
    if (isEnough) return { kind: 'failed', problem };
    const state = job.kind === 'speech' ? 'queued' : 'uploaded';
    return { kind: 'retry', state, afterMs: backoffMs(job.tries, random), problem };
  }
  const shown: Problem = problem.code === 'service/result-gone' ? problem : { ...problem, code: 'service/uncertain' };
  return { kind: 'uncertain', problem: shown, stopsQueue: policy === 'stop' };
}

/** Decides from what went wrong. Pure: time and luck come in. */
export function decideOutcome(job: Job, problem: Problem, { random, pauseTries }: Circumstances): Outcome {
  const { code, facts } = problem;
  const state = stateAtRest(job);
  const toldMs = numberOf(facts, 'retryAfterSeconds');
  const askedMs = toldMs === undefined ? undefined : toldMs * 1000;
  const pausedBy = (by: PauseReason, afterMs: number | null): Outcome => ({
    kind: 'paused',
    state,
    by,
    afterMs,
    problem,
  });
  const retryUpTo = (limit: number): Outcome =>
    job.tries + 1 >= limit
      ? { kind: 'failed', problem }
      : { kind: 'retry', state, afterMs: askedMs ?? backoffMs(job.tries, random), problem };

  switch (code) {
    case 'network/unreachable':
      return pausedBy('offline', offlineMs(pauseTries('offline')));
    case 'auth/refused':
    case 'auth/missing':
      return pausedBy('token', null);
    case 'quota/used-up':
    case 'auth/forbidden':
      return pausedBy('quota', askedMs ?? hourMs);
    case 'rate/limited':
      return pausedBy('rate', askedMs ?? backoffMs(pauseTries('rate'), random));
    case 'output/disk-full':
      // Speech that came inside the reply is lost with the file that it did not fit into.
      if (job.state !== 'converting') return pausedBy('disk', diskCheckMs);
      break;
    case 'service/result-gone':
      return unknownOutcome(job, problem, random);
    default:
  }
  if (code === 'service/unavailable' && numberOf(facts, 'status') === 503) {
    return pausedBy('rate', askedMs ?? backoffMs(pauseTries('rate'), random));
  }
  // Among these is sound that came spoilt in the paid reply itself: it cannot be fetched again.
  if (job.state === 'converting' && !notCarriedOut.has(code)) return unknownOutcome(job, problem, random);
  // The service forgets tasks that it waited for too long: a new one is free, and nothing was made of the old.
  const isTaskGone = code === 'service/not-found' && (job.state === 'uploading' || job.state === 'converting');
  if (isTaskGone && job.kind === 'conversion' && job.attempts < maxAttempts) {
    return { kind: 'retry', state: 'queued', afterMs: backoffMs(job.tries, random), problem };
  }
  if (spoiltResults.has(code)) return retryUpTo(maxDownloads);
  if (passing.has(code)) return retryUpTo(maxTries);
  return { kind: 'failed', problem };
}

interface Dependencies {
  readonly store: JobStore;
  readonly breaker: CircuitBreaker;
  readonly clock: Clock;
}

/** Writes down what becomes of a job whose step failed. The job comes as it stands in the store, with what its reply brought. */
export const applyFailure =
  ({ store, breaker, clock }: Dependencies) =>
  (job: Job, outcome: Outcome): void => {
    const now = clock.now();
    const attempts = job.attempts + 1;
    const { problem } = outcome;
    const { audioUrl, finished, outputFormat } = job;
    // A file that can be fetched again was discarded with its step; one that came with the reply is still there.
    const left = audioUrl === null ? { finished, outputFormat } : { audioUrl, finished: null, output: null };
    switch (outcome.kind) {
      case 'failed':
        store.change(job.id, { state: 'failed', attempts, problem, ...left });
        return;
      case 'uncertain':
        store.change(job.id, { state: 'uncertain', attempts, problem, ...left });
        if (outcome.stopsQueue) {
          breaker.pause({ connectionId: job.connection.id, reason: 'uncertain', until: null, problem });
        }
        return;
      case 'retry': {
        const { state } = outcome;
        const isMadeAgain = state === 'uploaded' || state === 'queued';
        store.change(job.id, {
          state,
          attempts,
          tries: job.tries + 1,
          problem,
          nextTryAt: now + outcome.afterMs,
          ...left,
          ...(isMadeAgain && { audioUrl: null, finished: null, output: null }),
        });
        return;
      }
      case 'paused': {
        const { state, by, afterMs } = outcome;
        // A wall that stands before everybody is no failure of this one.
        store.change(job.id, { state, tries: job.tries, problem: null, nextTryAt: null, ...left });
        const connectionId = by === 'disk' ? null : job.connection.id;
        breaker.pause({ connectionId, reason: by, until: afterMs === null ? null : now + afterMs, problem });
      }
    }
  };

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
export function retryFrom(job: Job): JobChange {
  const isGone = job.problem?.code === 'service/result-gone';
  if (!isGone && (job.audioUrl !== null || job.finished !== null)) return { state: 'converted' };
  if (job.kind === 'speech') return fresh;
  const { source, taskId, sourceSha256 } = job;
  // The sound is up there: it is only the answer that was lost, or that nobody waited for.
  const isUnknown = job.state === 'uncertain' || job.problem?.code === 'service/may-charge';
  if (isUnknown && taskId !== null && sourceSha256 !== null) return { state: 'uploaded', audioUrl: null };
  return { ...fresh, outputFormat: null, source: { ...source, snapshot: null } };
}

/**
 * What becomes of a job whose process was killed in this state; null where its step can simply be done again. Whether a paid call that
 * was flagged was carried out, nobody knows.
 */
export function decideAfterCrash(job: Job): Outcome | null {
  if (job.state !== 'converting') return null;
  const problem: Problem = { code: 'network/cut' };
  const outcome = unknownOutcome(job, problem, () => 0);
  return outcome.kind === 'failed' ? { kind: 'uncertain', problem, stopsQueue: false } : outcome;
}

/** Removes what a killed process left half written. A finished file is wanted. */
export async function removeTemporaryAfterKill(job: Job): Promise<void> {
  const isWriting = job.state === 'converted' || (job.kind === 'speech' && job.state === 'converting');
  if (isWriting && job.finished === null) await discardTemporary(outputFolder(job), job.id);
}
