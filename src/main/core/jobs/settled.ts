import type { Pause } from '../../../shared/wire/pause.ts';
import type { Clock } from '../clock.ts';
import { hasEnded, type Job } from './job.ts';
import type { JobStore } from './job-store.ts';
import type { Pauses } from './pauses.ts';

/** Resolves with the jobs when all of them have ended. */
export function settled(store: JobStore, ids: readonly string[]): Promise<readonly Job[]> {
  const open = new Set(ids);
  const all = () => ids.map((id) => store.get(id)).filter((job) => job !== undefined);
  for (const job of all()) if (hasEnded(job)) open.delete(job.id);
  return new Promise((resolve) => {
    const check = () => {
      if (open.size > 0) return;
      stopListening();
      resolve(all());
    };
    const stopListening = store.onNews((news) => {
      if (news.kind === 'removed') news.ids.forEach((id) => open.delete(id));
      else if (news.kind === 'put') for (const job of news.jobs) if (hasEnded(job)) open.delete(job.id);
      check();
    });
    check();
  });
}

/** Without a network a command waits this long before it hands the shell back. */
const patienceMs = 60_000;

/** A pause that whoever runs a command would wait for in vain: it needs a person, or lasts. */
export const isHopeless = ({ reason, since, until }: Pause, now: number): boolean =>
  until === null || reason === 'quota' || reason === 'disk' || (reason === 'offline' && now - since >= patienceMs);

interface Patience {
  readonly store: JobStore;
  readonly pauses: Pauses;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * As `settled`, but gives up where nothing will go on by itself for a while: resolves with the pause, and the jobs stay as they are
 * for the next command that asks for them.
 */
export async function settledOrStuck(
  { store, pauses, clock, signal }: Patience,
  ids: readonly string[],
): Promise<Pause | null> {
  const enough = new AbortController();
  const over = AbortSignal.any([signal, enough.signal]);
  // A job stays with its connection.
  const connections = new Set(ids.flatMap((id) => store.get(id)?.connection.id ?? []));
  const stuck = async (): Promise<Pause | null> => {
    for (;;) {
      const pause = pauses
        .list()
        .find(
          (held) => (held.connectionId === null || connections.has(held.connectionId)) && isHopeless(held, clock.now()),
        );
      if (pause) return pause;
      await clock.sleep(200, over);
    }
  };
  try {
    return await Promise.race([settled(store, ids).then(() => null), stuck()]);
  } finally {
    enough.abort();
  }
}
