import { join } from 'node:path';

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
