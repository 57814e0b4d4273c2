// Fails when something ships without its licence, on an unsupported Electron, or with a known vulnerability.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeAdvisories, lockSha256, storedAdvisories } from '../../../scripts/advisories.mts';
import { noticesFile, shippedPackages } from '../../../scripts/notices.mts';
import { must, type Scenario } from '../support/scenario.ts';

const root = join(import.meta.dirname, '../../..');
/** What goes together with the GPL 3. */
const compatible = new Set(
  (
    'MIT ISC BSD-2-Clause BSD-3-Clause 0BSD Apache-2.0 MPL-2.0 OFL-1.1 CC0-1.0 WTFPL Unlicense BlueOak-1.0.0 PSF-2.0 MIT-Festival ' +
    'LGPL-2.1-or-later LGPL-3.0-or-later GPL-2.0-or-later GPL-3.0 GPL-3.0-or-later'
  ).split(' '),
);
const alternatives = (licence: string): readonly string[] => licence.replace(/[()]/g, '').split(/ OR /);

/** Packages that a source names, by their own names. */
function imported(): ReadonlySet<string> {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => /\.(ts|svelte|css)$/.test(name) && !/\.(test|fixture)\./.test(name));
  const names = sources.flatMap((name) =>
    [
      ...readFileSync(join(root, 'src', name), 'utf8').matchAll(
        /^(?:import|export|\}) (?!type)[^;'"]*from '([@a-z][^']*)'|^@?import '([@a-z][^']*)'|import\('([@a-z][^']*)'\)/gm,
      ),
    ].map(([, one, two, three]) => one ?? two ?? three ?? ''),
  );
  const others = new Set(['', 'electron', 'vitest']);
  const own = names.filter((name) => !name.startsWith('node:') && !others.has(name));
  return new Set(own.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')));
}

/** The newest Electron, as npm names it; null where npm does not answer. */
function newestElectron(): string | null {
  const { stdout } = spawnSync('npm', ['view', 'electron', 'dist-tags.latest'], { encoding: 'utf8', timeout: 30_000 });
  return /^\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? null;
}

const majorOf = (version: string): number => Number.parseInt(version, 10);

export const scenario: Scenario = {
  id: 'S23',
  title: 'everything that ships has its licence in the package, Electron is current, and no vulnerability is known',
  run(context) {
    const packages = shippedPackages();
    const notices = readFileSync(noticesFile, 'utf8');
    for (const { name, version, licence, text } of packages) {
      context.note(name);
      must(
        alternatives(licence).some((one) => compatible.has(one)),
        `${name} is ${licence || 'without licence'}`,
      );
      must(text.length > 100, `${name}: the text of its licence is missing`);
      must(notices.includes(`${name} ${version} | ${licence}\n`), `${name} is not in the table of the package`);
      must(notices.includes(text), `${name}: the text of its licence is not in the package`);
    }
    const shipped = new Set(packages.map(({ name }) => name));
    const names = imported();
    must(names.size > 10, `only ${names.size} packages are found in the sources`);
    for (const name of names) must(shipped.has(name), `${name} is imported and stands in no table of dependencies`);
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8')) as {
      version: string;
    };
    const newest = newestElectron();
    must(newest === null || majorOf(newest) - majorOf(version) <= 1, `Electron ${version} is behind ${newest ?? ''}`);
    const judged = judgeAdvisories(storedAdvisories(), lockSha256(), Date.now());
    must(
      judged.kind === 'not-asked' || judged.holes.length === 0,
      judged.kind === 'asked' ? judged.holes.join(', ') : '',
    );
    return Promise.resolve({
      packages: packages.length,
      'in the sources': names.size,
      electron: version,
      'newest electron': newest ?? 'skipped: npm does not answer',
      advisories: judged.kind === 'asked' ? 'none of high' : `skipped: ${judged.why}`,
    });
  },
};
