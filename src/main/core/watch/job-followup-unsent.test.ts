import { copyFile, mkdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testVoice } from '../jobs/job.fixture.ts';
import { hasEnded } from '../jobs/job.ts';
import { useWatchFixture, type WatchFixture } from './watch.fixture.ts';

let fixture: WatchFixture;

useWatchFixture(async (opened) => {
  fixture = opened;
  await fixture.watchFolder();
  fixture.queue.scheduler.pause();
});

const path = (name: string) => join(fixture.root, name);
const decisionOf = (name: string) => fixture.file(name)?.record.decision;
const isScanned = () => {
  const [view] = fixture.watch.listFolders();
  return view?.checkedAt !== null && view?.mode === 'watching';
};
const isDone = (name: string) => {
  const view = fixture.file(name);
  return view?.job?.state === 'done' && view.record.stage === 'rest';
};
const resume = () => fixture.queue.scheduler.resume(null);
const states = () => fixture.jobs().map(({ state }) => state);

/** Adds a recording whose job is queued. */
async function putQueued(name: string, fill: number): Promise<void> {
  await fixture.put(name, fill);
  await fixture.until(`${name} has a job`, () => decisionOf(name) === 'job');
}

describe('a recording that disappears before its job runs', () => {
  beforeEach(() => putQueued('a.wav', 1));

  it('is replaced by its copy', async () => {
    await copyFile(path('a.wav'), path('b.wav'));
    await fixture.until('the copy is known', () => decisionOf('b.wav') === 'same-sound');
    await rm(path('a.wav'));
    await fixture.until('it is gone', () => fixture.file('a.wav')?.record.isPresent === false);
    resume();
    await fixture.until('the copy is done', () => isDone('b.wav'));
    // Nothing can be done about the job that was not sent.
    expect(states()).toEqual(['done']);
  });

  it('is replaced by its copy also when another recording has its name', async () => {
    await copyFile(path('a.wav'), path('b.wav'));
    await fixture.until('the copy is known', () => decisionOf('b.wav') === 'same-sound');
    await fixture.put('a.wav', 2);
    await fixture.until(
      'the other one is seen',
      () => fixture.jobs().length === 2 || decisionOf('a.wav') === 'waiting',
    );
    resume();
    await fixture.until('both are done', () => isDone('a.wav') && isDone('b.wav'));
  });

  it('is converted under the name that it got while Timbre was closed', async () => {
    await fixture.restart(() => rename(path('a.wav'), path('b.wav')));
    await fixture.until('it was looked over again', isScanned);
    resume();
    await fixture.until('it is done', () => isDone('b.wav'));
  });
});

it('a recording that disappears once its folder is not watched any more stays in the queue with the reason', async () => {
  await putQueued('a.wav', 1);
  const { folderId = '' } = fixture.file('a.wav')?.record ?? {};
  const other = join(fixture.folder, 'other');
  await mkdir(other);
  await fixture.watch.save(null, { ...fixture.settings, path: other }, testVoice);
  expect(fixture.jobs().map(fixture.watch.decidesAbout)).toEqual([true]);
  fixture.watch.remove(folderId);
  expect(fixture.jobs().map(fixture.watch.decidesAbout)).toEqual([false]);
  await rm(path('a.wav'));
  resume();
  await fixture.until('its job has ended', () => fixture.jobs().every(hasEnded));
  expect(fixture.jobs().map(({ problem }) => problem?.code)).toEqual(['input/missing']);
});

describe('a recording that changes after its job was created', () => {
  it('gets a new job if it was only touched', async () => {
    await putQueued('a.wav', 1);
    await utimes(path('a.wav'), 1_700_000_500, 1_700_000_500);
    await fixture.until('that was seen', () => decisionOf('a.wav') === 'waiting');
    resume();
    await fixture.until('it is done', () => isDone('a.wav'));
    expect(states()).toEqual(['done']);
  });

  it('is converted when it comes back, although another recording got its name', async () => {
    await putQueued('a.wav', 1);
    await fixture.until('it was examined', () => fixture.jobs()[0]?.outputFormat === '.wav');
    await fixture.put('a.wav', 2);
    await fixture.until('the other one has a job', () => fixture.jobs().length === 2);
    resume();
    await fixture.until('the other one is done', () => isDone('a.wav') && fixture.jobs().length === 1);
    await fixture.put('b.wav', 1);
    await fixture.until('it is done', () => isDone('b.wav'));
  });
});

describe('a recording that the user converts again', () => {
  it('still counts as converted if it disappears before its second job runs', async () => {
    resume();
    await fixture.put('a.wav', 1);
    await fixture.until('it is done', () => isDone('a.wav'));
    fixture.queue.scheduler.pause();
    fixture.watch.convert(fixture.file('a.wav')?.record.folderId ?? '', ['a.wav']);
    await fixture.until('it has a second job', () => fixture.jobs().length === 2 && decisionOf('a.wav') === 'job');
    await rename(path('a.wav'), join(fixture.folder, 'kept.wav'));
    await fixture.until('it is gone', () => fixture.file('a.wav')?.record.isPresent === false);
    resume();
    await fixture.until('the second job is gone', () => fixture.jobs().length === 1);
    await rename(join(fixture.folder, 'kept.wav'), path('a.wav'));
    await fixture.until('it is known', () => isDone('a.wav'));
    expect(states()).toEqual(['done']);
  });
});
