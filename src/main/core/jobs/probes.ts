import type { PauseReason } from '../../../shared/wire/pause.ts';
import type { Clock } from '../clock.ts';
import type { Job } from './job.ts';
import type { Pauses } from './pauses.ts';

/**
 * Once the time of a pause is over, one job goes ahead and finds out for all others of its connection: its first answer ends the pause,
 * its failure makes it longer.
 */
export interface Probes {
  begin(job: Job): void;
  has(connectionId: string): boolean;
  is(job: Job): boolean;
  /** A call of this job came through. */
  reached(job: Job): void;
  landed(id: string): void;
  /** Takes those for answered that have been under way for so long that nobody can have turned them away. */
  trust(find: (id: string) => Job | undefined): void;
  /** When `trust` has something to do, one time a probe. */
  times(): readonly number[];
}

/** What a call that came through disproves. */
const disproved: readonly PauseReason[] = ['offline', 'rate', 'quota'];
/** A service that turns a call away does it sooner than this after it was reached; a conversion may last an hour. */
const turnAwayMs = 3000;

export function createProbes({ pauses, clock }: { readonly pauses: Pauses; readonly clock: Clock }): Probes {
  const probes = new Map<string, { readonly id: string; readonly trustedAt: number }>();

  function reached({ id, connection }: Job): void {
    const isProbe = probes.get(connection.id)?.id === id;
    if (isProbe) probes.delete(connection.id);
    // A call that was under way before a service asked for a pause says nothing about the pause.
    pauses.release(connection.id, isProbe ? disproved : ['offline']);
  }

  return {
    begin({ id, connection }) {
      const { connectMs } = connection.document.timeouts;
      probes.set(connection.id, { id, trustedAt: clock.now() + connectMs + turnAwayMs });
    },
    has: (connectionId) => probes.has(connectionId),
    is: ({ id, connection }) => probes.get(connection.id)?.id === id,
    reached,
    landed(id) {
      for (const [connectionId, probe] of probes) if (probe.id === id) probes.delete(connectionId);
    },
    trust(find) {
      for (const { id, trustedAt } of [...probes.values()]) {
        const job = clock.now() >= trustedAt ? find(id) : undefined;
        if (job) reached(job);
      }
    },
    times: () => [...probes.values()].map(({ trustedAt }) => trustedAt),
  };
}
