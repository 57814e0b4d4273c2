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
const decisionOf = (name: string) => bench.file(name)?.record.decision;
const isScanned = () => {
  const [view] = bench.watch.listFolders();
  return view?.checkedAt !== null && view?.mode === 'watching';
};
const isDone = (name: string) => {
  const view = bench.file(name);
  return view?.job?.state === 'done' && view.record.stage === 'rest';
};
const resume = () => bench.queue.scheduler.resume(null);
const states = () => bench.jobs().map(({ state }) => state);

/** Adds a recording whose job is queued. */
async function putQueued(name: string, fill: number): Promise<void> {
  await bench.put(name, fill);
  await bench.until(`${name} has a job`, () => decisionOf(name) === 'job');
}

describe('a recording that disappears before its job runs', () => {
  beforeEach(() => putQueued('a.wav', 1));

  it('is replaced by its copy', async () => {
    await copyFile(path('a.wav'), path('b.wav'));
    await bench.until('the copy is known', () => decisionOf('b.wav') === 'same-sound');
    await rm(path('a.wav'));
    await bench.until('it is gone', () => bench.file('a.wav')?.record.isPresent === false);
    resume();
    await bench.until('the copy is done', () => isDone('b.wav'));
    expect(states().toSorted()).toEqual(['done', 'failed']);
  });

  it('is replaced by its copy also when another recording has its name', async () => {
    await copyFile(path('a.wav'), path('b.wav'));
    await bench.until('the copy is known', () => decisionOf('b.wav') === 'same-sound');
    await bench.put('a.wav', 2);
    await bench.until('the other one is seen', () => bench.jobs().length === 2 || decisionOf('a.wav') === 'waiting');
    resume();
    await bench.until('both are done', () => isDone('a.wav') && isDone('b.wav'));
  });

  it('is converted under the name that it got while Timbre was closed', async () => {
    await bench.restart(() => rename(path('a.wav'), path('b.wav')));
    await bench.until('it was looked over again', isScanned);
    resume();
    await bench.until('it is done', () => isDone('b.wav'));
  });
});

describe('a recording that changes after its job was created', () => {
  it('gets a new job if it was only touched', async () => {
    await putQueued('a.wav', 1);
    await utimes(path('a.wav'), 1_700_000_500, 1_700_000_500);
    await bench.until('that was seen', () => decisionOf('a.wav') === 'waiting');
    resume();
    await bench.until('it is done', () => isDone('a.wav'));
    expect(states().toSorted()).toEqual(['done', 'failed']);
  });

  it('is converted when it comes back, although another recording got its name', async () => {
    await putQueued('a.wav', 1);
    await bench.until('it was examined', () => bench.jobs()[0]?.outputFormat === '.wav');
    await bench.put('a.wav', 2);
    await bench.until('the other one has a job', () => bench.jobs().length === 2);
    resume();
    await bench.until('the other one is done', () => isDone('a.wav') && states().includes('failed'));
    await bench.put('b.wav', 1);
    await bench.until('it is done', () => isDone('b.wav'));
  });
});

describe('a recording that the user converts again', () => {
  it('still counts as converted if it disappears before its second job runs', async () => {
    resume();
    await bench.put('a.wav', 1);
    await bench.until('it is done', () => isDone('a.wav'));
    bench.queue.scheduler.pause();
    bench.watch.convert(bench.file('a.wav')?.record.folderId ?? '', ['a.wav']);
    await bench.until('it has a second job', () => bench.jobs().length === 2 && decisionOf('a.wav') === 'job');
    await rename(path('a.wav'), join(bench.folder, 'kept.wav'));
    await bench.until('it is gone', () => bench.file('a.wav')?.record.isPresent === false);
    resume();
    await bench.until('the second job failed', () => states().includes('failed'));
    await rename(join(bench.folder, 'kept.wav'), path('a.wav'));
    await bench.until('it is known', () => isDone('a.wav'));
    expect(states().toSorted()).toEqual(['done', 'failed']);
  });
});
