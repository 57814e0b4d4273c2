import type { Clock } from '../clock.ts';
import { mountPoints, placeOf } from './mount-points.ts';

/** Longer than a disk takes to wake up for a name that the system has not in memory; a person waits for it. */
export const lookDeadlineMs = 2000;
/** The system does four calls of ours at once, and one to a disk that hangs never ends: two are left to all others. */
const maxHanging = 2;

/**
 * Asks disks that may hang. One question at a time for each of them; one that does not answer within the deadline is not asked again
 * until it has, and while two hang nobody is asked.
 */
export interface CarefulLooks {
  /** The answer, or undefined where the path's disk did not give one in time. Rejects as `ask` does. */
  ask<T>(path: string, ask: () => Promise<T>): Promise<T | undefined>;
}

interface Dependencies {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly platform: NodeJS.Platform;
  readonly deadlineMs?: number;
}

export function createCarefulLooks({ clock, platform, deadlineMs = lookDeadlineMs }: Dependencies): CarefulLooks {
  const hanging = new Set<string>();
  const lines = new Map<string, Promise<unknown>>();

  async function askNow<T>(place: string, ask: () => Promise<T>): Promise<T | undefined> {
    if (hanging.has(place) || hanging.size >= maxHanging) return undefined;
    const answered = new AbortController();
    const answer = ask().finally(() => {
      answered.abort();
      hanging.delete(place);
    });
    const late = clock.sleep(deadlineMs, answered.signal).then(
      () => {
        if (!answered.signal.aborted) hanging.add(place);
        return answered.signal.aborted ? answer : undefined;
      },
      () => answer,
    );
    // Heard by nobody where it comes too late.
    answer.catch(() => undefined);
    return Promise.race([answer, late]);
  }

  return {
    async ask(path, ask) {
      const place = placeOf(path, platform === 'linux' ? await mountPoints() : [], platform);
      const before = lines.get(place) ?? Promise.resolve();
      const turn = before.then(() => askNow(place, ask));
      const ended = turn.then(
        () => undefined,
        () => undefined,
      );
      lines.set(place, ended);
      void ended.then(() => {
        if (lines.get(place) === ended) lines.delete(place);
      });
      return turn;
    },
  };
}
