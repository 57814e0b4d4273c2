import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../shared/schemas/settings.ts';
import { commandSettings, languageOf } from './command-settings.ts';

describe('the language of a command', () => {
  const german = { LC_ALL: 'de_DE.UTF-8' };

  it('is that of Settings before all', () => expect(languageOf({ language: 'en' }, german, 'de-DE')).toBe('en'));

  it('is that of the environment where Settings name none, LC_ALL first', () => {
    expect(languageOf({ language: 'system' }, german, 'en-GB')).toBe('de-DE');
    expect(languageOf({ language: 'system' }, { LC_ALL: '', LC_MESSAGES: 'de_AT', LANG: 'en_GB' }, 'en')).toBe('de-AT');
    expect(languageOf({ language: 'system' }, { LANG: 'de_DE@euro' }, 'en')).toBe('de-DE');
  });

  it('is that of the system where the environment names none, as on Windows', () =>
    expect(languageOf({ language: 'system' }, {}, 'de-DE')).toBe('de-DE'));
});

describe('the settings of a command', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-settings-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const proxy = 'http://proxy.example:8080';
  const store = (text: string) => writeFile(join(folder, 'settings.json'), text);

  it('are those of the app', async () => {
    await store(JSON.stringify({ proxy, localConcurrency: 5, outputFolder: '/music' }));
    const { settings, isBroken } = commandSettings(folder, {});
    expect(settings).toEqual({ ...defaultSettings, proxy, localConcurrency: 5, outputFolder: '/music' });
    expect(isBroken).toBe(false);
  });

  it('give way to a proxy of the environment', async () => {
    await store(JSON.stringify({ proxy }));
    expect(commandSettings(folder, { HTTPS_PROXY: 'http://other.example' }).settings.proxy).toBe('');
    expect(commandSettings(folder, { HTTPS_PROXY: '' }).settings.proxy).toBe(proxy);
  });

  it('are the defaults where there are none, and where they cannot be read, which is said', async () => {
    expect(commandSettings(folder, {})).toEqual({ settings: defaultSettings, isBroken: false });
    await store('{ "proxy": oops');
    expect(commandSettings(folder, {})).toEqual({ settings: defaultSettings, isBroken: true });
  });
});
