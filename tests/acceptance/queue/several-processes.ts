import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ChildProcess } from 'node:child_process';
import { countEngineWork } from '../../faults/engine-work.ts';
import { checkQueue } from '../support/queue/check-queue.ts';
import { makeSources } from '../support/queue/make-sources.ts';
import { most, paidCalls } from '../support/queue/paid-calls.ts';
import { openRows, untilEnded } from '../support/queue/open-rows.ts';
import type { QueueMessage, QueueOrder } from '../support/queue/queue-order.ts';
import { must, type Figures, type Scenario, type ScenarioContext } from '../support/scenario.ts';

const commandLine = new URL('../../../out/main/cli.js', import.meta.url);
const queueProcess = new URL('../support/queue/queue-process.ts', import.meta.url);
const commands = 4;
/** What a connection's document allows by itself. */
const parallel = 4;

interface Setting {
  readonly dataFolder: string;
  readonly outputFolder: string;
  readonly file: string;
  readonly token: string;
}

interface Command {
  readonly child: ChildProcess;
  readonly exited: Promise<[number | null, NodeJS.Signals | null]>;
  /** The end of what it has printed. */
  said(): string;
}

/** A command that converts a folder. */
function startCommand(
  context: ScenarioContext,
  { dataFolder, outputFolder, file, token }: Setting,
  folder: string,
): Command {
  const child = context.fork(
    commandLine,
    [
      'convert',
      folder,
      '--voice',
      'low-bronze',
      '--connection',
      file,
      '--data-dir',
      dataFolder,
      '--out',
      outputFolder,
    ].concat(['--format', '.wav', '--engine', 'v5', '--json']),
    { execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env: { ...process.env, TIMBRE_TOKEN: token } },
  );
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-1000)));
  return { child, exited, said: () => said };
}

/** Resolves when the command has printed this many job lines. */
async function lines({ child, said }: Command, count: number): Promise<void> {
  if (!child.stdout) throw new Error('a command without stdout');
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('"event":"job"') && ++seen >= count) return;
  }
  throw new Error(`the command ended after ${seen} lines: ${said()}`);
}

async function startApp(context: ScenarioContext, order: QueueOrder) {
  const child = context.fork(queueProcess, [JSON.stringify(order)], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await new Promise<void>((resolve) => {
    child.on('message', ({ type }: QueueMessage) => type === 'ready' && resolve());
  });
  return { child, exited: once(child, 'exit') };
}

/** An engine behind a proxy, with the data that several processes share. */
async function startCase(context: ScenarioContext, name: string, policy: 'ask' | 'repeat') {
  const folder = join(context.folder, name);
  await mkdir(folder);
  const engine = await context.startEngine({ dataDirectory: join(folder, 'engine') });
  const proxy = await context.startProxy({ target: engine.origin });
  const setting: Setting = {
    dataFolder: join(folder, 'data'),
    outputFolder: join(folder, 'out'),
    file: join(folder, 'connection.json'),
    token: engine.token,
  };
  await writeFile(setting.file, JSON.stringify(proxy.document({ unknownOutcome: policy })));
  return { folder, engine, proxy, setting };
}

async function together(context: ScenarioContext, policy: 'ask' | 'repeat', jobsEach: number): Promise<Figures> {
  const { folder, engine, proxy, setting } = await startCase(context, policy, policy);
  const folders = Array.from({ length: commands + 1 }, (_, k) => join(folder, 'in', String(k)));
  // Of a length of their own in each folder: what another process makes is left out.
  const sources = await Promise.all(folders.map((path, k) => makeSources(path, jobsEach, 0.3 + k / 100)));
  const order: QueueOrder = {
    ...setting,
    remote: setting,
    sources: sources[0] ?? [],
    texts: [],
    crash: null,
    stays: true,
  };

  context.note(`${policy}: the app and ${commands} commands`);
  const app = await startApp(context, order);
  const started = folders.slice(1).map((path) => startCommand(context, setting, path));
  const [victim, ...others] = started;
  if (!victim) throw new Error('no command');
  // Halfway: it has printed some states and no end.
  await lines(victim, jobsEach + context.random.integer(1, jobsEach));
  victim.child.kill('SIGKILL');
  await victim.exited;
  for (const { exited, said } of others) {
    const [code] = await exited;
    must(code === 0, `a command that nobody killed ended with ${String(code)}: ${said()}`);
  }

  context.note(`${policy}: the app takes up what the killed command left`);
  await untilEnded(setting.dataFolder);
  app.child.disconnect();
  await app.exited;
  must(openRows(setting.dataFolder) === 0, 'something is left open');

  const jobs = (commands + 1) * jobsEach;
  const rows = await checkQueue({
    dataFolder: setting.dataFolder,
    outputFolder: setting.outputFolder,
    engineFolder: engine.dataDirectory,
    jobs,
    mayBeUncertain: policy === 'ask',
  });
  const runs = await countEngineWork(engine.dataDirectory);
  must(most(runs) <= 1, `a task was converted ${most(runs)} times`);
  const paid = paidCalls(proxy.calls);
  if (policy === 'ask') must(most(paid) <= 1, `a paid call went out ${most(paid)} times`);
  await engine.stop();
  return {
    [`${policy} jobs`]: jobs,
    [`${policy} done`]: rows.done,
    [`${policy} uncertain`]: rows.uncertain,
    [`${policy} conversions a task`]: most(runs),
    [`${policy} paid calls a task`]: most(paid),
  };
}

/** Only the same command can resume its jobs: it continues them and starts none from the beginning. */
async function sameCommandAgain(context: ScenarioContext, jobs: number): Promise<Figures> {
  const { folder, engine, proxy, setting } = await startCase(context, 'again', 'repeat');
  await makeSources(join(folder, 'in'), jobs);
  const first = startCommand(context, setting, join(folder, 'in'));
  await lines(first, jobs + context.random.integer(1, jobs));
  first.child.kill('SIGKILL');
  await first.exited;
  const left = openRows(setting.dataFolder);
  context.note(`again: ${left} jobs were left`);
  const [code] = await startCommand(context, setting, join(folder, 'in')).exited;
  must(code === 0, `the second command ended with ${code ?? 'a signal'}`);
  must(openRows(setting.dataFolder) === 0, 'something is left open');
  const runs = await countEngineWork(engine.dataDirectory);
  must(most(runs) <= 1, `a task was converted ${most(runs)} times`);
  // Those that were done already are not asked for a second time, though the command names them again.
  const converted = [...runs.values()].filter((count) => count > 0).length;
  must(converted === jobs, `${converted} conversions of ${jobs} recordings`);
  const creates = proxy.count({ operation: 'create-task', reachedService: true });
  must(creates <= jobs + parallel, `${creates} creates for ${jobs} recordings and one kill`);
  await engine.stop();
  return { 'again left': left, 'again conversions': converted };
}

/** Of two commands that are given the same recordings under other names, only one pays for each. */
async function copiesAtOnce(context: ScenarioContext, jobs: number): Promise<Figures> {
  const { folder, engine, proxy, setting } = await startCase(context, 'copies', 'ask');
  const folders = ['one', 'other'].map((name) => join(folder, name));
  for (const path of folders) await makeSources(path, jobs);
  const both = folders.map((path) => startCommand(context, setting, path));
  await Promise.all(both.map(({ exited }) => exited));
  must(openRows(setting.dataFolder) === 0, 'something is left open');
  const paid = proxy.count({ operation: 'convert', reachedService: true });
  must(paid === jobs, `${paid} paid calls for ${jobs} recordings that two commands were given`);
  await engine.stop();
  return { 'copies paid': paid };
}

export const scenario: Scenario = {
  id: 'Q19',
  title: 'the app and four commands share one data folder, also if one of them is killed',
  deadlineMs: 900_000,
  async run(context) {
    const jobs = context.size(6, 40);
    return {
      ...(await together(context, 'repeat', jobs)),
      ...(await together(context, 'ask', jobs)),
      ...(await sameCommandAgain(context, jobs)),
      ...(await copiesAtOnce(context, jobs)),
    };
  },
};
