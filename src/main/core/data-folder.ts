import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

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
  /** Where a relative `TIMBRE_DATA_DIR` begins. */
  readonly cwd: string;
}

/** A variable that is empty or relative names no place (XDG Base Directory Specification): it would be another one in each folder. */
const placeIn = (value: string | undefined): string | undefined => (value && isAbsolute(value) ? value : undefined);

function configurationFolder({ platform, env, home }: Surroundings): string {
  if (platform === 'win32') return placeIn(env['APPDATA']) ?? join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return placeIn(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
}

/** The one folder in which Timbre keeps everything, absolute; the same for the app and for every command. */
export function dataFolder(surroundings: Surroundings): string {
  const given = surroundings.env['TIMBRE_DATA_DIR'];
  return given ? resolve(surroundings.cwd, given) : join(configurationFolder(surroundings), 'Timbre');
}

/** That of this process. Without a `HOME` that names a place it is in the home that the system knows the user by. */
export function ownDataFolder(): string {
  const home = homedir();
  return dataFolder({
    platform: process.platform,
    env: process.env,
    home: isAbsolute(home) ? home : userInfo().homedir,
    cwd: process.cwd(),
  });
}
