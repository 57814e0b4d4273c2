// `npm run bench [NAME] [ARGS]`: runs one benchmark, or all. Each measures its baseline in the same run and prints the ratio.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundles } from './build-bundles.mts';
import { isStale } from './is-stale.mts';
import { root } from './root.mts';

const folder = join(root, 'bench');
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.mts') && name !== 'median.mts')
  .map((name) => name.slice(0, -'.mts'.length));
const [wanted, ...args] = process.argv.slice(2);
const names = wanted === undefined ? all : all.filter((name) => name === wanted);

if (names.length === 0) {
  console.error(`There is no benchmark "${wanted ?? ''}". There are: ${all.join(', ')}.`);
  process.exit(2);
}
if (isStale()) buildBundles();
for (const name of names) {
  const { status } = spawnSync(process.execPath, [join(folder, `${name}.mts`), ...args], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
}
