import { copyFile, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseFile, expect, openView, test, type Timbre, watchFolder } from './app.ts';
import { samples } from './run-command.ts';

test.use({ isShared: true });

const wave = join(samples, 'harbour.wav');

const row = (timbre: Timbre, name: string) => timbre.page.getByRole('row').filter({ hasText: name });
const results = async (folder: string) =>
  (await readdir(join(folder, 'Converted')).catch(() => [])).filter((name) => !name.startsWith('.')).sort();

/** Another sound of the same length: the last samples are others. */
async function otherWave(path: string, mark: number): Promise<void> {
  const bytes = await readFile(wave);
  bytes.fill(mark, bytes.length - 1000);
  await writeFile(path, bytes);
}

test(
  'a folder is added, three files are saved into it, one of them slowly, and three results appear',
  { tag: '@smoke' },
  async ({ timbre }) => {
    const folder = await watchFolder(timbre);
    await expect(timbre.page.getByText('Watching, no new files').first()).toBeVisible();
    await copyFile(wave, join(folder, 'one.wav'));
    await otherWave(join(folder, 'two.wav'), 3);

    const bytes = await readFile(wave);
    bytes.fill(5, bytes.length - 1000);
    const slow = await open(join(folder, 'slow.wav'), 'w');
    await slow.write(bytes.subarray(0, bytes.length - 1000));
    await expect(row(timbre, 'slow.wav')).toContainText(/Open in /);
    await expect(row(timbre, 'one.wav')).toContainText('Converted');
    await expect(row(timbre, 'two.wav')).toContainText('Converted');
    expect((await results(folder)).filter((name) => name.startsWith('slow'))).toEqual([]);
    await slow.write(bytes.subarray(bytes.length - 1000));
    await slow.close();
    await expect(row(timbre, 'slow.wav')).toContainText('Converted');
    expect(await results(folder)).toHaveLength(3);
  },
);

test('a folder that is dropped on the watched folders is watched, and a recording is converted as anywhere', async ({
  timbre,
}) => {
  const { page, folder, drop } = timbre;
  const watched = join(folder, 'takes');
  await mkdir(watched);
  const recording = join(watched, 'harbour.wav');
  await copyFile(wave, recording);
  await openView(page, 'Watch folders');
  await expect(page.getByText('No watched folders')).toBeVisible();
  await drop('main', [watched]);
  await expect(page.getByText(watched, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Choose voice' }).click();
  await page.getByRole('dialog').getByRole('option').first().click();
  await page.getByRole('button', { name: 'Watch this folder' }).click();
  await expect(page.getByText(/1 recording was already here/).first()).toBeVisible();
  await drop('main', [recording]);
  await expect(page.getByRole('heading', { name: 'Convert', exact: true })).toBeVisible();
  await expect(row(timbre, 'harbour')).toBeVisible();
});

test('a folder that is dropped while a dialog is open is neither watched nor converted', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  await watchFolder(timbre);
  const dropped = join(folder, 'takes');
  await mkdir(dropped);
  await copyFile(wave, join(dropped, 'harbour.wav'));
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('Control+k');
  await expect(dialog).toBeVisible();
  await drop('main', [dropped]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Stop watching…' }).click();
  await drop('dialog', [dropped]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Watch folders', exact: true })).toBeVisible();
  await openView(page, 'Convert');
  // Offered until something was converted.
  await expect(page.getByRole('button', { name: 'Try a 13-second sample' })).toBeVisible();
});

test('Enter that is held on the form of a folder does nothing in the form of the next one', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  const paths = ['one', 'two'].map((name) => join(folder, name));
  for (const path of paths) await mkdir(path);
  await chooseFile(timbre, folder);
  await openView(page, 'Watch folders');
  await expect(page.getByText('No watched folders')).toBeVisible();
  await drop('main', paths);
  await page.getByRole('button', { name: 'Choose voice' }).click();
  await page.getByRole('dialog').getByRole('option').first().click();
  await page.getByRole('button', { name: 'Watch this folder' }).focus();
  await page.keyboard.down('Enter');
  await expect(page.getByText(join(folder, 'two'), { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change folder' }).first()).toBeFocused();
  for (let time = 0; time < 3; time++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  // Another folder would be entered by now.
  await openView(page, 'Convert');
  await openView(page, 'Watch folders');
  await expect(page.getByText(join(folder, 'two'), { exact: true })).toBeVisible();
});

test('the baseline is asked about once, and after a kill nothing is converted twice', async ({ timbre }) => {
  const folder = join(timbre.folder, 'in');
  await mkdir(folder);
  await copyFile(wave, join(folder, 'old.wav'));
  await watchFolder(timbre);
  await expect(timbre.page.getByText(/1 recording was already here/).first()).toBeVisible();
  await timbre.page.getByRole('button', { name: 'Convert it' }).click();
  await expect(row(timbre, 'old.wav')).toContainText('Converted');

  await timbre.reopen(() => otherWave(join(folder, 'new.wav'), 7));
  await openView(timbre.page, 'Watch folders');
  await expect(row(timbre, 'new.wav')).toContainText('Converted');
  expect(await results(folder)).toHaveLength(2);
});

test('a file that is not converted says why, and the user may convert it anyway', async ({ timbre }) => {
  const folder = await watchFolder(timbre);
  await expect(timbre.page.getByText('Watching, no new files').first()).toBeVisible();
  await copyFile(wave, join(folder, 'a.wav'));
  await expect(row(timbre, 'a.wav')).toContainText('Converted');
  await copyFile(wave, join(folder, 'b.wav'));
  await expect(row(timbre, 'b.wav')).toContainText('Not converted: same audio as a.wav');
  await row(timbre, 'b.wav').getByRole('button', { name: 'Convert' }).click();
  await expect(row(timbre, 'b.wav')).toContainText('Converted');
  expect(await results(folder)).toHaveLength(2);
});

test('texts are spoken once they are switched on, in their last version, and history shows text and file', async ({
  timbre,
}) => {
  const { page } = timbre;
  const folder = await watchFolder(timbre);
  await expect(page.getByText('Watching, no new files').first()).toBeVisible();
  await writeFile(join(folder, 'letter.txt'), 'Good evening.');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  await page.getByRole('switch', { name: 'Speak text files' }).click();
  await page.getByRole('button', { name: 'Show preview' }).click();
  await expect(page.getByText('1 text', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(row(timbre, 'letter.txt')).toContainText('Spoken');

  await writeFile(join(folder, 'notes.md'), '# A draft');
  await writeFile(join(folder, 'notes.tmp'), 'The *last* version.');
  await rename(join(folder, 'notes.tmp'), join(folder, 'notes.md'));
  await writeFile(join(folder, 'empty.txt'), '');
  await expect(row(timbre, 'notes.md')).toContainText('Spoken');
  await expect(row(timbre, 'empty.txt')).toContainText('This file holds no text.');
  await writeFile(join(folder, 'copy.txt'), 'Good evening.');
  await expect(row(timbre, 'copy.txt')).toContainText('Not spoken: same text as letter.txt');
  expect(await results(folder)).toEqual(['letter, Low bronze.wav', 'notes, Low bronze.wav']);

  await openView(page, 'History');
  await row(timbre, 'notes.md').click();
  await expect(page.getByText('The last version.')).toBeVisible();
  await rm(join(folder, 'notes.md'));
  await page.getByRole('button', { name: 'Speak again', exact: true }).click();
  await expect.poll(() => results(folder)).toContain('notes, Low bronze (2).wav');
});
