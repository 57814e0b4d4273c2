import type { Page } from 'playwright';
import type { Shot } from './shots.mts';

const openVoices = async (page: Page) => {
  await page.getByRole('tab').first().waitFor();
  await page
    .getByRole('navigation')
    .getByTitle(/^(Voices|Stimmen)$/)
    .click();
};
/** The bells; lists to choose from have options too. */
const bells = (page: Page) => page.getByRole('listbox', { name: /^(Voices|Stimmen)$/ });
const cells = async (page: Page) => {
  await openVoices(page);
  await bells(page).getByRole('option').first().waitFor();
};
const isNarrow = (page: Page): boolean => (page.viewportSize()?.width ?? 0) <= 1000;
const choose = (page: Page, label: RegExp, value: string) =>
  page.getByRole('combobox', { name: label }).selectOption(value);
const search = async (page: Page, text: string) => {
  await cells(page);
  await page.keyboard.press('/');
  await page.keyboard.type(text);
};
const favourites = async (page: Page) => {
  await cells(page);
  await page.getByRole('radio', { name: /^(Favourites|Favoriten)$/ }).click();
};
/** A voice that was gone to by keyboard; where the window is narrow, all about it. */
const walk = async (page: Page) => {
  await cells(page);
  await bells(page).getByRole('option', { selected: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  if (isNarrow(page)) await page.keyboard.press(' ');
};
const noMatch = async (page: Page) => {
  await cells(page);
  await choose(page, /Language|Sprache/, 'en-IE');
  await choose(page, /Gender|Geschlecht/, 'male');
  await choose(page, /Category|Kategorie/, 'singing');
};
const mark = async (page: Page) => {
  await walk(page);
  await page.keyboard.press('f');
};

/** The catalogue in every state. */
export const voiceShots: readonly Shot[] = [
  { name: 'voices', scene: 'voices', isView: true, act: walk },
  { name: 'voices-german', scene: 'voices-german', isView: true, act: walk },
  { name: 'voices-contrast', scene: 'voices-contrast', act: walk },
  { name: 'voices-forced-colors', scene: 'voices', forcedColors: true, act: cells },
  { name: 'voices-used', scene: 'voices', act: (page) => walk(page).then(() => page.keyboard.press('Enter')) },
  { name: 'voices-search', scene: 'voices', act: (page) => search(page, 'engl narr') },
  { name: 'voices-search-none', scene: 'voices', act: (page) => search(page, 'lampe') },
  { name: 'voices-no-match', scene: 'voices', act: noMatch },
  { name: 'voices-no-match-german', scene: 'voices-german', act: noMatch },
  { name: 'voices-favourites', scene: 'voices', act: favourites },
  { name: 'voices-no-favourites', scene: 'voices-unmarked', act: favourites },
  { name: 'voices-unkept', scene: 'voices-unkept', act: mark },
  {
    name: 'voices-3000',
    scene: 'voices-3000',
    isView: true,
    act: async (page) => {
      await cells(page);
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByText('Page 2 of 60').waitFor();
    },
  },
  { name: 'voices-names', scene: 'voices-names', act: (page) => cells(page) },
  { name: 'voices-names-long', scene: 'voices-names', act: walk },
  { name: 'voices-offline', scene: 'voices-offline', act: cells },
  { name: 'voices-offline-german', scene: 'voices-offline-german', act: cells },
  { name: 'voices-empty', scene: 'voices-empty', act: openVoices },
  { name: 'voices-failed', scene: 'voices-failed', act: openVoices },
  {
    name: 'voices-loading',
    scene: 'voices-loading',
    act: (page) => openVoices(page).then(() => page.waitForTimeout(600)),
  },
  { name: 'voices-detail-failed', scene: 'voices-detail-failed', act: walk },
  {
    name: 'voices-detail-loading',
    scene: 'voices-detail-loading',
    act: (page) => walk(page).then(() => page.waitForTimeout(600)),
  },
  { name: 'voices-own-chosen', scene: 'voices-own', act: (page) => page.getByRole('tab').first().waitFor() },
  {
    name: 'voices-own-picker',
    scene: 'voices-own',
    act: async (page) => {
      await page.getByRole('tab').first().waitFor();
      await page.keyboard.press('v');
      await page.getByRole('combobox', { name: 'Find a voice' }).fill('dad');
    },
  },
];
