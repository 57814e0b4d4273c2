import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultSettings, readSettings } from '../../../shared/schemas/settings.ts';
import type { Settings } from '../../../shared/wire/settings.ts';

/** Theme and size as they were last chosen, read without the library behind the settings: the first frame cannot wait for that. */
export function storedLook(dataFolder: string): Pick<Settings, 'theme' | 'zoomPercent'> {
  try {
    return readSettings(JSON.parse(readFileSync(join(dataFolder, 'settings.json'), 'utf8')));
  } catch {
    // No file yet, or none that can be read: opening the settings says which, and puts a broken one aside.
    return defaultSettings;
  }
}
