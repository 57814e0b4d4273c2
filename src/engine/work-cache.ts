import { rm, stat } from 'node:fs/promises';
import type { OutputFormat } from '../sound/sound-format.ts';
import type { TaskResult, TaskStore } from './task-store.ts';

/** Sound work for a task that exists. */
interface SoundRun {
  readonly id: string;
  /** Of everything that decides how the result sounds; becomes its file's name. */
  readonly fingerprint: string;
  readonly format: OutputFormat;
  /** What a client may call the result, with its ending. */
  readonly name: string;
  /** Makes the file, complete or not at all. */
  work(outputPath: string): Promise<unknown>;
}

/** Sound work that happens once for each different request, however often it is asked for. */
export interface WorkCache {
  /** The stored result, or that of the run under way, or of a new one. Errors as of `work`. */
  once(run: SoundRun): Promise<TaskResult>;
}

/** Counts work over the stored tasks. A run belongs to no client: when the one who asked is gone, its result is kept all the same. */
export function createWorkCache(tasks: TaskStore): WorkCache {
  const running = new Map<string, Promise<TaskResult>>();

  const stored = async (id: string, fingerprint: string): Promise<TaskResult | null> => {
    const result = (await tasks.read(id))?.results[fingerprint];
    if (!result) return null;
    const size = await stat(tasks.pathOf(id, result.file)).then(
      (found) => found.size,
      () => null,
    );
    return size === result.bytes ? result : null;
  };

  const run = async ({ id, fingerprint, format, name, work }: SoundRun): Promise<TaskResult> => {
    const done = await stored(id, fingerprint);
    if (done) return done;
    const startedAt = performance.now();
    await tasks.update(id, (task) => ({ ...task, soundRuns: task.soundRuns + 1 }));
    const file = `${fingerprint}.${format}`;
    const outputPath = tasks.pathOf(id, file);
    await work(outputPath);
    const { size } = await stat(outputPath);
    const result: TaskResult = {
      file,
      name,
      format,
      bytes: size,
      processingTimeMs: Math.round(performance.now() - startedAt),
      deliveredAt: null,
    };
    const kept = await tasks.update(id, (task) => ({ ...task, results: { ...task.results, [fingerprint]: result } }));
    if (!kept) await rm(outputPath, { force: true });
    return result;
  };

  return {
    once(wanted) {
      const key = `${wanted.id}/${wanted.fingerprint}`;
      const current = running.get(key);
      if (current) return current;
      const next = run(wanted).finally(() => running.delete(key));
      running.set(key, next);
      return next;
    },
  };
}
