import type { ErrorCode } from '../../../shared/error-code.ts';
import type { Facts, Problem } from '../../../shared/problem.ts';
import type { JobState } from '../../../shared/wire/job.ts';
import type { PauseReason } from '../../../shared/wire/pause.ts';
import { backoffMs, offlineMs } from './backoff.ts';
import type { Job } from './job.ts';

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
export function outcomeOf(job: Job, problem: Problem, { random, pauseTries }: Circumstances): Outcome {
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
