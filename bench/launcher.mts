// What the launcher adds to a command when everything is installed and built: `./timbre help` beside the bare command line, in turn.
//   npm run bench launcher [runs]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../scripts/root.mts';
import { median } from './median.mts';

const runs = Number(process.argv[2] ?? 21);
const goalMs = 300;

function time(command: string, args: readonly string[]): number {
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`${command} ended with ${String(status)}`);
  return performance.now() - started;
}

const launched: number[] = [];
const bare: number[] = [];
for (let run = 0; run < runs; run += 1) {
  launched.push(time(join(root, 'timbre'), ['help']));
  bare.push(time(process.execPath, [join(root, 'out/main/cli.js'), 'help']));
}
const added = median(launched) - median(bare);
console.log(
  `launcher: ${Math.round(median(launched))} ms, bare ${Math.round(median(bare))} ms, adds ${Math.round(added)} ms ` +
    `(goal < ${goalMs}), ratio ${(median(launched) / median(bare)).toFixed(2)}, median of ${runs}`,
);
