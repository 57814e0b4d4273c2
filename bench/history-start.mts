// Start-up over a long history: from the start of the process to the first paint with a million entries, beside none, in turn.
//   npm run bench history-start [entries] [runs]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/root.mts';
import { openDatabase } from '../src/main/core/database/database.ts';
import { makeHistory } from '../src/main/core/history/history.fixture.ts';
import { median } from './median.mts';
import { paintTime } from './paint-time.mts';

const entries = Number(process.argv[2] ?? 1_000_000);
const runs = Number(process.argv[3] ?? 9);
const goalMs = 50;

const folder = await mkdtemp(join(tmpdir(), 'timbre-start-'));
const [long, none] = [join(folder, 'long'), join(folder, 'none')];
try {
  for (const [path, count] of [
    [long, entries],
    [none, 0],
  ] as const) {
    const database = await openDatabase(path);
    if (count > 0) makeHistory(database, count, Date.UTC(2026, 10, 1));
    database.close();
  }
  const [withLong, withNone]: [number[], number[]] = [[], []];
  // The first of each warms the disk's cache and is not counted.
  for (let run = -1; run < runs; run += 1) {
    const [a, b] = [await paintTime(root, long), await paintTime(root, none)];
    if (run < 0) continue;
    withLong.push(a);
    withNone.push(b);
  }
  const [a, b] = [median(withLong), median(withNone)];
  console.log(
    `first paint with ${entries} entries after ${a.toFixed()} ms, without ${b.toFixed()} ms: ${(a - b).toFixed()} ms more (goal ${goalMs}), ` +
      `${(a / b).toFixed(2)} times as long, medians of ${runs}`,
  );
} finally {
  await rm(folder, { recursive: true });
}
