import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { engineSoundRevision } from '../shared/operations.ts';
import type { OutputFormat } from '../sound/sound-format.ts';
import type { TaskResult, TaskStore } from './task-store.ts';

/** Fingerprint of the values that determine a result's audio. */
export const fingerprintOf = (values: readonly unknown[]): string =>
  createHash('sha256')
    .update(JSON.stringify([engineSoundRevision, ...values]))
    .digest('hex')
    .slice(0, 32);

/** Audio work for an existing task. */
interface WorkItem {
  readonly id: string;
  /** Fingerprint of everything that determines the audio of the result; also its file name. */
  readonly fingerprint: string;
  readonly format: OutputFormat;
  /** File name for the client, with its extension. */
  readonly name: string;
  /** Creates the file, complete or not at all. */
  work(outputPath: string): Promise<unknown>;
}

/** Runs identical requests once, however often they are made. */
export interface WorkCache {
  /** Returns the stored result, or joins a running request, or starts one. Throws the errors of `work`. */
  getOrRun(run: WorkItem): Promise<TaskResult>;
}

/**
 * Creates the cache and counts the work in the task. Work does not belong to a client: if the client
 * disconnects, the result is stored anyway.
 */
export function createWorkCache(tasks: TaskStore): WorkCache {
  const running = new Map<string, Promise<TaskResult>>();

  const findStored = async (id: string, fingerprint: string): Promise<TaskResult | null> => {
    const result = (await tasks.read(id))?.results[fingerprint];
    if (!result) return null;
    const size = await stat(tasks.pathOf(id, result.file)).then(
      (found) => found.size,
      () => null,
    );
    return size === result.bytes ? result : null;
  };

  const run = async ({ id, fingerprint, format, name, work }: WorkItem): Promise<TaskResult> => {
    const cached = await findStored(id, fingerprint);
    if (cached) return cached;
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
    const updated = await tasks.update(id, (task) => ({
      ...task,
      results: { ...task.results, [fingerprint]: result },
    }));
    if (!updated) await rm(outputPath, { force: true });
    return result;
  };

  return {
    getOrRun(item) {
      const key = `${item.id}/${item.fingerprint}`;
      const current = running.get(key);
      if (current) return current;
      const next = run(item).finally(() => running.delete(key));
      running.set(key, next);
      return next;
    },
  };
}
