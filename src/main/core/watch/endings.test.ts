import { existsSync } from 'node:fs';
import { copyFile, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestEngine } from '../../../engine/start-test-engine.ts';
import type { JobState } from '../../../shared/wire/job.ts';
import { openDatabase } from '../database/open-database.ts';
import { openWatchBench, startWatchEngine, type WatchBench } from './watch.fixture.ts';

let engine: TestEngine;
let bench: WatchBench;

beforeAll(async () => {
  engine = await startWatchEngine();
});
afterAll(() => engine.remove());
beforeEach(async () => {
  bench = await openWatchBench(engine);
  await bench.save({ afterwards: 'done' });
  await bench.until('the folder is watched', isScanned);
});
afterEach(async () => {
  const { defects } = bench;
  await bench.stop();
  expect(defects).toEqual([]);
});

const path = (name: string) => join(bench.root, name);
const line = (name: string) => bench.file(name)?.line;
const isScanned = () => {
  const [view] = bench.watch.folders();
  return view?.checkedAt !== null && view?.mode === 'watching';
};
const isMoved = (name: string) => line(name)?.sourceEnd === 'moved' && existsSync(path(`Done/${name}`));

/** Does something when the first job reaches a state, before anybody else hears of that. */
async function putAnd(name: string, state: JobState, act: () => Promise<void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = bench.queue.store.onNews((news) => {
    if (news.kind !== 'put' || !news.jobs.some((job) => job.state === state)) return;
    end();
    act().then(resolve, reject);
  });
  await bench.put(name, 1);
  await promise;
}

describe('an original that is renamed during its job', () => {
  it.each(['uploaded', 'converted', 'done'] as const)('moves to Done under its new name: %s', async (state) => {
    await putAnd('a.wav', state, () => rename(path('a.wav'), path('b.wav')).catch(() => undefined));
    await bench.until('it moved', () => isMoved('a.wav') || isMoved('b.wav'));
    expect(line('a.wav')?.standing).toBe('rest');
    expect(bench.jobs()).toHaveLength(1);
  });

  it('moves to Done under the name that it got while Timbre was closed', async () => {
    await putAnd('a.wav', 'uploaded', () => {
      bench.queue.runner.pause();
      return Promise.resolve();
    });
    await bench.restart(() => rename(path('a.wav'), path('b.wav')));
    await bench.until('it was looked over again', isScanned);
    bench.queue.runner.resume(null);
    await bench.until('it moved', () => isMoved('b.wav'));
  });
});

it('an original that is touched during its job moves to Done, because its bytes are the same', async () => {
  await putAnd('a.wav', 'converted', () => utimes(path('a.wav'), 1_700_000_500, 1_700_000_500));
  await bench.until('it moved', () => isMoved('a.wav'));
  expect(line('a.wav')?.standing).toBe('rest');
});

it('the copy of an original that is renamed away is known as the converted one', async () => {
  await bench.save({ afterwards: 'keep' });
  await bench.put('a.wav', 1);
  await bench.until('it is done', () => bench.jobs()[0]?.state === 'done' && line('a.wav')?.standing === 'rest');
  await copyFile(path('a.wav'), path('b.wav'));
  await bench.until('the copy is known', () => line('b.wav')?.verdict === 'same-sound');
  await rename(path('a.wav'), join(bench.folder, 'away.wav'));
  await bench.until('the copy is the one', () => line('b.wav')?.verdict === 'job');
  expect(bench.jobs()).toHaveLength(1);
});

it('an original that was in Done before a kill let anybody write that down is told as moved', async () => {
  await bench.put('a.wav', 1);
  await bench.until('it moved', () => isMoved('a.wav'));
  await bench.restart(async () => {
    const database = await openDatabase(join(bench.folder, 'data'));
    database.exec("UPDATE watched_file SET source_end = 'pending', moved_to = NULL, standing = 'open', is_there = 0");
    database.close();
  });
  await bench.until('it is told as moved', () => isMoved('a.wav'));
  expect(line('a.wav')).toMatchObject({ standing: 'rest', movedTo: join('Done', 'a.wav') });
});
