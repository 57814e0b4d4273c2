import type { Clock } from '../clock.ts';
import type { Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import type { Outcome } from './outcome.ts';
import type { Pauses } from './pauses.ts';

interface Dependencies {
  readonly store: JobStore;
  readonly pauses: Pauses;
  readonly clock: Clock;
}

/** Writes down what becomes of a job whose step failed. The job comes as it stands in the store, with what its reply brought. */
export const applyOutcome =
  ({ store, pauses, clock }: Dependencies) =>
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
          pauses.hold({ connectionId: job.connection.id, reason: 'uncertain', until: null, problem });
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
        pauses.hold({ connectionId, reason: by, until: afterMs === null ? null : now + afterMs, problem });
      }
    }
  };
