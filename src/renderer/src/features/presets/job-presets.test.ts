import { beforeEach, describe, expect, test } from 'vitest';
import { presetOf } from '../../../../../tests/fakes/preset-scenes.ts';
import type { Preset } from '../../../../shared/schemas/preset.ts';
import { defaultSettings } from '../../../../shared/schemas/settings.ts';
import { openAppState, voice } from '../../app/app-state.fixture.ts';

const range = { min: 0.5, max: 2, default: 1 };
const info = (id: string, name: string, kind: 'local' | 'remote') => ({ id, name, kind, pitch: range, speed: range });
const conversion = { ...defaultSettings.conversion, voiceId: voice.id };
const speech = { ...defaultSettings.speech, voiceId: voice.id };

const evening = presetOf(1, 'Evening', { settings: { ...conversion, pitch: 1.2 } });
const wide = presetOf(2, 'Wide', { settings: { ...conversion, pitch: 9 } });
const north = { connectionId: 'north', connectionName: 'Studio North' };
const atNorth = presetOf(3, 'Trailer', { ...north, isDefault: true, settings: { ...conversion, speed: 1.5 } });
const otherAtNorth = presetOf(4, 'Teaser', { ...north, settings: { ...conversion, speed: 0.8 } });
const reader = presetOf(5, 'Reader', {
  ...north,
  kind: 'speech',
  isDefault: true,
  settings: { ...speech, speed: 0.9 },
});
const all: readonly Preset[] = [evening, wide, atNorth, otherAtNorth, reader];

async function open(stored: object = { conversion, speech }, presets = all) {
  const { app } = openAppState({
    'settings:get': { ...defaultSettings, ...stored },
    'connections:list': [info('local', 'This computer', 'local'), info('north', 'Studio North', 'remote')],
    'presets:list': presets,
  });
  await app.start();
  const { jobPresets } = app;
  return { app, jobPresets, value: () => app.settings.value };
}

let opened: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  opened = await open();
});

describe('a preset', () => {
  test('applies connection, voice and settings, and is shown as chosen until they differ', () => {
    const { jobPresets, app, value } = opened;
    jobPresets.conversion.choose(evening.id);
    expect(value()).toMatchObject({ connectionId: 'local', conversion: evening.settings, speech });
    expect(jobPresets.conversion.selected?.name).toBe('Evening');
    expect(jobPresets.conversion.isModified).toBe(false);
    app.settings.updateConversion({ pitch: 1 });
    expect(jobPresets.conversion.isModified).toBe(true);
    app.settings.updateConversion({ pitch: 1.2, platformInfo: '' });
    expect(jobPresets.conversion.isModified).toBe(false);
  });

  test('whose values the connection no longer takes is fitted, which is no modification', () => {
    const { jobPresets, app } = opened;
    jobPresets.conversion.choose(wide.id);
    expect(app.defaults.conversion?.pitch).toBe(2);
    expect(jobPresets.conversion.isModified).toBe(false);
  });

  test('of another connection switches to it, with that connection’s default for the other kind', () => {
    const { jobPresets, value } = opened;
    jobPresets.apply(otherAtNorth);
    expect(value()).toMatchObject({
      connectionId: 'north',
      conversion: otherAtNorth.settings,
      speech: reader.settings,
      presets: { conversion: otherAtNorth.id, speech: reader.id },
    });
  });

  test('is no longer shown as chosen with another connection, and again with its own', () => {
    const { jobPresets } = opened;
    jobPresets.conversion.choose(evening.id);
    jobPresets.selectConnection('north');
    expect(jobPresets.conversion.selected?.name).toBe('Trailer');
    jobPresets.conversion.choose(otherAtNorth.id);
    jobPresets.selectConnection('local');
    expect(jobPresets.conversion.selected).toBeUndefined();
    jobPresets.conversion.choose(evening.id);
    expect(jobPresets.conversion.selected?.name).toBe('Evening');
  });

  test('is saved with the voice that would speak, although speech has none of its own', async () => {
    const { jobPresets, app } = await open({ conversion });
    await app.voices.load('local');
    expect(jobPresets.speech.content).toMatchObject({ kind: 'speech', settings: { voiceId: voice.id } });
  });
});

describe('the default of a connection', () => {
  test('is applied when the user switches to it, which is announced, and nothing where there is none', () => {
    const { app, jobPresets, value } = opened;
    jobPresets.selectConnection('north');
    expect(value()).toMatchObject({ connectionId: 'north', conversion: atNorth.settings, speech: reader.settings });
    expect(app.shell.announcement).toBe(app.i18n.t.presets.usingDefaults({ names: ['„Trailer“', '„Reader“'] }));
    jobPresets.selectConnection('local');
    expect(value()).toMatchObject({ connectionId: 'local', conversion: atNorth.settings });
  });

  test('is pending while no voice is selected, and not in place of a voice that is gone', async () => {
    const home = presetOf(6, 'Home', { isDefault: true });
    const none = await open({}, [home, reader]);
    expect(none.jobPresets.pendingDefaults.map(({ name }) => name)).toEqual(['Home']);
    none.jobPresets.applyPendingDefaults();
    expect(none.value()?.presets.conversion).toBe(home.id);
    expect(none.app.shell.announcement).toBe(none.app.i18n.t.presets.usingDefaults({ names: ['„Home“'] }));
    expect(none.jobPresets.pendingDefaults).toEqual([]);
    const gone = await open({ conversion: { ...conversion, voiceId: 'gone' } }, [home]);
    expect(gone.jobPresets.pendingDefaults).toEqual([]);
  });
});

test('the default for speech does not change who speaks while speech follows the selected voice', async () => {
  const here = presetOf(8, 'Colleague', { kind: 'speech', isDefault: true, settings: { ...speech, voiceId: 'other' } });
  const { app, jobPresets } = await open({ conversion }, [here]);
  await app.voices.load('local');
  jobPresets.applyPendingDefaults();
  expect([app.defaults.speaker?.id, app.shell.announcement]).toEqual([voice.id, '']);
});

test('a voice that is gone is named, and no other takes its place', async () => {
  const old = presetOf(7, 'Old', { voiceName: 'Wen', settings: { ...conversion, voiceId: 'gone' } });
  const { jobPresets, app } = await open({ conversion }, [old]);
  await app.voices.load('local');
  jobPresets.conversion.choose(old.id);
  expect(jobPresets.conversion.missingVoice).toBe('Wen');
  expect(app.defaults.voice).toBeUndefined();
  expect((await app.defaults.forJobs())?.settings.voiceId).toBe('gone');
});
