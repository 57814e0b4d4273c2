// Fails when a recording of a watched folder is refused, forgotten or paid for twice because the database could not be written.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { databaseName } from '../../../src/main/core/database/open-database.ts';
import { must, type Scenario, type ScenarioContext } from '../scenario.ts';
import type { EngineProcess } from '../start-engine.ts';
import { openWatch } from './open-watch.ts';

async function held(context: ScenarioContext, engine: EngineProcess, seconds: number, files: number): Promise<void> {
  const watch = await openWatch(context, engine, { name: 'busy' });
  await watch.begin();
  const holder = new DatabaseSync(join(watch.dataFolder, databaseName));
  holder.exec('BEGIN IMMEDIATE');
  for (let k = 0; k < files; k += 1) await watch.put(`take ${k}.wav`, k);
  await watch.until('it says why', () => watch.view().problems.some(({ code }) => code === 'data/not-writable'));
  await sleep(seconds * 1000);
  must(watch.jobs().length === 0, `${watch.jobs().length} jobs are listed that nobody can keep`);
  must(watch.watch.files(watch.view().folder.id, null, 'all', 500).length === 0, 'files are listed that nobody kept');
  holder.exec('ROLLBACK');
  holder.close();
  const names = Array.from({ length: files }, (_, k) => `take ${k}.wav`);
  await watch.until('all are done', () => names.every(watch.isDone), context.size(60_000, 600_000));
  must(watch.jobs().length === files && watch.mostPaid() === 1, `${watch.jobs().length} jobs for ${files} files`);
  must(watch.view().problems.length === 0, 'it still says that something is wrong');
  await watch.close();
}

export const w19: Scenario = {
  id: 'W19',
  title: 'the database cannot be written while recordings become whole: none is refused, each is converted once',
  deadlineMs: 240_000,
  async run(context) {
    const engine = await context.startEngine();
    const [seconds, files] = [context.size(5, 30), context.size(20, 200)];
    await held(context, engine, seconds, files);
    return { files, 'held s': seconds, refused: 0, ghosts: 0, 'most paid': 1 };
  },
};
