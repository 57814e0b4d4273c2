import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const stickyBit = 0o1000;

/**
 * Makes the data folder, or one that an older Timbre made, private: recordings, results and texts are in it. Nothing is said where that
 * cannot be: whoever opens something in it hears why. A folder that others share on purpose (`/tmp`) stays as it is.
 */
export function keepPrivate(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { mode, uid } = statSync(folder);
    const isOurs = uid === process.getuid?.() && (mode & stickyBit) === 0;
    if (isOurs && (mode & 0o077) !== 0) chmodSync(folder, 0o700);
  } catch {
    return;
  }
}

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

function configurationFolder({ platform, env, home }: Surroundings): string {
  if (platform === 'win32') return env['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] ?? join(home, '.config');
}

/** The one folder in which Timbre keeps everything; the same for the app and for every command. */
export const dataFolder = (surroundings: Surroundings): string =>
  surroundings.env['TIMBRE_DATA_DIR'] || join(configurationFolder(surroundings), 'Timbre');
