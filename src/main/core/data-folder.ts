import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, isAbsolute, join, posix, resolve, win32 } from 'node:path';
import { makeFolderSync } from './files/folders.ts';
import { findProgramFile } from './program-file.ts';

export const databaseName = 'timbre.db';
/** The usual data folder of a user. */
const usualName = 'Timbre';
/** Beside the program, this folder is the switch: all data is in it. */
const portableName = 'timbre-data';

/** False for a folder with other files, such as a home folder or `/`, that a user names as the data folder. */
function isDataFolder(folder: string): boolean {
  if ([usualName, portableName].includes(basename(folder))) return true;
  const names = readdirSync(folder);
  return names.length === 0 || names.includes(databaseName);
}

const stickyBit = 0o1000;

/**
 * Creates the data folder, or makes an existing one private: it holds recordings, results and texts. Ignores
 * failures, as opening a file in it reports the cause. A shared folder (sticky, like `/tmp`) stays unchanged, and so does
 * one that is not Timbre's alone.
 */
export function ensurePrivateFolder(folder: string): void {
  try {
    makeFolderSync(folder, 0o700);
    const { mode, uid } = statSync(folder);
    const isOurs = uid === process.getuid?.() && (mode & stickyBit) === 0;
    if (isOurs && (mode & 0o077) !== 0 && isDataFolder(folder)) chmodSync(folder, 0o700);
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
  /** As `process.execPath`. */
  readonly execPath: string;
  /** Folder of main's bundles: two below `package.json`. */
  readonly entryFolder: string;
  exists(path: string): boolean;
}

/** Ignores an empty or relative path (XDG Base Directory Specification): it would depend on the working directory. */
const placeIn = (value: string | undefined): string | undefined => (value && isAbsolute(value) ? value : undefined);

function configurationFolder({ platform, env, home }: Surroundings): string {
  if (platform === 'win32') return placeIn(env['APPDATA']) ?? join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return placeIn(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
}

/** Installed programs belong to all users of a computer, who would share the data. */
function isSystemFolder(folder: string, { platform, env }: Surroundings): boolean {
  const { sep } = platform === 'win32' ? win32 : posix;
  const fold = (path: string) => (platform === 'win32' ? path.toLowerCase() : path);
  const windows = ['ProgramFiles', 'ProgramFiles(x86)', 'ProgramW6432', 'SystemRoot'].flatMap(
    (name) => env[name] ?? [],
  );
  const unix = [
    '/usr',
    '/opt',
    '/bin',
    '/sbin',
    '/lib',
    '/snap',
    '/nix',
    '/app',
    '/Applications',
    '/System',
    '/Library',
  ];
  return (platform === 'win32' ? windows : unix).some((top) => fold(folder + sep).startsWith(fold(top + sep)));
}

/** The folder that the user sees the program in. */
function programFolder({ platform, env, execPath, entryFolder }: Surroundings): string {
  const { dirname, join: joinPath } = platform === 'win32' ? win32 : posix;
  // In a source tree, the program is its launcher.
  if (!/\.asar[\\/]/.test(entryFolder)) return joinPath(entryFolder, '..', '..');
  const file = findProgramFile({ platform, env, execPath });
  if (file !== null) return dirname(file);
  const bundle = platform === 'darwin' ? /^(.*\.app)\/Contents\/MacOS\//.exec(execPath)?.[1] : undefined;
  return dirname(bundle ?? execPath);
}

function portableFolder(surroundings: Surroundings): string | null {
  const beside = programFolder(surroundings);
  const folder = (surroundings.platform === 'win32' ? win32 : posix).join(beside, portableName);
  return !isSystemFolder(beside, surroundings) && surroundings.exists(folder) ? folder : null;
}

/** Where the data of a process is. */
export interface DataPlace {
  /** Absolute path of the folder that holds all of Timbre's data, the same for the app and for every command. */
  readonly folder: string;
  /** If the data is portable, the folder of what belongs to this computer, such as tokens; null otherwise. */
  readonly computerFolder: string | null;
}

export function dataPlace(surroundings: Surroundings): DataPlace {
  const given = surroundings.env['TIMBRE_DATA_DIR'];
  if (given) {
    const folder = isAbsolute(given) ? resolve(given) : resolve(surroundings.cwd(), given);
    return { folder, computerFolder: null };
  }
  const usual = join(configurationFolder(surroundings), usualName);
  const portable = portableFolder(surroundings);
  return portable === null ? { folder: usual, computerFolder: null } : { folder: portable, computerFolder: usual };
}

/** Also true for a file, and for a link to a disk that is away: opening the data then says why it cannot be used. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The place of this process's data. Without an absolute `HOME`, uses the home folder from the user database. */
export function ownDataPlace(entryFolder: string): DataPlace {
  const home = homedir();
  return dataPlace({
    platform: process.platform,
    env: process.env,
    home: isAbsolute(home) ? home : userInfo().homedir,
    cwd: process.cwd,
    execPath: process.execPath,
    entryFolder,
    exists,
  });
}
