// Fails when a kill while a folder is watched loses a recording, converts one twice, or leaves two results of it.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countEngineWork } from '../../faults/engine-work.ts';
import { checkQueue } from '../support/queue/check-queue.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';
import { putFile, recording } from '../support/watch/recordings.ts';
import { runWatch } from '../support/watch/run-watch.ts';
import type { WatchCrash, WatchOrder } from '../support/watch/watch-order.ts';

const states = [
  'creating',
  'created',
  'uploading',
  'uploaded',
  'converting',
  'converted',
  'publishing',
  'done',
] as const;
const moments = ['before', 'after'] as const;

const points: readonly WatchCrash[] = [
  { on: 'verdict', verdict: 'waiting', moment: 'before' },
  { on: 'verdict', verdict: 'waiting', moment: 'after' },
  { on: 'ledger', moment: 'before' },
  { on: 'verdict', verdict: 'job', moment: 'before' },
  { on: 'verdict', verdict: 'job', moment: 'after' },
  { on: 'source-end', moment: 'before' },
  { on: 'source-end', moment: 'after' },
  ...states.flatMap((state) => moments.map((moment) => ({ on: 'job', state, moment }) as const)),
];
const recordings = 3;

const nameOf = (point: WatchCrash) =>
  `${point.moment} ${point.on === 'job' ? point.state : point.on === 'verdict' ? `verdict ${point.verdict}` : point.on}`;

async function killAt(
  context: ScenarioContext,
  engine: EngineProcess,
  point: WatchCrash,
  round: number,
): Promise<void> {
  const name = `${nameOf(point)}, round ${round}`;
  context.note(name);
  const folder = join(context.folder, name.replaceAll(/\W+/g, '-'));
  const root = join(folder, 'in');
  await mkdir(root, { recursive: true });
  const proxy = await context.startProxy({ target: engine.origin });
  const file = join(folder, 'connection.json');
  await writeFile(file, JSON.stringify(proxy.document({ unknownOutcome: 'repeat' })));
  // Where sources are moved, both ends of a recording are at stake.
  const order: WatchOrder = {
    root,
    dataFolder: join(folder, 'data'),
    outputFolder: join(folder, 'out'),
    file,
    token: engine.token,
    afterwards: 'done',
    crash: point,
    recordings,
  };
  const names = Array.from({ length: recordings }, (_, k) => `take ${k}.wav`);
  const first = runWatch(context, order, name);
  await first.untilTold('watching');
  for (const [k, one] of names.entries()) await putFile(root, one, recording(k));
  await first.killed();
  const second = runWatch(context, { ...order, crash: null }, `${name}, begun again`);
  await second.untilTold('ended');
  await second.kill();

  await checkQueue({ ...order, engineFolder: engine.dataDirectory, jobs: recordings, mayBeUncertain: false });
  const outputs = await readdir(order.outputFolder);
  must(outputs.length === recordings, `${name}: ${outputs.length} results of ${recordings} recordings`);
  const moved = await readdir(join(root, 'Done'));
  must(moved.length === recordings, `${name}: ${moved.length} sources were moved`);
  must(!(await readdir(root)).some((one) => names.includes(one)), `${name}: a source has two names`);
  const tasks = new Set(proxy.calls.map(({ task }) => task));
  const runs = [...(await countEngineWork(engine.dataDirectory))].filter(([task]) => tasks.has(task));
  const sum = runs.reduce((all, [, count]) => all + count, 0);
  must(sum === recordings, `${name}: ${sum} conversions of ${recordings} recordings`);
  await proxy.stop();
}

export const scenario: Scenario = {
  id: 'W4',
  title: 'a kill at each point of watching leaves one result and one conversion for each source',
  fullDeadlineMs: 2_400_000,
  async run(context) {
    const engine = await context.startEngine();
    const rounds = context.size(1, 10);
    let kills = 0;
    // In the quick run every fifth point, with all that are the watch's own.
    const some = points.filter((point, at) => context.full || point.on !== 'job' || at % 5 === 0);
    for (let round = 1; round <= rounds; round += 1) {
      for (const point of some) {
        await killAt(context, engine, point, round);
        kills += 1;
      }
    }
    return { points: some.length, kills, recordings: kills * recordings, 'results and conversions a source': 1 };
  },
};
