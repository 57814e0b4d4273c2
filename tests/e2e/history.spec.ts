import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright/test';
import { harbour, lantern, outcome, pane, row, rows, takesOf, withHistory } from './history-page.ts';
import { chooseFile, expect, openView, playbackSeconds, playWithoutEnd, test, type Timbre } from './app.ts';
import { samples } from './run-command.ts';

test.use({ isShared: true });

/** What the recordings become. */
const harbourResult = 'harbour, Low bronze.wav';
const lanternResult = 'lantern, Low bronze.mp3';

const search = ({ page }: Timbre) => page.getByRole('combobox', { name: 'Search history' });
/** Whether something is drawn on it. */
const isDrawn = (canvas: Locator) =>
  canvas.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement;
    const pixels = (element as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data;
    return pixels?.some((value) => value > 0) ?? false;
  });

test('a conversion is in History after a restart, can be found, drawn and played, and compared at the same position', async ({
  timbre,
}) => {
  await withHistory(timbre);
  await timbre.reopen();
  const { page } = timbre;
  await openView(page, 'History');
  await expect(rows(timbre)).toHaveCount(2);
  await expect(rows(timbre).first()).toContainText(lantern);
  await expect(page.getByText('2 entries', { exact: true })).toBeVisible();

  await search(timbre).fill('harb');
  await expect(rows(timbre)).toHaveCount(1);
  await expect(row(timbre, harbour)).toBeVisible();
  await expect(page.getByText('1 of 2 entries')).toBeVisible();
  await search(timbre).fill('status:done');
  await expect(rows(timbre)).toHaveCount(2);
  await search(timbre).fill('status:failed');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).first().click();
  await expect(rows(timbre)).toHaveCount(2);

  await row(timbre, harbour).click();
  await expect(pane(timbre)).toContainText('Low bronze');
  await expect(pane(timbre)).toContainText('This computer');
  await expect.poll(() => isDrawn(row(timbre, harbour).locator('canvas').first())).toBe(true);
  await expect.poll(() => isDrawn(pane(timbre).locator('canvas').first())).toBe(true);
  await playWithoutEnd(page);
  await row(timbre, harbour)
    .getByRole('button', { name: `Listen to ${harbour}` })
    .click();
  await expect.poll(() => playbackSeconds(timbre.page)).toBeGreaterThan(0.1);
  await page.getByRole('slider', { name: 'Position' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => playbackSeconds(timbre.page)).toBeGreaterThan(5);
  await page.keyboard.press('a');
  await expect(page.getByRole('radio', { name: /Original/ })).toBeChecked();
  await expect.poll(() => playbackSeconds(timbre.page)).toBeGreaterThan(5);
  await page.keyboard.press('b');
  await expect(page.getByRole('radio', { name: /Result/ })).toBeChecked();
});

test('a result that moved nearby is found automatically, a deleted one is flagged, and repeated with one button', async ({
  timbre,
}) => {
  await withHistory(timbre);
  const folder = takesOf(timbre);
  await timbre.reopen(async () => {
    await mkdir(join(folder, 'sorted'));
    await rename(join(folder, harbourResult), join(folder, 'sorted', harbourResult));
    await rm(join(folder, lanternResult));
  });
  const { page } = timbre;
  await openView(page, 'History');
  await expect(row(timbre, lantern)).toContainText('File missing.');
  await expect(row(timbre, harbour)).not.toContainText('File missing.');
  await row(timbre, harbour).click();
  await expect(pane(timbre)).toContainText(join(folder, 'sorted'));
  await row(timbre, harbour)
    .getByRole('button', { name: `Listen to ${harbour}` })
    .click();
  await expect.poll(() => playbackSeconds(timbre.page)).toBeGreaterThan(0.1);

  await row(timbre, lantern).click({ position: { x: 200, y: 10 } });
  await expect(pane(timbre)).toContainText('The file was moved or deleted.');
  await pane(timbre).getByRole('button', { name: 'Create file again' }).dblclick();
  await expect(outcome(timbre, '1 entry added to the queue with the same settings.')).toBeVisible();
  await expect(rows(timbre)).toHaveCount(3);
  await expect.poll(() => readdir(folder)).toContain(lanternResult);
  // Two clicks were one wish.
  await openView(page, 'Convert');
  await expect(page.getByRole('tab', { name: 'Done' })).toContainText('3');
  await expect(page.getByRole('tab', { name: 'Queue' })).not.toContainText('1');
});

test('an original that another recording replaced is reported, and can be located', async ({ timbre }) => {
  await withHistory(timbre);
  const folder = takesOf(timbre);
  const kept = join(folder, 'kept.wav');
  const changed = pane(timbre).getByText('The original has changed since');
  await row(timbre, harbour).click({ position: { x: 200, y: 10 } });
  await expect(pane(timbre)).toContainText(harbour);
  await expect(changed).toHaveCount(0);
  await rename(join(folder, harbour), kept);
  await copyFile(join(samples, lantern), join(folder, harbour));
  await row(timbre, lantern).click({ position: { x: 200, y: 10 } });
  await expect(pane(timbre)).toContainText(lantern);
  await expect(changed).toHaveCount(0);
  await row(timbre, harbour).click({ position: { x: 200, y: 10 } });
  await expect(changed).toBeVisible();
  await chooseFile(timbre, kept);
  await pane(timbre).getByRole('button', { name: 'Find file' }).click();
  await expect(changed).toHaveCount(0);
  await expect(pane(timbre)).toContainText('kept.wav');
});

test('a removed entry is gone after the confirmation, and Ctrl Z restores it and its file, byte-equal', async ({
  timbre,
}) => {
  await withHistory(timbre);
  const { page } = timbre;
  const folder = takesOf(timbre);
  const result = join(folder, harbourResult);
  const before = await readFile(result);
  await row(timbre, harbour).click();
  await page.keyboard.press('Delete');
  const question = page.getByRole('dialog', { name: 'Remove 1 entry?' });
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(rows(timbre)).toHaveCount(2);

  await page.keyboard.press('Delete');
  await question.getByRole('radio', { name: /Entry and result/ }).check();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(outcome(timbre, '1 entry and 1 file removed.')).toBeVisible();
  await expect(rows(timbre)).toHaveCount(1);
  expect(await stat(result).catch(() => null)).toBeNull();
  expect(await readdir(folder)).toContain(harbour);

  await page.keyboard.press('Control+z');
  await expect(outcome(timbre, '1 entry restored.')).toBeVisible();
  await expect(rows(timbre)).toHaveCount(2);
  expect(await readFile(result)).toEqual(before);
  await expect(row(timbre, harbour)).not.toContainText('File missing.');
});

test('an invalid search says why and what to do, and runs once it is corrected', async ({ timbre }) => {
  await withHistory(timbre);
  const { page } = timbre;
  for (const [text, fault] of [
    ['after:someday', '“after:someday” isn’t a date. Use 2026, 2026-11 or 2026-11-18.'],
    ['colour:red', 'There is no filter “colour:red”. Put it in quotes to search for it as text.'],
    ['status:lost', '“status:lost” isn’t a value of this filter. Choose one of the suggestions.'],
  ] as const) {
    await search(timbre).fill(text);
    await expect(page.getByText(fault)).toBeVisible();
    await expect(search(timbre)).toHaveAttribute('aria-invalid', 'true');
  }
  await search(timbre).fill('harbour');
  await expect(search(timbre)).not.toHaveAttribute('aria-invalid', 'true');
  await expect(rows(timbre)).toHaveCount(1);
});

test('the keyboard alone opens History, searches, plays, annotates, removes and restores', async ({ timbre }) => {
  await withHistory(timbre);
  const { page } = timbre;
  await page.keyboard.press('Control+1');
  await expect(page.getByRole('heading', { name: 'Convert', exact: true })).toBeVisible();
  await page.keyboard.press('Control+5');
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
  await page.keyboard.press('/');
  await expect(search(timbre)).toBeFocused();
  await page.keyboard.type('lan');
  await expect(rows(timbre)).toHaveCount(1);
  // Escape first closes the suggestions, then clears the text, then leaves the field.
  const offered = page.getByRole('listbox', { name: 'Search suggestions' });
  await expect(offered).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(offered).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(rows(timbre)).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(rows(timbre).first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(row(timbre, harbour)).toBeFocused();
  await expect(row(timbre, harbour)).toHaveAttribute('aria-selected', 'true');

  await page.keyboard.press('Enter');
  await expect.poll(() => playbackSeconds(timbre.page)).toBeGreaterThan(0.1);
  await page.keyboard.press('f');
  await expect(row(timbre, harbour).getByRole('img', { name: 'Favourite' })).toBeVisible();
  await expect(row(timbre, harbour)).toBeFocused();

  await page.keyboard.press('Delete');
  await expect(page.getByRole('dialog', { name: 'Remove 1 entry?' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(rows(timbre)).toHaveCount(1);
  // Main says of the row what has changed before it answers, perhaps, and nothing can be undone until then.
  await expect(outcome(timbre, '1 entry removed.')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(rows(timbre)).toHaveCount(2);
  await expect(row(timbre, harbour).getByRole('img', { name: 'Favourite' })).toBeVisible();
});

test('after a removal by keyboard the next row has the focus', async ({ timbre }) => {
  await withHistory(timbre);
  const { page } = timbre;
  await row(timbre, harbour).click();
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await expect(rows(timbre)).toHaveCount(1);
  await expect(row(timbre, lantern)).toBeFocused();
});

test('history is exported with its audio through the dialog, and imported once', async ({ timbre }) => {
  await withHistory(timbre);
  const { page, folder, evaluateMain } = timbre;
  const archive = join(folder, 'all.zip');
  await evaluateMain(({ dialog }, path) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path });
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, archive);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Export list and audio…' }).click();
  await expect(outcome(timbre, '2 entries and 2 files exported to all.zip.')).toBeVisible();
  await page.getByRole('button', { name: 'Import' }).click();
  await expect(outcome(timbre, '0 entries added. 2 entries were already here.')).toBeVisible();
  await expect(rows(timbre)).toHaveCount(2);
  // The sounds are in it.
  expect((await stat(archive)).size).toBeGreaterThan((await stat(join(takesOf(timbre), harbourResult))).size);

  // What was removed is shown again by an import.
  await row(timbre, harbour).click();
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await expect(rows(timbre)).toHaveCount(1);
  await page.getByRole('button', { name: 'Import' }).click();
  await expect(rows(timbre)).toHaveCount(2);
});

// Playwright gives a page its own size back only with another page.
test.describe(() => {
  test.use({ isShared: false });

  test('in a narrow window several selected entries are counted, and have their actions at hand', async ({
    timbre,
  }) => {
    await withHistory(timbre);
    const { page } = timbre;
    await openView(page, 'History');
    await page.setViewportSize({ width: 800, height: 600 });
    await rows(timbre).first().focus();
    await page.keyboard.press('Shift+ArrowDown');
    await expect(page.getByText('2 entries selected')).toBeVisible();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: /^Remove/ })).toBeVisible();
  });
});
