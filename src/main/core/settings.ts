import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { defaultSettings, readSettings, type Settings } from '../../shared/schemas/settings.ts';
import type { Clock } from './clock.ts';
import { createListeners } from './events.ts';
import { readTextSync } from './files/content.ts';

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

/**
 * Renames a file that is not valid JSON instead of overwriting it, as the user may have edited it by hand. Throws
 * `settings/unreadable` for what is not a file, on which the library would block.
 */
function renameBrokenFile(path: string, now: number): void {
  let text: string;
  try {
    text = readTextSync(path);
  } catch (cause) {
    if (!(cause instanceof AppError)) return;
    throw new AppError('settings/unreadable', cause.message, { cause, facts: { name: path } });
  }
  try {
    JSON.parse(text);
  } catch {
    renameSync(path, `${path}.broken-${now}`);
  }
}

/** Opens `settings.json` of a data folder with the library that `open` creates. Throws `settings/unreadable`. */
export function openSettings(
  dataFolder: string,
  open: (options: { cwd: string; name: string }) => JsonFile,
  clock: Clock,
  signal: AbortSignal,
): SettingsStore {
  renameBrokenFile(join(dataFolder, 'settings.json'), clock.now());
  const file = open({ cwd: dataFolder, name: 'settings' });
  return createSettingsStore(
    {
      read: () => file.store,
      write: (settings) => void (file.store = { ...file.store, ...settings }),
    },
    clock,
    signal,
  );
}

/** Reads the stored theme and zoom without the settings library, for which the first frame cannot wait. */
export function storedAppearance(dataFolder: string): Pick<Settings, 'theme' | 'zoomPercent'> {
  try {
    return readSettings(JSON.parse(readTextSync(join(dataFolder, 'settings.json'))));
  } catch {
    // No file or an unreadable one: `openSettings` reports which, and renames a broken file.
    return defaultSettings;
  }
}
