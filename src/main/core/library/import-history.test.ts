import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/open-database.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import { createCarefulLooks } from './careful-looks.ts';
import { historyHeader, toHistoryLine } from './history-line.ts';
import { importHistory } from './import-history.ts';
import { useLibrary } from './library.fixture.ts';

const library = useLibrary();
const count = 400;
let path: string;
let there: DatabaseSync;
/** Milliseconds that each slice takes. */
let spentMs: number;
/** How many entries were new in each slice. */
let slices: number[];

beforeEach(async () => {
  const { at, folder } = library();
  const unmarked = { isFavourite: false, tags: [] };
  const lines = Array.from({ length: count }, (_, k) =>
    toHistoryLine(conversionJob({ id: randomUUID(), state: 'done', endedAt: 1_000_000 - k }), unmarked),
  );
  path = at('history.jsonl');
  await writeFile(path, [historyHeader, ...lines].map((line) => JSON.stringify(line)).join('\n'));
  there = await openDatabase(join(folder, 'there'));
  [spentMs, slices] = [0, []];
});
afterEach(() => there.close());

function run(onSlice: () => void = () => undefined, signal = new AbortController().signal) {
  let now = 0;
  let isWithin = false;
  const { platform } = process;
  return importHistory(
    {
      database: there,
      writes: { write: (work) => work() },
      job: () => undefined,
      show: () => undefined,
      onAdded(ids) {
        slices.push(ids.length);
        onSlice();
      },
      onChanged: () => undefined,
      connectionId: () => undefined,
      clock: {
        now() {
          if (isWithin) now += spentMs;
          isWithin = !isWithin;
          return now;
        },
      },
      looks: createCarefulLooks({ clock: systemClock, platform }),
      platform,
      randomId: randomUUID,
    },
    { path, folder: '/sounds', signal, onProgress: () => undefined },
  );
}
const rows = () => there.prepare('SELECT count(*) AS count, count(DISTINCT id) AS ids FROM job').get();

it('takes up more at once as long as that is quick, and twice as many at most', async () => {
  await run();
  expect(slices).toEqual([10, 20, 40, 80, 160, 90]);
});

it('takes up fewer at once where the disk is slow, and one at least', async () => {
  spentMs = 16;
  await run();
  expect(slices.slice(0, 6)).toEqual([10, 5, 2, 1, 1, 1]);
  expect(rows()).toEqual({ count, ids: count });
});

it('goes on where it was ended in the middle, and doubles nothing', async () => {
  const stop = new AbortController();
  const ended = run(() => {
    if (slices.length === 3) stop.abort(new Error('stopped'));
  }, stop.signal);
  await expect(ended).rejects.toThrow('stopped');
  expect(rows()).toEqual({ count: 70, ids: 70 });
  expect(await run()).toEqual({ added: count - 70, known: 70, refused: 0, withoutFile: 0 });
  expect(await run()).toEqual({ added: 0, known: count, refused: 0, withoutFile: 0 });
  expect(rows()).toEqual({ count, ids: count });
});
