/**
 * Takes a picture of every view and state of the built window, without main: `node scripts/screens.mts [--renderer DIR] [--out DIR]
 * [--only WORD]`. Each picture is also checked: nothing runs out sideways, no control is cut, axe finds no violation of WCAG A or AA.
 * Ends non-zero and names what failed.
 */
import { AxeBuilder } from '@axe-core/playwright';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser, type Page } from 'playwright';
import { buildBundles } from './build-bundles.mts';
import { chromiumPath } from './chromium-path.mts';
import { isStale } from './is-stale.mts';
import { root } from './root.mts';
import { bundleFake } from './screens/bundle-fake.mts';
import { findClipped } from './screens/find-clipped.mts';
import { servePage } from './screens/serve-page.mts';
import { looks, shots, type Look, type Shot } from './screens/shots.mts';

const { values } = parseArgs({
  options: {
    renderer: { type: 'string', default: resolve(root, 'out/renderer') },
    out: { type: 'string', default: resolve(root, 'screens') },
    only: { type: 'string', default: '' },
  },
});

async function faultsOf(page: Page): Promise<readonly string[]> {
  const clipped = await page.evaluate(findClipped);
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .setLegacyMode(true)
    .analyze();
  return [
    ...clipped,
    ...violations.map(
      ({ id, help, nodes }) =>
        `axe ${id}: ${help}; ${nodes
          .map(({ target }) => target.join(' '))
          .slice(0, 3)
          .join(' | ')}`,
    ),
  ];
}

async function take(
  browser: Browser,
  origin: string,
  fake: string,
  shot: Shot,
  look: Look,
): Promise<readonly string[]> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.colorScheme,
    reducedMotion: shot.reducedMotion ? 'reduce' : 'no-preference',
    forcedColors: shot.forcedColors ? 'active' : 'none',
    locale: 'en-GB',
  });
  const faults: string[] = [];
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`console: ${message.text()}`);
    });
    await page.addInitScript({ content: `globalThis.timbreScene = ${JSON.stringify(shot.scene)};\n${fake}` });
    await page.goto(origin);
    await page.evaluate(() => document.fonts.ready);
    await shot.act?.(page);
    // Drawings are asked for as rows appear: two frames without a new one.
    await page.waitForTimeout(250);
    await page.screenshot({ path: resolve(values.out, `${shot.name}-${look.name}.png`) });
    faults.push(...(await faultsOf(page)));
  } catch (error) {
    faults.push(error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error));
  } finally {
    await context.close();
  }
  return faults;
}

if (isStale()) buildBundles();
await mkdir(values.out, { recursive: true });
const fake = await bundleFake();
const server = await servePage(resolve(values.renderer));
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--force-color-profile=srgb'],
});
let failed = 0;
let taken = 0;
try {
  for (const shot of shots.filter(({ name }) => name.includes(values.only))) {
    for (const look of looks) {
      if (look.width > 2000 && !shot.isView) continue;
      const faults = await take(browser, server.origin, fake, shot, look);
      taken++;
      if (faults.length > 0) failed++;
      for (const fault of faults) console.error(`${shot.name}-${look.name}: ${fault}`);
    }
  }
} finally {
  await browser.close();
  server.stop();
}
console.log(`${taken} pictures in ${values.out}, ${failed} with faults`);
process.exitCode = failed > 0 ? 1 : 0;
