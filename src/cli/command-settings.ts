import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings, readSettings, type Settings } from '../shared/schemas/settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const proxyNames = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];

/** The proxy that the environment names, which goes before the one in Settings; null where it names none. */
export const environmentProxy = (environment: Environment): string | null =>
  proxyNames.map((name) => environment[name]).find(Boolean) ?? null;

/**
 * The app's settings as they hold for a command: what the environment says goes before them. `isBroken` where they can't be read; the
 * file is left as it is, and the app says what it did with it.
 */
export function commandSettings(
  dataFolder: string,
  environment: Environment,
): { readonly settings: Settings; readonly isBroken: boolean } {
  const path = join(dataFolder, 'settings.json');
  let stored: unknown = {};
  let isBroken = false;
  try {
    stored = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    isBroken = code !== 'ENOENT' && code !== 'ENOTDIR';
  }
  const settings = isBroken ? defaultSettings : readSettings(stored);
  return { settings: environmentProxy(environment) !== null ? { ...settings, proxy: '' } : settings, isBroken };
}

/** The language of a command: that of Settings, else of the environment, as POSIX orders it, else of the system. */
export function languageOf(
  { language }: Pick<Settings, 'language'>,
  { LC_ALL, LC_MESSAGES, LANG }: Environment,
  systemLocale: string,
): string {
  if (language !== 'system') return language;
  const named = LC_ALL || LC_MESSAGES || LANG;
  return named ? named.replace(/[.@].*$/, '').replace('_', '-') : systemLocale;
}
