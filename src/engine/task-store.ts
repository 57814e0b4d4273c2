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
  /** Milliseconds since 1970; null until a client has read it to the end. */
  deliveredAt: v.nullable(v.number()),
});

const taskSchema = v.object({
  id: v.string(),
  voice: v.string(),
  /** v1 is for speech only. */
  engine: v.picklist(['v1', 'v5', 'v7']),
  createdAt: v.number(),
  upload: v.nullable(uploadSchema),
  /** By fingerprint of the request: the same request again is answered from here. */
  results: v.record(v.string(), resultSchema),
  /** How often sound work was started for this task: what a paid service would charge for. */
  soundRuns: v.number(),
});

export type TaskUpload = v.InferOutput<typeof uploadSchema>;
export type TaskResult = v.InferOutput<typeof resultSchema>;
export type Task = Readonly<v.InferOutput<typeof taskSchema>>;

/** Tasks on disk: `<directory>/<uuid>/` with `task.json`, the upload and the results. They outlive the process. */
export interface TaskStore {
  /** A new task, or the one that has the given id already. The id is a lower-case UUID; without one a random one is made. */
  create(task: Pick<Task, 'voice' | 'engine'> & { readonly id?: string }): Promise<Task>;
  /** Null for an id that was never given, is swept, or whose record cannot be read. */
  read(id: string): Promise<Task | null>;
  /** Writes what `change` makes of the task as it now is; changes of one task wait for each other. Null as `read`. */
  update(id: string, change: (task: Task) => Task): Promise<Task | null>;
  pathOf(id: string, file: string): string;
  /** Removes tasks whose results were all fetched 24 hours ago, and those that nobody came back for in 30 days. */
  sweep(): Promise<void>;
}

const hourMs = 3_600_000;
const keptAfterDeliveryMs = 24 * hourMs;
const keptUnfetchedMs = 30 * 24 * hourMs;

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

function isOver(task: Task, now: number): boolean {
  const deliveries = Object.values(task.results).map(({ deliveredAt }) => deliveredAt);
  const delivered = deliveries.length > 0 && deliveries.every((at) => at !== null && now - at > keptAfterDeliveryMs);
  return delivered || now - task.createdAt > keptUnfetchedMs;
}

/** Opens the store; the directory is made with the first task. */
export function createTaskStore(directory: string, clock: Clock): TaskStore {
  const chains = new Map<string, Promise<unknown>>();
  const recordPath = (id: string) => join(directory, id, 'task.json');
  const write = (task: Task) => writeAtomically(recordPath(task.id), JSON.stringify(task));

  const read = async (id: string): Promise<Task | null> => {
    // An id becomes a path: nothing but a UUID may.
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

  /** One thing at a time for each task. */
  const inTurn = <T>(id: string, work: () => Promise<T>): Promise<T> => {
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
      inTurn(id, async () => {
        const known = await read(id);
        if (known) return known;
        const task: Task = { id, voice, engine, createdAt: clock.now(), upload: null, results: {}, soundRuns: 0 };
        await mkdir(join(directory, id), { recursive: true });
        await write(task);
        return task;
      }),
    update: (id, change) =>
      inTurn(id, async () => {
        const task = await read(id);
        if (!task) return null;
        const changed = change(task);
        await write(changed);
        return changed;
      }),
    async sweep() {
      const names = await readdir(directory).catch(() => []);
      for (const name of names) {
        const task = await read(name);
        if (task && isOver(task, clock.now())) await rm(join(directory, name), { recursive: true, force: true });
      }
    },
  };
}
