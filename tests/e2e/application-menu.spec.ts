import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseFile, expect, openView, test, type Timbre } from './app.ts';
import { samples } from './run-command.ts';

interface ShownItem {
  readonly menu: string;
  readonly accelerator: string | null;
  readonly isEnabled: boolean;
  readonly isChecked: boolean;
}

/** An item of the application menu with the label of its menu; null if there is none. */
const itemOf = ({ evaluateMain }: Timbre, id: string): Promise<ShownItem | null> =>
  evaluateMain(({ Menu }, wanted) => {
    for (const { label, submenu } of Menu.getApplicationMenu()?.items ?? []) {
      const item = submenu?.getMenuItemById(wanted);
      if (!item) continue;
      const { accelerator, enabled, checked } = item;
      return { menu: label, accelerator: accelerator ?? null, isEnabled: enabled, isChecked: checked };
    }
    return null;
  }, id);
const click = ({ evaluateMain }: Timbre, id: string) =>
  evaluateMain(({ Menu }, wanted) => void Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(), id);
const heading = ({ page }: Timbre, name: string) => page.getByRole('heading', { level: 1, name });

test('the application menu opens views, and what cannot be done now is grey', async ({ timbre }) => {
  await expect.poll(() => itemOf(timbre, 'view-history')).toMatchObject({ menu: 'View', isEnabled: true });
  expect(await itemOf(timbre, 'clear')).toMatchObject({ menu: 'Queue', isEnabled: false });
  await click(timbre, 'view-history');
  await expect(heading(timbre, 'History')).toBeVisible();

  const recording = join(timbre.folder, 'harbour.wav');
  await copyFile(join(samples, 'harbour.wav'), recording);
  await chooseFile(timbre, recording);
  await click(timbre, 'add-files');
  await expect(timbre.page.getByRole('tab', { name: /^Done/ })).toContainText('1');
  await expect.poll(() => itemOf(timbre, 'clear')).toMatchObject({ isEnabled: true });
  await click(timbre, 'clear');
  await expect.poll(() => itemOf(timbre, 'clear')).toMatchObject({ isEnabled: false });
});

test('a choice in the application menu is selected once it was made, in the window as in the menu', async ({
  timbre,
}) => {
  await expect.poll(() => itemOf(timbre, 'theme-system')).toMatchObject({ isChecked: true });
  await click(timbre, 'theme-dark');
  await expect.poll(() => itemOf(timbre, 'theme-dark')).toMatchObject({ isChecked: true });
  expect(await itemOf(timbre, 'theme-system')).toMatchObject({ isChecked: false });
  await openView(timbre.page, 'Settings');
  await expect(timbre.page.getByRole('radio', { name: 'Dark' })).toBeChecked();
});

test('the application menu speaks the language of the window and shows the keys that the user chose', async ({
  timbre,
}) => {
  const { page } = timbre;
  await expect.poll(() => itemOf(timbre, 'find')).toMatchObject({ menu: 'Edit', accelerator: 'CmdOrCtrl+F' });
  await page.evaluate(async () => {
    await window.bridge.invoke('settings:update', { language: 'de', keys: { find: 'ctrl+g' } });
  });
  await expect.poll(() => itemOf(timbre, 'find')).toMatchObject({ menu: 'Bearbeiten', accelerator: 'CmdOrCtrl+G' });
});

test('a command of the application menu brings a minimized window back, and does nothing under a dialog', async ({
  timbre,
}) => {
  const { page, evaluateMain } = timbre;
  await expect.poll(() => itemOf(timbre, 'palette')).toMatchObject({ menu: 'Help' });
  await evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  await click(timbre, 'palette');
  await expect(page.getByRole('combobox')).toBeFocused();
  await expect
    .poll(() => evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized()))
    .toBe(false);
  await click(timbre, 'view-history');
  // Zoom works everywhere, so that its effect shows that the command before it was handled.
  await click(timbre, 'zoom-in');
  await expect
    .poll(() => evaluateMain(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor()))
    .toBeGreaterThan(1);
  await expect(page.getByRole('combobox')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('combobox')).toBeHidden();
  await expect(heading(timbre, 'History')).toBeHidden();
});
