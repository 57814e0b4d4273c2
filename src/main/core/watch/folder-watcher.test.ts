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

const folder = () => bench.watch.folders()[0];
const isScanned = () => folder()?.checkedAt !== null && folder()?.mode === 'watching';
const line = (path: string) => bench.file(path)?.line;

describe('a file that went away while nobody watched', () => {
  it.each([
    ['deleted', (path: string) => rm(path)],
    ['renamed', (path: string) => rename(path, join(bench.folder, 'elsewhere.wav'))],
  ])('is waited for no longer when it was %s', async (_, take) => {
    await bench.save();
    await bench.until('the folder is watched', isScanned);
    const path = join(bench.root, 'rec.wav');
    const file = await open(path, 'w');
    await file.write(wavBytes(0.3).subarray(0, 1000));
    await bench.until('it waits', () => line('rec.wav')?.verdict === 'waiting');
    await bench.restart(async () => {
      await file.close();
      await take(path);
    });
    await bench.until('it was looked over again', isScanned);
    expect(folder()?.counts.incoming).toBe(0);
    expect(line('rec.wav')).toMatchObject({ isThere: false, standing: 'rest' });
  });

  it('is waited for again when it comes back', async () => {
    await bench.save();
    await bench.until('the folder is watched', isScanned);
    const file = await open(join(bench.root, 'rec.wav'), 'w');
    await file.write(wavBytes(0.3).subarray(0, 1000));
    await bench.until('it waits', () => line('rec.wav')?.verdict === 'waiting');
    await bench.restart(async () => {
      await file.close();
      await rm(join(bench.root, 'rec.wav'));
    });
    await bench.until('it was looked over again', isScanned);
    await bench.put('rec.wav', 4);
    await bench.until('it is done', () => bench.file('rec.wav')?.job?.state === 'done');
  });

  it('needs nobody any more', async () => {
    // Nothing can be moved there.
    await writeFile(join(bench.root, 'Done'), 'no folder');
    await bench.save({ afterwards: 'done' });
    await bench.until('the folder is watched', isScanned);
    const path = await bench.put('a.wav', 1);
    await bench.until('it stays', () => line('a.wav')?.sourceEnd === 'stays');
    expect(folder()?.counts.attention).toBe(1);
    await bench.restart(() => rm(path));
    await bench.until('it was looked over again', isScanned);
    expect(folder()?.counts.attention).toBe(0);
    expect(bench.watch.files(folder()?.folder.id ?? '', null, 'attention', 10)).toEqual([]);
  });
});

it('waits for what is at the gate when its folder gets other settings', async () => {
  await bench.save();
  await bench.until('the folder is watched', isScanned);
  const file = await open(join(bench.root, 'rec.wav'), 'w');
  const bytes = wavBytes(0.3);
  await file.write(bytes.subarray(0, 1000));
  await bench.until('it waits', () => line('rec.wav')?.verdict === 'waiting');
  await bench.save({ dailyMinutes: 10 });
  await bench.until('it was looked over again', isScanned);
  expect(line('rec.wav')).toMatchObject({ verdict: 'waiting', isThere: true, standing: 'open' });
  await file.write(bytes.subarray(1000));
  await file.close();
  await bench.until('it is done', () => bench.file('rec.wav')?.job?.state === 'done');
});
