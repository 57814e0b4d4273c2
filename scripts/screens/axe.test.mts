import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../root.mts';
import { createShotOpener, findViolations, forEachAtOnce, settle } from './open-shots.mts';
import { shots } from './shots.mts';

const looked = shots.filter(({ repeats = false }) => !repeats);

test('axe finds no violation of WCAG A or AA in any view and state', { timeout: 1_200_000 }, async () => {
  const opener = await createShotOpener(join(root, 'out/renderer'));
  const faults: string[] = [];
  const begunMs = performance.now();
  try {
    await forEachAtOnce(looked.entries(), async ([k, shot]) => {
      try {
        // Every other one is dark: each kind of part is seen in both.
        const colorScheme = k % 2 === 0 ? 'light' : 'dark';
        const { page, close } = await opener.open(shot, { width: 1200, height: 800, colorScheme });
        await settle(page);
        faults.push(...(await findViolations(page)).map((fault) => `${shot.name}: ${fault}`));
        await close();
      } catch (error) {
        faults.push(`${shot.name}: ${String(error).slice(0, 300)}`);
      }
    });
  } finally {
    await opener.close();
  }
  console.log(`T4: ${looked.length} views and states in ${Math.round((performance.now() - begunMs) / 1000)} s`);
  expect(faults).toEqual([]);
});
