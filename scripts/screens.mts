/**
 * Takes a picture of every view and state of the built window, without main: `node scripts/screens.mts [--renderer DIR] [--out DIR]
 * [--only WORD] [--variant WORD] [--views] [--changed] [--language TAG]`. `--variant` takes only those in whose name the word is, such as
 * `rtl` or `dark`; `--views` only those of whole views; `--changed` only those that may show a difference to the last commit. `--language`
 * selects a language of the catalogues, or `pseudo`: English that is longer and has accents. Each picture is also checked: nothing runs
 * out sideways, no control is cut, axe finds no violation of WCAG A or AA.
 * Ends non-zero and names what failed.
 */
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundles } from './build-bundles.mts';
import { isStale } from './is-stale.mts';
import { root } from './root.mts';
import { findClipped } from './screens/find-clipped.mts';
import { spokenLanguages } from '../src/shared/messages/languages.ts';
import {
  createShotOpener,
  isScreenLanguage,
  findViolations,
  forEachAtOnce,
  type ShotOpener,
} from './screens/open-shots.mts';
import { shots, shotsFor, variantsOf, type Shot, type Variant } from './screens/shots.mts';

const { values } = parseArgs({
  options: {
    renderer: { type: 'string', default: resolve(root, 'out/renderer') },
    out: { type: 'string', default: resolve(root, 'screens') },
    only: { type: 'string', default: '' },
    variant: { type: 'string', default: '' },
    changed: { type: 'boolean', default: false },
    views: { type: 'boolean', default: false },
    language: { type: 'string' },
  },
});

/** Files that differ from the last commit, untracked ones included. */
function changedFiles(): readonly string[] {
  const git = (...args: readonly string[]): readonly string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
}

async function take(opener: ShotOpener, shot: Shot, variant: Variant): Promise<readonly string[]> {
  try {
    const { page, errors, close } = await opener.open(shot, variant);
    try {
      // Waveforms are requested as their rows appear.
      await page.waitForTimeout(250);
      await page.screenshot({ path: resolve(values.out, `${shot.name}-${variant.name}.png`) });
      return [...(await page.evaluate(findClipped)), ...(await findViolations(page)), ...errors];
    } finally {
      await close();
    }
  } catch (error) {
    return [error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error)];
  }
}

const { language } = values;
if (language !== undefined && !isScreenLanguage(language)) {
  throw new Error(`There is no catalogue of ${language}. Use ${spokenLanguages.join(', ')} or pseudo.`);
}
if (isStale()) buildBundles();
await mkdir(values.out, { recursive: true });
const wanted = (values.changed ? shotsFor(changedFiles()) : shots).filter(
  ({ name, isView = false }) =>
    name.includes(values.only) &&
    (isView || !values.views) &&
    // A language that is selected takes the place of every other.
    (language === undefined || !name.endsWith('-german')),
);
const pictures = wanted.flatMap((shot) =>
  variantsOf(shot)
    .filter(({ name }) => name.includes(values.variant))
    // A language has its own direction.
    .filter(({ isRightToLeft = false }) => language === undefined || !isRightToLeft)
    .map((variant) => ({ shot, variant })),
);
const begunMs = performance.now();
const opener = await createShotOpener(resolve(values.renderer), language);
let failed = 0;
try {
  await forEachAtOnce(pictures, async ({ shot, variant }) => {
    const faults = await take(opener, shot, variant);
    if (faults.length > 0) failed++;
    for (const fault of faults) console.error(`${shot.name}-${variant.name}: ${fault}`);
  });
} finally {
  await opener.close();
}
const seconds = Math.round((performance.now() - begunMs) / 1000);
console.log(`${pictures.length} pictures in ${values.out} after ${seconds} s, ${failed} with faults`);
process.exitCode = failed > 0 ? 1 : 0;
