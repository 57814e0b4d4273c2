import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTaskStore, type TaskResult } from './task-store.ts';

const hourMs = 3_600_000;
let directory: string;
let now: number;
const clock = { now: () => now };

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'timbre-tasks-'));
  now = 1_000_000_000_000;
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const result = (deliveredAt: number | null, bytes = 1): TaskResult => ({
  file: 'x.wav',
  name: 'x.wav',
  format: 'wav',
  bytes,
  processingTimeMs: 1,
  deliveredAt,
});

it('finds a task again after a restart', async () => {
  const { id } = await createTaskStore(directory, clock).create({ voice: 'low-bronze', engine: 'v5' });
  expect(await createTaskStore(directory, clock).read(id)).toMatchObject({
    id,
    voice: 'low-bronze',
    engine: 'v5',
    soundRuns: 0,
  });
});

it.each([
  '',
  '.',
  '..',
  '../..',
  'task',
  '00000000-0000-0000-0000-000000000000',
  '00000000-0000-0000-0000-00000000000G',
])('finds no task %j', async (id) => {
  expect(await createTaskStore(directory, clock).read(id)).toBeNull();
  expect(await createTaskStore(directory, clock).update(id, (task) => task)).toBeNull();
});

it('treats an unreadable record as missing', async () => {
  const store = createTaskStore(directory, clock);
  const { id } = await store.create({ voice: 'v', engine: 'v7' });
  for (const text of ['', '{', '{}', 'null', JSON.stringify({ id: 'another' })]) {
    await writeFile(join(directory, id, 'task.json'), text);
    expect(await store.read(id)).toBeNull();
  }
});

it('loses none of many concurrent changes, and leaves no temporary file', async () => {
  const store = createTaskStore(directory, clock);
  const { id } = await store.create({ voice: 'v', engine: 'v7' });
  await Promise.all(
    Array.from({ length: 30 }, () => store.update(id, (task) => ({ ...task, soundRuns: task.soundRuns + 1 }))),
  );
  expect((await store.read(id))?.soundRuns).toBe(30);
  expect(await readdir(join(directory, id))).toEqual(['task.json']);
  expect(JSON.parse(await readFile(join(directory, id, 'task.json'), 'utf8'))).toMatchObject({ soundRuns: 30 });
});

it('removes a task 24 hours after all its results were downloaded, not before', async () => {
  const store = createTaskStore(directory, clock);
  const fetched = await store.create({ voice: 'v', engine: 'v7' });
  const half = await store.create({ voice: 'v', engine: 'v7' });
  const unused = await store.create({ voice: 'v', engine: 'v7' });
  await store.update(fetched.id, (task) => ({ ...task, results: { a: result(now) } }));
  await store.update(half.id, (task) => ({ ...task, results: { a: result(now), b: result(null) } }));
  now += 24 * hourMs;
  await store.removeExpired();
  expect(await readdir(directory)).toHaveLength(3);
  now += 1;
  await store.removeExpired();
  expect((await readdir(directory)).sort()).toEqual([half.id, unused.id].sort());
});

it('removes a task that nobody downloaded after three days', async () => {
  const store = createTaskStore(directory, clock);
  const { id } = await store.create({ voice: 'v', engine: 'v7' });
  now += 3 * 24 * hourMs;
  await store.removeExpired();
  expect(await readdir(directory)).toEqual([id]);
  now += 1;
  await store.removeExpired();
  expect(await readdir(directory)).toEqual([]);
});

it('removes expired tasks with a later download, without a restart', async () => {
  const store = createTaskStore(directory, clock);
  const deliver = async () => {
    const { id } = await store.create({ voice: 'v', engine: 'v7' });
    await store.update(id, (task) => ({ ...task, results: { a: result(now) } }));
    return id;
  };
  await deliver();
  now += 24 * hourMs + 1;
  const latest = await deliver();
  await expect.poll(() => readdir(directory)).toEqual([latest]);
});

it('removes a folder without a readable record after a day', async () => {
  const [fresh, old] = [randomUUID(), randomUUID()];
  for (const id of [fresh, old]) await mkdir(join(directory, id));
  await utimes(join(directory, fresh), now / 1000, now / 1000);
  await utimes(join(directory, old), 0, now / 1000 - 24 * 3600 - 1);
  await createTaskStore(directory, clock).removeExpired();
  expect(await readdir(directory)).toEqual([fresh]);
});

it('keeps a gigabyte of what was downloaded, the latest in any case, and all that was not', async () => {
  const part = 400 * 1024 ** 2;
  const store = createTaskStore(directory, clock);
  const add = async (deliveredAt: number | null, bytes = part) => {
    const { id } = await store.create({ voice: 'v', engine: 'v7' });
    const upload = { file: 'u', name: 'u', bytes: bytes / 2, sha256: '' };
    await store.update(id, (task) => ({ ...task, upload, results: { a: result(deliveredAt, bytes / 2) } }));
    return id;
  };
  const waiting = await add(null, 4 * part);
  const first = await add(now);
  const second = await add(now);
  // Downloaded again, it is the latest but one.
  await store.update(first, (task) => ({ ...task, results: { a: result(now + 1, part / 2) } }));
  const third = await add(now);
  await expect.poll(async () => (await readdir(directory)).sort()).toEqual([waiting, first, third].sort());
  expect(await store.read(second)).toBeNull();

  const again = createTaskStore(directory, clock);
  await again.removeExpired();
  const { id: huge } = await again.create({ voice: 'v', engine: 'v7' });
  await again.update(huge, (task) => ({ ...task, results: { a: result(now, 9 * part) } }));
  await expect.poll(async () => (await readdir(directory)).sort()).toEqual([waiting, huge].sort());
});

it('removes nothing if there is no folder yet', async () => {
  await expect(createTaskStore(join(directory, 'none'), clock).removeExpired()).resolves.toBeUndefined();
});
