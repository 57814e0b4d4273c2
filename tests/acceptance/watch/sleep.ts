// Fails when a machine that slept, or whose clock was set, loses recordings, converts them twice, or makes jobs fail.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countEngineWork } from '../../faults/engine-work.ts';
import { checkQueue } from '../support/queue/check-queue.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import type { EngineProcess } from '../support/start-engine.ts';
import { putFile, recording } from '../support/watch/recordings.ts';
import { runWatch } from '../support/watch/run-watch.ts';
import type { WatchOrder } from '../support/watch/watch-order.ts';

interface Nap {
  readonly name: string;
  readonly stoppedMs: number;
  readonly jumpMs: number;
}

async function nap(context: ScenarioContext, engine: EngineProcess, { name, stoppedMs, jumpMs }: Nap): Promise<number> {
  context.note(name);
  const folder = join(context.folder, name.replaceAll(/\W+/g, '-'));
  const root = join(folder, 'in');
  await mkdir(root, { recursive: true });
  const proxy = await context.startProxy({ target: engine.origin });
  const file = join(folder, 'connection.json');
  const each = context.size(5, 30);
  await writeFile(file, JSON.stringify(proxy.document({ unknownOutcome: 'repeat' })));
  const order: WatchOrder = {
    root,
    dataFolder: join(folder, 'data'),
    outputFolder: join(folder, 'out'),
    file,
    token: engine.token,
    afterwards: 'keep',
    crash: null,
    recordings: 3 * each,
    jumpMs,
  };
  const run = runWatch(context, order, name);
  const group = -(run.child.pid ?? NaN);
  let number = 0;
  const putSome = async (where: string) => {
    for (let k = 0; k < each; k += 1) await putFile(root, join(where, `take ${(number += 1)}.wav`), recording(number));
  };
  await run.untilTold('watching');
  await putSome('before');
  await proxy.waitFor(({ operation }) => operation === 'convert');
  process.kill(group, 'SIGSTOP');
  if (stoppedMs > 0) {
    await putSome('meanwhile');
    // A service closes connections on which nothing happens.
    await sleep(stoppedMs / 2);
    proxy.disconnect();
    await sleep(stoppedMs / 2);
  } else await putSome('meanwhile');
  if (jumpMs !== 0) run.child.send('jump');
  const continuedMs = performance.now();
  process.kill(group, 'SIGCONT');
  await putSome('afterwards');
  await run.untilTold('ended');
  const tookMs = performance.now() - continuedMs;
  await run.kill();
  await checkQueue({ ...order, engineFolder: engine.dataDirectory, jobs: 3 * each, mayBeUncertain: false });
  const outputs = (await readdir(order.outputFolder, { recursive: true })).filter((one) => one.endsWith('.wav'));
  must(outputs.length === 3 * each, `${name}: ${outputs.length} results of ${3 * each} recordings`);
  const tasks = new Set(proxy.calls.map(({ task }) => task));
  const runs = [...(await countEngineWork(engine.dataDirectory))].filter(([task]) => tasks.has(task));
  const sum = runs.reduce((all, [, count]) => all + count, 0);
  must(sum === 3 * each, `${name}: ${sum} conversions of ${3 * each} recordings`);
  await proxy.stop();
  return tookMs;
}

export const scenario: Scenario = {
  id: 'W17',
  title: 'a suspended process and a clock that jumps lose no recording and convert none twice',
  async run(context) {
    const engine = await context.startEngine();
    const stoppedMs = context.size(5000, 60_000);
    const hourMs = 3_600_000;
    const tookMs = await nap(context, engine, { name: 'stopped', stoppedMs, jumpMs: 0 });
    await nap(context, engine, { name: 'clock set forward', stoppedMs: 0, jumpMs: hourMs });
    await nap(context, engine, { name: 'clock set back', stoppedMs: 0, jumpMs: -hourMs });
    await nap(context, engine, { name: 'slept, and the clock went on', stoppedMs: 1500, jumpMs: 8 * hourMs });
    return { 'stopped for ms': stoppedMs, 'all done after ms': tookMs, failed: 0, duplicates: 0 };
  },
};
