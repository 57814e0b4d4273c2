import type { Page } from 'playwright';
import { scrollTo } from './open-shots.mts';
import type { Shot } from './shots.mts';

const openVoices = async (page: Page) => {
  await page.getByRole('tab').first().waitFor();
  await page
    .getByRole('navigation')
    .getByTitle(/^(Voices|Stimmen)$/)
    .click();
};
/** The bells. */
const bells = (page: Page) => page.getByRole('grid', { name: /^(Voices|Stimmen)$/ });
const cells = async (page: Page) => {
  await openVoices(page);
  await bells(page).getByRole('gridcell').first().waitFor();
};
const isNarrow = (page: Page): boolean => (page.viewportSize()?.width ?? 0) <= 1000;
/** Selects values of a filter, by the beginning of their names. */
const choose = async (page: Page, label: RegExp, ...typed: readonly string[]) => {
  await page.getByRole('button', { name: label }).click();
  for (const letters of typed) {
    await page.keyboard.press('Home');
    await page.keyboard.type(letters);
    await page.keyboard.press('Enter');
    // A pause begins a new word.
    await page.waitForTimeout(800);
  }
};
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
  await bells(page).getByRole('gridcell', { selected: true }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  if (isNarrow(page)) await page.keyboard.press('Alt+Enter');
};
const noMatch = async (page: Page) => {
  await cells(page);
  await choose(page, /^(Language|Sprache): /, 'he', 'en');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('lampe');
};
/** The languages of a filter, two of them selected. */
const filter = async (page: Page) => {
  await cells(page);
  await choose(page, /^(Language|Sprache): /, 'no', 'fr');
};
const details = async (page: Page) => {
  await cells(page);
  await bells(page).getByRole('gridcell', { selected: true }).focus();
  if (isNarrow(page)) await page.keyboard.press('Alt+Enter');
  await scrollTo(page.getByRole('region', { name: /Sounds similar|Klingt ähnlich/ }));
};
const markFour = async (page: Page, most = 4) => {
  await cells(page);
  await bells(page).getByRole('gridcell').first().focus();
  for (let k = 0; k < most; k += 1) {
    await page.keyboard.press('c');
    await page.keyboard.press('ArrowRight');
  }
};
const compare = async (page: Page) => {
  await markFour(page);
  await page
    .getByRole('region', { name: /^(Compare voices|Stimmen vergleichen)$/ })
    .getByRole('button', { name: /^(Compare|Vergleichen)$/ })
    .click();
  await page.getByRole('dialog').waitFor();
};
const mark = async (page: Page) => {
  await walk(page);
  await page.keyboard.press('f');
};

const openModels = async (page: Page) => {
  await page.getByRole('tab').first().waitFor();
  await page
    .getByRole('navigation')
    .getByTitle(/^(Custom voices|Eigene Stimmen)$/)
    .click();
};
const models = async (page: Page) => {
  await openModels(page);
  await page.getByRole('row').nth(1).waitFor();
};
const twin = (page: Page) => page.getByRole('row').filter({ hasText: 'Dad reading' }).first();
const doom = async (page: Page, typed: string) => {
  await models(page);
  await twin(page).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('textbox').last().fill(typed);
};
const removeTwins = async (page: Page) => {
  await doom(page, 'Dad reading');
  await page.keyboard.press('Enter');
};
const make = async (page: Page, name: string) => {
  await openModels(page);
  await page.getByRole('button', { name: /^(Create (a )?voice|Stimme (aus einer Aufnahme )?erstellen)/ }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
};
const makeRefused = async (page: Page) => {
  await make(page, 'Dad reading');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
};

const listen = async (page: Page) => {
  await cells(page);
  await bells(page).getByRole('gridcell', { selected: true }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press(' ');
};
const askToListen = async (page: Page) => {
  await cells(page);
  await bells(page).getByRole('gridcell', { selected: true }).focus();
  await page.keyboard.press(' ');
  await page.getByRole('dialog').waitFor();
};
const listenInPicker = async (page: Page) => {
  await page.getByRole('tab').first().waitFor();
  await page.keyboard.press('v');
  await page.getByRole('combobox', { name: 'Find a voice' }).press('ArrowDown');
  await page.keyboard.press('Shift+Enter');
};

/** The choice of a part of a recording. */
const choosePart = async (page: Page) => {
  await details(page);
  await page.getByRole('button', { name: /^(Change part|Ausschnitt ändern)/ }).click();
  await page.getByRole('dialog', { name: /^(Try voices|Stimmen an)/ }).waitFor();
};

/** The catalogue and the user's own voices in every state. */
export const voiceShots: readonly Shot[] = [
  { name: 'voices', scene: 'voices', isView: true, act: walk },
  { name: 'voices-german', repeats: true, scene: 'voices-german', isView: true, act: walk },
  { name: 'voices-contrast', repeats: true, scene: 'voices-contrast', act: walk },
  { name: 'voices-forced-colors', repeats: true, scene: 'voices', forcedColors: true, act: cells },
  { name: 'voices-listening', scene: 'voices', isView: true, act: listen },
  { name: 'voices-preview-asks', scene: 'voices-preview-asks', act: askToListen },
  { name: 'voices-preview-asks-german', repeats: true, scene: 'voices-preview-asks-german', act: askToListen },
  { name: 'voices-preview-lost', scene: 'voices-preview-lost', act: askToListen },
  { name: 'voices-preview-loading', scene: 'voices-preview-loading', act: listen },
  { name: 'voices-preview-failed', scene: 'voices-preview-failed', act: listen },
  { name: 'voices-picker-listening', scene: 'voices', act: listenInPicker },
  { name: 'voices-used', scene: 'voices', act: (page) => walk(page).then(() => page.keyboard.press('Enter')) },
  { name: 'voices-search', scene: 'voices', act: (page) => search(page, 'engl narr') },
  { name: 'voices-search-none', repeats: true, scene: 'voices', act: (page) => search(page, 'lampe') },
  { name: 'voices-similar', scene: 'voices-similar', act: details },
  { name: 'voices-similar-german', repeats: true, scene: 'voices-similar-german', act: details },
  { name: 'voices-marked', scene: 'voices', isView: true, act: (page) => markFour(page, 3) },
  { name: 'voices-compare', isMirrored: true, scene: 'voices', act: compare },
  { name: 'voices-compare-german', repeats: true, scene: 'voices-german', act: compare },
  { name: 'voices-compare-asks', scene: 'voices-compare-asks', act: compare },
  { name: 'voices-compare-asks-german', repeats: true, scene: 'voices-compare-asks-german', act: compare },
  { name: 'voices-compare-failed', scene: 'voices-preview-failed', act: compare },
  { name: 'voices-trying', scene: 'voices-trying', act: details },
  { name: 'voices-trying-none', scene: 'voices-trying-none', act: details },
  { name: 'voices-trying-german', repeats: true, scene: 'voices-trying-german', act: details },
  { name: 'voices-trying-names', repeats: true, scene: 'voices-trying-names', act: details },
  { name: 'voices-trying-asks', scene: 'voices-trying-asks', act: askToListen },
  { name: 'voices-trying-asks-german', repeats: true, scene: 'voices-trying-asks-german', act: askToListen },
  { name: 'voices-trying-compare-asks', scene: 'voices-trying-compare-asks', act: compare },
  { name: 'voices-trying-picker', scene: 'voices-trying', act: listenInPicker },
  { name: 'voices-part', isMirrored: true, scene: 'voices-trying', act: choosePart },
  { name: 'voices-part-german', repeats: true, scene: 'voices-trying-german', act: choosePart },
  { name: 'voices-part-names', repeats: true, scene: 'voices-trying-names', act: choosePart },
  { name: 'voices-part-rtl', repeats: true, scene: 'voices-trying-rtl', act: choosePart },
  {
    name: 'voices-part-failed',
    scene: 'voices-trying-failed',
    act: (page) => choosePart(page).then(() => page.getByRole('alert').waitFor()),
  },
  { name: 'voices-part-opening', scene: 'voices-trying-opening', act: choosePart },
  { name: 'voices-filter', isMirrored: true, scene: 'voices', act: filter },
  { name: 'voices-filter-german', repeats: true, scene: 'voices-german', act: filter },
  { name: 'voices-no-match', scene: 'voices', act: noMatch },
  { name: 'voices-no-match-german', repeats: true, scene: 'voices-german', act: noMatch },
  { name: 'voices-favourites', scene: 'voices', act: favourites },
  { name: 'voices-no-favourites', scene: 'voices-unmarked', act: favourites },
  { name: 'voices-unkept', repeats: true, scene: 'voices-unkept', act: mark },
  {
    name: 'voices-3000',
    repeats: true,
    scene: 'voices-3000',
    isView: true,
    act: async (page) => {
      await cells(page);
      await bells(page).getByRole('gridcell', { selected: true }).focus();
      await page.keyboard.press('End');
    },
  },
  { name: 'voices-names', repeats: true, scene: 'voices-names', act: (page) => cells(page) },
  { name: 'voices-names-long', repeats: true, scene: 'voices-names', act: walk },
  { name: 'voices-offline', repeats: true, scene: 'voices-offline', act: cells },
  { name: 'voices-offline-german', repeats: true, scene: 'voices-offline-german', act: cells },
  { name: 'voices-empty', scene: 'voices-empty', act: openVoices },
  { name: 'voices-failed', scene: 'voices-failed', act: openVoices },
  {
    name: 'voices-loading',
    scene: 'voices-loading',
    act: (page) => openVoices(page).then(() => page.waitForTimeout(600)),
  },
  { name: 'voices-detail-failed', repeats: true, scene: 'voices-detail-failed', act: walk },
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
  { name: 'models', scene: 'models', isView: true, act: (page) => models(page).then(() => twin(page).click()) },
  { name: 'models-german', repeats: true, scene: 'models-german', act: (page) => doom(page, 'Dad rea') },
  { name: 'models-deleting', scene: 'models', act: (page) => doom(page, 'Dad reading') },
  {
    name: 'models-deleted',
    scene: 'models',
    act: (page) => removeTwins(page).then(() => page.getByText('Dad reading deleted').waitFor()),
  },
  {
    name: 'models-undeletable',
    scene: 'models-undeletable',
    act: (page) => removeTwins(page).then(() => page.getByRole('alert').waitFor()),
  },
  { name: 'models-local', repeats: true, scene: 'models-local', act: models },
  {
    name: 'models-many',
    repeats: true,
    scene: 'models-many',
    act: async (page) => {
      await models(page);
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByText('21–40 of 73').waitFor();
    },
  },
  { name: 'models-empty', scene: 'models-empty', act: openModels },
  { name: 'models-empty-remote', repeats: true, scene: 'models-empty-remote', act: openModels },
  { name: 'models-failed', scene: 'models-failed', act: openModels },
  {
    name: 'models-loading',
    scene: 'models-loading',
    act: (page) => openModels(page).then(() => page.waitForTimeout(600)),
  },
  { name: 'models-make', scene: 'models-local', act: (page) => make(page, 'My narration voice') },
  { name: 'models-make-taken', repeats: true, scene: 'models-taken', act: makeRefused },
  { name: 'models-make-german', repeats: true, scene: 'models-not-sound', act: makeRefused },
];
