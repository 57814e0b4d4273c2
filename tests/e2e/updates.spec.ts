import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { once } from 'node:events';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect, openView, test } from './app.ts';
import { appFolder } from './run-command.ts';

/** Only the calls that a test asks for are made: the daily one comes 20 seconds after the start, which a busy machine may need. */
test.use({ settings: { updates: { isOn: false, channel: 'stable' } } });

/** The window listens. */
const isOpen = (page: Page) => expect(page.getByRole('navigation').getByText('This computer')).toBeVisible();

/** A list of releases on this computer, and a program whose package names it. */
const updated = test.extend<{ requests: string[] }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern
  requests: async ({}, use) => use([]),
  // The fixture that opens Timbre reads it.
  program: async ({ requests }, use, info) => {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
    const release = {
      ...{ channel: 'stable', version: '99.0.0', date: '2026-11-20T10:00:00Z', files: [] },
      ...{ notes: 'Voices can be compared by pitch.', page: 'https://timbre.example/download' },
    };
    const list = { issuedAt: '2026-11-21T10:00:00Z', releases: [release] };
    const signed = await new CompactSign(Buffer.from(JSON.stringify(list)))
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(privateKey);
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      response.end(signed);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const folder = info.outputPath('program');
    await mkdir(folder, { recursive: true });
    for (const part of ['out', 'build', 'samples', 'node_modules'])
      await symlink(join(appFolder, part), join(folder, part));
    await cp(join(appFolder, 'LICENSE'), join(folder, 'LICENSE'));
    const manifest = JSON.parse(await readFile(join(appFolder, 'package.json'), 'utf8')) as object;
    const feed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases.jws`;
    const { x: key } = await exportJWK(publicKey);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, updates: { feed, key } }));
    await use(folder);
    server.closeAllConnections();
    server.close();
  },
});

updated(
  'a newer version is told once, with what is new in it, and its page opens in the browser',
  async ({ timbre, requests }) => {
    const { page } = timbre;
    await isOpen(page);
    await openView(page, 'Settings');
    await expect(page.getByText('Not checked yet')).toBeVisible();
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByRole('region', { name: 'What’s new in 99.0.0' })).toHaveText(
      'Voices can be compared by pitch.',
    );
    expect(requests).toEqual(['GET /releases.jws']);
    // The user has seen it in Settings.
    const notice = page.getByRole('navigation').getByRole('button', { name: 'Timbre 99.0.0 is available' });
    await expect(notice).toHaveCount(0);
    // This package is replaced by the user.
    await expect(page.getByRole('button', { name: 'Download', exact: true })).toHaveCount(0);
    // Before the press, which would otherwise open a real browser.
    await timbre.evaluateMain(({ shell }) => {
      shell.openExternal = (address) => {
        Object.assign(globalThis, { openedPage: address });
        return Promise.resolve();
      };
    });
    await page.getByRole('button', { name: 'Open the download page' }).click();
    const opened = () => timbre.evaluateMain(() => (globalThis as { openedPage?: string }).openedPage);
    await expect.poll(opened).toBe('https://timbre.example/download');
  },
);

updated(
  'what was found is told until it was seen, also after a restart, without another call',
  async ({ timbre, requests }) => {
    const notice = () =>
      timbre.page.getByRole('navigation').getByRole('button', { name: 'Timbre 99.0.0 is available' });
    await isOpen(timbre.page);
    await timbre.page.evaluate(() => window.bridge.invoke('updates:check'));
    await expect(notice()).toBeVisible();
    await timbre.reopen();
    await notice().press('Enter');
    const download = timbre.page.getByRole('button', { name: 'Open the download page' });
    await expect(download).toBeFocused();
    await expect(download).toBeInViewport();
    await expect(notice()).toHaveCount(0);
    expect(requests).toHaveLength(1);
  },
);

updated('nothing is asked while the user works offline', async ({ timbre, requests }) => {
  const { page } = timbre;
  await openView(page, 'Settings');
  await page.getByRole('switch', { name: 'Work offline' }).click();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'offline' })).toBeVisible();
  expect(requests).toEqual([]);
});

test('a Timbre that comes from no package looks for nothing', async ({ timbre }) => {
  await openView(timbre.page, 'Settings');
  await expect(timbre.page.getByText('can’t check for updates')).toBeVisible();
});
