import type { Page } from 'playwright';
import type { Shot } from './shots.mts';

const isNarrow = (page: Page): boolean => (page.viewportSize()?.width ?? 0) <= 1000;
const openView = (page: Page, name: RegExp) => page.getByRole('navigation').getByTitle(name).click();

/** The side panel of Convert or Speech, which is a sheet in a narrow window. */
const side = async (page: Page) => {
  const strip = page.locator('.strip button').first();
  if (isNarrow(page)) await strip.click();
  await page.getByRole('combobox', { name: 'Preset' }).waitFor();
};
const convert = async (page: Page) => {
  await page.getByRole('row').first().waitFor();
  await side(page);
};
const menu = async (page: Page) => {
  await convert(page);
  await page.getByRole('button', { name: /^(Preset options|Optionen des Presets)$/ }).click();
  await page.getByRole('menuitem').first().waitFor();
};
const fromMenu = async (page: Page, name: RegExp) => {
  await menu(page);
  await page.getByRole('menuitem', { name }).click();
  await page.getByRole('dialog').getByRole('heading').last().waitFor();
};
const saveTwice = async (page: Page) => {
  await fromMenu(page, /^(Save as new|Als neues)/);
  await page.getByRole('textbox', { name: 'Name' }).fill('audiobook');
  await page.keyboard.press('Enter');
  await page.getByText('Another preset already').waitFor();
};
const move = async (page: Page) => {
  await convert(page);
  await page.getByRole('combobox', { name: 'Preset' }).selectOption({ label: 'Lessons (Studio South is gone)' });
  await page.getByRole('dialog').getByRole('heading').last().waitFor();
};
const save = async (page: Page) => {
  await convert(page);
  await page.getByRole('button', { name: 'Save the changes to “Audiobook”' }).click();
  await page.getByText('can’t save its data').waitFor();
};
const speech = async (page: Page) => {
  await page.getByRole('tab').first().waitFor();
  await openView(page, /^(Speech|Vorlesen)$/);
  await side(page);
};
const watch = async (page: Page, folder: number) => {
  await page.getByRole('tab').first().waitFor();
  await openView(page, /^(Watch folders|Überwachte Ordner)$/);
  await page.getByRole('option').nth(folder).click();
};
const editFolder = async (page: Page) => {
  await watch(page, 0);
  await page.getByRole('button', { name: /^(More|Mehr)$/ }).click();
  await page.getByRole('menuitem', { name: /^(Edit|Bearbeiten)/ }).click();
  await page.getByRole('combobox', { name: 'Preset' }).waitFor();
};

/** Presets wherever they are chosen. */
/** Asks before a connection is removed that a preset uses. */
async function removeConnection(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+7');
  await page.getByRole('button', { name: 'Remove Studio North' }).click();
}

export const presetShots: readonly Shot[] = [
  { name: 'presets', scene: 'presets', act: convert },
  { name: 'presets-modified', scene: 'presets-modified', act: convert },
  { name: 'presets-german', repeats: true, scene: 'presets-german', act: menu },
  { name: 'presets-long', repeats: true, scene: 'presets-long', act: convert },
  { name: 'presets-voice-gone', scene: 'presets-voice-gone', act: convert },
  { name: 'presets-menu', isMirrored: true, scene: 'presets-modified', act: menu },
  { name: 'presets-name-taken', scene: 'presets', act: saveTwice },
  { name: 'presets-delete', scene: 'presets', act: (page) => fromMenu(page, /^(Delete|Löschen)/) },
  { name: 'presets-move', scene: 'presets', act: move },
  { name: 'presets-connection-removed', scene: 'presets', act: removeConnection },
  { name: 'presets-imported', scene: 'presets', act: (page) => fromMenu(page, /^(Import|Presets importieren)/) },
  { name: 'presets-refused', scene: 'presets-refused', act: save },
  { name: 'presets-speech', scene: 'presets-speech', act: speech },
  { name: 'presets-speech-german', repeats: true, scene: 'presets-speech-german', act: speech },
  { name: 'presets-watch-changed', scene: 'presets-watch', act: (page) => watch(page, 0) },
  { name: 'presets-watch-removed', scene: 'presets-watch', act: (page) => watch(page, 1) },
  { name: 'presets-watch-german', repeats: true, scene: 'presets-watch-german', act: (page) => watch(page, 0) },
  { name: 'presets-watch-form', scene: 'presets-watch', act: editFolder },
];
