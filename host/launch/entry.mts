import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export interface Entry {
  /** Absolute path of the app argument; becomes `process.argv[1]`. */
  readonly given: string;
  /** The file to run. */
  readonly main: string;
  /** All other arguments, switches included, in their order. */
  readonly rest: readonly string[];
}

export interface AppPackage {
  readonly directory: string;
  readonly name: string;
  readonly version: string;
}

/**
 * Finds the app: the first argument that is not a switch. It is a main file or a directory with a package.json.
 * Returns an error sentence if there is none.
 */
export function findEntry(args: readonly string[], cwd: string): Entry | string {
  const at = args.findIndex((argument) => !argument.startsWith('-'));
  const given = args[at];
  if (given === undefined) return 'name an app directory or its main file.';
  const path = resolve(cwd, given);
  if (!existsSync(path)) return `there is no app at ${path}.`;
  const rest = args.toSpliced(at, 1);
  if (!statSync(path).isDirectory()) return { given: path, main: path, rest };
  const manifest = join(path, 'package.json');
  if (!existsSync(manifest)) return `there is no package.json in ${path}.`;
  const main = join(path, readManifest(manifest).main ?? 'index.js');
  return existsSync(main) ? { given: path, main, rest } : `there is no ${main}: build the app first.`;
}

/** The package of the entry: the nearest package.json upwards, as for Electron's `app.getAppPath()`. */
export function readAppPackage(entry: string): AppPackage {
  let directory = statSync(entry).isDirectory() ? entry : dirname(entry);
  while (!existsSync(join(directory, 'package.json')) && dirname(directory) !== directory)
    directory = dirname(directory);
  const manifest = join(directory, 'package.json');
  const { name, productName, version } = existsSync(manifest) ? readManifest(manifest) : {};
  return { directory, name: productName ?? name ?? 'Electron', version: version ?? '0.0.0' };
}

function readManifest(path: string): { main?: string; name?: string; productName?: string; version?: string } {
  return JSON.parse(readFileSync(path, 'utf8')) as {
    main?: string;
    name?: string;
    productName?: string;
    version?: string;
  };
}
