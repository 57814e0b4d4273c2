import { mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export interface Paths {
  /** Throws `Failed to get '<name>' path` for a name the host does not know. */
  get(name: string): string;
  /** Throws unless `path` is absolute. */
  set(name: string, path: string): void;
}

export interface PathsDeps {
  /** The app's name, which is also its directory in the configuration directory. */
  readonly appName: () => string;
  /** Value of `--user-data-dir`, or ''. */
  readonly userDataSwitch: string;
  /** The program that replaces Electron's. */
  readonly exe: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `app.getPath` and `app.setPath` with Linux conventions. */
export function createPaths({ appName, userDataSwitch, exe, env }: PathsDeps): Paths {
  const chosen = new Map<string, string>();
  const inHome = (name: string) => () => join(homedir(), name);
  const defaults: Readonly<Record<string, () => string>> = {
    home: homedir,
    appData: () => env['XDG_CONFIG_HOME'] || join(homedir(), '.config'),
    userData: () => (userDataSwitch ? resolve(userDataSwitch) : join(get('appData'), appName())),
    sessionData: () => get('userData'),
    logs: () => join(get('userData'), 'logs'),
    temp: tmpdir,
    exe: () => exe,
    desktop: inHome('Desktop'),
    documents: inHome('Documents'),
    downloads: inHome('Downloads'),
    music: inHome('Music'),
  };

  const lookUp = (name: string): (() => string) => {
    const find = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    if (!find) throw new Error(`Failed to get '${name}' path`);
    return find;
  };
  const get = (name: string): string => {
    const path = chosen.get(name) ?? lookUp(name)();
    if (name === 'logs') mkdirSync(path, { recursive: true });
    return path;
  };

  return {
    get,
    set(name, path) {
      lookUp(name);
      if (!isAbsolute(path)) throw new Error('Path must be absolute');
      chosen.set(name, path);
    },
  };
}
