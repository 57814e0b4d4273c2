import { open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestEngine } from '../../../engine/engine.fixture.ts';
import { wavBytes } from '../scanner/scanner.fixture.ts';
import { openWatchBench, startWatchEngine, type WatchBench } from './watch.fixture.ts';

let engine: TestEngine;
let bench: WatchBench;

beforeAll(async () => {
  engine = await startWatchEngine();
});
afterAll(() => engine.remove());
beforeEach(async () => {
  bench = await openWatchBench(engine);
});
afterEach(() => bench.stop());

const folder = () => bench.watch.listFolders()[0];
const isScanned = () => folder()?.checkedAt !== null && folder()?.mode === 'watching';
const recordOf = (path: string) => bench.file(path)?.record;

describe('a file that disappeared while Timbre was closed', () => {
  it.each([
    ['deleted', (path: string) => rm(path)],
    ['renamed', (path: string) => rename(path, join(bench.folder, 'elsewhere.wav'))],
  ])('is no longer waited for if it was %s', async (_, remove) => {
    await bench.save();
    await bench.until('the folder is watched', isScanned);
    const path = join(bench.root, 'rec.wav');
    const file = await open(path, 'w');
    await file.write(wavBytes(0.3).subarray(0, 1000));
    await bench.until('it waits', () => recordOf('rec.wav')?.decision === 'waiting');
    await bench.restart(async () => {
      await file.close();
      await remove(path);
    });
    await bench.until('it was looked over again', isScanned);
    expect(folder()?.counts.incoming).toBe(0);
    expect(recordOf('rec.wav')).toMatchObject({ isPresent: false, stage: 'rest' });
  });

  it('is waited for again when it comes back', async () => {
    await bench.save();
    await bench.until('the folder is watched', isScanned);
    const file = await open(join(bench.root, 'rec.wav'), 'w');
    await file.write(wavBytes(0.3).subarray(0, 1000));
    await bench.until('it waits', () => recordOf('rec.wav')?.decision === 'waiting');
    await bench.restart(async () => {
      await file.close();
      await rm(join(bench.root, 'rec.wav'));
    });
    await bench.until('it was looked over again', isScanned);
    await bench.put('rec.wav', 4);
    await bench.until('it is done', () => bench.file('rec.wav')?.job?.state === 'done');
  });

  it('no longer needs attention', async () => {
    // A file named Done, so that no source can be moved there.
    await writeFile(join(bench.root, 'Done'), 'no folder');
    await bench.save({ afterwards: 'done' });
    await bench.until('the folder is watched', isScanned);
    const path = await bench.put('a.wav', 1);
    await bench.until('it stays', () => recordOf('a.wav')?.disposalState === 'stays');
    expect(folder()?.counts.attention).toBe(1);
    await bench.restart(() => rm(path));
    await bench.until('it was looked over again', isScanned);
    expect(folder()?.counts.attention).toBe(0);
    expect(bench.watch.listFiles(folder()?.folder.id ?? '', null, 'attention', 10)).toEqual([]);
  });
});

it('keeps waiting for a file at the gate when the settings of its folder change', async () => {
  await bench.save();
  await bench.until('the folder is watched', isScanned);
  const file = await open(join(bench.root, 'rec.wav'), 'w');
  const bytes = wavBytes(0.3);
  await file.write(bytes.subarray(0, 1000));
  await bench.until('it waits', () => recordOf('rec.wav')?.decision === 'waiting');
  await bench.save({ dailyMinutes: 10 });
  await bench.until('it was looked over again', isScanned);
  expect(recordOf('rec.wav')).toMatchObject({ decision: 'waiting', isPresent: true, stage: 'open' });
  await file.write(bytes.subarray(1000));
  await file.close();
  await bench.until('it is done', () => bench.file('rec.wav')?.job?.state === 'done');
});
