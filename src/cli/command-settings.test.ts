import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../shared/schemas/settings.ts';
import { commandSettings, currentSettings, formatLocaleOf, languageOf } from './command-settings.ts';

describe('the language of a command', () => {
  const german = { LC_ALL: 'de_DE.UTF-8' };

  it('comes from Settings first', () => expect(languageOf({ language: 'en' }, german, 'de-DE')).toBe('en'));

  it('comes from the environment if Settings has none, LC_ALL first', () => {
    expect(languageOf({ language: 'system' }, german, 'en-GB')).toBe('de-DE');
    expect(languageOf({ language: 'system' }, { LC_ALL: '', LC_MESSAGES: 'de_AT', LANG: 'en_GB' }, 'en')).toBe('de-AT');
    expect(languageOf({ language: 'system' }, { LANG: 'de_DE@euro' }, 'en')).toBe('de-DE');
  });

  it('comes from the system if the environment has none, as on Windows', () =>
    expect(languageOf({ language: 'system' }, {}, 'de-DE')).toBe('de-DE'));

  it('is apart from that of dates and numbers', () => {
    expect(formatLocaleOf({ LANG: 'en_US.UTF-8', LC_TIME: 'de_CH.UTF-8' }, 'en')).toBe('de-CH');
    expect(formatLocaleOf({ LC_ALL: 'fr_FR', LC_TIME: 'de_CH' }, 'en')).toBe('fr-FR');
    expect(formatLocaleOf({}, 'de-AT')).toBe('de-AT');
  });
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

  it('use the proxy of the environment instead of their own', async () => {
    await store(JSON.stringify({ proxy }));
    expect(commandSettings(folder, { HTTPS_PROXY: 'http://other.example' }).settings.proxy).toBe('');
    expect(commandSettings(folder, { HTTPS_PROXY: '' }).settings.proxy).toBe(proxy);
  });

  it('say whether the user works offline now', async () => {
    expect(currentSettings(folder).isOfflineMode).toBe(false);
    await store(JSON.stringify({ isOfflineMode: true }));
    expect(currentSettings(folder).isOfflineMode).toBe(true);
  });

  it('are the defaults if the file is missing', () => {
    expect(commandSettings(folder, {})).toEqual({ settings: defaultSettings, isBroken: false });
  });

  const broken = { settings: { ...defaultSettings, isOfflineMode: true }, isBroken: true };

  it.each(['{ "isOfflineMode": true, oops', '', '[]'])(
    'are the defaults if the file is damaged (%j), which is reported, and nothing leaves this computer',
    async (damaged) => {
      await store(damaged);
      expect(commandSettings(folder, {})).toEqual(broken);
      expect(currentSettings(folder).isOfflineMode).toBe(true);
    },
  );

  it.skipIf(process.platform === 'win32')('are the same if a pipe has the file’s name', () => {
    execFileSync('mkfifo', [join(folder, 'settings.json')]);
    expect(commandSettings(folder, {})).toEqual(broken);
  });
});
