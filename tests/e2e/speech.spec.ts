import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { addService, expect, giveToken, right, test } from './service.ts';
import { chooseFile, openView, playWithoutEnd, quit, type Timbre } from './app.ts';

test.use({ isShared: true });

const editor = (page: Page): Locator => page.getByRole('textbox', { name: 'Text' });
const spoken = (page: Page): Locator => page.getByRole('grid', { name: 'Spoken' }).getByRole('row');
const speakButton = (page: Page): Locator => page.getByRole('button', { name: /^Speak/ });

/** Goes to the view once a voice is there; what is spoken goes into the test's own folder. */
async function openSpeech(timbre: Timbre): Promise<void> {
  const { page, folder } = timbre;
  await openView(page, 'Speech');
  await expect(page.getByRole('button', { name: 'Change voice' })).toBeVisible();
  await expect(editor(page)).toBeEditable();
  await chooseFile(timbre, folder);
  await page.getByRole('combobox', { name: 'Save to' }).selectOption('choose');
  await expect(page.getByRole('combobox', { name: 'Save to' })).toHaveValue('folder');
}

test('a text is spoken by keyboard alone, played, and saved as a file', async ({ timbre }) => {
  const { page, folder } = timbre;
  await openSpeech(timbre);
  await editor(page).focus();
  await page.keyboard.type('Good evening, and welcome aboard.');
  await expect(page.getByText('33 characters')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(spoken(page)).toContainText('Done');
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^Good evening, and welcome aboard\., .+\.wav$/)]);
  const [name = ''] = await readdir(folder);
  expect((await readFile(join(folder, name))).toString('latin1', 0, 4)).toBe('RIFF');

  await playWithoutEnd(page);
  await spoken(page).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('slider', { name: 'Position' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
});

test('a draft survives a restart unchanged, whatever its length', async ({ timbre }) => {
  const { dataFolder } = timbre;
  await openSpeech(timbre);
  const book = `${'Grüße aus dem Hafen. 🌊\n'.repeat(6000)}Ende`;
  // `fill` takes half a minute for it on a busy machine.
  await editor(timbre.page).evaluate((field: HTMLTextAreaElement, text) => {
    field.value = text;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }, book);
  await expect.poll(() => readFile(join(dataFolder, 'speech', 'draft.txt'), 'utf8').catch(() => '')).toBe(book);
  await timbre.reopen();
  await openView(timbre.page, 'Speech');
  // A long text is shown in part.
  await expect(editor(timbre.page)).toHaveValue(book.slice(0, 10_000));
  await expect(timbre.page.getByText(/ characters/)).toContainText(
    new Intl.NumberFormat('en').format(book.length - 6000),
  );
  expect(await readFile(join(dataFolder, 'speech', 'draft.txt'), 'utf8')).toBe(book);
});

test('a book that is opened is shown in part and spoken as a whole, and one undo restores the draft', async ({
  timbre,
}) => {
  const { page, folder } = timbre;
  await openSpeech(timbre);
  await editor(page).fill('My own words.');
  const path = join(folder, 'book.txt');
  const book = 'The ferry had left.\r\n\r\nHe counted the gulls.\r\n\r\n'.repeat(4000);
  await writeFile(path, book);
  await timbre.drop('main', [path]);
  await expect(page.getByText('8,000 of 8,000 sentences still to speak')).toBeVisible();
  await expect(editor(page)).not.toBeEditable();
  await expect(editor(page)).toHaveValue(book.replaceAll('\r', '').slice(0, 10_000));
  await page.keyboard.press('Control+z');
  await expect(editor(page)).toHaveValue('My own words.');
  await expect(editor(page)).toBeEditable();
});

test('words of a sentence that are being changed are kept, however their field closes', async ({ timbre }) => {
  const { dataFolder, folder } = timbre;
  const draft = () => readFile(join(dataFolder, 'speech', 'draft.txt'), 'utf8').catch(() => '');
  const sentences = () => timbre.page.getByRole('grid', { name: 'Sentences' }).getByRole('row');
  async function change(words: string): Promise<void> {
    await timbre.page.getByRole('radio', { name: 'Sentences' }).click();
    await sentences().nth(1).focus();
    await timbre.page.keyboard.press('Enter');
    await expect(sentences().getByRole('textbox')).toBeFocused();
    await timbre.page.keyboard.press('Control+a');
    await timbre.page.keyboard.type(words);
  }
  await openSpeech(timbre);
  await editor(timbre.page).fill('The ferry had left. He counted the gulls.\n\nNobody paid for the oil.');
  await change('He counted the herons.');
  const table = join(folder, 'table.csv');
  await writeFile(table, 'text\nGood evening.\nWelcome aboard.\n');
  await timbre.drop('h1', [table]);
  await timbre.page.getByRole('button', { name: 'Back to the text' }).click();
  await expect(timbre.page.getByText('Something went wrong')).toHaveCount(0);
  await expect.poll(draft).toContain('He counted the herons.');

  await change('He counted the swans.');
  await quit(timbre);
  await timbre.ended();
  expect(await draft()).toContain('He counted the swans.');
});

test('the keys of the window work in the field of a sentence, and its words survive them', async ({ timbre }) => {
  const { page } = timbre;
  await openSpeech(timbre);
  await editor(page).fill('The ferry had left.\n\nHe counted the gulls.');
  await page.getByRole('radio', { name: 'Sentences' }).click();
  const rows = page.getByRole('grid', { name: 'Sentences' }).getByRole('row');
  const field = rows.getByRole('textbox');
  await rows.nth(1).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('One day ');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('One day He counted the gulls.');
  await page.keyboard.press('End');
  await page.keyboard.type(' v');
  await page.keyboard.press('ControlOrMeta+1');
  await expect(page.getByRole('heading', { level: 1, name: 'Speech' })).toHaveCount(0);
  await openView(page, 'Speech');
  await expect(editor(page)).toHaveValue('The ferry had left.\n\nOne day He counted the gulls. v');
});

test('the last sentence that is deleted leaves an empty text, and one undo brings it back', async ({ timbre }) => {
  const { page } = timbre;
  await openSpeech(timbre);
  await editor(page).fill('The ferry had left.\n\nHe counted the gulls.\n');
  await page.getByRole('radio', { name: 'Sentences' }).click();
  const rows = page.getByRole('grid', { name: 'Sentences' }).getByRole('row');
  for (const left of [1, 0]) {
    await rows.first().focus();
    await page.keyboard.press('Enter');
    await expect(rows.getByRole('textbox')).toBeFocused();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await expect(rows).toHaveCount(left);
  }
  await expect(editor(page)).toBeFocused();
  await expect(editor(page)).toHaveValue('');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(editor(page)).toHaveValue('He counted the gulls.\n');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(editor(page)).toHaveValue('The ferry had left.\n\nHe counted the gulls.\n');
});

test('a text file replaces the draft, and one undo restores the draft, also after another view was shown', async ({
  timbre,
}) => {
  const { page, folder } = timbre;
  await openSpeech(timbre);
  await editor(page).fill('My own words.');
  const path = join(folder, 'chapter.txt');
  await writeFile(path, '\ufeffThe ferry had left without him again.\n');
  await chooseFile(timbre, path);
  await page.getByRole('button', { name: 'Open text' }).click();
  await expect(editor(page)).toHaveValue('The ferry had left without him again.\n');
  await openView(page, 'History');
  await openView(page, 'Speech');
  await editor(page).press('Control+z');
  await expect(editor(page)).toHaveValue('My own words.');

  // Western letters are read as old Windows programs saved them; others could be anything.
  await writeFile(path, Buffer.from('cff0e8e2e5f2', 'hex'));
  await page.getByRole('button', { name: 'Open text' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'chapter.txt isn’t plain text.' })).toBeVisible();
  await expect(editor(page)).toHaveValue('My own words.');
});

test('a text over the limit of a service is spoken in parts, whose number is stated before', async ({
  timbre,
  service,
}) => {
  const { page } = timbre;
  await addService(timbre, service, { limits: { maxTextLength: 20 } });
  await giveToken(page, right);
  await openSpeech(timbre);
  await editor(page).fill('Good evening to all of you.');
  await expect(page.getByText('2 of 2 sentences still to speak, 26 characters')).toBeVisible();
  await expect(page.getByText('2 calls to Studio')).toBeVisible();
  expect(service.count({ operation: 'speech' })).toBe(0);
  await speakButton(page).click();
  await expect(spoken(page)).toContainText('Done');
  expect(service.count({ operation: 'speech' })).toBe(2);
});

test('a long text is listened to while it is spoken, and a changed sentence costs one call', async ({
  timbre,
  service,
}) => {
  const { page, folder } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  await openSpeech(timbre);
  const chapter = ['The ferry had left.', 'He counted the gulls.', 'Eleven.', 'Nobody paid for the oil.'];
  await editor(page).fill(chapter.join('\n\n'));
  await expect(page.getByText('4 of 4 sentences still to speak')).toBeVisible();
  const [third, fourth] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  service.script(
    [third, fourth].map(({ promise }, k) => ({
      operation: 'speech',
      when: ({ text }) => text === chapter[k + 2],
      fault: { kind: 'hold', until: promise },
    })),
  );
  await speakButton(page).click();
  await expect(spoken(page)).toContainText('2 of 4 sentences');

  // By keyboard: to the sentences, to the first one, and listen.
  await page.getByRole('radio', { name: 'Text' }).focus();
  await page.keyboard.press('ArrowRight');
  const sentences = page.getByRole('grid', { name: 'Sentences' });
  await expect(sentences.getByRole('row')).toHaveCount(4);
  await sentences.getByRole('row').first().focus();
  await page.keyboard.press('Space');
  await expect(sentences.getByRole('button', { name: 'Stop listening' })).toHaveCount(1);
  await expect(sentences.getByRole('row').nth(2).getByRole('button', { name: 'Stop listening' })).toBeVisible();
  third.resolve();
  await expect(sentences.getByRole('row').nth(3).getByRole('button', { name: 'Stop listening' })).toBeVisible();
  fourth.resolve();
  await expect(spoken(page)).toContainText('Done');
  await expect(page.getByText('All 4 sentences are spoken')).toBeVisible();
  expect(service.count({ operation: 'speech' })).toBe(4);

  await sentences.getByRole('row').nth(2).focus();
  await page.keyboard.press('Enter');
  await expect(sentences.getByRole('textbox', { name: 'Edit “Eleven.”' })).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Twelve.');
  await page.keyboard.press('Enter');
  await expect(sentences.getByRole('row').nth(2)).toBeFocused();
  await expect(page.getByText('1 of 4 sentences still to speak, 7 characters')).toBeVisible();
  await page.getByRole('button', { name: 'Speak 1 sentence' }).click();
  await expect(spoken(page).filter({ hasText: 'Done' })).toHaveCount(2);
  expect(service.count({ operation: 'speech' })).toBe(5);
  expect((await readdir(folder)).filter((name) => name.endsWith('.wav'))).toHaveLength(2);
});

test('sentences are split, joined and undone by keyboard, and the text keeps it', async ({ timbre }) => {
  const { page } = timbre;
  await openSpeech(timbre);
  await editor(page).fill('He counted the gulls, and there were eleven.\n\nNobody paid. Nobody asked.');
  await page.getByRole('radio', { name: 'Sentences' }).click();
  const rows = page.getByRole('grid', { name: 'Sentences' }).getByRole('row');
  const words = async (...texts: readonly string[]) => {
    await expect(rows).toHaveCount(texts.length);
    for (const [k, text] of texts.entries()) await expect(rows.nth(k).locator('p')).toHaveText(text);
  };
  await words('He counted the gulls, and there were eleven.', 'Nobody paid.', 'Nobody asked.');

  await rows.first().focus();
  await page.keyboard.press('Enter');
  for (let k = 0; k < 'He counted the gulls,'.length; k += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await words('He counted the gulls,', 'and there were eleven.', 'Nobody paid.', 'Nobody asked.');
  await expect(rows.nth(1)).toBeFocused();

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Backspace');
  await words('He counted the gulls,', 'and there were eleven.', 'Nobody paid. Nobody asked.');
  await expect(rows.nth(2)).toBeFocused();

  await page.keyboard.press('ControlOrMeta+z');
  await words('He counted the gulls,', 'and there were eleven.', 'Nobody paid.', 'Nobody asked.');
  await rows.nth(2).getByRole('button', { name: 'More for' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Join with next sentence' }).press('Enter');
  await words('He counted the gulls,', 'and there were eleven.', 'Nobody paid. Nobody asked.');

  await rows.nth(2).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Lost');
  await page.keyboard.press('Escape');
  await expect(rows.nth(2)).toBeFocused();
  await words('He counted the gulls,', 'and there were eleven.', 'Nobody paid. Nobody asked.');

  await rows.nth(1).getByRole('button', { name: 'More for' }).click();
  await page.getByRole('menuitem', { name: 'Show in text' }).click();
  await expect(editor(page)).toBeFocused();
  await page.keyboard.type('all of them grey.');
  await page.getByRole('radio', { name: 'Sentences' }).click();
  await words('He counted the gulls,', 'all of them grey.', 'Nobody paid. Nobody asked.');
});

test('a sentence is spoken again for one call, once the user says so, and any of its takes can be chosen', async ({
  timbre,
  service,
}) => {
  const { page } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  await openSpeech(timbre);
  await editor(page).fill('The ferry had left.\n\nEleven.');
  await speakButton(page).click();
  await expect(spoken(page)).toContainText('Done');
  expect(service.count({ operation: 'speech' })).toBe(2);

  await page.getByRole('radio', { name: 'Sentences' }).click();
  const row = page.getByRole('grid', { name: 'Sentences' }).getByRole('row').nth(1);
  await row.getByRole('button', { name: 'More for' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Speak again' }).click();
  await expect(row).toContainText('Will be spoken again');
  await expect(page.getByText('1 of 2 sentences still to speak, 7 characters')).toBeVisible();
  expect(service.count({ operation: 'speech' })).toBe(2);
  await page.getByRole('button', { name: 'Speak 1 sentence' }).click();
  await expect(spoken(page).filter({ hasText: 'Done' })).toHaveCount(2);
  await expect(page.getByText('All 2 sentences are spoken')).toBeVisible();
  expect(service.count({ operation: 'speech' })).toBe(3);

  const take = (n: number) => page.getByRole('menuitemcheckbox', { name: `Take ${n}` });
  await row.getByRole('button', { name: 'More for' }).click();
  await expect(take(2)).toBeChecked();
  await playWithoutEnd(page);
  await take(1).click();
  await expect(row.getByRole('button', { name: 'Stop listening' })).toBeVisible();
  await row.getByRole('button', { name: 'More for' }).click();
  await expect(take(1)).toBeChecked();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save audio' }).click();
  await expect(spoken(page).filter({ hasText: 'Done' })).toHaveCount(3);
  expect(service.count({ operation: 'speech' })).toBe(3);
});

test('each speaker has a voice of their own, and words are pronounced as the user says', async ({
  timbre,
  service,
}) => {
  const { page } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  await openSpeech(timbre);
  await editor(page).fill('Late.\n\nAnna: It is nginx.\nBen: Oh.\n\nAnna: Yes.\nBen: No.');
  for (const [name, voice] of [
    ['Anna', 'Low bronze'],
    ['Ben', 'Quiet harbour'],
  ] as const) {
    await page.getByRole('button', { name: `${name}: Choose a voice` }).click();
    await page.getByRole('combobox', { name: `Find a voice for ${name}` }).fill(voice);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: `${name}: ${voice}` })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Pronunciation…' }).click();
  await page.getByRole('textbox', { name: 'Word', exact: true }).fill('nginx');
  await page.getByRole('textbox', { name: 'Spoken as', exact: true }).fill('engine x');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'nginx is spoken as' })).toHaveValue('engine x');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByText('5 of 5 sentences still to speak')).toBeVisible();
  await speakButton(page).click();
  await expect(spoken(page)).toContainText('Done');
  const texts = service.calls.filter(({ operation }) => operation === 'speech').map(({ text }) => text);
  expect(texts).toEqual(['Late.', 'It is engine x.', 'Oh.', 'Yes.', 'No.']);
  await expect(editor(page)).toHaveValue(/nginx/);

  await page.getByRole('radio', { name: 'Text' }).focus();
  await page.keyboard.press('ArrowRight');
  const rows = page.getByRole('grid', { name: 'Sentences' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Anna: It is nginx.');
  await expect(rows.nth(1)).toContainText('It is nginx.');
  await expect(rows.first()).not.toContainText('Anna');
});

test('speech whose response was lost waits for the user, who is warned that a retry may be charged again', async ({
  timbre,
  service,
}) => {
  const { page, folder } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  await openSpeech(timbre);
  service.script([{ operation: 'speech', fault: { kind: 'drop-after' } }]);
  await editor(page).fill('Nobody could say who paid for the oil.');
  await speakButton(page).click();
  await expect(spoken(page)).toContainText('The response was lost.');
  await expect(page.getByText('If you speak it again, Studio may charge you again.')).toBeVisible();
  expect(service.count({ operation: 'speech' })).toBe(1);

  service.script([]);
  await spoken(page).getByRole('button', { name: 'Speak again' }).click();
  await expect(spoken(page)).toContainText('Done');
  expect(service.count({ operation: 'speech' })).toBe(2);
  expect((await readdir(folder)).filter((name) => name.endsWith('.wav'))).toHaveLength(1);
});
