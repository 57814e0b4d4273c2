import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { defaultSettings, readSettings, type Settings } from '../../shared/schemas/settings.ts';
import type { Clock } from './clock.ts';
import { createListeners } from './events.ts';

/** The file behind the settings: electron-store in the app, conf in the command line, on the same file. */
export interface SettingsFile {
  read(): unknown;
  write(settings: Settings): void;
}

export interface SettingsStore {
  get(): Settings;
  /**
   * Changes them at once, for everybody. Throws `data/not-writable` where the file cannot be written: they hold all the same, and are
   * written as soon as that is possible.
   */
  update(change: Partial<Settings>): Settings;
  onChanged(listener: (settings: Settings) => void): () => void;
}

/** Settings, parsed on load: a value that no longer fits falls back to its default, and the rest stays. */
const retryMs = 2000;

export function createSettingsStore(file: SettingsFile, { sleep }: Pick<Clock, 'sleep'>): SettingsStore {
  const listeners = createListeners<Settings>();
  let current = readSettings(file.read());
  let isWaiting = false;

  async function writeLater(): Promise<void> {
    isWaiting = true;
    await sleep(retryMs);
    try {
      write();
    } catch {
      // Whoever chose was told; it is tried again.
      await writeLater();
    }
  }

  function write(): void {
    file.write(current);
    isWaiting = false;
  }

  return {
    get: () => current,
    update(change) {
      current = { ...current, ...change };
      listeners.tell(current);
      try {
        write();
      } catch (cause) {
        if (!isWaiting) void writeLater();
        throw new AppError('data/not-writable', 'the settings cannot be written', { cause });
      }
      return current;
    },
    onChanged: listeners.add,
  };
}

/** What both electron-store and conf offer: the whole content of one JSON file. */
interface WholeFile {
  store: Record<string, unknown>;
}

/** A file that is no longer JSON is put aside, not overwritten: whoever wrote it by hand wants it back. */
function putBrokenFileAside(path: string, now: number): void {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return;
  }
  try {
    JSON.parse(text);
  } catch {
    renameSync(path, `${path}.broken-${now}`);
  }
}

/** Opens `settings.json` of a data folder through whichever of the two libraries `open` builds. */
export function openSettings(
  dataFolder: string,
  open: (options: { cwd: string; name: string }) => WholeFile,
  clock: Clock,
): SettingsStore {
  putBrokenFileAside(join(dataFolder, 'settings.json'), clock.now());
  const file = open({ cwd: dataFolder, name: 'settings' });
  return createSettingsStore(
    {
      read: () => file.store,
      write: (settings) => void (file.store = { ...file.store, ...settings }),
    },
    clock,
  );
}

/** Theme and size as they were last chosen, read without the library behind the settings: the first frame cannot wait for that. */
export function storedLook(dataFolder: string): Pick<Settings, 'theme' | 'zoomPercent'> {
  try {
    return readSettings(JSON.parse(readFileSync(join(dataFolder, 'settings.json'), 'utf8')));
  } catch {
    // No file yet, or none that can be read: opening the settings says which, and puts a broken one aside.
    return defaultSettings;
  }
}
