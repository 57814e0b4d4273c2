import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/engine/clock.ts';
import { createTaskStore } from '../../src/engine/task-store.ts';
import { countEngineWork } from './engine-work.ts';
import { startProxiedEngine, type ProxiedEngine } from './proxied-engine.ts';

let fixture: ProxiedEngine;

beforeAll(async () => {
  fixture = await startProxiedEngine();
});
afterAll(() => fixture.stop());

it('counts computations, not calls', async () => {
  const task = await fixture.newTask();
  expect((await countEngineWork(fixture.engine.dataDirectory)).get(task)).toBe(0);
  await fixture.upload(task);
  await Promise.all([fixture.convert(task), fixture.convert(task)]);
  await fixture.convert(task);
  expect(fixture.proxy.count({ operation: 'convert', task })).toBe(3);
  expect((await countEngineWork(fixture.engine.dataDirectory)).get(task)).toBe(1);
});

it('is empty for a folder that no engine used', async () => {
  expect(await countEngineWork(join(fixture.engine.dataDirectory, 'nowhere'))).toEqual(new Map());
});

it('skips a task that was never recorded, and throws for an unreadable record', async () => {
  const directory = join(fixture.engine.dataDirectory, 'engine', 'tasks', '11111111-1111-4111-8111-111111111111');
  await mkdir(directory, { recursive: true });
  expect((await countEngineWork(fixture.engine.dataDirectory)).has('11111111-1111-4111-8111-111111111111')).toBe(false);
  await writeFile(join(directory, 'task.json'), '{}');
  await expect(countEngineWork(fixture.engine.dataDirectory)).rejects.toThrow('unreadable record');
});

it('reads 500 times while an engine creates tasks, and finds no record unreadable', async () => {
  for (let runs = 0; runs < 500;) {
    const dataDirectory = join(fixture.engine.dataDirectory, `beside-${runs}`);
    const store = createTaskStore(join(dataDirectory, 'engine', 'tasks'), systemClock);
    const engine = { isOver: false };
    const created = Promise.all(
      Array.from({ length: 4 }, () => store.create({ voice: 'low-bronze', engine: 'v5' })),
    ).finally(() => (engine.isOver = true));
    for (; !engine.isOver; runs++) await countEngineWork(dataDirectory);
    await created;
    expect((await countEngineWork(dataDirectory)).size).toBe(4);
  }
});
