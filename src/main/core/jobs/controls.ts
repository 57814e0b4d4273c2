import { discardTemporary } from '../outputs/discard-temporary.ts';
import { againFrom } from './again-from.ts';
import type { Flights } from './flights.ts';
import { hasEnded } from './job.ts';
import type { JobStore } from './job-store.ts';
import { outputFolder } from './output-of-job.ts';
import type { Pauses } from './pauses.ts';

/** What a person does to the queue. It is written to the journal and the pauses, whose news set the runner going. */
export interface Controls {
  /** Ends a job in whatever state it is, this process's or another's; one that has ended stays as it is. */
  cancel(id: string): void;
  /**
   * Puts a job that failed, was cancelled or is uncertain back in the queue. It goes on from what the service has of it: a result is
   * fetched, not paid for again; an uncertain one is converted again.
   */
  retry(id: string): void;
  /** Begins nothing more until `resume`; what is under way comes to the end of its step. */
  pause(): void;
  /** Ends what holds a connection up, whatever it is; null is the person's own pause and a full disk. */
  resume(connectionId: string | null): void;
}

interface Dependencies {
  readonly store: JobStore;
  readonly pauses: Pauses;
  readonly flights: Pick<Flights, 'has'>;
  onDefect(error: unknown): void;
}

export function createControls({ store, pauses, flights, onDefect }: Dependencies): Controls {
  return {
    cancel(id) {
      const job = store.get(id);
      if (!job || hasEnded(job)) return;
      // It is being given its name at this moment, and will be done before anyone could undo it.
      if (job.state === 'publishing' && flights.has(id)) return;
      store.change(id, { state: 'cancelled' });
      if (!flights.has(id) && job.finished) void discardTemporary(outputFolder(job), id).catch(onDefect);
    },
    retry(id) {
      const job = store.get(id);
      if (!job || !hasEnded(job) || job.state === 'done') return;
      store.revive(id, againFrom(job));
    },
    pause: () => pauses.hold({ connectionId: null, reason: 'person', until: null, problem: null }),
    resume(connectionId) {
      if (connectionId === null) pauses.release(null, ['person', 'disk']);
      // The pause that a service asked for is not ours to end.
      else pauses.release(connectionId, ['offline', 'quota', 'token', 'uncertain']);
    },
  };
}
