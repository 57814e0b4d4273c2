import { join } from 'node:path';
import { hookVariable } from '../main/core/child-process.ts';
import { readSettingsFile, settingsOfDamagedFile } from '../main/core/settings.ts';
import { type Settings } from '../shared/schemas/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const proxyNames = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];

/** The proxy set in the environment, or null. It takes precedence over the one in Settings. */
export const environmentProxy = (environment: Environment): string | null =>
  proxyNames.map((name) => environment[name]).find(Boolean) ?? null;

/** Null if the file is damaged or cannot be read. */
function storedSettings(dataFolder: string): Settings | null {
  try {
    return readSettingsFile(join(dataFolder, 'settings.json'));
  } catch {
    return null;
  }
}

/**
 * The app's settings for a command; the environment takes precedence. `isBroken` if the file can't be read:
 * the defaults apply, offline, and the file is left as it is, since the app handles and reports it.
 */
export function commandSettings(
  dataFolder: string,
  environment: Environment,
): { readonly settings: Settings; readonly isBroken: boolean } {
  const stored = storedSettings(dataFolder);
  const settings = stored ?? settingsOfDamagedFile;
  return {
    settings: {
      ...settings,
      ...(environmentProxy(environment) !== null && { proxy: '' }),
      ...(environment[hookVariable] && { hook: { ...settings.hook, isOn: false } }),
    },
    isBroken: stored === null,
  };
}

/** What a command follows while it runs: whether the user works offline, and has turned off the hook. */
export const currentSettings = (dataFolder: string): Pick<Settings, 'isOfflineMode' | 'hook'> =>
  commandSettings(dataFolder, {}).settings;

/** The language of a command: from Settings, then the environment (POSIX precedence), then the system. */
export function languageOf(
  { language }: Pick<Settings, 'language'>,
  { LC_ALL, LC_MESSAGES, LANG }: Environment,
  systemLocale: string,
): string {
  if (language !== 'system') return language;
  return tagOf(LC_ALL || LC_MESSAGES || LANG) ?? systemLocale;
}

/** The tag of the formats of dates and numbers. Windows has none of these variables. */
export const formatLocaleOf = ({ LC_ALL, LC_TIME, LANG }: Environment, systemLocale: string): string =>
  tagOf(LC_ALL || LC_TIME || LANG) ?? systemLocale;

/** `de_DE.UTF-8@euro` as a tag: `de-DE`. */
const tagOf = (posix: string | undefined): string | undefined =>
  posix ? posix.replace(/[.@].*$/, '').replaceAll('_', '-') : undefined;
