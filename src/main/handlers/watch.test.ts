import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { presetChange, type Preset, referenceTo } from '../../shared/schemas/preset.ts';
import { AppError } from '../../shared/errors.ts';
import { defaultFolderSpeech, type FolderSpeech } from '../../shared/schemas/watch.ts';
import type { ConnectionRegistry } from '../core/connections/connection-registry.ts';
import type { Data } from '../core/data.ts';
import { testVoice } from '../core/jobs/job.fixture.ts';
import { useWatchFixture, type WatchFixture } from '../core/watch/watch.fixture.ts';
import type { VoiceCatalogue } from '../core/voices/voice-catalogue.ts';
import { createAllowedPaths } from './allowed-paths.ts';
import { createWatchHandlers } from './watch.ts';

let fixture: WatchFixture;
let presets: readonly Preset[];

useWatchFixture((opened) => void (fixture = opened));

const range = { min: 0.5, max: 2, default: 1 };
const preset = (pitch: number, revision: number): Preset => ({
  id: '00000000-0000-4000-8000-000000000001',
  kind: 'conversion',
  name: 'Evening',
  connectionId: 'test',
  connectionName: 'Test',
  voiceName: testVoice.name,
  settings: { ...fixture.settings.conversion, pitch },
  revision,
  isDefault: false,
});
const everyVoice = { get: () => Promise.resolve(testVoice) } as unknown as VoiceCatalogue;
function get(id: string): Preset {
  const found = presets.find((one) => one.id === id);
  if (!found) throw new AppError('preset/not-found', id);
  return found;
}
const open = (places = createAllowedPaths(), voices = everyVoice) =>
  createWatchHandlers({
    data: () => Promise.resolve({ watch: fixture.watch, presets: { list: () => presets, get } } as unknown as Data),
    voices,
    connections: {
      nameOf: () => 'Test',
      getInfo(id: string) {
        if (id === 'removed') throw new AppError('connection/not-found', id);
        return { id, name: 'Test', kind: 'remote', pitch: range, speed: range, maxTextLength: null };
      },
    } as unknown as ConnectionRegistry,
    places,
    chooseFile: () => Promise.resolve(null),
    reveal: () => undefined,
  });

/** A folder of the preset's first revision, with one converted recording. */
async function watchWithPreset(): Promise<string> {
  presets = [preset(1, 1)];
  const { folder } = await fixture.save({ preset: referenceTo(preset(1, 1)) });
  await fixture.until('it is scanned', () => fixture.watch.getFolder(folder.id).checkedAt !== null);
  await fixture.put('a.wav', 1);
  await fixture.until('a.wav is done', () => fixture.file('a.wav')?.job?.state === 'done');
  return folder.id;
}
const settingsOf = (id: string) => fixture.watch.getFolder(id).folder.settings;
const changeOf = (id: string) => presetChange(settingsOf(id), presets[0]);

it('finds folders only among paths that the user gave', async () => {
  const { folder } = fixture;
  const recording = join(folder, 'a.wav');
  await writeFile(recording, '');
  const places = createAllowedPaths();
  places.allow(folder);
  const find = (...paths: readonly string[]) => open(places).findFolders({ paths });
  expect(await find(recording, folder, '', join(folder, 'gone'))).toEqual([null, folder, null, null]);
  await expect(find(folder, join(folder, '..'))).rejects.toMatchObject({ code: 'request/invalid' });
});

it('refuses a connection that was removed, although its voices are still known', async () => {
  const { folder } = await fixture.save();
  const settings = { ...fixture.settings, connectionId: 'removed' };
  await expect(open().save({ id: folder.id, settings })).rejects.toMatchObject({ code: 'connection/not-found' });
  expect(settingsOf(folder.id).connectionId).toBe('test');
});

describe('the speakers of a folder', () => {
  const anna = { name: 'Anna', voiceId: testVoice.id, voiceName: testVoice.name };
  const speech = defaultFolderSpeech({ pitch: range, speed: range });
  const save = (change: Partial<FolderSpeech>, voices?: VoiceCatalogue) => {
    const places = createAllowedPaths();
    places.allow(fixture.folder);
    const settings = { ...fixture.settings, speech: { ...speech, ...change } };
    return open(places, voices).save({ id: null, settings });
  };

  it('are kept with the languages of their voices, or with the one that was chosen', async () => {
    const saved = await save({ speakers: [anna] });
    expect(saved.settings.speech?.speakers).toEqual([{ ...anna, language: testVoice.language }]);
    const changed = { language: 'fr', speakers: saved.settings.speech?.speakers ?? [] };
    const settings = { ...saved.settings, speech: { ...speech, ...changed } };
    const again = await open().save({ id: saved.id, settings });
    expect(again.settings.speech?.speakers).toEqual([{ ...anna, language: 'fr' }]);
  });

  it('are forgotten once there is none, so that the settings are those of before', async () => {
    expect((await save({ speakers: [] })).settings.speech).toEqual(speech);
  });

  it('cannot be saved with a voice that is gone', async () => {
    const get = (_: string, id: string) =>
      id === 'gone' ? Promise.reject(new AppError('voice/not-found', id)) : Promise.resolve(testVoice);
    const saving = save({ speakers: [{ ...anna, voiceId: 'gone' }] }, { get } as unknown as VoiceCatalogue);
    await expect(saving).rejects.toMatchObject({
      code: 'voice/speaker-not-found',
      problem: { facts: { name: 'Anna' } },
    });
  });
});

describe('a folder with a preset', () => {
  it('is not saved with one that was deleted meanwhile, and is as it was', async () => {
    const id = await watchWithPreset();
    presets = [];
    const settings = { ...settingsOf(id), dailyMinutes: 60 };
    await expect(open().save({ id, settings })).rejects.toMatchObject({ code: 'preset/not-found' });
    expect(settingsOf(id).dailyMinutes).toBeNull();
  });

  it('keeps its settings when the preset changes, until it is told to use the new ones', async () => {
    const id = await watchWithPreset();
    presets = [preset(1.2, 2)];
    expect([changeOf(id), settingsOf(id).conversion.pitch]).toEqual(['changed', 1]);
    await open().answerPreset({ id, answer: 'use' });
    expect([changeOf(id), settingsOf(id).conversion.pitch, settingsOf(id).preset?.revision]).toEqual([null, 1.2, 2]);
    // As after an edit by hand: what was converted is offered, and converted again only when asked for.
    expect(fixture.file('a.wav')?.record.decision).toBe('other-settings');
    await fixture.put('b.wav', 2);
    await fixture.until('b.wav is done', () => fixture.file('b.wav')?.job?.state === 'done');
    expect(fixture.jobs()).toHaveLength(2);
    expect(fixture.file('b.wav')?.job?.settings.pitch).toBe(1.2);
  });

  it('is not asked again after Keep, and nothing of it changes', async () => {
    const id = await watchWithPreset();
    const before = settingsOf(id);
    presets = [preset(1.2, 2)];
    await open().answerPreset({ id, answer: 'keep' });
    expect(changeOf(id)).toBeNull();
    expect(settingsOf(id)).toEqual({ ...before, preset: referenceTo(preset(1.2, 2)) });
    expect(fixture.file('a.wav')?.record.decision).toBe('job');
    presets = [preset(1.3, 3)];
    expect(changeOf(id)).toBe('changed');
  });

  it('keeps working without the preset, which Keep forgets', async () => {
    const id = await watchWithPreset();
    presets = [];
    expect(changeOf(id)).toBe('removed');
    await expect(open().answerPreset({ id, answer: 'use' })).rejects.toMatchObject({ code: 'preset/not-found' });
    await open().answerPreset({ id, answer: 'keep' });
    expect([changeOf(id), settingsOf(id).preset]).toEqual([null, undefined]);
    expect(settingsOf(id).conversion.pitch).toBe(1);
  });
});
