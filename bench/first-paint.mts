// P9: from the start of the process to the first paint, Timbre beside an empty electron-vite Svelte app, on the same host, in turn.
//   npm run bench first-paint [runs]
import { build } from 'electron-vite';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/root.mts';
import { median } from './median.mts';
import { paintTime } from './paint-time.mts';

const runs = Number(process.argv[2] ?? 11);
const goal = 1.05;
const empty = join(root, 'bench/empty-app');

async function firstPaint(app: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'));
  const painted = await paintTime(app, folder);
  await rm(folder, { recursive: true, force: true });
  return painted;
}

await build({ root: empty, configFile: join(empty, 'electron.vite.config.js'), logLevel: 'error' });
const ours: number[] = [];
const theirs: number[] = [];
// The first of each warms the disk's cache and is not counted.
for (let run = -1; run < runs; run += 1) {
  const [a, b] = [await firstPaint(root), await firstPaint(empty)];
  if (run < 0) continue;
  ours.push(a);
  theirs.push(b);
}
const ratio = median(ours) / median(theirs);
console.log(
  `P9 first paint: Timbre ${Math.round(median(ours))} ms, empty app ${Math.round(median(theirs))} ms, ` +
    `ratio ${ratio.toFixed(2)} (goal ${goal}), median of ${runs}`,
);
