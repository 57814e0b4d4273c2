import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../../../shared/schemas/settings.ts';
import type { Theme } from '../../../shared/wire/settings.ts';

/** The theme as it was last chosen, read without the library behind the settings: the first frame cannot wait for that. */
export function storedTheme(dataFolder: string): Theme {
  try {
    return readSettings(JSON.parse(readFileSync(join(dataFolder, 'settings.json'), 'utf8'))).theme;
  } catch {
    // No file yet, or none that can be read: opening the settings says which, and puts a broken one aside.
    return 'system';
  }
}
