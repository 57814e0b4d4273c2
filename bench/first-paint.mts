// P9: from the start of the process to the first paint, Timbre beside an empty electron-vite Svelte app, on the same host, in turn.
//   npm run bench first-paint [runs]
import { build } from 'electron-vite';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from 'playwright';
import { findHost } from '../scripts/find-host.mts';
import { root } from '../scripts/root.mts';
import { median } from './median.mts';

const runs = Number(process.argv[2] ?? 11);
const goal = 1.15;
const empty = join(root, 'bench/empty-app');

/** Milliseconds from just before the process starts to the page's first contentful paint. */
async function firstPaint(app: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-bench-'));
  const started = Date.now();
  const running = await _electron.launch({
    executablePath: findHost().executable,
    args: [app, `--user-data-dir=${folder}`],
    env: { ...(process.env as Record<string, string>), TIMBRE_DATA_DIR: folder },
    colorScheme: null,
  });
  const page = await running.firstWindow();
  await page.waitForURL((url) => url.protocol === 'app:' || url.hostname.endsWith('.localhost'));
  const painted = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const [entry] = list.getEntriesByName('first-contentful-paint');
          if (entry) resolve(performance.timeOrigin + entry.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
  await running.close();
  await rm(folder, { recursive: true, force: true });
  return painted - started;
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
