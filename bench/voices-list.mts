// What the command line needs to answer from the local engine: `./timbre voices list --json`, process start to end, in a folder of its
// own, beside a bare Node and the launcher's `help`, in turn.
//   npm run bench voices-list [runs]
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/root.mts';
import { median } from './median.mts';

const runs = Number(process.argv[2] ?? 15);
const goalMs = 400;
const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'));
const launcher = join(root, 'timbre');

function time(command: string, args: readonly string[]): number {
  const started = performance.now();
  const { status, stdout } = spawnSync(command, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ended with ${String(status)}`);
  if (args.includes('--json') && !stdout.includes('"voices":[{')) throw new Error(`no voices: ${stdout}`);
  return performance.now() - started;
}

const list: number[] = [];
const help: number[] = [];
const bare: number[] = [];
// The first of each warms the disk's cache; it is not counted.
for (let run = -1; run < runs; run += 1) {
  const times = [
    time(launcher, ['voices', 'list', '--json', '--data-dir', folder]),
    time(launcher, ['help']),
    time(process.execPath, ['-e', '0']),
  ] as const;
  if (run < 0) continue;
  [list, help, bare].forEach((all, at) => all.push(times[at] ?? NaN));
}
await rm(folder, { recursive: true });
const [listMs, helpMs, bareMs] = [list, help, bare].map(median) as [number, number, number];
console.log(
  `voices list --json: ${Math.round(listMs)} ms (goal <= ${goalMs}), ${(listMs / bareMs).toFixed(1)} times a bare Node's ` +
    `${Math.round(bareMs)} ms; help ${Math.round(helpMs)} ms, median of ${runs}`,
);
