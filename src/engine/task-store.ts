import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
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

/** Stores tasks on disk: `<directory>/<uuid>/` with `task.json`, the upload and the results. */
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
  /** Removes tasks whose results were all fetched more than 24 hours ago, and those older than 30 days. */
  removeExpired(): Promise<void>;
}

const hourMs = 3_600_000;
const retentionAfterDeliveryMs = 24 * hourMs;
const unfetchedRetentionMs = 30 * 24 * hourMs;

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

function isExpired(task: Task, now: number): boolean {
  const deliveries = Object.values(task.results).map(({ deliveredAt }) => deliveredAt);
  const delivered =
    deliveries.length > 0 && deliveries.every((at) => at !== null && now - at > retentionAfterDeliveryMs);
  return delivered || now - task.createdAt > unfetchedRetentionMs;
}

/** Opens the store. The directory is created with the first task. */
export function createTaskStore(directory: string, clock: Clock): TaskStore {
  const chains = new Map<string, Promise<unknown>>();
  const recordPath = (id: string) => join(directory, id, 'task.json');
  const write = (task: Task) => writeAtomically(recordPath(task.id), JSON.stringify(task));

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
    async removeExpired() {
      const names = await readdir(directory).catch(() => []);
      for (const name of names) {
        const task = await read(name);
        if (task && isExpired(task, clock.now())) await rm(join(directory, name), { recursive: true, force: true });
      }
    },
  };
}
