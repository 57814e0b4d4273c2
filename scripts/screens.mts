/**
 * Takes a picture of every view and state of the built window, without main: `node scripts/screens.mts [--renderer DIR] [--out DIR]
 * [--only WORD]`. Each picture is also checked: nothing runs out sideways, no control is cut, axe finds no violation of WCAG A or AA.
 * Ends non-zero and names what failed.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundles } from './build-bundles.mts';
import { isStale } from './is-stale.mts';
import { root } from './root.mts';
import { findClipped } from './screens/find-clipped.mts';
import { createShotOpener, findViolations, type ShotOpener } from './screens/open-shots.mts';
import { looks, shots, type Look, type Shot } from './screens/shots.mts';

const { values } = parseArgs({
  options: {
    renderer: { type: 'string', default: resolve(root, 'out/renderer') },
    out: { type: 'string', default: resolve(root, 'screens') },
    only: { type: 'string', default: '' },
  },
});

async function take(opener: ShotOpener, shot: Shot, look: Look): Promise<readonly string[]> {
  try {
    const { page, errors, close } = await opener.open(shot, look);
    try {
      // Drawings are asked for as rows appear: two frames without a new one.
      await page.waitForTimeout(250);
      await page.screenshot({ path: resolve(values.out, `${shot.name}-${look.name}.png`) });
      return [...(await page.evaluate(findClipped)), ...(await findViolations(page)), ...errors];
    } finally {
      await close();
    }
  } catch (error) {
    return [error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error)];
  }
}

if (isStale()) buildBundles();
await mkdir(values.out, { recursive: true });
const opener = await createShotOpener(resolve(values.renderer));
let failed = 0;
let taken = 0;
try {
  for (const shot of shots.filter(({ name }) => name.includes(values.only))) {
    for (const look of looks) {
      if (look.width > 2000 && !shot.isView) continue;
      const faults = await take(opener, shot, look);
      taken++;
      if (faults.length > 0) failed++;
      for (const fault of faults) console.error(`${shot.name}-${look.name}: ${fault}`);
    }
  }
} finally {
  await opener.close();
}
console.log(`${taken} pictures in ${values.out}, ${failed} with faults`);
process.exitCode = failed > 0 ? 1 : 0;
