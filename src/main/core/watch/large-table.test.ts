import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasEnded } from '../jobs/job.ts';
import { folderSpeech, openWatchFixture, useWatchFixture, type WatchFixture } from './watch.fixture.ts';

const rows = Array.from({ length: 1200 }, (_, k) => `This is row ${k}.`);
const table = (texts: readonly string[]) => ['text', ...texts, ''].join('\n');
let fixture: WatchFixture;
let folderId: string;

useWatchFixture(async (opened) => {
  fixture = opened;
  folderId = await fixture.watchFolder({ speech: folderSpeech });
  fixture.queue.scheduler.pause();
});

const decisionOf = (path: string) => fixture.file(path)?.record.decision;
const texts = () => fixture.jobs().flatMap((job) => (job.kind === 'speech' ? [job.text] : []));
const at = (path: string) => join(fixture.root, path);
const isSubmitted = (path: string) => fixture.until(`${path} is submitted`, () => decisionOf(path) === 'job');
const isScanned = () => fixture.watch.getFolder(folderId).checkedAt !== null && fixture.watch.isIdle();

/** Writes a table and resolves while its rows are being submitted. */
async function beginSubmission(content = rows, seconds?: number): Promise<void> {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  const end = fixture.queue.store.onEvent(() => resolve());
  await fixture.write('list.csv', table(content), seconds);
  await begun;
  end();
  expect(decisionOf('list.csv')).toBe('waiting');
}

/** Interrupts the submission, which waits in each of its turns meanwhile: on a busy disk it would end first. */
async function interruptIn(interrupt: () => unknown): Promise<void> {
  const turn = new Int32Array(new SharedArrayBuffer(4));
  const end = fixture.queue.store.onEvent(() => void Atomics.wait(turn, 0, 0, 10));
  await interrupt();
  end();
  expect(texts().length).toBeLessThan(rows.length);
}

it('a large table is submitted in turns, between which the event loop runs', async () => {
  await beginSubmission();
  const atOnce = texts().length;
  await isSubmitted('list.csv');
  expect(atOnce).toBeLessThan(rows.length);
  expect(texts()).toEqual(rows);
});

it('a large table whose rows have all ended while it was submitted is done', async () => {
  await beginSubmission();
  const end = fixture.queue.store.onEvent((event) => {
    if (event.kind !== 'upserted') return;
    for (const { id, state } of event.jobs) if (state === 'queued') fixture.queue.scheduler.cancel(id);
  });
  for (const { id } of fixture.jobs()) fixture.queue.scheduler.cancel(id);
  await fixture.until('it is at rest', () => fixture.file('list.csv')?.record.stage === 'rest');
  end();
  expect(fixture.jobs().filter(({ state }) => state !== 'cancelled')).toEqual([]);
  expect(texts()).toEqual(rows);
});

const pauseAndResume = (): void => {
  fixture.watch.setPaused(folderId, true);
  fixture.watch.setPaused(folderId, false);
};

const nothing = () => Promise.resolve();

it.each<readonly [string, () => unknown, () => Promise<unknown>]>([
  ['Timbre stops', () => fixture.restart(), nothing],
  ['its folder is paused', pauseAndResume, nothing],
  ['its folder is saved again', () => fixture.save({ speech: folderSpeech, dailyMinutes: 1000 }), nothing],
  ['its folder is changed', () => fixture.save({ speech: { ...folderSpeech, speed: 1.5 } }), nothing],
  ['Timbre stops, and it is copied', () => fixture.restart(() => copyFile(at('list.csv'), at('copy.csv'))), nothing],
  [
    'Timbre stops, and it is renamed',
    () => fixture.restart(() => rename(at('list.csv'), at('other.csv'))),
    () => isSubmitted('other.csv'),
  ],
])('no row of a table is lost or doubled if %s in the middle', async (_, interrupt, andThen) => {
  await beginSubmission();
  await interruptIn(interrupt);
  await fixture.until('the folder is scanned', isScanned);
  await andThen();
  const names = ['list.csv', 'copy.csv', 'other.csv'];
  const isDecided = (name: string) => fixture.file(name)?.record.isPresent !== true || decisionOf(name) !== 'waiting';
  await fixture.until(
    'all are decided',
    () => names.some((name) => decisionOf(name) === 'job') && names.every(isDecided),
  );
  expect(texts().toSorted()).toEqual(rows.toSorted());
});

it('of a table that was interrupted, and corrected after the settings changed, no row is spoken twice', async () => {
  await beginSubmission();
  await interruptIn(() => fixture.restart());
  await fixture.save({ speech: { ...folderSpeech, speed: 1.5 } });
  const begun = texts();
  await fixture.write('list.csv', table(rows.with(-1, 'Corrected.')), 2);
  await isSubmitted('list.csv');
  expect(begun.length).toBeLessThan(rows.length);
  expect(texts().toSorted()).toEqual(rows.with(-1, 'Corrected.').toSorted());
});

it('of a table that was corrected after the settings changed, only that row is spoken, also if Timbre stops in the middle', async () => {
  await beginSubmission();
  await isSubmitted('list.csv');
  await fixture.save({ speech: { ...folderSpeech, speed: 1.5 } });
  await fixture.until('the folder is scanned', isScanned);
  await beginSubmission(rows.with(0, 'Corrected.'), 2);
  await fixture.restart();
  await isSubmitted('list.csv');
  expect(texts().toSorted()).toEqual([...rows, 'Corrected.'].toSorted());
});

it('the rows of a table that was interrupted count once against the minutes of the day', async () => {
  await beginSubmission();
  const minutes = (fixture.file('list.csv')?.record.durationSeconds ?? 0) / 60;
  await interruptIn(() => fixture.save({ speech: folderSpeech, dailyMinutes: Math.ceil(minutes) }));
  await fixture.until('it is decided', () => decisionOf('list.csv') !== 'waiting');
  await fixture.until('the folder is scanned', isScanned);
  expect(decisionOf('list.csv')).toBe('job');
  expect(texts().toSorted()).toEqual(rows.toSorted());
});

it.each([
  ['for the first time', []],
  ['after it was corrected', ['Before.']],
])('a command speaks all rows of a table that another one submitted %s when it was killed', async (_when, former) => {
  fixture.watch.remove(folderId);
  const openCommand = async () => {
    const command = await openWatchFixture(fixture.engine, fixture);
    const { folder } = await command.run('convert', { speech: folderSpeech });
    await command.until('it is scanned', () => command.watch.getFolder(folder.id).checkedAt !== null);
    return command;
  };
  const hasSubmitted = (command: WatchFixture) => command.file('list.csv')?.record.decision === 'job';
  const first = await openCommand();
  await fixture.restart(async () => {
    if (former.length > 0) {
      await first.write('list.csv', table(former));
      await first.until('it is submitted', () => hasSubmitted(first));
    }
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    first.queue.store.onEvent(() => first.jobs().length > former.length && resolve());
    await first.write('list.csv', table(rows), 2);
    await begun;
    await first.stop();
    const second = await openCommand();
    await second.until('it is submitted', () => hasSubmitted(second));
    const orphans = second.jobs().filter((job) => !hasEnded(job) && !second.queue.store.owns(job.id));
    expect(orphans).toEqual([]);
    await second.stop();
  });
});
