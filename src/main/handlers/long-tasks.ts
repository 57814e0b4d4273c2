import { AppError } from '../../shared/errors.ts';
import type { LongTaskProgress } from '../../shared/schemas/history.ts';
import type { Clock } from '../core/clock.ts';
import type { LongTask } from '../core/events.ts';

/** Long operations on history: one at a time, with progress, cancelled on request. */
export interface LongTasks {
  /** Null if it was cancelled. Throws `history/busy` while another task runs. */
  run<T>(kind: LongTaskProgress['kind'], work: (watched: LongTask) => Promise<T>): Promise<T | null>;
  /** Cancels the running task and resolves once it has ended; true if it ended early. */
  stop(): Promise<boolean>;
}

interface LongTaskDependencies {
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  emitProgress(work: LongTaskProgress | null): void;
}

/** Ten updates a second look continuous. */
const emitIntervalMs = 100;

export function createLongTasks({ clock, signal, emitProgress }: LongTaskDependencies): LongTasks {
  let current: { readonly stopping: AbortController; readonly isStopped: Promise<boolean> } | null = null;

  return {
    async run(kind, work) {
      if (current) throw new AppError('history/busy', `no ${kind} while there is other work`);
      const stopping = new AbortController();
      const { promise: isStopped, resolve: end } = Promise.withResolvers<boolean>();
      current = { stopping, isStopped };
      let emittedAt = clock.now();
      let hasStopped = false;
      emitProgress({ kind, share: kind === 'find' ? null : 0, count: 0 });
      try {
        return await work({
          signal: AbortSignal.any([signal, stopping.signal]),
          onProgress(progress) {
            if (clock.now() - emittedAt < emitIntervalMs) return;
            emittedAt = clock.now();
            emitProgress({ kind, ...progress });
          },
        });
      } catch (error) {
        hasStopped = stopping.signal.aborted;
        if (hasStopped) return null;
        throw error;
      } finally {
        current = null;
        emitProgress(null);
        end(hasStopped);
      }
    },
    async stop() {
      current?.stopping.abort(new AppError('job/cancelled', 'cancelled by the user'));
      return (await current?.isStopped) ?? false;
    },
  };
}
