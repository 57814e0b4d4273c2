import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { chooseFile, openView, type Timbre } from './app.ts';
import { expect, test } from './service.ts';

test.use({ isShared: true });

const rows = (page: Page): Locator => page.getByRole('grid', { name: 'Texts', exact: true }).getByRole('row');
const spoken = (page: Page): Locator => page.getByRole('grid', { name: 'Spoken' }).getByRole('row');
const status = (page: Page): Locator => page.getByRole('status').filter({ hasText: /text/ });
const speakButton = (page: Page, n: number): Locator =>
  page.getByRole('button', { name: `Speak ${n} text${n === 1 ? '' : 's'}` });

async function openSpeech(timbre: Timbre, out: string): Promise<void> {
  const { page } = timbre;
  await openView(page, 'Speech');
  await expect(page.getByRole('button', { name: 'Change voice' })).toBeVisible();
  await chooseFile(timbre, out);
  await page.getByRole('combobox', { name: 'Save to' }).selectOption('choose');
  await expect(page.getByRole('combobox', { name: 'Save to' })).toHaveValue('folder');
}

const wavs = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.wav')).toSorted();

test('a table is previewed with the errors of its rows, and one press speaks the good ones', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  await openSpeech(timbre, folder);
  const path = join(folder, 'list.csv');
  await writeFile(
    path,
    'text,voice,name\nGood morning.,Mango grove,first\n,,second\n"Hi, there.",Nobody,third\nBye.,,\n',
  );
  await drop('main', [path]);
  await expect(rows(page)).toHaveCount(5);
  // What is to be corrected comes first.
  await expect(rows(page).nth(1)).toContainText('No text to speak');
  await expect(rows(page).nth(2)).toContainText('No voice is called Nobody');
  await expect(status(page)).toContainText('2 texts, 17 characters to speak');
  await expect(status(page)).toContainText('2 texts can’t be spoken');
  expect(await wavs(folder)).toEqual([]);
  await speakButton(page, 2).click();
  await expect(spoken(page)).toHaveCount(2);
  await expect(spoken(page).filter({ hasText: 'Done' })).toHaveCount(2);
  expect(await wavs(folder)).toEqual(['first.wav', expect.stringMatching(/^list 5, .+\.wav$/)]);
  await expect(rows(page).nth(3)).toContainText('Spoken, free');
  await speakButton(page, 2).click();
  await expect(page.getByText('2 were already there.')).toBeVisible();
  expect(await wavs(folder)).toHaveLength(2);
});

test('a file that cannot be spoken is refused by its name', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  await openSpeech(timbre, folder);
  const path = join(folder, 'empty.txt');
  await writeFile(path, '');
  await drop('main', [path]);
  await expect(page.getByRole('alert').filter({ hasText: 'No text to speak in empty.txt' })).toBeVisible();
  await writeFile(path, Buffer.from('cff0e8e2e5f2', 'hex'));
  await drop('main', [path]);
  await expect(page.getByRole('alert').filter({ hasText: 'empty.txt isn’t plain text' })).toBeVisible();
});

test('the focus is in the texts of files while they are open, and back in the text once they are closed', async ({
  timbre,
}) => {
  const { page, folder, drop } = timbre;
  await openSpeech(timbre, folder);
  const path = join(folder, 'list.csv');
  await writeFile(path, 'One.\nTwo.\n');
  const editor = page.getByRole('textbox', { name: 'Text' });
  await editor.fill('First.\n\nSecond.');
  await expect(editor).toBeFocused();
  await drop('h1', [path]);
  await expect(rows(page).nth(1)).toBeFocused();
  await page.getByRole('button', { name: 'Back to the text' }).press('Enter');
  await expect(editor).toBeFocused();
  await page.getByRole('radio', { name: 'Sentences' }).click();
  const sentences = page.getByRole('grid', { name: 'Sentences' }).getByRole('row');
  await sentences.nth(1).focus();
  await drop('h1', [path]);
  await expect(rows(page).nth(1)).toBeFocused();
  await page.getByRole('button', { name: 'Back to the text' }).press('Enter');
  await expect(sentences.first()).toBeFocused();
});

test('subtitles and chapters are spoken as files of their own, and a text is opened in the editor', async ({
  timbre,
}) => {
  const { page, folder } = timbre;
  await openSpeech(timbre, folder);
  const subtitles = join(folder, 'talk.srt');
  await writeFile(subtitles, '1\n00:00:01,000 --> 00:00:02,000\nHello <i>there</i>.\n');
  await chooseFile(timbre, subtitles);
  await page.getByRole('button', { name: 'Open text' }).click();
  await expect(rows(page).nth(1)).toContainText('1 subtitle: Hello there.');
  await speakButton(page, 1).click();
  await expect(spoken(page)).toContainText('Done');
  expect(await wavs(folder)).toEqual([expect.stringMatching(/^talk, .+\.wav$/)]);

  const book = join(folder, 'book.md');
  await writeFile(book, '# Book\n\n## One\n\nFirst *words*.\n\n## Two\n\nLast words.\n');
  await chooseFile(timbre, book);
  await page.getByRole('button', { name: 'Open text' }).click();
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).nth(2)).toContainText('2 One');
  await page.getByRole('radio', { name: 'A file per text' }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Edit as text' }).click();
  await expect(page.getByRole('textbox', { name: 'Text' })).toHaveValue(/^Book\.\n\nOne\.\n\nFirst words\./);
});

test('each paragraph of the text becomes a file, for nothing where it is spoken, and the text is still there', async ({
  timbre,
}) => {
  const { page, folder } = timbre;
  await openSpeech(timbre, folder);
  const editor = page.getByRole('textbox', { name: 'Text' });
  const divide = page.getByRole('button', { name: 'A file per paragraph' });
  await editor.fill('One. Two.');
  await expect(page.getByText('9 characters')).toBeVisible();
  await expect(divide).toBeHidden();
  await editor.fill('One. Two.\n\nThree.');
  await page.getByRole('button', { name: /^Speak/ }).click();
  await expect(spoken(page)).toContainText('Done');
  await editor.fill('One. Two.\n\nThree.\n\nFour.');
  await divide.press('Enter');
  const paragraphs = rows(page);
  await expect(paragraphs).toHaveCount(4);
  await expect(paragraphs.nth(1)).toBeFocused();
  await expect(paragraphs.nth(1)).toContainText('Spoken, free');
  await expect(paragraphs.nth(3)).toContainText('5 characters');
  await expect(status(page)).toContainText('3 texts, 5 characters to speak');
  await speakButton(page, 3).click();
  await expect(spoken(page).filter({ hasText: 'Done' })).toHaveCount(4);
  const names = await wavs(folder);
  expect(names).toHaveLength(4);
  for (const [k, number] of [1, 2, 3].entries()) expect(names[k]).toMatch(`One. Two. Three. Four. 00${number}, `);
  await page.getByRole('button', { name: 'Back to the text' }).press('Enter');
  await expect(editor).toBeFocused();
  await expect(editor).toHaveValue('One. Two.\n\nThree.\n\nFour.');

  await editor.fill('1\n00:00:01,000 --> 00:00:02,000\nFour.\n\n2\n00:00:03,000 --> 00:00:04,000\nFive.\n');
  await expect(page.getByText('2 subtitles')).toBeVisible();
  await page.getByRole('button', { name: 'Speak 1 sentence' }).click();
  await expect(spoken(page).filter({ hasText: 'Four. Five.' })).toContainText('Done');
});
