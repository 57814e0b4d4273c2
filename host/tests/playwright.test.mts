import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, launch, type Launched } from './launch.mts';

let host: Launched;
beforeAll(async () => {
  host = await launch();
});
afterAll(() => host.close());

test('the first window is the page that main loaded', async () => {
  expect(host.page.url()).toBe('http://timbre.app.localhost/');
  await eventually(() => host.page.title()).toBe('Fixture');
});

test('evaluate runs in the main process, with Electron as its argument', async () => {
  const answer = await host.app.evaluate(({ app }) => [app.getName(), app.getVersion(), app.getPath('userData')]);
  expect(answer).toEqual(['Host Fixture', '1.2.3', host.userData]);
});

test('evaluate sees the same modules as the app', async () => {
  const ids = await host.app.evaluate(({ BrowserWindow }) => [
    BrowserWindow.getAllWindows()[0]?.id,
    fixture.windows['main']?.id,
  ]);
  expect(ids[0]).toBe(ids[1]);
});

test('browserWindow finds the window of a page', async () => {
  const window = await host.app.browserWindow(host.page);
  expect(await window.evaluate((found: Electron.BrowserWindow) => found.getSize())).toEqual([700, 500]);
});

test('a later window arrives as an event, and page.close destroys it', async () => {
  const opened = host.app.waitForEvent('window');
  await host.app.evaluate(() => void fixture.make('second'));
  const page = await opened;
  await page.waitForURL(/localhost/);
  await page.close();
  await eventually(() => host.app.evaluate(() => fixture.windows['second']?.isDestroyed())).toBe(true);
  expect(await host.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('a test can replace a dialog', async () => {
  await host.app.evaluate(({ dialog }) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: ['/music'] });
  });
  const { filePaths } = await host.app.evaluate(({ dialog }) => dialog.showOpenDialog({}));
  expect(filePaths).toEqual(['/music']);
});

test('a screenshot of the page can be taken', async () => {
  const png = await host.page.screenshot();
  expect(png.subarray(1, 4).toString()).toBe('PNG');
});
