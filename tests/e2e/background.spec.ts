import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  chooseFile,
  expect,
  openView,
  pauseQueue,
  quit,
  startAgain,
  tab,
  test,
  type Timbre,
  watchFolder,
} from './app.ts';
import { samples } from './run-command.ts';

const sample = join(samples, 'harbour.wav');

/** A desktop with a tray: the answer of its session bus. Main finds it on its path. */
async function withTray({ folder, evaluateMain }: Timbre): Promise<void> {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  await writeFile(join(programs, 'gdbus'), "#!/bin/sh\necho '(<true>,)'\n");
  await chmod(join(programs, 'gdbus'), 0o755);
  await evaluateMain((_electron, path) => void (process.env['PATH'] = `${path}:${process.env['PATH']}`), programs);
}

interface Seen {
  readonly notified: string[];
  menu: { id?: string; label?: string; click?: () => void }[];
  click?: () => void;
}

/** Writes down what the system would show: notifications, and the menu of the tray. */
const watchSystem = ({ evaluateMain }: Timbre) =>
  evaluateMain(({ Notification, Tray }) => {
    const seen: Seen = { notified: [], menu: [] };
    Object.assign(globalThis, { seen });
    Notification.isSupported = () => true;
    Notification.prototype.show = function (this: Electron.Notification) {
      seen.notified.push(this.title);
      seen.click = () => void this.emit('click');
    };
    Tray.prototype.setContextMenu = (menu) => void (seen.menu = (menu as Electron.Menu).items as never);
  });
const notified = ({ evaluateMain }: Timbre) =>
  evaluateMain(() => (globalThis as unknown as { seen: Seen }).seen.notified);
const status = ({ evaluateMain }: Timbre) =>
  evaluateMain(() => (globalThis as unknown as { seen: Seen }).seen.menu[0]?.label);
const choose = ({ evaluateMain }: Timbre, id: string) =>
  evaluateMain(
    (_electron, chosen) =>
      (globalThis as unknown as { seen: Seen }).seen.menu.find((item) => item.id === chosen)?.click?.(),
    id,
  );

/** From now on, waits of a minute end at once. */
const passMinutes = ({ evaluateMain }: Timbre) =>
  evaluateMain(() => {
    const wait = globalThis.setTimeout;
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms: number) => wait(run, ms === 60_000 ? 0 : ms),
    });
  });

const windowState = ({ evaluateMain }: Timbre) =>
  evaluateMain(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    if (!window) return 'none';
    return window.isMinimized() ? 'minimized' : window.isVisible() ? 'visible' : 'hidden';
  });
const closeWindow = ({ evaluateMain }: Timbre) =>
  evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
const question = ({ page }: Timbre) => page.getByRole('dialog', { name: 'Keep Timbre running?' });
const answer = (timbre: Timbre, name: string) => question(timbre).getByRole('button', { name, exact: true }).click();

/** Watches a folder, past its first scan: what is there before is only asked about. */
async function watchEmptyFolder(timbre: Timbre): Promise<string> {
  const folder = await watchFolder(timbre);
  await expect(timbre.page.getByText('Watching, no new files').first()).toBeVisible();
  return folder;
}

/** Recordings of the same length that differ in their last samples. */
async function saveRecordings(folder: string, count: number): Promise<void> {
  const bytes = await readFile(sample);
  for (let k = 1; k <= count; k += 1) {
    bytes.fill(k, bytes.length - 1000);
    await writeFile(join(folder, `take ${k}.wav`), bytes);
  }
}
const results = async (folder: string) =>
  (await readdir(join(folder, 'Converted')).catch(() => [])).filter((name) => !name.startsWith('.'));

test('with its window closed, Timbre converts what is saved into a folder, tells the user once, and shows the results', async ({
  timbre,
}) => {
  await withTray(timbre);
  await watchSystem(timbre);
  const folder = await watchEmptyFolder(timbre);
  await closeWindow(timbre);
  await expect(question(timbre)).toContainText('Timbre can watch 1 folder without its window.');
  await answer(timbre, 'Keep running');
  await expect.poll(() => windowState(timbre)).toBe('hidden');
  await expect.poll(() => status(timbre)).toBe('Watching 1 folder');

  await saveRecordings(folder, 3);
  await expect.poll(() => notified(timbre)).toEqual(['3 items done']);
  expect(await results(folder)).toHaveLength(3);
  await timbre.evaluateMain(() => (globalThis as unknown as { seen: Seen }).seen.click?.());
  await expect.poll(() => windowState(timbre)).toBe('visible');
  await expect(tab(timbre.page, 'Done')).toHaveAttribute('aria-selected', 'true');
  await expect(timbre.page.getByRole('row').filter({ hasText: 'take' })).toHaveCount(3);
});

test('after the user has chosen, closing asks no more, and Settings can change it', async ({ timbre }) => {
  await withTray(timbre);
  await watchEmptyFolder(timbre);
  await closeWindow(timbre);
  await answer(timbre, 'Keep running');
  await expect.poll(() => windowState(timbre)).toBe('hidden');
  await startAgain(timbre);
  await expect.poll(() => windowState(timbre)).toBe('visible');

  await closeWindow(timbre);
  await expect.poll(() => windowState(timbre)).toBe('hidden');
  await expect(question(timbre)).toHaveCount(0);
  await startAgain(timbre);

  await openView(timbre.page, 'Settings');
  const closing = timbre.page.getByRole('radiogroup', { name: 'When you close the window' });
  await expect(closing.getByRole('radio', { name: 'Keep running' })).toBeChecked();
  await closing.getByRole('radio', { name: 'Quit' }).click();
  await expect
    .poll(() => readFile(join(timbre.dataFolder, 'settings.json'), 'utf8'))
    .toContain('"closeAction": "quit"');
  await closeWindow(timbre);
  await timbre.ended();
});

test('without a tray, the question says so and the window is minimized', async ({ timbre }) => {
  await watchEmptyFolder(timbre);
  await closeWindow(timbre);
  await expect(question(timbre)).toContainText('no system tray, so the window will be minimized instead');
  await answer(timbre, 'Keep running');
  await expect.poll(() => windowState(timbre)).toBe('minimized');
  await closeWindow(timbre);
  await timbre.ended();
});

test('quitting from the question does not ask again about open work, which resumes later', async ({ timbre }) => {
  const { page } = timbre;
  await copyFile(sample, join(timbre.folder, 'take.wav'));
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await pauseQueue(timbre);
  await timbre.drop('main', [join(timbre.folder, 'take.wav')]);
  await expect(tab(page, 'Queue')).toContainText('1');
  await closeWindow(timbre);
  await answer(timbre, 'Cancel');
  await expect(question(timbre)).toHaveCount(0);
  await closeWindow(timbre);
  await answer(timbre, 'Quit');
  await timbre.ended();
});

test('a hidden window is unloaded after a minute and opens where the user left it', async ({ timbre }) => {
  await withTray(timbre);
  await watchSystem(timbre);
  await watchEmptyFolder(timbre);
  await passMinutes(timbre);
  await timbre.evaluateMain(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 20, y: 10, width: 900, height: 640 }),
  );
  await closeWindow(timbre);
  await answer(timbre, 'Keep running');
  await expect.poll(() => windowState(timbre)).toBe('none');

  await expect.poll(() => status(timbre)).toBe('Watching 1 folder');
  const opened = timbre.page.context().waitForEvent('page');
  await choose(timbre, 'open');
  await expect.poll(() => windowState(timbre)).toBe('visible');
  const page = await opened;
  await expect(page.getByRole('heading', { name: 'in', exact: true })).toBeVisible();
  expect(await timbre.evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual({
    x: 20,
    y: 10,
    width: 900,
    height: 640,
  });
  await quit(timbre);
  await timbre.ended();
});

test('a hidden window with a form that is not saved is kept', async ({ timbre }) => {
  const { page } = timbre;
  await withTray(timbre);
  await watchEmptyFolder(timbre);
  await passMinutes(timbre);
  await mkdir(join(timbre.folder, 'another'));
  await chooseFile(timbre, join(timbre.folder, 'another'));
  await page.getByRole('button', { name: 'Add folder' }).first().click();
  await page.getByRole('radio', { name: 'Move to Done' }).click();
  await closeWindow(timbre);
  await answer(timbre, 'Keep running');
  await expect.poll(() => windowState(timbre)).toBe('hidden');
  await startAgain(timbre);
  await expect.poll(() => windowState(timbre)).toBe('visible');
  await expect(page.getByRole('radio', { name: 'Move to Done' })).toBeChecked();
});

test('a late answer of a page that was hidden and shown again does not unload it', async ({ timbre }) => {
  const { page } = timbre;
  await withTray(timbre);
  await watchEmptyFolder(timbre);
  await closeWindow(timbre);
  await answer(timbre, 'Keep running');
  await expect.poll(() => windowState(timbre)).toBe('hidden');
  await startAgain(timbre);
  await expect.poll(() => windowState(timbre)).toBe('visible');

  await mkdir(join(timbre.folder, 'another'));
  await chooseFile(timbre, join(timbre.folder, 'another'));
  await page.getByRole('button', { name: 'Add folder' }).first().click();
  await page.getByRole('radio', { name: 'Move to Done' }).click();
  await passMinutes(timbre);
  await closeWindow(timbre);
  await expect.poll(() => windowState(timbre)).toBe('hidden');
  await page.evaluate(() => window.bridge.invoke('app:allowUnload', { hiding: 1 }));
  await startAgain(timbre);
  await expect.poll(() => windowState(timbre)).toBe('visible');
  await expect(page.getByRole('radio', { name: 'Move to Done' })).toBeChecked();
});

test('opened at sign-in, Timbre converts without a window, and a second start shows it', async ({ timbre }) => {
  const folder = await watchEmptyFolder(timbre);
  await timbre.reopenHidden();
  await withTray(timbre);
  await saveRecordings(folder, 1);
  await expect.poll(() => results(folder)).toHaveLength(1);
  expect(await windowState(timbre)).not.toBe('visible');
  await startAgain(timbre, '--hidden');
  expect(await windowState(timbre)).not.toBe('visible');
  await startAgain(timbre);
  await expect.poll(() => windowState(timbre)).toBe('visible');
});
