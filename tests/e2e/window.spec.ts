import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, openView, test, type Timbre } from './timbre.ts';

const ready = ({ page }: Timbre) => expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
const editor = ({ page }: Timbre) => page.getByRole('main').getByRole('textbox').first();
const quit = ({ evaluateMain }: Timbre) => evaluateMain(({ app }) => app.quit());

test('U2: what is typed and chosen until the moment of quitting is there at the next start', async ({ timbre }) => {
  await ready(timbre);
  await openView(timbre.page, 'Speech');
  for (const ending of ['first', 'second', 'third']) {
    await expect(editor(timbre)).toBeEditable();
    await editor(timbre).fill(`Until the very end, ${ending}.`);
    await timbre.page.keyboard.press('Control+Equal');
    await quit(timbre);
    await timbre.ended();
    await timbre.reopen();
    await openView(timbre.page, 'Speech');
    await expect(editor(timbre)).toHaveValue(`Until the very end, ${ending}.`);
  }
  // Three steps of the size, one before each end.
  const kept = JSON.parse(await readFile(join(timbre.dataFolder, 'settings.json'), 'utf8')) as { zoomPercent: number };
  expect(kept.zoomPercent).toBe(150);
});

test('U5: the page is larger and smaller by key, and still is after a restart', async ({ timbre }) => {
  await ready(timbre);
  const width = () => timbre.page.evaluate(() => innerWidth);
  const usual = await width();
  for (let k = 0; k < 5; k += 1) await timbre.page.keyboard.press('Control+Equal');
  await expect.poll(width).toBe(Math.round(usual / 2));
  await timbre.reopen();
  await ready(timbre);
  await expect.poll(width).toBe(Math.round(usual / 2));
  for (let k = 0; k < 20; k += 1) await timbre.page.keyboard.press('Control+Equal');
  await expect.poll(width).toBe(Math.round(usual / 3));
  for (let k = 0; k < 20; k += 1) await timbre.page.keyboard.press('Control+Minus');
  await expect.poll(width).toBe(usual * 2);
  await timbre.page.keyboard.press('Control+Digit0');
  await expect.poll(width).toBe(usual);
});

test('U6: a defect in main and one in the page are in the log, without secrets, and the window goes on', async ({
  timbre,
}) => {
  const { page, dataFolder } = timbre;
  await ready(timbre);
  const said = page.getByRole('alert').filter({ hasText: 'Something inside Timbre failed' });
  const path = join(dataFolder, 'timbre.log');
  await timbre.evaluateMain(
    () =>
      void setTimeout(() => {
        throw new Error('broke at https://a.test/x?signature=SECRET');
      }),
  );
  await expect(said.getByRole('button', { name: 'Restart Timbre' })).toBeVisible();
  await said.getByRole('button', { name: 'Close' }).click();
  await timbre.evaluateMain(() => void Promise.reject(new Error('rejected in main')));
  await expect(said).toBeVisible();
  await said.getByRole('button', { name: 'Close' }).click();
  await page.evaluate(
    () =>
      void setTimeout(() => {
        throw new Error('broke in the page');
      }),
  );
  await expect(said).toBeVisible();
  await expect.poll(() => readFile(path, 'utf8')).toContain('broke in the page');
  const log = await readFile(path, 'utf8');
  expect(log).toContain('main: Error: broke at https://a.test/x?•••');
  expect(log).toContain('rejected in main');
  expect(log).not.toContain('SECRET');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await openView(page, 'Diagnostics');
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Report' })).toContainText('broke in the page');
});
