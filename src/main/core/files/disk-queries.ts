import type { Clock } from '../clock.ts';
import { diskOf, mountPoints } from './folders.ts';

/**
 * Runs queries against disks that may hang, one at a time per disk. A disk that exceeds the deadline is not queried again until it
 * has answered, and while `maxHungDisks` hang, no disk is.
 */
export interface DiskQueries {
  /** The result, or undefined if the disk of `path` did not answer in time. Rejects like `query`. */
  query<T>(path: string, ask: () => Promise<T>): Promise<T | undefined>;
  /** Where the disk of a path is mounted. */
  diskOf(path: string): Promise<string>;
}

interface Dependencies {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly platform: NodeJS.Platform;
  /** The default is longer than a sleeping disk needs to wake up; the user is waiting for the result. */
  readonly answersWithinMs?: number;
  /** A stat on a hung disk never returns, and holds a thread of libuv's, which has few. */
  readonly maxHungDisks?: number;
}

export function createDiskQueries({
  clock,
  platform,
  answersWithinMs = 2000,
  maxHungDisks = 2,
}: Dependencies): DiskQueries {
  const hungDisks = new Set<string>();
  const pending = new Map<string, Promise<unknown>>();

  async function queryNow<T>(place: string, ask: () => Promise<T>): Promise<T | undefined> {
    if (hungDisks.has(place) || hungDisks.size >= maxHungDisks) return undefined;
    const answered = new AbortController();
    const { signal } = answered;
    const answer = ask().finally(() => {
      answered.abort();
      hungDisks.delete(place);
    });
    // In halves: if the machine slept, or this process was stopped, one ends at once, maybe before an answer that has come is seen.
    const late = clock
      .sleep(answersWithinMs / 2, signal)
      .then(() => clock.sleep(answersWithinMs / 2, signal))
      .then(
        () => {
          if (!signal.aborted) hungDisks.add(place);
          return signal.aborted ? answer : undefined;
        },
        () => answer,
      );
    // A rejection after the deadline must not become unhandled.
    answer.catch(() => undefined);
    return Promise.race([answer, late]);
  }

  const placeOf = async (path: string): Promise<string> =>
    diskOf(path, platform === 'linux' ? await mountPoints() : [], platform);

  return {
    diskOf: placeOf,
    async query(path, ask) {
      const place = await placeOf(path);
      const before = pending.get(place) ?? Promise.resolve();
      const turn = before.then(() => queryNow(place, ask));
      const ended = turn.then(
        () => undefined,
        () => undefined,
      );
      pending.set(place, ended);
      void ended.then(() => {
        if (pending.get(place) === ended) pending.delete(place);
      });
      return turn;
    },
  };
}
