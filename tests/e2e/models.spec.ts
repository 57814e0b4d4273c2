import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { chooseFile, expect, openView, pauseQueue, tab, test, type Timbre } from './app.ts';
import { samples } from './run-command.ts';

test.use({ isShared: true });

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const pane = (page: Page) => page.getByRole('complementary', { name: 'Selected voice' });
const dialog = (page: Page) => page.getByRole('dialog');

async function make(timbre: Timbre, name: string): Promise<void> {
  const { page } = timbre;
  await page.getByRole('button', { name: /^Create (a )?voice/ }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Choose recording…' }).click();
}

test('a voice is created from a recording, used to convert, and deleted by its name', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  await openView(page, 'Custom voices');
  await expect(page.getByRole('heading', { name: 'No custom voices yet' })).toBeVisible();
  await chooseFile(timbre, join(samples, 'harbour.wav'));
  await make(timbre, 'Ada’s voice');
  await expect(row(page, 'Ada’s voice')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(pane(page).getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(row(page, 'Ada’s voice')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row(page, 'Ada’s voice')).toContainText('In use');

  await openView(page, 'Convert');
  await expect(page.getByRole('complementary')).toContainText('Ada’s voice');
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'lantern.mp3'));
  await drop('main', [join(folder, 'lantern.mp3')]);
  await expect(page.getByRole('tab', { name: 'Done' })).toContainText('1');

  await openView(page, 'Custom voices');
  await row(page, 'Ada’s voice').focus();
  await page.keyboard.press('Delete');
  const confirm = pane(page).getByRole('textbox', { name: 'Type the name to confirm' });
  const button = pane(page).getByRole('button', { name: 'Delete', exact: true });
  await expect(confirm).toBeFocused();
  await confirm.fill('Ada’s voic');
  await expect(button).toBeDisabled();
  await page.keyboard.type('e');
  await expect(button).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ada’s voice deleted')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No custom voices yet' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create a voice' })).toBeFocused();
  await openView(page, 'Convert');
  await expect(page.getByRole('complementary')).toContainText('No longer in the catalogue');
});

test('a queued job whose voice was deleted says so, and offers the most similar one', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  await openView(page, 'Custom voices');
  await chooseFile(timbre, join(samples, 'harbour.wav'));
  await make(timbre, 'Ada’s voice');
  await expect(row(page, 'Ada’s voice')).toBeFocused();
  await page.keyboard.press('Enter');
  await openView(page, 'Convert');
  const paths = Array.from({ length: 2 }, (_, k) => join(folder, `take ${k}.wav`));
  for (const path of paths) await copyFile(join(samples, 'harbour.wav'), path);
  await pauseQueue(timbre);
  await drop('main', paths);
  await expect(tab(page, 'Queue')).toContainText('2');
  await openView(page, 'Custom voices');
  await row(page, 'Ada’s voice').focus();
  await page.keyboard.press('Delete');
  await pane(page).getByRole('textbox', { name: 'Type the name to confirm' }).fill('Ada’s voice');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ada’s voice deleted')).toBeVisible();

  await openView(page, 'Convert');
  await page.keyboard.press('p');
  const refused = row(page, 'This voice is no longer available');
  await refused.first().getByRole('button', { name: 'Choose a voice' }).click();
  const use = dialog(page).getByRole('button', { name: /^Use / });
  const similar = (await use.innerText()).replace(/^Use /, '');
  await use.click();
  await expect(dialog(page)).toContainText(similar);
  await expect(use).toHaveCount(0);
});

test('a recording that gives no voice is explained, and the next attempt may succeed', async ({ timbre }) => {
  const { page, folder } = timbre;
  await openView(page, 'Custom voices');
  await chooseFile(timbre, null);
  await make(timbre, 'First');
  await expect(dialog(page)).toBeVisible();

  await writeFile(join(folder, 'note.wav'), 'no sound');
  await chooseFile(timbre, join(folder, 'note.wav'));
  await dialog(page).getByRole('button', { name: 'Choose recording…' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('Message from the service');

  await chooseFile(timbre, join(samples, 'harbour.wav'));
  await dialog(page).getByRole('button', { name: 'Choose recording…' }).click();
  await expect(row(page, 'First')).toBeFocused();
  await make(timbre, 'First');
  await expect(dialog(page).getByRole('alert')).toContainText('You already have a voice “First”.');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
});

test('after a deletion the neighbouring voice has the focus, and Keep keeps a voice', async ({ timbre }) => {
  const { page } = timbre;
  await openView(page, 'Custom voices');
  await chooseFile(timbre, join(samples, 'harbour.wav'));
  for (const name of ['One', 'Two', 'Three']) {
    await make(timbre, name);
    await expect(row(page, name)).toBeFocused();
  }
  await row(page, 'Two').focus();
  await page.keyboard.press('Delete');
  await page.keyboard.press('Escape');
  await expect(row(page, 'Two')).toBeFocused();
  await page.keyboard.press('Delete');
  await pane(page).getByRole('textbox').fill('Two');
  await page.keyboard.press('Enter');
  await expect(row(page, 'Two')).toHaveCount(0);
  await expect(row(page, 'One')).toBeFocused();
});
