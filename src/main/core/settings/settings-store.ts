import { readSettings } from '../../../shared/schemas/settings.ts';
import type { Settings } from '../../../shared/wire/settings.ts';
import { createListeners } from '../listeners.ts';

/** The file behind the settings: electron-store in the app, conf in the command line, on the same file. */
export interface SettingsFile {
  read(): unknown;
  write(settings: Settings): void;
}

export interface SettingsStore {
  get(): Settings;
  update(change: Partial<Settings>): Settings;
  onChanged(listener: (settings: Settings) => void): () => void;
}

/** Settings, parsed on load: a value that no longer fits falls back to its default, and the rest stays. */
export function createSettingsStore(file: SettingsFile): SettingsStore {
  const listeners = createListeners<Settings>();
  let current = readSettings(file.read());
  return {
    get: () => current,
    update(change) {
      current = { ...current, ...change };
      file.write(current);
      listeners.tell(current);
      return current;
    },
    onChanged: listeners.add,
  };
}
