// Fails when a kill between a result and the program after it leaves a result for which the program was never started, or starts it for
// one without end.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, runLine, sample, storeSettings } from '../support/command-line/run-line.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';

/** What the program is told, one object a line, in the order of its starts. */
interface Start {
  readonly id: string;
  readonly attempt: number;
  readonly result: { readonly path: string };
}

const pollMs = 5;
const hookMs = 150;

/** What a command is killed after: so many results, starts of the program, or ends of it. */
interface KillPoint {
  readonly what: 'results' | 'starts' | 'ends';
  readonly count: number;
  readonly furtherMs: number;
}

async function countLines(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

export const scenario: Scenario = {
  id: 'Q31',
  title: 'a kill between a result and the program after it starts that program at least once and at most twice',
  deadlineMs: 300_000,
  fullDeadlineMs: 1_800_000,
  async run(context) {
    const rounds = context.size(2, 20);
    const recordings = 4;
    let kills = 0;
    let repeated = 0;
    let starts = 0;
    for (let round = 0; round < rounds; round += 1) {
      const told = await killedRound(context, round, recordings);
      kills += told.kills;
      starts += told.starts.length;
      repeated += told.starts.filter(({ attempt }) => attempt === 2).length;
    }
    must(repeated > 0, 'no kill met a program that was due');
    return { rounds, kills, results: rounds * recordings, starts, 'second starts': repeated };
  },
};

async function killedRound(context: ScenarioContext, round: number, recordings: number) {
  const folder = join(context.folder, `round ${round}`);
  const data = join(`round ${round}`, 'data');
  const [startsFile, endsFile, out] = [join(folder, 'starts'), join(folder, 'ends'), join(folder, 'out')];
  await mkdir(join(folder, 'in'), { recursive: true });
  const files = Array.from({ length: recordings }, (_, k) => join(folder, 'in', `take ${k}.wav`));
  for (const file of files) await copyFile(sample, file);
  const program = join(folder, 'after.sh');
  // Each start is one write, whatever is killed.
  const script = `#!/bin/sh\nread -r line\nprintf '%s\\n' "$line" >> "${startsFile}"\nsleep ${hookMs / 1000}\necho end >> "${endsFile}"\n`;
  await writeFile(program, script);
  await chmod(program, 0o755);
  await storeSettings(context, { hook: { isOn: true, program, args: [], timeoutSeconds: 30 } }, data);
  const dataFolder = join(context.folder, data);
  const args = ['convert', ...files, '--voice', 'low-bronze', '--out', out, '--data-dir', dataFolder];

  const count = {
    results: async () => (await readdir(out).catch(() => [])).filter((name) => name.endsWith('.wav')).length,
    starts: async () => (await countLines(startsFile)).length,
    ends: async () => (await countLines(endsFile)).length,
  };
  const further = () => Math.floor(context.random.next() * hookMs);
  const points: readonly KillPoint[] = [
    { what: 'results', count: 1, furtherMs: 0 },
    { what: 'starts', count: 1, furtherMs: 0 },
    { what: 'ends', count: 1, furtherMs: 0 },
    { what: 'results', count: recordings, furtherMs: further() },
    { what: 'starts', count: recordings, furtherMs: further() },
  ];
  let kills = 0;
  let hasEnded = false;
  for (const point of points) {
    context.note(`round ${round}: kill after ${point.count} ${point.what} and ${point.furtherMs} ms`);
    const child = context.spawn(process.execPath, [commandLine, ...args], { cwd: context.folder, stdio: 'ignore' });
    // A command that ended before the kill would convert all of them again.
    hasEnded = !(await killedAt(child, () => count[point.what](), point));
    if (hasEnded) break;
    kills += 1;
  }
  const last = hasEnded ? null : await runLine(context, args);
  must((last?.code ?? 0) === 0, `round ${round}: the last run ended with ${last?.code ?? 0}: ${last?.stderr ?? ''}`);
  // The program of a killed command goes on by itself.
  const told = (await countLines(startsFile)).map((line) => JSON.parse(line) as Start);
  const results = (await readdir(out)).filter((name) => name.endsWith('.wav'));
  must(results.length === recordings, `round ${round}: ${results.length} results of ${recordings} recordings`);
  for (const name of results) {
    const own = told.filter(({ result }) => result.path === join(out, name));
    must(own.length >= 1, `round ${round}: the program was never started for ${name}`);
    must(own.length <= 2, `round ${round}: the program was started ${own.length} times for ${name}`);
    must(new Set(own.map(({ id }) => id)).size === 1, `round ${round}: ${name} is the result of two jobs`);
    must(new Set(own.map(({ attempt }) => attempt)).size === own.length, `round ${round}: two starts have one number`);
  }
  must(told.length >= results.length, `round ${round}: starts for other files`);
  return { kills, starts: told };
}

/** Kills it once the point is reached. False if it ended before. */
async function killedAt(
  child: ChildProcess,
  count: () => Promise<number>,
  { count: wanted, furtherMs }: KillPoint,
): Promise<boolean> {
  const exited = once(child, 'exit');
  while (child.exitCode === null && (await count()) < wanted) await sleep(pollMs);
  await sleep(furtherMs);
  child.kill('SIGKILL');
  await exited;
  return child.signalCode === 'SIGKILL';
}
