import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, type Timbre } from './app.ts';
import { samples } from './run-command.ts';

const sample = join(samples, 'lantern.mp3');

/** Writes down what the system would be asked to show. */
const listen = ({ evaluateMain }: Timbre) =>
  evaluateMain(({ Notification }) => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    Notification.isSupported = () => true;
    Notification.prototype.show = function (this: Electron.Notification) {
      said.push(this.title);
      setImmediate(() => this.emit('click'));
    };
  });
const said = ({ evaluateMain }: Timbre) =>
  evaluateMain(() => (globalThis as unknown as { said: readonly string[] }).said);
const isFocused = ({ evaluateMain }: Timbre) =>
  evaluateMain(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null);

async function convert({ page, folder, drop }: Timbre, names: readonly string[], done: number): Promise<void> {
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) await copyFile(sample, path);
  await drop('main', paths);
  await expect(page.getByRole('tab', { name: 'Done' })).toContainText(String(done));
}

test('a batch is announced once, while the window is not focused, and a click brings the window back', async ({
  timbre,
}) => {
  await expect(timbre.page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await listen(timbre);
  await timbre.evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.focus());
  await expect.poll(() => isFocused(timbre)).toBe(true);
  await convert(timbre, ['seen.mp3'], 1);
  expect(await said(timbre)).toEqual([]);

  await timbre.evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur());
  await expect.poll(() => isFocused(timbre)).toBe(false);
  await convert(timbre, ['a.mp3', 'b.mp3', 'c.mp3'], 4);
  await expect.poll(() => said(timbre)).toEqual(['3 items done']);
  await expect.poll(() => isFocused(timbre)).toBe(true);
});
