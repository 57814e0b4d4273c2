import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright/test';
import { expect, pauseQueue, quit, tab, test, type Timbre } from './app.ts';
import { samples } from './run-command.ts';

const sample = join(samples, 'harbour.wav');
const count = 6;

const question = (page: Page) => page.getByRole('dialog', { name: /(isn’t|aren’t) finished/ });
const button = (page: Page, name: string) => question(page).getByRole('button', { name, exact: true });
const held = (page: Page) => page.getByRole('list', { name: 'Reasons why the queue is paused' });
const goOn = (page: Page) => page.getByRole('button', { name: 'Resume' }).click();
const results = async (folder: string) => (await readdir(folder)).filter((name) => name.includes('Low bronze'));
/** Closes the window of a user who has decided that this quits. */
async function closeWindow({ page, evaluateMain }: Timbre): Promise<void> {
  await page.evaluate(() => window.bridge.invoke('settings:update', { closeAction: 'quit' }));
  await evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
}

/** Recordings in a paused queue, so that none ends during the test. */
async function withWork(timbre: Timbre): Promise<void> {
  const { page, folder, drop } = timbre;
  const paths = Array.from({ length: count }, (_, k) => join(folder, `take ${k + 1}.wav`));
  for (const path of paths) await copyFile(sample, path);
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await pauseQueue(timbre);
  await drop('main', paths);
  await expect(held(page)).toBeVisible();
  await expect(tab(page, 'Queue')).toContainText(String(count));
}

for (const [way, leave] of [
  ['quitting', quit],
  ['closing the window', closeWindow],
] as const) {
  test(`${way} with open work asks, and the work resumes at the next start`, async ({ timbre }) => {
    await withWork(timbre);
    await leave(timbre);
    await expect(question(timbre.page)).toBeVisible();
    await button(timbre.page, 'Quit').click();
    await timbre.ended();
    expect(await results(timbre.folder)).toEqual([]);

    await timbre.reopen();
    await goOn(timbre.page);
    await expect(tab(timbre.page, 'Done')).toContainText(String(count));
    expect(await results(timbre.folder)).toHaveLength(count);
  });

  test(`${way} and cancelling changes nothing`, async ({ timbre }) => {
    await withWork(timbre);
    await leave(timbre);
    await button(timbre.page, 'Don’t quit').click();
    await expect(question(timbre.page)).toHaveCount(0);
    await goOn(timbre.page);
    await expect(tab(timbre.page, 'Done')).toContainText(String(count));
  });
}

test('a restart that is cancelled does not start Timbre again when it is quit later', async ({ timbre }) => {
  const { page, folder, evaluateMain } = timbre;
  await withWork(timbre);
  const relaunched = join(folder, 'relaunched');
  await evaluateMain(({ app }, path) => {
    app.relaunch = () => process.getBuiltinModule('node:fs').writeFileSync(path, 'yes');
  }, relaunched);
  await page.evaluate(() => window.bridge.invoke('app:restart'));
  await button(page, 'Don’t quit').click();
  await expect(question(page)).toHaveCount(0);
  // Behind the answer, which main reads first.
  await page.evaluate(() => window.bridge.invoke('settings:get'));
  await quit(timbre);
  await button(page, 'Quit').click();
  await timbre.ended();
  expect(existsSync(relaunched)).toBe(false);
});

/** Drops recordings while another program keeps the database locked. Returns what lets it go. */
async function dropWhileLocked({ page, folder, dataFolder, drop }: Timbre): Promise<() => void> {
  await copyFile(sample, join(folder, 'take 1.wav'));
  await copyFile(sample, join(folder, 'take 2.wav'));
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  const other = new DatabaseSync(join(dataFolder, 'timbre.db'), { timeout: 30_000 });
  other.exec('BEGIN IMMEDIATE');
  await drop('main', [join(folder, 'take 1.wav'), join(folder, 'take 2.wav')]);
  await expect(page.getByRole('status').filter({ hasText: 'Adding 2 items' })).toBeAttached();
  return () => {
    other.exec('ROLLBACK');
    other.close();
  };
}

test('recordings that are dropped while the data is locked are added once it is not, and quitting asks until then', async ({
  timbre,
}) => {
  const { page, folder } = timbre;
  const release = await dropWhileLocked(timbre);
  await quit(timbre);
  await expect(question(page)).toContainText('add the rest again');
  await button(page, 'Don’t quit').click();
  release();
  await expect(tab(page, 'Done')).toContainText('2');
  expect(await results(folder)).toHaveLength(2);
});

test('quitting asks about recordings that are not added yet also after the page was loaded again', async ({
  timbre,
}) => {
  const release = await dropWhileLocked(timbre);
  // Main has them once it asks: the page alone would lose them.
  await quit(timbre);
  await expect(question(timbre.page)).toContainText('add the rest again');
  await button(timbre.page, 'Don’t quit').click();
  await expect(question(timbre.page)).toHaveCount(0);
  await timbre.page.reload();
  // On a busy computer "Loading" is its first heading, and nothing listens yet.
  await expect(timbre.page.getByRole('heading', { name: 'Convert', exact: true })).toBeVisible();
  await quit(timbre);
  await expect(question(timbre.page)).toContainText('add the rest again');
  release();
  // The question is open until they are done, and nobody answered it.
  await timbre.ended();
  expect(await results(timbre.folder)).toHaveLength(2);
});

test('quitting while the data is locked quits when the user says so, and nothing was sent', async ({ timbre }) => {
  const release = await dropWhileLocked(timbre);
  await quit(timbre);
  await button(timbre.page, 'Quit').click();
  await timbre.ended();
  release();
  expect(await results(timbre.folder)).toEqual([]);
});

test('quitting ends the program while a disk does not answer', async ({ timbre }) => {
  test.skip(process.platform === 'win32', 'a named pipe stands for the disk');
  const pipe = join(timbre.folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(timbre.page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  // Nobody ever writes to it.
  await timbre.evaluateMain((_electron, path) => process.getBuiltinModule('node:fs').open(path, () => undefined), pipe);
  await quit(timbre);
  await timbre.ended();
});

test('quitting without open work does not ask', async ({ timbre }) => {
  await expect(timbre.page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await quit(timbre);
  await timbre.ended();
});

test('a window that closes without a question does not delay quitting, and the open work is announced and resumed', async ({
  timbre,
}) => {
  await withWork(timbre);
  await timbre.evaluateMain(({ app, Notification }) => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    Notification.isSupported = () => true;
    Notification.prototype.show = function (this: Electron.Notification) {
      said.push(this.title, this.body);
    };
    // The process keeps running until the test has read the notification, and is then killed.
    app.on('will-quit', (event) => event.preventDefault());
  });
  await timbre.evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.destroy());
  await expect
    .poll(() => timbre.evaluateMain(() => (globalThis as unknown as { said: string[] }).said))
    .toEqual(['Timbre has closed', `${count} items aren’t finished. They resume the next time you open Timbre.`]);
  await timbre.reopen();
  await goOn(timbre.page);
  await expect(tab(timbre.page, 'Done')).toContainText(String(count));
});

test('SIGTERM ends Timbre with open work, and does not ask', async ({ timbre }) => {
  await withWork(timbre);
  timbre.signal('SIGTERM');
  await timbre.ended();
  await timbre.reopen();
  await expect(held(timbre.page)).toBeVisible();
});
