import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseFile, expect, openView, test, watchFolder } from './app.ts';
import { runCommand, samples } from './run-command.ts';

const preset = {
  name: 'Evening',
  kind: 'conversion',
  connection: { id: 'local', name: 'This computer' },
  voice: 'Low bronze',
  settings: { voiceId: 'low-bronze', pitch: 1, speed: 1, pitchControl: '', autoF0: true, engine: 'v7', format: '.wav' },
};

test('presets are made, changed, applied, exported, imported and followed by a watched folder', async ({ timbre }) => {
  const { page, folder, dataFolder, evaluateMain } = timbre;
  const list = page.getByRole('combobox', { name: 'Preset' });
  const shown = () => list.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.label);
  const engine = (name: string) => page.getByRole('radiogroup', { name: 'Engine' }).getByRole('radio', { name });
  const modified = page.getByText('Modified', { exact: true });
  const fromMenu = async (name: string) => {
    await page.getByRole('button', { name: 'Preset options' }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  // A command imports one while the window is open. The file calls it the default, which it does not become.
  await expect(page.getByRole('radio').first()).toBeVisible();
  const file = join(folder, 'presets.json');
  await writeFile(
    file,
    JSON.stringify({ format: 'timbre-presets', version: 1, presets: [{ ...preset, isDefault: true }] }),
  );
  expect((await runCommand(['presets', 'import', file, '--data-dir', dataFolder])).code).toBe(0);
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Find a command' }).fill('preset evening');
  await expect(page.getByRole('option', { name: 'Use preset “Evening”' })).toBeVisible();
  await expect(list).toBeHidden();
  await page.keyboard.press('Enter');
  await expect.poll(shown).toBe('Evening');
  await page.getByRole('button', { name: 'Preset options' }).click();
  const isDefault = page.getByRole('menuitemcheckbox', { name: 'Default for this connection' });
  await expect(isDefault).not.toBeChecked();
  await isDefault.click();
  await expect(page.getByRole('complementary').getByText('Low bronze')).toBeVisible();

  await engine('v5').click();
  await expect(modified).toBeVisible();
  await fromMenu('Save as new preset…');
  await page.getByRole('textbox', { name: 'Name' }).fill('Night');
  await page.keyboard.press('Enter');
  await expect.poll(shown).toBe('Night');
  await expect(modified).toBeHidden();
  await list.selectOption('Evening');
  await expect(engine('v7')).toBeChecked();
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Find a command' }).fill('preset night');
  await page.keyboard.press('Enter');
  await expect(engine('v5')).toBeChecked();

  const exported = join(folder, 'exported.json');
  await evaluateMain(({ dialog }, path) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path });
  }, exported);
  await fromMenu('Export all presets…');
  await expect(page.getByText('2 presets exported')).toBeAttached();
  expect(JSON.parse(await readFile(exported, 'utf8'))).toMatchObject({
    presets: [preset, { name: 'Night', settings: { ...preset.settings, engine: 'v5' } }],
  });
  await fromMenu('Delete…');
  await page.getByRole('button', { name: 'Delete preset' }).click();
  await expect.poll(shown).toBe('No preset');
  await chooseFile(timbre, exported);
  await fromMenu('Import presets…');
  await expect(page.getByRole('heading', { name: '1 preset imported' })).toBeVisible();
  await expect(page.getByText('“Evening” was skipped: it’s already here.')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).last().click();

  await watchFolder(timbre, 'Night');
  await openView(page, 'Convert');
  await list.selectOption('Night');
  await engine('v7').click();
  await page.getByRole('button', { name: 'Save the changes to “Night”' }).click();
  await expect(modified).toBeHidden();
  await openView(page, 'Watch folders');
  await page.getByRole('button', { name: 'Use the new settings' }).click();
  await expect(page.getByText('The preset “Night” has changed.')).toBeHidden();

  await timbre.reopen();
  await expect(timbre.page.getByRole('heading', { name: 'in', exact: true })).toBeVisible();
  await openView(timbre.page, 'Convert');
  // A result stands beside its recording.
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'lantern.mp3'));
  await timbre.drop('main', [join(folder, 'lantern.mp3')]);
  await expect(timbre.page.getByRole('combobox', { name: 'Preset' })).toHaveValue(/./);
  await timbre.page.getByRole('tab', { name: 'Done' }).click();
  await expect(timbre.page.getByRole('row').getByText('lantern')).toBeVisible();
});
