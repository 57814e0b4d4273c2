import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/engine/clock.ts';
import { createTaskStore } from '../../src/engine/task-store.ts';
import { soundRuns } from './sound-runs.ts';
import { startTestBench, type TestBench } from './test-bench.ts';

let bench: TestBench;

beforeAll(async () => {
  bench = await startTestBench();
});
afterAll(() => bench.stop());

it('counts computations, not calls', async () => {
  const task = await bench.newTask();
  expect((await soundRuns(bench.engine.dataDirectory)).get(task)).toBe(0);
  await bench.upload(task);
  await Promise.all([bench.convert(task), bench.convert(task)]);
  await bench.convert(task);
  expect(bench.proxy.count({ operation: 'convert', task })).toBe(3);
  expect((await soundRuns(bench.engine.dataDirectory)).get(task)).toBe(1);
});

it('is empty for a folder that no engine used', async () => {
  expect(await soundRuns(join(bench.engine.dataDirectory, 'nowhere'))).toEqual(new Map());
});

it('skips a task that was never recorded, and throws for an unreadable record', async () => {
  const directory = join(bench.engine.dataDirectory, 'engine', 'tasks', '11111111-1111-4111-8111-111111111111');
  await mkdir(directory, { recursive: true });
  expect((await soundRuns(bench.engine.dataDirectory)).has('11111111-1111-4111-8111-111111111111')).toBe(false);
  await writeFile(join(directory, 'task.json'), '{}');
  await expect(soundRuns(bench.engine.dataDirectory)).rejects.toThrow('unreadable record');
});

it('reads 500 times while an engine creates tasks, and finds no record unreadable', async () => {
  for (let runs = 0; runs < 500;) {
    const dataDirectory = join(bench.engine.dataDirectory, `beside-${runs}`);
    const store = createTaskStore(join(dataDirectory, 'engine', 'tasks'), systemClock);
    const engine = { isOver: false };
    const created = Promise.all(
      Array.from({ length: 4 }, () => store.create({ voice: 'low-bronze', engine: 'v5' })),
    ).finally(() => (engine.isOver = true));
    for (; !engine.isOver; runs++) await soundRuns(dataDirectory);
    await created;
    expect((await soundRuns(dataDirectory)).size).toBe(4);
  }
});
