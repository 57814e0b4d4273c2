import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { type EngineProcess, startEngine } from '../acceptance/support/start-engine.ts';
import { answers } from '../faults/answers.ts';
import { startFaultProxy, type FaultProxy } from '../faults/start-fault-proxy.ts';
import { chooseFile, expect, openView, test as base, type Timbre } from './app.ts';

/** The token that the service accepts. */
export const right = 'right-CANARY-7f3a';

/** The real engine as a remote service that requires its own token and counts its requests: of each test, before one engine. */
export const test = base.extend<{ service: FaultProxy }, { engine: EngineProcess }>({
  engine: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'timbre-engine-'));
      const engine = await startEngine({ dataDirectory: folder });
      await use(engine);
      await engine.stop();
      await rm(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
  service: async ({ engine }, use) => {
    const proxy = await startFaultProxy({ target: engine.origin, serviceToken: engine.token });
    proxy.script([
      {
        when: ({ headers }) => headers.authorization !== `Bearer ${right}`,
        fault: answers.unauthorized,
      },
    ]);
    await use(proxy);
    await proxy.stop();
  },
});

/** Its card in Settings. */
export const card = (page: Page): Locator => page.getByRole('listitem').filter({ hasText: 'Studio' });

/** Adds the service from its document with the system's dialog, and selects it. */
export async function addService(
  timbre: Timbre,
  service: FaultProxy,
  change: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { page, folder } = timbre;
  const path = join(folder, 'studio.json');
  await writeFile(path, JSON.stringify(service.document({ unknownOutcome: 'ask', ...change })));
  await chooseFile(timbre, path);
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await openView(page, 'Settings');
  await page.getByRole('button', { name: 'Add from file…' }).click();
  await card(page).getByRole('button', { name: 'Use Studio' }).click();
  await expect(card(page)).toContainText('In use');
}

export async function giveToken(page: Page, token: string): Promise<void> {
  const field = card(page).getByLabel('Token for Studio', { exact: true }).and(page.locator('input'));
  if (!(await field.isVisible())) await card(page).getByRole('button', { name: 'Token for Studio' }).click();
  await field.fill(token);
  await card(page)
    .getByRole('button', { name: /^(Save token|Keep)/ })
    .click();
  await expect(field).toHaveValue('');
}

export { expect };
