import { readSettings } from '../../../shared/schemas/settings.ts';
import type { Settings } from '../../../shared/wire/settings.ts';
import { AppError } from '../../../shared/app-error.ts';
import type { Clock } from '../clock.ts';
import { createListeners } from '../listeners.ts';

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
