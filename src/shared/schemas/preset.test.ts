import { describe, expect, it } from 'vitest';
import { isSameSettings, presetChange, type Preset, presetNameFault, referenceTo } from './preset.ts';
import { defaultSettings } from './settings.ts';

const settings = { ...defaultSettings.conversion, voiceId: 'anna' };
const preset: Preset = {
  id: '00000000-0000-4000-8000-000000000001',
  kind: 'conversion',
  name: 'Evening',
  connectionId: 'local',
  connectionName: 'This computer',
  voiceName: 'Anna',
  settings,
  revision: 3,
  isDefault: false,
};

describe('two settings', () => {
  it('are the same whatever their order, and if an optional field is empty in one', () => {
    const { voiceId, ...rest } = settings;
    expect(isSameSettings(settings, { ...rest, platformInfo: '', voiceId })).toBe(true);
    expect(isSameSettings(settings, { ...settings, platformInfo: 'phone' })).toBe(false);
    expect(isSameSettings(settings, { ...settings, autoF0: false })).toBe(false);
  });
});

describe('a folder with a preset', () => {
  const folder = { connectionId: 'local', conversion: settings, preset: referenceTo(preset) };

  it('says nothing without a preset, or while it has not changed, even if the folder was changed by hand', () => {
    expect(presetChange({ connectionId: 'local', conversion: settings }, preset)).toBeNull();
    expect(presetChange(folder, { ...preset, name: 'Renamed' })).toBeNull();
    expect(presetChange({ ...folder, conversion: { ...settings, pitch: 2 } }, preset)).toBeNull();
  });

  it('says that it has changed, but not once it is as before', () => {
    const changed = { ...preset, revision: 4, settings: { ...settings, pitch: 1.2 } };
    expect(presetChange(folder, changed)).toBe('changed');
    expect(presetChange(folder, { ...preset, revision: 4, connectionId: 'north' })).toBe('changed');
    expect(presetChange(folder, { ...preset, revision: 5 })).toBeNull();
  });

  it('says that it was removed', () => expect(presetChange(folder, undefined)).toBe('removed'));
});

describe('a name', () => {
  it.each([
    ['  ', 'empty'],
    ['x'.repeat(81), 'too-long'],
    ['🎙'.repeat(80), null],
    ['line\nbreak', 'control'],
    ['\u202ereversed', 'control'],
    ['half \ud83c', 'control'],
    [' Evening ', null],
  ])('%j has the fault %s', (name, fault) => expect(presetNameFault(name)).toBe(fault));
});
