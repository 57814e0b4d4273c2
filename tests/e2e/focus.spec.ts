import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { chooseFile, openView, pauseQueue, tab, watchFolder, type Timbre } from './app.ts';
import { samples } from './run-command.ts';
import { addService, expect, test } from './service.ts';

test.use({ isShared: true });

const focusOf = (place: Locator): Locator => place.and(place.page().locator(':focus'));
const rows = (page: Page): Locator => page.getByRole('grid', { name: 'Queue' }).getByRole('row');
const chooseButton = (page: Page): Locator => page.getByRole('button', { name: 'Choose recordings' });

/** Counts the frames in which nothing has the focus. */
const watchFocus = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const found = globalThis as { framesWithoutFocus?: number };
    found.framesWithoutFocus = 0;
    const look = (): void => {
      if (document.activeElement === document.body) found.framesWithoutFocus = (found.framesWithoutFocus ?? 0) + 1;
      requestAnimationFrame(look);
    };
    look();
  });
const expectFocusThroughout = async (page: Page): Promise<void> =>
  expect(await page.evaluate(() => (globalThis as { framesWithoutFocus?: number }).framesWithoutFocus)).toBe(0);

/** Adds recordings to a queue that is paused. */
async function addPaused(timbre: Timbre, names: readonly string[]): Promise<void> {
  const { page, folder, drop } = timbre;
  for (const name of names) await copyFile(join(samples, 'harbour.wav'), join(folder, name));
  await pauseQueue(timbre);
  await drop(
    'main',
    names.map((name) => join(folder, name)),
  );
  await expect(rows(page)).toHaveCount(names.length);
}

async function useSample({ page }: Timbre): Promise<void> {
  await page.getByRole('button', { name: 'Try a 13-second sample' }).click();
  await expect(tab(page, 'Done')).toContainText('1');
}

test('the first files that are chosen get the focus in the queue', async ({ timbre }) => {
  const { page } = timbre;
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  const path = join(timbre.folder, 'harbour.wav');
  await copyFile(join(samples, 'harbour.wav'), path);
  await chooseFile(timbre, path);
  await chooseButton(page).focus();
  await watchFocus(page);
  await page.keyboard.press('Enter');
  // It is done within a second, and the queue is empty again.
  await expect(tab(page, 'Done')).toContainText('1');
  await expect(focusOf(page.getByRole('button', { name: 'Watch a folder' }))).toBeVisible();
  await expectFocusThroughout(page);
});

test('a list that is cleared gives the focus to its tab, and an undone addition to the next row', async ({
  timbre,
}) => {
  const { page } = timbre;
  await useSample(timbre);
  await tab(page, 'Done').click();
  await page.getByRole('button', { name: 'Clear list' }).focus();
  await watchFocus(page);
  await page.keyboard.press('Enter');
  await expect(focusOf(tab(page, 'Done'))).toBeVisible();
  await expectFocusThroughout(page);

  await tab(page, 'Queue').click();
  await addPaused(
    timbre,
    Array.from({ length: 8 }, (_, k) => `take ${k + 1}.wav`),
  );
  await copyFile(join(samples, 'harbour.wav'), join(timbre.folder, 'last.wav'));
  await timbre.drop('main', [join(timbre.folder, 'last.wav')]);
  // A key that comes before the answer, as the row may, takes nothing back.
  await expect(page.getByText('Added 1 recording.').first()).toBeVisible();
  await rows(page).filter({ hasText: 'last' }).focus();
  await page.keyboard.press('Control+z');
  await expect(rows(page).filter({ hasText: 'last' })).toHaveCount(0);
  await expect(focusOf(rows(page))).toHaveCount(1);
  await expectFocusThroughout(page);
});

test('a view that is opened by its key or the palette has the focus', async ({ timbre }) => {
  const { page } = timbre;
  await useSample(timbre);
  await tab(page, 'Queue').focus();
  await watchFocus(page);
  for (const key of [2, 3, 4, 5, 6, 7, 8, 1]) {
    await page.keyboard.press(`Control+${key}`);
    await expect(page.locator('main :focus')).toHaveCount(1);
  }
  await page.keyboard.press('Control+3');
  await expect(page.getByRole('grid').locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Control+5');
  await expect(page.getByRole('grid').locator(':focus')).toHaveCount(1);

  await openView(page, 'Settings');
  await expect(page.locator('nav :focus')).toHaveCount(1);
  await page.keyboard.press('Control+4');
  await expect(focusOf(page.getByRole('textbox', { name: 'Text' }))).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Settings: Language');
  await page.keyboard.press('Enter');
  await expect(focusOf(page.getByRole('combobox', { name: 'Language' }))).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Settings: Updates');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Updates' })).toBeInViewport();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Go to Voices');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid').locator(':focus')).toHaveCount(1);
  await expectFocusThroughout(page);
});

test('Speak and the choice of a speaker’s voice keep the focus', async ({ timbre }) => {
  const { page } = timbre;
  await openView(page, 'Speech');
  await expect(page.getByRole('button', { name: 'Change voice' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Text' }).fill('Anna: Hi.\nBen: Hi.\nAnna: Bye.');
  const speak = page.getByRole('button', { name: /^Speak/ });
  await speak.focus();
  await watchFocus(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: 'Spoken' }).getByRole('row')).toBeVisible();
  await expect(page.locator('main button:focus')).toContainText('Speak');

  const voiceOf = page.getByRole('button', { name: /^Anna: / });
  await voiceOf.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('combobox').press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(focusOf(voiceOf)).toBeVisible();
  await page.getByRole('button', { name: 'Remove the voice of Anna' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('aside :focus')).toHaveCount(1);
  await expectFocusThroughout(page);
});

test('what is removed or cleared gives the focus to what is nearest', async ({ timbre }) => {
  const { page } = timbre;
  const stopWatching = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Stop watching…' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop watching' }).press('Enter');
    await expect(page.getByRole('heading', { name, exact: true })).toHaveCount(0);
  };
  await watchFolder(timbre);
  await watchFolder(timbre, undefined, 'second');
  await watchFocus(page);
  // Not on the same button, which is now for the next folder.
  await stopWatching('second');
  await expect(focusOf(page.getByRole('option', { name: 'in' }))).toBeVisible();
  await stopWatching('in');
  await expect(page.locator('main :focus')).toHaveCount(1);

  await page.keyboard.press('Control+3');
  await page.getByRole('textbox', { name: 'Search voices' }).fill('zzzz');
  await page.getByRole('button', { name: /^Remove “/ }).press('Enter');
  await expect(page.getByRole('grid').locator(':focus')).toHaveCount(1);
  await expectFocusThroughout(page);
});

test('voices that are requested again leave the focus on the button, and fail without a trace', async ({
  timbre,
  service,
}) => {
  const { page } = timbre;
  await addService(timbre, service);
  for (const view of ['Convert', 'Speech', 'Voices']) {
    await openView(page, view);
    const again = page.getByRole('main').getByRole('button', { name: 'Try again' }).first();
    await again.focus();
    for (let time = 0; time < 3; time++) {
      const before = service.count({ operation: 'voices' });
      // A press while the answer to the one before is still on its way asks nothing.
      await expect
        .poll(async () => {
          await page.keyboard.press('Enter');
          return service.count({ operation: 'voices' });
        })
        .toBeGreaterThan(before);
      await expect(focusOf(again)).toBeVisible();
    }
  }
  await openView(page, 'Speech');
  await expect(page.getByRole('textbox', { name: 'Text' })).toHaveValue('');
});

test('the form of a service leaves the focus to the button that opened it', async ({ timbre, service }) => {
  const { page } = timbre;
  await addService(timbre, service);
  const edit = page.getByRole('button', { name: 'Edit Studio' });
  for (const name of ['Cancel', 'Save']) {
    await edit.focus();
    await page.keyboard.press('Enter');
    const button = page.getByRole('main').locator('form').getByRole('button', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(button).toHaveCount(0);
    await expect(focusOf(edit)).toBeVisible();
  }
});

test('an arrow key changes nothing in a view that was just opened', async ({ timbre }) => {
  const { page } = timbre;
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await page.keyboard.press('Control+7');
  await expect(focusOf(page.getByRole('heading', { name: 'Settings' }))).toBeVisible();
  const theme = page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { checked: true });
  await expect(theme).toHaveAccessibleName('System');
  await page.keyboard.press('ArrowDown');
  await expect(theme).toHaveAccessibleName('System');
  await page.keyboard.press('Control+5');
  await expect(focusOf(page.getByRole('heading', { name: 'History' }))).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('tab', { selected: true })).not.toContainText('Statistics');
});

test('the voice and the sentence that have the focus are in view', async ({ timbre }) => {
  const { page } = timbre;
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  const inView = (): Promise<boolean> =>
    page.evaluate(() => {
      const row = document.activeElement?.getBoundingClientRect();
      const list = document.activeElement?.closest('.scroll')?.getBoundingClientRect();
      return row !== undefined && list !== undefined && row.top >= list.top && row.bottom <= list.bottom;
    });
  await page.keyboard.press('Control+3');
  await expect(page.getByRole('gridcell').and(page.locator(':focus'))).toBeVisible();
  await page.keyboard.press('End');
  await page.keyboard.press('Control+1');
  await expect(page.getByRole('gridcell')).toHaveCount(0);
  await page.keyboard.press('Control+3');
  await expect(page.getByRole('gridcell').and(page.locator(':focus'))).toBeVisible();
  await expect.poll(inView).toBe(true);

  await openView(page, 'Speech');
  const text = Array.from({ length: 60 }, (_, k) => `Gull ${k + 1} sat down. `.repeat(1 + (k % 3))).join('\n\n');
  await page.getByRole('textbox', { name: 'Text' }).fill(text);
  await page.getByRole('radio', { name: 'Sentences' }).click();
  const sentences = page.getByRole('grid', { name: 'Sentences' }).getByRole('row');
  await sentences.first().focus();
  for (const key of ['End', 'Home', 'PageDown', 'PageDown']) {
    await page.keyboard.press(key);
    await expect.poll(inView).toBe(true);
  }
});
