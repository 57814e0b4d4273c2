import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, type Page, test } from 'playwright/test';
import { openView, tab } from '../e2e/app.ts';
import { samples } from '../e2e/run-command.ts';
import { card, giveToken } from '../e2e/service.ts';

// The fuses of a package close what Playwright drives main with; the page can be driven by Chromium's own switch. There is no
// way to answer a file dialog, so everything here is done as a user could without one.

const program = process.env['TIMBRE_PROGRAM'] ?? '';
/** The app that a program runs which is not a package. */
const app = process.env['TIMBRE_APP'];
const pictures = process.env['TIMBRE_PICTURES'] ?? 'test-results/pictures';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface Started {
  readonly page: Page;
  /** Closes Timbre as a user would, and waits for its end. */
  close(): Promise<void>;
}

async function start(dataFolder: string, ...paths: readonly string[]): Promise<Started> {
  const port = await freePort();
  const args = [...(app ? [app] : []), `--remote-debugging-port=${port}`, '--lang=en-GB', ...paths];
  const env = { ...process.env, TIMBRE_DATA_DIR: dataFolder, LANG: 'en_GB.UTF-8', LC_ALL: '', LANGUAGE: '' };
  const child: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  let page: Page | undefined;
  await expect(async () => {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    page = browser
      .contexts()
      .flatMap((context) => context.pages())
      .find((one) => /^app:|\.localhost/.test(one.url()));
    expect(page).toBeDefined();
  }).toPass({ timeout: 60_000 });
  if (!page) throw new Error('Timbre opened no window');
  const opened = page;
  return {
    page: opened,
    async close() {
      // On macOS a program outlives its window.
      if (process.platform === 'darwin') child.kill();
      else await opened.close();
      await ended;
    },
  };
}

let folder: string;
test.beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'timbre-installed-'))));
test.afterEach(() => rm(folder, { recursive: true, force: true }));

test('an installed Timbre converts what it is opened with, finds it in its history, and keeps a token', async () => {
  const recording = join(folder, 'lantern.mp3');
  await copyFile(join(samples, 'lantern.mp3'), recording);
  const data = join(folder, 'data');
  await mkdir(data);

  const first = await start(data, recording);
  await expect(tab(first.page, 'Done')).toContainText('1');
  expect(await readdir(folder)).toContain('lantern, Low bronze.mp3');
  await first.page.screenshot({ path: join(pictures, 'converted.png') });

  await openView(first.page, 'History');
  // Full text search, which Electron’s own SQLite has to have.
  await first.page.getByRole('combobox').first().fill('lantern');
  await expect(first.page.getByRole('row').filter({ hasText: 'lantern' }).first()).toBeVisible();
  await first.page.screenshot({ path: join(pictures, 'history.png') });

  await openView(first.page, 'Settings');
  await first.page.getByRole('button', { name: 'Add service' }).click();
  await first.page.getByRole('textbox', { name: 'Name', exact: true }).last().fill('Studio');
  for (const name of ['Address for voices', 'Address for uploads']) {
    await first.page.getByRole('textbox', { name, exact: true }).fill('http://127.0.0.1:9');
  }
  await first.page.getByRole('button', { name: 'Save', exact: true }).click();
  await giveToken(first.page, 'smoke-CANARY-91c2');
  await expect(card(first.page)).toContainText('stored in this computer’s password store');
  await first.page.screenshot({ path: join(pictures, 'token.png') });
  await first.close();

  const again = await start(data);
  await openView(again.page, 'Settings');
  await card(again.page).getByRole('button', { name: 'Token for Studio' }).click();
  await expect(card(again.page)).toContainText('stored in this computer’s password store');
  await card(again.page).getByRole('button', { name: 'Remove Studio' }).click();
  await card(again.page).getByRole('button', { name: 'Remove with token' }).click();
  await expect(card(again.page)).toHaveCount(0);
  await again.close();
});
