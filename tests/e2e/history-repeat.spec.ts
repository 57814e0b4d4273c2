import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { harbour, outcome, pane, row, rows, takesOf, withHistory } from './history-page.ts';
import { addService, card, expect, giveToken, right, test } from './service.ts';
import { chooseFile, openView, type Timbre } from './app.ts';
import { samples } from './run-command.ts';

test.use({ isShared: true });

async function convert(timbre: Timbre, name: string, done: number): Promise<void> {
  const { page, folder, drop } = timbre;
  await openView(page, 'Convert');
  await copyFile(join(samples, name), join(folder, name));
  await drop('main', [join(folder, name)]);
  await expect(page.getByRole('tab', { name: 'Done' })).toContainText(String(done));
}

test('an entry is repeated with another pitch and otherwise unchanged, also by keyboard', async ({ timbre }) => {
  await withHistory(timbre);
  const { page } = timbre;
  const form = page.getByRole('dialog', { name: 'Convert again with changes' });
  const pitch = form.getByRole('slider', { name: 'Pitch' });
  const engine = form.getByRole('radio', { name: 'v5' });
  const open = async () => {
    await pane(timbre).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Convert again with changes…' }).click();
  };
  const newest = () => rows(timbre).first();

  await row(timbre, harbour).click();
  await open();
  await expect(form).toContainText(harbour);
  await expect(form).toContainText('No changes yet.');
  await pitch.focus();
  for (let k = 0; k < 6; k++) await page.keyboard.press('ArrowRight');
  await expect(form.getByText('Pitch: 0 semitones → +3 semitones')).toBeVisible();
  await engine.click();
  await expect(form.getByText('Engine: v7 → v5')).toBeVisible();
  await form.getByRole('switch', { name: 'Auto F0' }).press('Space');
  await expect(form.getByText('Auto F0: on → off')).toBeVisible();
  await form.getByRole('button', { name: 'Reset Auto F0' }).press('Enter');
  await expect(form.getByText('Auto F0: on → off')).toHaveCount(0);
  await expect(form.getByRole('button', { name: 'Convert again' })).toBeFocused();
  await form.getByRole('button', { name: 'Convert again' }).click();
  await expect(form).toHaveCount(0);
  await expect(outcome(timbre, '1 entry added to the queue with your changes.')).toBeVisible();
  await expect(rows(timbre)).toHaveCount(3);

  await newest().click();
  await expect(pane(timbre)).toContainText(harbour);
  await expect(pane(timbre)).toContainText('+3 semitones');
  await open();
  await expect(form).toContainText('No changes yet.');
  await expect(engine).toBeChecked();
  await pitch.focus();
  for (let k = 0; k < 6; k++) await page.keyboard.press('ArrowLeft');
  await expect(form.getByRole('listitem')).toHaveText(['Pitch: +3 semitones → 0 semitones']);
  await page.keyboard.press('Enter');
  await expect(rows(timbre)).toHaveCount(4);
  await newest().click();
  await expect(pane(timbre)).not.toContainText('semitones');

  await open();
  await expect(form).toContainText('No changes yet.');
  await expect(pitch).toHaveValue('0');
  await expect(engine).toBeChecked();
  await expect(form).toContainText('Low bronze');
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
});

test('a missing recording is reported in the form, can be located there, and the choices are kept', async ({
  timbre,
}) => {
  await withHistory(timbre);
  const { page, folder } = timbre;
  const form = page.getByRole('dialog', { name: 'Convert again with changes' });
  const gone = form.getByText('The original was moved or deleted. Find it, or put it back.');
  const change = form.getByText('Engine: v7 → v5');
  await row(timbre, harbour).click();
  await rm(join(takesOf(timbre), harbour));
  await pane(timbre).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Convert again with changes…' }).click();
  await form.getByRole('radio', { name: 'v5' }).click();
  await form.getByRole('button', { name: 'Convert again' }).click();
  await expect(gone).toBeVisible();
  await expect(change).toBeVisible();

  const found = join(folder, 'far', 'kept.wav');
  await mkdir(join(folder, 'far'));
  await copyFile(join(samples, harbour), found);
  await chooseFile(timbre, found);
  await form.getByRole('button', { name: 'Find file' }).click();
  await expect(gone).toHaveCount(0);
  await expect(change).toBeVisible();
  await form.getByRole('button', { name: 'Convert again' }).click();
  await expect(form).toHaveCount(0);
  await expect(rows(timbre)).toHaveCount(3);
});

test('an entry of a removed service is repeated through another connection', async ({ timbre, service }) => {
  const { page, folder } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  await convert(timbre, 'harbour.wav', 1);
  await openView(page, 'Settings');
  await card(page).getByRole('button', { name: 'Remove Studio' }).click();
  await card(page).getByRole('button', { name: 'Remove with token' }).click();
  await expect(card(page)).toHaveCount(0);

  await openView(page, 'History');
  await rows(timbre).first().click();
  await expect(pane(timbre)).toContainText('Studio');
  await pane(timbre).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Convert again with changes…' }).click();
  const form = page.getByRole('dialog', { name: 'Convert again with changes' });
  const again = form.getByRole('button', { name: 'Convert again' });
  await expect(form).toContainText('The connection Studio no longer exists. Choose another one.');
  await expect(again).toBeDisabled();
  await form.getByRole('combobox', { name: 'Connection' }).selectOption('This computer');
  await expect(form.getByText('Connection: Studio → This computer')).toBeVisible();
  await again.click();
  await expect(form).toHaveCount(0);
  await expect(rows(timbre)).toHaveCount(2);
  await rows(timbre).first().click();
  await expect(pane(timbre)).toContainText('This computer');
  expect(await readdir(folder)).toContain('harbour, Low bronze (2).wav');
  expect(service.count({ operation: 'convert' })).toBe(1);
});

test('several entries get a voice of the connection in use, and what cannot be repeated is reported', async ({
  timbre,
  service,
}) => {
  const { page, folder } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  await page.getByRole('button', { name: 'Use This computer' }).click();
  await expect(page.getByRole('button', { name: 'Use This computer' })).toHaveCount(0);
  await convert(timbre, 'harbour.wav', 1);
  await convert(timbre, 'lantern.mp3', 2);
  await openView(page, 'Settings');
  await card(page).getByRole('button', { name: 'Use Studio' }).click();
  await expect(card(page)).toContainText('In use');
  await openView(page, 'History');
  await rows(timbre).first().click();
  await page.keyboard.press('Control+a');
  await pane(timbre).getByRole('button', { name: 'Create again with another voice…' }).click();
  await page.getByRole('combobox', { name: 'Find a voice from Studio' }).fill('Quiet harbour');
  await expect(page.getByRole('listbox', { name: 'Voices' }).getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(outcome(timbre, '2 entries added to the queue with your changes.')).toBeVisible();
  await expect(rows(timbre)).toHaveCount(4);
  expect(service.count({ operation: 'convert' })).toBe(2);
  expect(await readdir(folder)).toContain('harbour, Quiet harbour.wav');
});
