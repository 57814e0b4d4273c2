import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Clock } from './clock.ts';

const uploadSchema = v.object({
  file: v.string(),
  name: v.string(),
  bytes: v.number(),
  sha256: v.string(),
  seconds: v.optional(v.number()),
});

const resultSchema = v.object({
  file: v.string(),
  name: v.string(),
  format: v.picklist(['wav', 'mp3', 'flac', 'ogg']),
  bytes: v.number(),
  processingTimeMs: v.number(),
  /** Milliseconds since 1970; null until a client has read the result to its end. */
  deliveredAt: v.nullable(v.number()),
});

const taskSchema = v.object({
  id: v.string(),
  voice: v.string(),
  /** v1 is only for speech. */
  engine: v.picklist(['v1', 'v5', 'v7']),
  createdAt: v.number(),
  upload: v.nullable(uploadSchema),
  /** Keyed by request fingerprint; a repeated request is answered from here. */
  results: v.record(v.string(), resultSchema),
  /** Number of times that audio work was started, which is what a paid service would charge for. */
  soundRuns: v.number(),
});

export type TaskUpload = v.InferOutput<typeof uploadSchema>;
export type TaskResult = v.InferOutput<typeof resultSchema>;
export type Task = Readonly<v.InferOutput<typeof taskSchema>>;

/**
 * Stores tasks on disk: `<directory>/<uuid>/` with `task.json`, the upload and the results. A program that runs for weeks would
 * fill the disk with these copies: of what was downloaded, the oldest are removed once they exceed a gigabyte, but never the
 * latest.
 */
export interface TaskStore {
  /** Creates a task, or returns the one with the given id. The id is a lower-case UUID, random if omitted. */
  create(task: Pick<Task, 'voice' | 'engine'> & { readonly id?: string }): Promise<Task>;
  /** Returns null if the id is unknown, the task was removed, or its record is unreadable. */
  read(id: string): Promise<Task | null>;
  /**
   * Applies `change` to the current task and writes it. Changes of one task are serialized. Returns
   * null like `read`.
   */
  update(id: string, change: (task: Task) => Task): Promise<Task | null>;
  pathOf(id: string, file: string): string;
  /**
   * Removes tasks whose results were all downloaded more than 24 hours ago, and those older than three days. Call it at the
   * start; each hour of downloads calls it again. Never rejects.
   */
  removeExpired(): Promise<void>;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxAgeMs = 3 * dayMs;
const maxDeliveredBytes = 1024 ** 3;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

async function writeAtomically(path: string, text: string): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  const file = await open(part, 'wx');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
}

/** When the last result was downloaded; null if one was not. */
function deliveredAt({ results }: Task): number | null {
  const last = Math.max(...Object.values(results).map((result) => result.deliveredAt ?? Infinity));
  return Number.isFinite(last) ? last : null;
}

const bytesOf = ({ upload, results }: Task): number =>
  Object.values(results).reduce((sum, { bytes }) => sum + bytes, upload?.bytes ?? 0);

/** Opens the store. The directory is created with the first task. */
export function createTaskStore(directory: string, clock: Clock): TaskStore {
  const chains = new Map<string, Promise<unknown>>();
  /** Bytes of tasks whose results were all downloaded, the latest last. */
  const delivered = new Map<string, number>();
  let deliveredBytes = 0;
  let sweptAt = -Infinity;
  const recordPath = (id: string) => join(directory, id, 'task.json');

  function forget(id: string): void {
    deliveredBytes -= delivered.get(id) ?? 0;
    delivered.delete(id);
  }

  /** What cannot be removed now, as where a client still reads it on Windows, is removed by a later sweep. */
  function remove(id: string): Promise<void> {
    forget(id);
    return serialize(id, () => rm(join(directory, id), { recursive: true, force: true })).catch(() => undefined);
  }

  function noteDelivered(id: string, bytes: number): void {
    forget(id);
    delivered.set(id, bytes);
    deliveredBytes += bytes;
    for (const oldest of delivered.keys()) {
      if (deliveredBytes <= maxDeliveredBytes || oldest === id) break;
      void remove(oldest);
    }
  }

  async function write(task: Task): Promise<void> {
    await writeAtomically(recordPath(task.id), JSON.stringify(task));
    if (deliveredAt(task) === null) forget(task.id);
    else {
      noteDelivered(task.id, bytesOf(task));
      if (clock.now() - sweptAt > hourMs) void removeExpired();
    }
  }

  function isExpired(task: Task): boolean {
    const now = clock.now();
    return now - task.createdAt > maxAgeMs || now - (deliveredAt(task) ?? now) > dayMs;
  }

  /** A process that was killed may have left it without its record. */
  const isLeftBehind = async (name: string): Promise<boolean> =>
    clock.now() - (await stat(join(directory, name))).mtimeMs > dayMs;

  async function removeExpired(): Promise<void> {
    sweptAt = clock.now();
    const found: { readonly id: string; readonly at: number; readonly bytes: number }[] = [];
    for (const name of await readdir(directory).catch(() => [])) {
      try {
        const task = await read(name);
        const at = task && deliveredAt(task);
        if (task ? isExpired(task) : await isLeftBehind(name)) await remove(name);
        else if (task && at !== null && !delivered.has(name)) found.push({ id: name, at, bytes: bytesOf(task) });
      } catch {
        // Another process removed it, or the disk does not let it be read.
      }
    }
    for (const { id, bytes } of found.sort((a, b) => a.at - b.at)) noteDelivered(id, bytes);
  }

  const read = async (id: string): Promise<Task | null> => {
    // Only a UUID may become part of a path.
    if (!uuidPattern.test(id)) return null;
    let text: string;
    try {
      text = await readFile(recordPath(id), 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
      throw error;
    }
    try {
      const parsed = v.safeParse(taskSchema, JSON.parse(text));
      return parsed.success && parsed.output.id === id ? parsed.output : null;
    } catch {
      return null;
    }
  };

  /** Runs the operations of one task one after the other. */
  const serialize = <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const next = (chains.get(id) ?? Promise.resolve()).then(work);
    const settled = next.catch(() => undefined);
    chains.set(id, settled);
    void settled.then(() => {
      if (chains.get(id) === settled) chains.delete(id);
    });
    return next;
  };

  return {
    read,
    pathOf: (id, file) => join(directory, id, file),
    create: ({ id = randomUUID(), voice, engine }) =>
      serialize(id, async () => {
        const existing = await read(id);
        if (existing) return existing;
        const task: Task = { id, voice, engine, createdAt: clock.now(), upload: null, results: {}, soundRuns: 0 };
        await mkdir(join(directory, id), { recursive: true, mode: 0o700 });
        await write(task);
        return task;
      }),
    update: (id, change) =>
      serialize(id, async () => {
        const task = await read(id);
        if (!task) return null;
        const changed = change(task);
        await write(changed);
        return changed;
      }),
    removeExpired,
  };
}
