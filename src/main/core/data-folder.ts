import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

const stickyBit = 0o1000;

/**
 * Creates the data folder, or makes an existing one private: it holds recordings, results and texts. Ignores
 * failures, as opening a file in it reports the cause. A shared folder (sticky, like `/tmp`) stays unchanged.
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
  /** Returns the base of a relative `TIMBRE_DATA_DIR`. Throws if it was deleted. */
  readonly cwd: () => string;
}

/** Ignores an empty or relative path (XDG Base Directory Specification): it would depend on the working directory. */
const placeIn = (value: string | undefined): string | undefined => (value && isAbsolute(value) ? value : undefined);

function configurationFolder({ platform, env, home }: Surroundings): string {
  if (platform === 'win32') return placeIn(env['APPDATA']) ?? join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return placeIn(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
}

/** Absolute path of the folder that holds all of Timbre's data, the same for the app and for every command. */
export function dataFolder(surroundings: Surroundings): string {
  const given = surroundings.env['TIMBRE_DATA_DIR'];
  if (given) return isAbsolute(given) ? resolve(given) : resolve(surroundings.cwd(), given);
  return join(configurationFolder(surroundings), 'Timbre');
}

/** The data folder of this process. Without an absolute `HOME`, uses the home folder from the user database. */
export function ownDataFolder(): string {
  const home = homedir();
  return dataFolder({
    platform: process.platform,
    env: process.env,
    home: isAbsolute(home) ? home : userInfo().homedir,
    cwd: process.cwd,
  });
}
