import type { Page } from 'playwright';
import { scrollTo } from './open-shots.mts';
import type { Shot } from './shots.mts';

const open = async (page: Page) => {
  await page.getByRole('tab').first().waitFor();
  await page
    .getByRole('navigation')
    .getByTitle(/^(Watch folders|Überwachte Ordner)$/)
    .click();
};
const folders = async (page: Page) => {
  await open(page);
  await page
    .getByRole('listbox', { name: /^(Folders|Ordner)$/ })
    .getByRole('option')
    .first()
    .waitFor();
};
const files = async (page: Page) => {
  await folders(page);
  await page.getByRole('row').nth(1).waitFor();
};
const goToFolder = async (page: Page, steps: number) => {
  await folders(page);
  await page.getByRole('option', { selected: true }).focus();
  for (let k = 0; k < steps; k++) await page.keyboard.press('ArrowDown');
};
const menu = async (page: Page) => {
  await files(page);
  await page.getByRole('button', { name: /^(More|Mehr)$/ }).click();
  await page.getByRole('menuitem').first().waitFor();
};
const remove = async (page: Page) => {
  await menu(page);
  await page.getByRole('menuitem').last().click();
  await page.getByRole('dialog').waitFor();
};
const edit = async (page: Page) => {
  await menu(page);
  await page.getByRole('menuitem', { name: /^(Edit|Bearbeiten)/ }).click();
  await page.getByRole('button', { name: /^(Cancel|Abbrechen)$/ }).waitFor();
};
const voices = async (page: Page) => {
  await edit(page);
  await scrollTo(page.getByRole('switch', { name: /^(Voices by|Stimmen nach)/ }));
};
const texts = async (page: Page) => {
  await edit(page);
  await scrollTo(page.getByRole('group', { name: /^(Texts|Texte)$/ }));
};
const textStates = async (page: Page) => {
  await files(page);
  const row = page.getByText('26 too large.txt');
  await page.getByRole('row').nth(1).click();
  for (let k = 0; k < 60 && !(await row.isVisible()); k++) await page.keyboard.press('ArrowDown');
  await scrollTo(row);
};
const add = async (page: Page) => {
  await open(page);
  await page.getByRole('button', { name: /^(Add folder|Ordner hinzufügen)$/ }).click();
  await page.getByRole('button', { name: /^(Cancel|Abbrechen)$/ }).waitFor();
};
/** Three folders, dropped from the desktop. */
const drop = async (page: Page) => {
  await open(page);
  await page.locator('[data-drop-folder]').evaluate((view) => {
    const data = new DataTransfer();
    for (const name of ['Interviews', 'Field', 'Takes']) data.items.add(new File([], name));
    view.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await page.getByRole('button', { name: /^(Skip|Überspringen)$/ }).waitFor();
};
const look = async (page: Page) => {
  await add(page);
  await page.getByLabel(/^(Daily limit|Tageslimit)$/).fill('60');
  await page.getByRole('button', { name: /^(Show preview|Vorschau anzeigen)/ }).click();
  await page.getByText(/^412 /).waitFor();
};
const submit = (page: Page) => page.getByRole('button', { name: /^(Watch this|Diesen Ordner)/ }).click();
const faulty = async (page: Page) => {
  await add(page);
  await page.getByLabel('Daily limit').fill('a lot');
  const checked = page.getByRole('checkbox', { checked: true });
  while ((await checked.count()) > 0) await checked.first().click();
  await submit(page);
  await page.getByText('2 fields need fixing.').waitFor();
};
const attention = async (page: Page) => {
  await files(page);
  await page.getByRole('tab', { name: /^(Needs attention|Warten auf Sie)/ }).click();
  await page.getByRole('row').nth(1).click();
};
const why = async (page: Page) => {
  await files(page);
  await page.getByRole('button', { name: /^(Why was|Warum nicht)/ }).click();
  await page.getByRole('dialog').waitFor();
};
const play = async (page: Page) => {
  await files(page);
  await page.getByText('chapter 07, three lamps').click();
  await page.keyboard.press('Space');
  await page.getByRole('slider', { name: 'Position' }).waitFor();
  await page.waitForTimeout(800);
};
const scrollToEnd = async (page: Page) => {
  await files(page);
  await page.getByRole('row').nth(1).click();
  for (let k = 0; k < 60; k++) {
    await page.keyboard.press('End');
    if (await page.getByText('take 10000.wav').isVisible()) break;
    await page.waitForTimeout(30);
  }
  await page.getByText('take 10000.wav').waitFor();
};

/** Watched folders in every state. */
export const watchShots: readonly Shot[] = [
  { name: 'watch', scene: 'watch', isView: true, act: files },
  { name: 'watch-playing', scene: 'watch', act: play },
  { name: 'watch-german', repeats: true, scene: 'watch-german', act: files },
  { name: 'watch-contrast', repeats: true, scene: 'watch-contrast', act: files },
  { name: 'watch-forced-colors', repeats: true, scene: 'watch', forcedColors: true, act: files },
  { name: 'watch-empty', scene: 'watch-empty', act: open },
  { name: 'watch-states', scene: 'watch-states', isView: true, act: files },
  { name: 'watch-states-german', repeats: true, scene: 'watch-states-german', act: files },
  { name: 'watch-attention', scene: 'watch-states', act: attention },
  { name: 'watch-baseline', scene: 'watch-baseline', act: folders },
  { name: 'watch-baseline-german', repeats: true, scene: 'watch-baseline-german', act: (page) => goToFolder(page, 1) },
  { name: 'watch-offline', repeats: true, scene: 'watch-offline', act: files },
  { name: 'watch-polling', scene: 'watch', act: (page) => goToFolder(page, 4) },
  { name: 'watch-troubled', scene: 'watch-troubled', act: folders },
  { name: 'watch-troubled-german', repeats: true, scene: 'watch-troubled-german', act: folders },
  { name: 'watch-results-missing', scene: 'watch-results-missing', act: files },
  { name: 'watch-results-missing-german', repeats: true, scene: 'watch-results-missing-german', act: files },
  { name: 'watch-disconnected', scene: 'watch-disconnected', act: files },
  { name: 'watch-names', repeats: true, scene: 'watch-names', act: files },
  { name: 'watch-huge', repeats: true, scene: 'watch-huge', act: scrollToEnd },
  { name: 'watch-failed', scene: 'watch-failed', act: open },
  { name: 'watch-files-failed', repeats: true, scene: 'watch-files-failed', act: folders },
  {
    name: 'watch-refusing',
    scene: 'watch-refusing',
    act: (page) => files(page).then(() => page.getByRole('button', { name: 'Pause', exact: true }).first().click()),
  },
  { name: 'watch-menu', isMirrored: true, scene: 'watch', act: menu },
  { name: 'watch-remove', scene: 'watch', act: remove },
  { name: 'watch-why', scene: 'watch-why', act: why },
  { name: 'watch-why-ending', repeats: true, scene: 'watch-why-ending', act: why },
  { name: 'watch-why-german', repeats: true, scene: 'watch-why-german', act: why },
  { name: 'watch-form', scene: 'watch-planned', isView: true, act: add },
  { name: 'watch-form-looked', scene: 'watch-planned', isView: true, act: look },
  { name: 'watch-form-german', repeats: true, scene: 'watch-planned-german', act: look },
  { name: 'watch-form-edit', scene: 'watch-planned', act: edit },
  { name: 'watch-form-dropped', scene: 'watch-planned', act: drop },
  { name: 'watch-form-disconnected', scene: 'watch-disconnected', act: edit },
  { name: 'watch-form-subfolders', scene: 'watch-planned', act: voices },
  { name: 'watch-form-subfolders-german', repeats: true, scene: 'watch-planned-german', act: voices },
  {
    name: 'watch-form-hook',
    scene: 'watch-hook',
    act: async (page) => {
      await add(page);
      await scrollTo(page.getByRole('switch', { name: 'Run the program after each result' }));
    },
  },
  { name: 'watch-form-texts', scene: 'watch-planned', act: texts },
  { name: 'watch-form-texts-german', repeats: true, scene: 'watch-planned-german', act: texts },
  { name: 'watch-texts', scene: 'watch-states', act: textStates },
  { name: 'watch-texts-german', repeats: true, scene: 'watch-states-german', act: textStates },
  { name: 'watch-form-faulty', scene: 'watch-planned', act: faulty },
  { name: 'watch-form-overlaps', scene: 'watch-overlaps', act: (page) => add(page).then(() => submit(page)) },
];
