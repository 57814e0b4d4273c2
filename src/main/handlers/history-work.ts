import { AppError } from '../../shared/app-error.ts';
import type { HistoryWork } from '../../shared/wire/history.ts';
import type { Clock } from '../core/clock.ts';
import type { Watched } from '../core/library/history-files.ts';

/** Work on history that takes a while: one at a time, told as it goes on, and ended where a person wishes it. */
export interface HistoryWorks {
  /** Null where it was stopped. Throws `history/busy` while there is other work. */
  run<T>(kind: HistoryWork['kind'], work: (watched: Watched) => Promise<T>): Promise<T | null>;
  /** Resolves when nothing is under way any more: true where something was ended before it was done. */
  stop(): Promise<boolean>;
}

interface Dependencies {
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  tell(work: HistoryWork | null): void;
}

/** A bar that moves ten times a second seems to move all the time. */
const tellEveryMs = 100;

export function createHistoryWorks({ clock, signal, tell }: Dependencies): HistoryWorks {
  let current: { readonly stopping: AbortController; readonly isStopped: Promise<boolean> } | null = null;

  return {
    async run(kind, work) {
      if (current) throw new AppError('history/busy', `no ${kind} while there is other work`);
      const stopping = new AbortController();
      const { promise: isStopped, resolve: end } = Promise.withResolvers<boolean>();
      current = { stopping, isStopped };
      let toldAt = clock.now();
      let hasStopped = false;
      tell({ kind, share: kind === 'find' ? null : 0, count: 0 });
      try {
        return await work({
          signal: AbortSignal.any([signal, stopping.signal]),
          onProgress(progress) {
            if (clock.now() - toldAt < tellEveryMs) return;
            toldAt = clock.now();
            tell({ kind, ...progress });
          },
        });
      } catch (error) {
        hasStopped = stopping.signal.aborted;
        if (hasStopped) return null;
        throw error;
      } finally {
        current = null;
        tell(null);
        end(hasStopped);
      }
    },
    async stop() {
      current?.stopping.abort(new AppError('job/cancelled', 'a person has stopped it'));
      return (await current?.isStopped) ?? false;
    },
  };
}
