import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/engine/clock.ts';
import { createTaskStore } from '../../src/engine/task-store.ts';

async function addRuns(directory: string, runs: Map<string, number>): Promise<void> {
  const store = createTaskStore(directory, systemClock);
  for (const id of await readdir(directory).catch(() => [])) {
    let task = await store.read(id);
    // An engine killed during a create leaves a folder without a record; a running one may have written it since.
    if (!task && existsSync(join(directory, id, 'task.json'))) {
      task = await store.read(id);
      if (!task) throw new Error(`unreadable record of ${id}`);
    }
    if (task) runs.set(id, task.soundRuns);
  }
}

/**
 * How often the engine computed a result, by task id, speech included: what a paid service would charge for. Reads the records on
 * disk, whether the engine runs or not. Throws for an unreadable record, which would otherwise count as 0.
 */
export async function countEngineWork(dataDirectory: string): Promise<ReadonlyMap<string, number>> {
  const runs = new Map<string, number>();
  for (const kind of ['tasks', 'speech']) await addRuns(join(dataDirectory, 'engine', kind), runs);
  return runs;
}
