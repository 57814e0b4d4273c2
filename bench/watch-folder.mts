// P4 and P5: a folder of fifty thousand recordings is watched, beside chokidar alone in the same run; from a recording that arrives to
// its job; and what watching costs while nothing happens.
//   npm run bench watch-folder
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { wavBytes } from '../src/main/core/scanner/scanner.fixture.ts';
import { median } from './median.mts';
import type { WatchAsked, WatchFigures } from './watch/child.mts';
import { openTimbre } from './watch/open-timbre.mts';

const files = 50_000;
const folders = 551;
const rounds = 3;
const arrivals = 40;
const idleFiles = 5000;
/** The second scan, ten seconds after the first, has ended. */
const settleMs = 15_000;
const idleMs = 600_000;
const longAgo = 1_700_000_000;
const ticksPerSecond = 100;

async function fill(path: string, count: number, inFolders: number): Promise<void> {
  for (let k = 0; k < inFolders; k += 1) await mkdir(join(path, `day ${k}`), { recursive: true });
  for (let k = 0; k < count; k += 1) await writeFile(join(path, `day ${k % inFolders}`, `take ${k}.wav`), 'RIFF');
}

async function run(name: string, asked: WatchAsked): Promise<WatchFigures> {
  const child = fork(join(import.meta.dirname, 'watch', name), [JSON.stringify(asked)], { execArgv: ['--expose-gc'] });
  const exited = once(child, 'exit');
  const [figures] = (await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error(`${name} ended before it measured`))),
  ])) as [WatchFigures];
  await exited;
  return figures;
}

const percentile95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? NaN;
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

/** Seconds of processor time that a process has used. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

async function size(folder: string): Promise<void> {
  const full = join(folder, 'full');
  await fill(full, files, folders);
  const figures: { readonly timbre: WatchFigures; readonly chokidar: WatchFigures }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const empty = join(folder, `empty ${round}`);
    await mkdir(empty);
    const chokidar = await run('chokidar-alone.mts', { empty, full });
    figures.push({ chokidar, timbre: await run('timbre-alone.mts', { empty, full }) });
  }
  const of = (which: 'timbre' | 'chokidar', key: keyof WatchFigures) => median(figures.map((each) => each[which][key]));
  const ratio = (key: keyof WatchFigures, baseline: keyof WatchFigures = key) =>
    (of('timbre', key) / of('chokidar', baseline)).toFixed(2);
  console.log(`${files} files in ${folders} folders, chokidar alone in brackets, medians of ${rounds}`);
  console.log(
    `ready after ${of('timbre', 'readyMs').toFixed()} ms (${of('chokidar', 'readyMs').toFixed()}): ratio ${ratio('readyMs')} (goal 1.2)`,
  );
  console.log(
    `memory of all ${megabytes(of('timbre', 'allBytes'))} MB (${megabytes(of('chokidar', 'allBytes'))}): ratio ${ratio('allBytes')} (goal 1.0)`,
  );
  console.log(
    `memory of main ${megabytes(of('timbre', 'mainBytes'))} MB: ratio ${ratio('mainBytes', 'allBytes')} (goal 0.3)`,
  );
  console.log(
    `longest lag of main ${of('timbre', 'longestLagMs').toFixed(1)} ms (${of('chokidar', 'longestLagMs').toFixed(1)}) (goal 20)`,
  );
}

async function arrival(folder: string): Promise<void> {
  const path = join(folder, 'arrivals');
  await mkdir(path);
  const timbre = await openTimbre(join(folder, 'arrivals data'));
  await timbre.add(path);
  const [renamed, copied]: [number[], number[]] = [[], []];
  let number = 0;
  for (const [measured, isRenamed] of [
    [renamed, true],
    [copied, false],
  ] as const) {
    for (let k = 0; k < (isRenamed ? arrivals : arrivals / 4); k += 1) {
      number += 1;
      const bytes = wavBytes(0.3);
      bytes.writeUInt32LE(number, 44);
      const [outside, inside] = [join(folder, 'outside.wav'), join(path, `take ${number}.wav`)];
      if (isRenamed) {
        await writeFile(outside, bytes);
        await utimes(outside, longAgo, longAgo + number);
      }
      const begun = performance.now();
      await (isRenamed ? rename(outside, inside) : writeFile(inside, bytes));
      await timbre.until(() => timbre.queue.store.page(null, -1).length === number);
      measured.push(performance.now() - begun);
    }
  }
  console.log(
    `renamed in to job: median ${median(renamed).toFixed()} ms, p95 ${percentile95(renamed).toFixed()} ms (goal 300)`,
  );
  console.log(
    `copied in to job: median ${median(copied).toFixed()} ms, p95 ${percentile95(copied).toFixed()} ms (goal 2500: the quiet time and 500)`,
  );
  await timbre.stop();
}

async function idle(folder: string): Promise<void> {
  const path = join(folder, 'idle');
  await fill(path, idleFiles, 50);
  const timbre = await openTimbre(join(folder, 'idle data'));
  const { folder: watched } = await timbre.add(path);
  await timbre.until(() => timbre.watch.getFolder(watched.id).isMeasured);
  timbre.watch.answerBaseline(watched.id, 'leave');
  await timbre.until(() => timbre.watch.getFolder(watched.id).baseline === null);
  const pids = [process.pid, timbre.watcherPid()] as const;
  await sleep(settleMs);
  const before = pids.map(processorSeconds);
  await sleep(idleMs);
  const used = pids.map((pid, k) => ((processorSeconds(pid) - (before[k] ?? 0)) / (idleMs / 1000)) * 100);
  console.log(
    `idle over ${idleFiles} files: main ${used[0]?.toFixed(2) ?? ''} % of a core, watcher ${used[1]?.toFixed(2) ?? ''} %`,
  );
  await timbre.stop();
}

const folder = await mkdtemp(join(tmpdir(), 'timbre-watch-'));
try {
  await size(folder);
  await arrival(folder);
  await idle(folder);
} finally {
  await rm(folder, { recursive: true });
}
