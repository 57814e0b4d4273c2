import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countEngineWork } from '../../faults/engine-work.ts';
import type { FaultProxy } from '../../faults/start-fault-proxy.ts';
import { jobStates } from '../../../src/shared/schemas/job.ts';
import { checkQueue } from '../support/queue/check-queue.ts';
import { most, paidCalls } from '../support/queue/paid-calls.ts';
import { makeSources, makeTexts } from '../support/queue/make-sources.ts';
import type { CrashPoint, QueueOrder } from '../support/queue/queue-order.ts';
import { runQueue } from '../support/queue/run-queue.ts';
import { must, type Figures, type Scenario, type ScenarioContext } from '../support/scenario.ts';

type Policy = 'repeat' | 'ask';

const concurrency = 4;
/** So that a process is killed while it works, and not only while it starts; and has work left for the next one. */
const longestLifeMs = 100;
/** What the service takes for a step, so that there is something to kill: an upload, where conversions are to be met seldom. */
const slowStepMs = 60;
/** A machine that is faster than the kills may be done with its jobs before all of them have struck. */
const leastStruck = 0.75;

/** Those that a job is in while something is done for it, and the last of them. */
const states = jobStates.slice(jobStates.indexOf('creating'), jobStates.indexOf('done') + 1);
const points: readonly CrashPoint[] = states.flatMap((state) => [
  { state, moment: 'before' },
  { state, moment: 'after' },
]);

interface Setting {
  readonly proxy: FaultProxy;
  readonly token: string;
  readonly engineFolder: string;
}

/** One data folder, killed again and again until `kills` is used up, then left to finish. */
async function killLoop(
  context: ScenarioContext,
  name: string,
  { sources, texts, remote }: Pick<QueueOrder, 'sources' | 'texts' | 'remote'>,
  crashes: readonly (CrashPoint | 'random')[],
): Promise<{ readonly order: QueueOrder; readonly kills: number }> {
  const order: QueueOrder = {
    dataFolder: join(context.folder, name, 'data'),
    outputFolder: join(context.folder, name, 'out'),
    remote,
    sources,
    texts,
    crash: null,
    stays: false,
  };
  let kills = 0;
  for (const [k, crash] of crashes.entries()) {
    context.note(`${name}: kill ${k + 1} of ${crashes.length}`);
    const end =
      crash === 'random'
        ? await runQueue(context, order, context.random.next() * longestLifeMs)
        : await runQueue(context, { ...order, crash });
    if (end === 'killed') kills += 1;
  }
  const least = crashes.includes('random') ? leastStruck * crashes.length : crashes.length;
  must(kills >= least, `${name}: only ${kills} of ${crashes.length} kills struck`);
  context.note(`${name}: finishing`);
  must((await runQueue(context, order)) === 'ended', 'the last run was killed by nobody we know');
  return { order, kills };
}

async function throughProxy(
  context: ScenarioContext,
  { proxy, token, engineFolder }: Setting,
  policy: Policy,
  crashes: readonly (CrashPoint | 'random')[],
  jobs: number,
): Promise<Figures> {
  const spoken = Math.round(jobs / 10);
  const callsBefore = proxy.calls.length;
  const runsBefore = await countEngineWork(engineFolder);
  const name = `${policy}-${crashes[0] === 'random' ? 'random' : 'points'}`;
  const sources = await makeSources(join(context.folder, name, 'in'), jobs - spoken);
  const texts = makeTexts(spoken).map((text) => `${text}, ${name}`);
  const document = proxy.document({
    unknownOutcome: policy,
    limits: {
      maxUploadBytes: null,
      maxTextLength: null,
      maxSeconds: null,
      maxConcurrent: concurrency,
      requestsPerMinute: null,
    },
  });
  const operation = policy === 'ask' ? 'upload' : 'convert';
  proxy.script([{ operation, fault: { kind: 'latency', ms: slowStepMs } }]);
  const file = join(context.folder, name, 'connection.json');
  await writeFile(file, JSON.stringify(document));
  const { order, kills } = await killLoop(context, name, { sources, texts, remote: { file, token } }, crashes);

  const calls = proxy.calls.slice(callsBefore);
  const checked = await checkQueue({ ...order, engineFolder, jobs, mayBeUncertain: policy === 'ask' });
  const runs = [...(await countEngineWork(engineFolder))].filter(([task]) => !runsBefore.has(task));
  const creates = calls.filter(({ operation, reachedService }) => operation === 'create-task' && reachedService).length;
  const paid = paidCalls(calls);
  must(
    creates <= jobs - spoken + kills * concurrency,
    `${creates} creates for ${jobs - spoken} jobs and ${kills} kills`,
  );
  const twice = runs.find(([, count]) => count > 1);
  must(!twice, `task ${twice?.[0] ?? ''} was converted ${twice?.[1] ?? 0} times`);
  if (policy === 'ask') must(most(paid) <= 1, `a paid call went out ${most(paid)} times`);
  return {
    [`${name} kills`]: kills,
    [`${name} done`]: checked.done,
    ...(policy === 'ask' && { [`${name} uncertain`]: checked.uncertain }),
    [`${name} conversions a task`]: Math.max(0, ...runs.map(([, count]) => count)),
    [`${name} paid calls a task`]: most(paid),
    [`${name} creates`]: creates,
  };
}

/** The engine dies with the app. Work that it was in the middle of is begun again: it had come to nothing. */
async function withEngine(context: ScenarioContext, crashes: readonly 'random'[], jobs: number): Promise<Figures> {
  const spoken = Math.round(jobs / 10);
  const sources = await makeSources(join(context.folder, 'together', 'in'), jobs - spoken);
  const { order, kills } = await killLoop(
    context,
    'together',
    { sources, texts: makeTexts(spoken), remote: null },
    crashes,
  );
  const engineFolder = order.dataFolder;
  const { done } = await checkQueue({ ...order, engineFolder, jobs, mayBeUncertain: false });
  const runs = [...(await countEngineWork(engineFolder)).values()];
  const again = runs.reduce((sum, count) => sum + Math.max(0, count - 1), 0);
  must(again <= kills * concurrency, `${again} conversions were begun again by ${kills} kills`);
  return { 'together kills': kills, 'together done': done, 'together begun again': again };
}

const repeated = <T>(value: T, count: number): readonly T[] => Array.from({ length: count }, () => value);

export const scenario: Scenario = {
  id: 'Q16',
  title: 'a kill at any moment loses nothing and causes no second charge',
  deadlineMs: 900_000,
  fullDeadlineMs: 3_600_000,
  async run(context) {
    const jobs = context.size(20, 500);
    const kills = context.size(5, 200);
    const engine = await context.startEngine();
    const proxy = await context.startProxy({ target: engine.origin });
    const setting = { proxy, token: engine.token, engineFolder: engine.dataDirectory };
    const atRandom = repeated('random' as const, kills);
    return {
      ...(await throughProxy(context, setting, 'repeat', atRandom, jobs)),
      ...(await throughProxy(context, setting, 'ask', atRandom, jobs)),
      ...(await throughProxy(context, setting, 'repeat', points, points.length * 2)),
      ...(await throughProxy(context, setting, 'ask', points, points.length * 2)),
      ...(await withEngine(context, atRandom, jobs)),
    };
  },
};
