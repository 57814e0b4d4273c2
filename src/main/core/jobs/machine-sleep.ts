import { AppError } from '../../../shared/app-error.ts';
import type { Clock } from '../clock.ts';
import type { Flights } from './flights.ts';
import type { Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import type { Pauses } from './pauses.ts';

/** With what a flight is aborted whose call the machine slept through. */
export const slept = new AppError('network/cut', 'the machine slept');

/** What a sleep of the machine does to the queue. */
export interface MachineSleep {
  sleep(): void;
  isAsleep(): boolean;
  /** The machine should be awake by now: it did not sleep after all, or does not say that it woke. */
  isOverslept(): boolean;
  /** Cuts what is stale, and asks the network at once. */
  wake(): void;
}

interface Dependencies {
  readonly store: JobStore;
  readonly pauses: Pauses;
  readonly flights: Flights;
  readonly clock: Clock;
}

/** By the clock on the wall, which goes on in a sleep: after a real one it is over at the first look. */
const longestSleepMs = 60_000;
const freeStates: ReadonlySet<Job['state']> = new Set(['creating', 'uploading', 'converted']);

export function createMachineSleep({ store, pauses, flights, clock }: Dependencies): MachineSleep {
  let since: number | null = null;
  return {
    sleep: () => void (since ??= clock.now()),
    isAsleep: () => since !== null,
    isOverslept: () => since !== null && clock.now() - since >= longestSleepMs,
    wake() {
      since = null;
      for (const id of flights.ids()) {
        const job = store.get(id);
        // A paid call is left alone: its answer may still come, and cutting it off would lose it.
        if (job && freeStates.has(job.state)) flights.abort(id, slept);
      }
      for (const { connectionId, reason } of pauses.list()) {
        if (reason === 'offline') pauses.release(connectionId, [reason]);
      }
    },
  };
}
