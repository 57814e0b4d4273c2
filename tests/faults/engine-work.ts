import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/engine/clock.ts';
import { createTaskStore } from '../../src/engine/task-store.ts';

async function addRuns(directory: string, runs: Map<string, number>): Promise<void> {
  const store = createTaskStore(directory, systemClock);
  for (const id of await readdir(directory).catch(() => [])) {
    let task = await store.read(id);
    // An engine that was killed between the two steps of a create leaves a folder without a record; one that runs may
    // have written the record since, and a record that is there is read to the end.
    if (!task && existsSync(join(directory, id, 'task.json'))) {
      task = await store.read(id);
      if (!task) throw new Error(`unreadable record of ${id}`);
    }
    if (task) runs.set(id, task.soundRuns);
  }
}

/**
 * How often the engine started sound work, by task id, those of speech among them: what a paid service would charge for. Reads the records
 * on disk, with the engine running or not. Throws for a record that cannot be read: it would count as nothing.
 */
export async function countEngineWork(dataDirectory: string): Promise<ReadonlyMap<string, number>> {
  const runs = new Map<string, number>();
  for (const kind of ['tasks', 'speech']) await addRuns(join(dataDirectory, 'engine', kind), runs);
  return runs;
}
