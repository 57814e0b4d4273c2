// Fails when a recording of a watched folder is refused, forgotten or paid for twice because the database could not be written.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { databaseName } from '../../../src/main/core/database/database.ts';
import { fillDisk } from '../support/queue/fill-disk.ts';
import { most, paidCalls } from '../support/queue/paid-calls.ts';
import { Failed, must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';
import { putFile, recording } from '../support/watch/recordings.ts';
import { runWatch, type WatchRun } from '../support/watch/run-watch.ts';
import type { WatchShown } from '../support/watch/watch-order.ts';

const troubles = ['busy', 'full', 'read only'] as const;
type Trouble = (typeof troubles)[number];

const pollMs = 50;
const timeoutMs = 150_000;
/** A private file system for the data folder. */
const mounted = ['unshare', '-Urm', 'sh', '-c', 'mount -t tmpfs -o size=16m tmpfs "$0" && exec "$@"'];

/** Makes the database unwritable; gives back how it is mended. */
async function strike(trouble: Trouble, { child }: WatchRun, dataFolder: string): Promise<() => Promise<unknown>> {
  if (trouble === 'full') {
    const filler = join(`/proc/${child.pid ?? 0}/root`, dataFolder, 'filler');
    await fillDisk(filler);
    return () => rm(filler);
  }
  if (trouble === 'read only') {
    child.send('refuse writes');
    return () => Promise.resolve(child.send('take writes'));
  }
  const holder = new DatabaseSync(join(dataFolder, databaseName), { timeout: 5000 });
  holder.exec('BEGIN IMMEDIATE');
  return () => {
    holder.exec('ROLLBACK');
    holder.close();
    return Promise.resolve();
  };
}

async function held(context: ScenarioContext, engine: EngineProcess, trouble: Trouble, size: Size): Promise<void> {
  context.note(trouble);
  const folder = join(context.folder, trouble.replace(' ', '-'));
  const [root, dataFolder] = [join(folder, 'in'), join(folder, 'data')];
  await Promise.all([root, dataFolder].map((one) => mkdir(one, { recursive: true })));
  const proxy = await context.startProxy({ target: engine.origin, serviceToken: engine.token });
  const file = join(folder, 'connection.json');
  await writeFile(file, JSON.stringify(proxy.document()));
  const order = {
    root,
    dataFolder,
    outputFolder: join(folder, 'out'),
    file,
    token: engine.token,
    afterwards: 'keep',
    crash: null,
    recordings: size.files,
  } as const;
  const run = runWatch(context, order, trouble, trouble === 'full' ? [...mounted, dataFolder] : []);
  await run.untilTold('watching');
  const until = async (what: string, holds: (shown: WatchShown) => boolean) => {
    const startedMs = performance.now();
    for (let shown = await run.shown(); !holds(shown); shown = await run.shown()) {
      if (performance.now() - startedMs > timeoutMs)
        throw new Failed(`${trouble}: waited in vain until ${what}: ${JSON.stringify(shown)}`);
      await sleep(pollMs);
    }
  };
  const mend = await strike(trouble, run, dataFolder);
  for (let k = 0; k < size.files; k += 1) await putFile(root, `take ${k}.wav`, recording(k));
  await until('it says why', ({ problems }) => problems.includes('data/not-writable'));
  await sleep(size.seconds * 1000);
  const { jobs, files } = await run.shown();
  must(jobs === 0, `${trouble}: ${jobs} jobs are listed that nobody can keep`);
  must(files === 0, `${trouble}: ${files} files are listed that nobody kept`);
  must(proxy.calls.length === 0, `${trouble}: ${proxy.calls.length} calls meanwhile`);
  await mend();
  await run.untilTold('ended', context.size(60_000, 600_000));
  const paid = paidCalls(proxy.calls);
  must(
    paid.size === size.files && most(paid) === 1,
    `${trouble}: ${paid.size} tasks, paid ${most(paid)} times at most`,
  );
  const after = await run.shown();
  must(after.jobs === size.files && after.files === size.files, `${trouble}: it shows ${JSON.stringify(after)}`);
  must(after.problems.length === 0, `${trouble}: it still says that something is wrong: ${after.problems.join()}`);
  await run.kill();
}

interface Size {
  readonly seconds: number;
  readonly files: number;
}

export const scenario: Scenario = {
  id: 'W19',
  title: 'recordings that are completed while the database is not writable are each converted once',
  deadlineMs: 900_000,
  fullDeadlineMs: 2_400_000,
  async run(context) {
    const engine = await context.startEngine();
    const size = { seconds: context.size(3, 30), files: context.size(12, 200) };
    for (const trouble of troubles) await held(context, engine, trouble, size);
    return { troubles: troubles.join(', '), ...size, refused: 0, ghosts: 0, 'most paid': 1 };
  },
};
