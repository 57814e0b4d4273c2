import { copyFile, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestEngine } from '../../../engine/engine.fixture.ts';
import { openWatchBench, startWatchEngine, type WatchBench } from './watch.fixture.ts';

let engine: TestEngine;
let bench: WatchBench;

beforeAll(async () => {
  engine = await startWatchEngine();
});
afterAll(() => engine.remove());
beforeEach(async () => {
  bench = await openWatchBench(engine);
  await bench.save();
  await bench.until('the folder is watched', isScanned);
  bench.queue.scheduler.pause();
});
afterEach(async () => {
  const { defects } = bench;
  await bench.stop();
  expect(defects).toEqual([]);
});

const path = (name: string) => join(bench.root, name);
const verdict = (name: string) => bench.file(name)?.line.verdict;
const isScanned = () => {
  const [view] = bench.watch.folders();
  return view?.checkedAt !== null && view?.mode === 'watching';
};
const isDone = (name: string) => {
  const view = bench.file(name);
  return view?.job?.state === 'done' && view.line.standing === 'rest';
};
const goOn = () => bench.queue.scheduler.resume(null);
const states = () => bench.jobs().map(({ state }) => state);

/** A recording that waits for its turn. */
async function putInLine(name: string, fill: number): Promise<void> {
  await bench.put(name, fill);
  await bench.until(`${name} has a job`, () => verdict(name) === 'job');
}

describe('a recording that goes away before its turn', () => {
  beforeEach(() => putInLine('a.wav', 1));

  it('leaves its turn to its copy', async () => {
    await copyFile(path('a.wav'), path('b.wav'));
    await bench.until('the copy is known', () => verdict('b.wav') === 'same-sound');
    await rm(path('a.wav'));
    await bench.until('it is gone', () => bench.file('a.wav')?.line.isThere === false);
    goOn();
    await bench.until('the copy is done', () => isDone('b.wav'));
    expect(states().toSorted()).toEqual(['done', 'failed']);
  });

  it('leaves its turn to its copy also when another one has its name', async () => {
    await copyFile(path('a.wav'), path('b.wav'));
    await bench.until('the copy is known', () => verdict('b.wav') === 'same-sound');
    await bench.put('a.wav', 2);
    await bench.until('the other one is seen', () => bench.jobs().length === 2 || verdict('a.wav') === 'waiting');
    goOn();
    await bench.until('both are done', () => isDone('a.wav') && isDone('b.wav'));
  });

  it('has its turn under the name that it got while Timbre was closed', async () => {
    await bench.restart(() => rename(path('a.wav'), path('b.wav')));
    await bench.until('it was looked over again', isScanned);
    goOn();
    await bench.until('it is done', () => isDone('b.wav'));
  });
});

describe('a recording that is not as it was taken up', () => {
  it('is taken up anew where it was only touched before its turn', async () => {
    await putInLine('a.wav', 1);
    await utimes(path('a.wav'), 1_700_000_500, 1_700_000_500);
    await bench.until('that was seen', () => verdict('a.wav') === 'waiting');
    goOn();
    await bench.until('it is done', () => isDone('a.wav'));
    expect(states().toSorted()).toEqual(['done', 'failed']);
  });

  it('is taken up when it comes back, although its turn went to another one of its name', async () => {
    await putInLine('a.wav', 1);
    await bench.until('it was examined', () => bench.jobs()[0]?.outputFormat === '.wav');
    await bench.put('a.wav', 2);
    await bench.until('the other one has a job', () => bench.jobs().length === 2);
    goOn();
    await bench.until('the other one is done', () => isDone('a.wav') && states().includes('failed'));
    await bench.put('b.wav', 1);
    await bench.until('it is done', () => isDone('b.wav'));
  });
});

describe('a recording that a person wants again', () => {
  it('is still known as converted where it goes away before its second turn', async () => {
    goOn();
    await bench.put('a.wav', 1);
    await bench.until('it is done', () => isDone('a.wav'));
    bench.queue.scheduler.pause();
    bench.watch.convert(bench.file('a.wav')?.line.folderId ?? '', ['a.wav']);
    await bench.until('it has a second job', () => bench.jobs().length === 2 && verdict('a.wav') === 'job');
    await rename(path('a.wav'), join(bench.folder, 'kept.wav'));
    await bench.until('it is gone', () => bench.file('a.wav')?.line.isThere === false);
    goOn();
    await bench.until('the second job failed', () => states().includes('failed'));
    await rename(join(bench.folder, 'kept.wav'), path('a.wav'));
    await bench.until('it is known', () => isDone('a.wav'));
    expect(states().toSorted()).toEqual(['done', 'failed']);
  });
});
