import { copyFileSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { AppError, type Problem } from '../../shared/errors.ts';
import { defaultSettings, isStoredSettings, readSettings, type Settings } from '../../shared/schemas/settings.ts';
import type { Clock } from './clock.ts';
import { createListeners } from './events.ts';
import { readTextSync } from './files/content.ts';
import { isNotFound } from './files/errno.ts';

/** The settings file, written by electron-store in the app and by conf in the command line. */
export interface SettingsFile {
  read(): unknown;
  write(settings: Settings): void;
}

export interface SettingsStore {
  get(): Settings;
  /**
   * Changes the settings and notifies listeners at once. Throws `data/not-writable` if the file cannot be
   * written; the change still applies and is written as soon as possible.
   */
  update(change: Partial<Settings>): Settings;
  onChanged(listener: (settings: Settings) => void): () => void;
}

const retryMs = 2000;

/**
 * Parses the settings on load: an invalid value falls back to its default, and the rest is kept. Retries failed writes until
 * `signal` is aborted.
 */
export function createSettingsStore(
  file: SettingsFile,
  { sleep }: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): SettingsStore {
  const listeners = createListeners<Settings>();
  let current = readSettings(file.read());
  let isWritten = true;
  let isRetrying = false;

  function write(): void {
    isWritten = false;
    file.write(current);
    isWritten = true;
  }

  /** Settles only when the settings are written or the app stops, so that there is one loop at most. */
  async function retryWrite(): Promise<void> {
    isRetrying = true;
    while (!isWritten) {
      try {
        await sleep(retryMs, signal);
        write();
      } catch {
        // `update` has already thrown to its caller.
        if (signal.aborted) return;
      }
    }
    isRetrying = false;
  }

  return {
    get: () => current,
    update(change) {
      current = { ...current, ...change };
      listeners.emit(current);
      try {
        write();
      } catch (cause) {
        if (!isRetrying) void retryWrite();
        throw new AppError('data/not-writable', 'the settings cannot be written', { cause });
      }
      return current;
    },
    onChanged: listeners.add,
  };
}

/** The content of one JSON file, as both electron-store and conf offer it. */
interface JsonFile {
  store: Record<string, unknown>;
}

/** Some editors and scripts on Windows add it. */
const byteOrderMark = /^\ufeff/;

/**
 * Reads the settings of a file. Null is a damaged one, as a full disk or an editor leaves it. Throws
 * `settings/unreadable` for what is not a file, on which the libraries would block, and for what cannot be read now.
 */
export function readSettingsFile(path: string): Settings | null {
  let text: string;
  try {
    text = readTextSync(path);
  } catch (cause) {
    if (isNotFound(cause)) return defaultSettings;
    const facts = cause instanceof AppError ? { name: path } : undefined;
    throw new AppError('settings/unreadable', `${path} cannot be read`, { cause, facts });
  }
  try {
    const stored: unknown = JSON.parse(text.replace(byteOrderMark, ''));
    return isStoredSettings(stored) ? readSettings(stored) : null;
  } catch {
    return null;
  }
}

/** What applies while a file is damaged: it may have said that the user works offline, or through a proxy. */
export const settingsOfDamagedFile = readSettings(null);

/** Gives a file content that is never half there, also if the process is killed. */
function replaceSync(path: string, text: string): void {
  const next = `${path}.new`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, path);
}

/**
 * Keeps a damaged file under another name, too, as the user may have edited it by hand. It is never missing in between:
 * to another process, or after a crash, that would be a first start, which is online.
 */
function setAside(path: string, backup: string): void {
  copyFileSync(path, backup);
  replaceSync(path, JSON.stringify({ isOfflineMode: true }));
}

/** The library takes a file with a byte order mark for a damaged one. */
function removeMark(path: string): void {
  const text = existsSync(path) ? readTextSync(path) : '';
  if (byteOrderMark.test(text)) replaceSync(path, text.replace(byteOrderMark, ''));
}

/** What is stored for changed settings. A value that this version reads only in part stays as it is: a newer one wrote it. */
function changedFile(stored: Readonly<Record<string, unknown>>, settings: Settings): Record<string, unknown> {
  const read: Readonly<Record<string, unknown>> = { ...readSettings(stored) };
  const changed = Object.entries(settings).filter(
    ([key, value]) => !(key in stored) || !isDeepStrictEqual(read[key], value),
  );
  const next = { ...stored, ...Object.fromEntries<unknown>(changed) };
  // An invalid proxy would turn the offline mode on again.
  return isDeepStrictEqual(readSettings(next), settings) ? next : { ...stored, ...settings };
}

/**
 * Opens `settings.json` of a data folder with the library that `open` creates. A damaged file is renamed, and reported to
 * `onDamage` unless its settings had been read before. Throws `settings/unreadable`.
 */
export function openSettings(
  dataFolder: string,
  open: (options: { cwd: string; name: string }) => JsonFile,
  clock: Clock,
  signal: AbortSignal,
  onDamage: (problem: Problem) => void,
): SettingsStore {
  const path = join(dataFolder, 'settings.json');
  const isDamaged = (): boolean => readSettingsFile(path) === null;
  const backupName = (): string => `${path}.broken-${clock.now()}`;
  /** Where the file is kept that is damaged now. One name until that succeeds: it is tried every two seconds. */
  let backup = isDamaged() ? backupName() : null;
  const damaged = backup;
  let file: JsonFile | undefined;
  // The library throws on a damaged file.
  const openFile = () => (file ??= open({ cwd: dataFolder, name: 'settings' }));
  const store = createSettingsStore(
    {
      read: () => readSettingsFile(path) ?? settingsOfDamagedFile,
      write(settings) {
        // Another program may have damaged it since.
        if (isDamaged()) setAside(path, (backup ??= backupName()));
        else removeMark(path);
        backup = null;
        const json = openFile();
        json.store = changedFile(json.store, settings);
      },
    },
    clock,
    signal,
  );
  if (damaged === null) return store;
  onDamage({ code: 'settings/damaged', facts: { name: basename(damaged) } });
  try {
    store.update({});
  } catch {
    // Written as soon as possible, like other changes.
  }
  return store;
}

/** Reads the stored theme and zoom without the settings library, for which the first frame cannot wait. */
export function storedAppearance(dataFolder: string): Pick<Settings, 'theme' | 'zoomPercent'> {
  try {
    return readSettingsFile(join(dataFolder, 'settings.json')) ?? defaultSettings;
  } catch {
    // `openSettings` reports it.
    return defaultSettings;
  }
}
