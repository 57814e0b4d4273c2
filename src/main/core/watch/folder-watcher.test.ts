import { mkdir, open, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testVoice } from '../jobs/job.fixture.ts';
import { wavBytes } from '../scanner/scanner.fixture.ts';
import { folderSpeech, useWatchFixture, type WatchFixture } from './watch.fixture.ts';

let fixture: WatchFixture;

useWatchFixture((opened) => void (fixture = opened));

const folder = () => fixture.watch.listFolders()[0];
const isScanned = () => folder()?.checkedAt !== null && folder()?.mode === 'watching';
const recordOf = (path: string) => fixture.file(path)?.record;

describe('a file that disappeared while Timbre was closed', () => {
  it.each([
    ['deleted', (path: string) => rm(path)],
    ['renamed', (path: string) => rename(path, join(fixture.folder, 'elsewhere.wav'))],
  ])('is no longer waited for if it was %s', async (_, remove) => {
    await fixture.save();
    await fixture.until('the folder is watched', isScanned);
    const path = join(fixture.root, 'rec.wav');
    const file = await open(path, 'w');
    await file.write(wavBytes(0.3).subarray(0, 1000));
    await fixture.until('it waits', () => recordOf('rec.wav')?.decision === 'waiting');
    await fixture.restart(async () => {
      await file.close();
      await remove(path);
    });
    await fixture.until('it was looked over again', isScanned);
    expect(folder()?.counts.incoming).toBe(0);
    expect(recordOf('rec.wav')).toMatchObject({ isPresent: false, stage: 'rest' });
  });

  it('is waited for again when it comes back', async () => {
    await fixture.save();
    await fixture.until('the folder is watched', isScanned);
    const file = await open(join(fixture.root, 'rec.wav'), 'w');
    await file.write(wavBytes(0.3).subarray(0, 1000));
    await fixture.until('it waits', () => recordOf('rec.wav')?.decision === 'waiting');
    await fixture.restart(async () => {
      await file.close();
      await rm(join(fixture.root, 'rec.wav'));
    });
    await fixture.until('it was looked over again', isScanned);
    await fixture.put('rec.wav', 4);
    await fixture.until('it is done', () => fixture.file('rec.wav')?.job?.state === 'done');
  });

  it('no longer needs attention', async () => {
    // A file named Done, so that no source can be moved there.
    await writeFile(join(fixture.root, 'Done'), 'no folder');
    await fixture.save({ afterwards: 'done' });
    await fixture.until('the folder is watched', isScanned);
    const path = await fixture.put('a.wav', 1);
    await fixture.until('it stays', () => recordOf('a.wav')?.disposalState === 'stays');
    expect(folder()?.counts.attention).toBe(1);
    await fixture.restart(() => rm(path));
    await fixture.until('it was looked over again', isScanned);
    expect(folder()?.counts.attention).toBe(0);
    expect(fixture.watch.listFiles(folder()?.folder.id ?? '', null, 'attention', 10)).toEqual([]);
    fixture.forgetDefects();
  });
});

it('converts nothing in the folder of its results, also if a link leads to that', async () => {
  await mkdir(join(fixture.root, 'out'));
  await symlink(join(fixture.root, 'out'), join(fixture.folder, 'link'));
  await fixture.watchFolder({ outputFolder: join(fixture.folder, 'link') });
  await fixture.put('out/mastered.wav', 1);
  await fixture.put('b.wav', 2);
  await fixture.until('it is done', () => fixture.file('b.wav')?.job?.state === 'done');
  await fixture.restart();
  await fixture.until('it was looked over again', isScanned);
  expect([recordOf('out/mastered.wav'), recordOf('out/b.wav')]).toEqual([undefined, undefined]);
});

it.each([
  ['recording', 'a.wav', wavBytes(0.3)],
  ['text', 'a.txt', 'Hello there.'],
])('does not send a %s again whose voice is gone, and says so', async (_, name, content) => {
  const { settings, watch } = fixture;
  const voice = { ...testVoice, id: 'deleted', name: 'Anna' };
  const conversion = { ...settings.conversion, voiceId: voice.id };
  const { folder } = await watch.save(null, { ...settings, conversion, speech: folderSpeech }, voice);
  await fixture.until('the folder is watched', isScanned);
  await fixture.write(name, content);
  await fixture.until('it waits for the user', () => watch.findFile(folder.id, name)?.record.stage === 'attention');
  expect(watch.findFile(folder.id, name)?.record.failures).toBe(1);
  expect(fixture.jobs()[0]?.problem).toMatchObject({ code: 'voice/not-found', facts: { name: 'Anna' } });
});

it('says that its folder for results is gone, and takes what waits for it along to another one', async () => {
  const { queue, save, settings } = fixture;
  const gone = join(fixture.folder, 'out');
  queue.breaker.pause({ connectionId: null, reason: 'user', resumesAt: null, problem: null });
  await save();
  await fixture.until('the folder is watched', isScanned);
  await fixture.put('a.wav', 1);
  await fixture.until('its job is checked, and waits', () => typeof fixture.jobs()[0]?.outputFormat === 'string');
  const problem = { code: 'output/folder-missing', facts: { folder: gone } } as const;
  queue.breaker.pause({ connectionId: null, reason: 'disk', resumesAt: null, problem });
  expect(fixture.watch.listFolders()[0]?.problems).toEqual([problem]);
  const other = join(fixture.folder, 'other');
  await save({ ...settings, outputFolder: other });
  expect([fixture.jobs()[0]?.target.folder, queue.breaker.find(null, 'disk')]).toEqual([other, undefined]);
  expect(fixture.watch.listFolders()[0]?.problems).toEqual([]);
});

it('takes along only its own results to another folder, and stays as it was if that cannot be made', async () => {
  const { queue, save, settings } = fixture;
  const gone = join(fixture.folder, 'out');
  queue.breaker.pause({ connectionId: null, reason: 'user', resumesAt: null, problem: null });
  await save();
  await fixture.until('the folder is watched', isScanned);
  await fixture.put('a.wav', 1);
  await fixture.until('its job is checked, and waits', () => typeof fixture.jobs()[0]?.outputFormat === 'string');
  const [own] = fixture.jobs();
  if (own?.kind !== 'conversion') throw new Error('no conversion');
  const { connection, voice } = own;
  const foreign = queue.submitJobs.addRecording(
    { path: join(fixture.folder, 'b.wav'), subfolder: '', snapshot: null },
    { connection, voice, settings: own.settings, outputFolder: gone, nameTemplate: own.target.nameTemplate },
  );
  const problem = { code: 'output/folder-missing', facts: { folder: gone } } as const;
  queue.breaker.pause({ connectionId: null, reason: 'disk', resumesAt: null, problem });
  const folderOf = ({ id }: { readonly id: string }) => queue.store.get(id)?.target.folder;
  await writeFile(join(fixture.folder, 'file'), '');
  const unmakeable = join(fixture.folder, 'file', 'out');
  await expect(save({ ...settings, outputFolder: unmakeable })).rejects.toMatchObject({ code: 'output/not-writable' });
  expect([folder()?.folder.settings.outputFolder, folderOf(own)]).toEqual([gone, gone]);
  const other = join(fixture.folder, 'other');
  await save({ ...settings, outputFolder: other });
  expect([folderOf(own), folderOf(foreign)]).toEqual([other, gone]);
});

it('keeps waiting for a file at the gate when the settings of its folder change', async () => {
  await fixture.save();
  await fixture.until('the folder is watched', isScanned);
  const file = await open(join(fixture.root, 'rec.wav'), 'w');
  const bytes = wavBytes(0.3);
  await file.write(bytes.subarray(0, 1000));
  await fixture.until('it waits', () => recordOf('rec.wav')?.decision === 'waiting');
  await fixture.save({ dailyMinutes: 10 });
  await fixture.until('it was looked over again', isScanned);
  expect(recordOf('rec.wav')).toMatchObject({ decision: 'waiting', isPresent: true, stage: 'open' });
  await file.write(bytes.subarray(1000));
  await file.close();
  await fixture.until('it is done', () => fixture.file('rec.wav')?.job?.state === 'done');
});

it.each([
  [
    'the folder is paused',
    () => Promise.resolve(fixture.watch).then((watch) => watch.setPaused(folder()?.folder.id ?? '', true)),
  ],
  ['its disk is gone', () => rename(fixture.root, join(fixture.folder, 'away'))],
])('no longer says that a file is being written once %s', async (_, end) => {
  await fixture.watchFolder();
  const file = await open(join(fixture.root, 'rec.wav'), 'w');
  await file.write(wavBytes(0.3).subarray(0, 1000));
  const waitOf = () => fixture.file('rec.wav')?.wait?.kind;
  await fixture.until('it waits', () => waitOf() !== undefined);
  const shown = Promise.withResolvers<void>();
  fixture.watch.onFile(() => {
    if (waitOf() === undefined) shown.resolve();
  });
  await end();
  await shown.promise;
  expect(recordOf('rec.wav')).toMatchObject({ decision: 'waiting', isPresent: true, stage: 'open' });
  await file.close();
});
