// Writes the licences of all packages that ship with Timbre into `out` with each build: a table and every text. Those are
// the packages that docs/dependencies.md lists for run time and bundles, and their dependencies.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mts';

/** A package that ships. `text` is empty if its licence text is unknown. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly licence: string;
  readonly text: string;
}

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

export const noticesFile = join(root, 'out/NOTICES.txt');

/** The Node that runs the source tree; the packaged app uses Electron's. */
const isOurNode = (name: string): boolean => /^node-(linux|win|darwin)-/.test(name);

/** Package names in the first column of the tables in docs/dependencies.md. */
function roots(): readonly string[] {
  const [, atRunTime = '', bundled = ''] = readFileSync(join(root, 'docs/dependencies.md'), 'utf8').split(/^## .*$/m);
  return [atRunTime, bundled]
    .flatMap((table) =>
      table
        .split('\n')
        .filter((line) => line.startsWith('| '))
        .slice(2),
    )
    .flatMap((line) => line.split('|')[1]?.match(/@?[a-z][\w./-]*/g) ?? [])
    .filter((name) => existsSync(join(root, 'node_modules', name)) && !isOurNode(name));
}

/** Resolves a dependency of the package at `from`, as Node does. */
function find(locked: Readonly<Record<string, Locked>>, name: string, from: string): string | undefined {
  const place = join(from, 'node_modules', name).replaceAll('\\', '/');
  if (place in locked) return place;
  return from === '' ? undefined : find(locked, name, from.slice(0, Math.max(0, from.lastIndexOf('node_modules') - 1)));
}

const permission = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

function read(place: string): ShippedPackage {
  const folder = join(root, place);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { version, author = '' } = manifest;
  const texts = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
  const license = manifest.license ?? (/^(The )?MIT License/i.test(texts[0] ?? '') ? 'MIT' : '');
  const holder = typeof author === 'string' ? author : author.name;
  // Some packages have no licence file; the manifest has the licence and the author.
  if (texts.length === 0 && license === 'MIT' && holder !== '') texts.push(`Copyright (c) ${holder}\n\n${permission}`);
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return { name, version, licence: license, text: texts.join('\n\n') };
}

/** Only builds keytar, whose module is loaded as it is; only types. */
const isNeverLoaded = (name: string): boolean =>
  name === 'node-addon-api' || name === 'prebuild-install' || name.startsWith('@types/');

/** Places of these packages and of all that they load, such as `node_modules/keytar`. Optional ones only if installed. */
function placesOf(names: readonly string[]): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  const places = new Set<string>();
  const add = (name: string, from: string) => {
    const place = find(packages, name, from);
    if (place === undefined || places.has(place) || isNeverLoaded(name)) return;
    if (!existsSync(join(root, place, 'package.json'))) return;
    places.add(place);
    const { dependencies, optionalDependencies } = packages[place] ?? {};
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) add(needed, place);
  };
  for (const name of names) add(name, '');
  return [...places];
}

/** Places of the packages that the bundles load as they are. */
export function loadedPackages(): readonly string[] {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Required<Locked>;
  return placesOf(Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !isOurNode(name)));
}

/** All packages that ship, sorted by name. Optional packages that are not installed do not. */
export const shippedPackages = (): readonly ShippedPackage[] =>
  placesOf(roots())
    .map(read)
    .sort((a, b) => (a.name < b.name ? -1 : 1));

export function writeNotices(): void {
  const packages = shippedPackages();
  const table = packages.map(({ name, version, licence }) => `${name} ${version} | ${licence}`);
  const texts = packages.map(({ name, version, text }) => `${'-'.repeat(100)}\n${name} ${version}\n\n${text}`);
  const lead = 'Timbre is free software under the GPL, version 3 or later. It contains these packages:';
  writeFileSync(noticesFile, `${lead}\n\n${table.join('\n')}\n\n${texts.join('\n\n')}\n`);
}
