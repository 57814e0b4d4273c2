import type { Page } from 'playwright';
import { scrollTo } from './open-shots.mts';
import type { Shot } from './shots.mts';

const open = async (page: Page) => {
  await page.getByRole('tab').or(page.getByRole('radio')).first().waitFor();
  await page
    .getByRole('navigation')
    .getByTitle(/^(History|Verlauf)$/)
    .click();
};
const rows = async (page: Page) => {
  await open(page);
  await page.getByRole('row', { selected: false }).first().waitFor();
};
const field = (page: Page) => page.getByRole('combobox', { name: /^(Search history|Verlauf durchsuchen)$/ });
const search = async (page: Page, text: string) => {
  await rows(page);
  await page.keyboard.press('Control+f');
  await field(page).pressSequentially(text);
  await page.waitForTimeout(100);
};
/** By keys, so that a narrow window opens no sheet. */
const choose = async (page: Page, steps: number) => {
  await rows(page);
  await page.getByRole('grid').locator('[tabindex="0"]').focus();
  await page.keyboard.press('ArrowUp');
  for (let k = 0; k < steps; k++) await page.keyboard.press('ArrowDown');
};
const look = async (page: Page, name: string) => {
  await rows(page);
  await page.getByRole('row').filter({ hasText: name }).click();
  await page.getByRole('heading', { name }).waitFor();
};
const play = async (page: Page) => {
  await choose(page, 0);
  await page.keyboard.press('Space');
  await page.getByRole('slider', { name: 'Position' }).waitFor();
  await page.waitForTimeout(800);
};
const several = async (page: Page) => {
  await choose(page, 1);
  for (let k = 0; k < 6; k++) await page.keyboard.press('Shift+ArrowDown');
};
const severalVoices = async (page: Page) => {
  await several(page);
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /another voice/ }).click();
};
const all = async (page: Page) => {
  await choose(page, 0);
  await page.keyboard.press('Control+a');
};
const menu = async (page: Page) => {
  await choose(page, 2);
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem').first().waitFor();
};
const fromMenu = (name: RegExp) => async (page: Page) => {
  await menu(page);
  await page.getByRole('menuitem', { name }).click();
};
/** The form in which the `steps`th entry is made again with changes: by keys, and with nothing changed yet. */
const changing = async (page: Page, steps: number) => {
  await choose(page, steps);
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /^((Convert|Speak) again with changes|Mit Änderungen)/ }).click();
  await page.getByRole('dialog').waitFor();
};
const press = async (page: Page, slider: RegExp, key: string, times: number) => {
  await page.getByRole('dialog').getByRole('slider', { name: slider }).focus();
  for (let k = 0; k < times; k++) await page.keyboard.press(key);
};
const changed = async (page: Page, steps: number) => {
  await changing(page, steps);
  await press(page, /^(Pitch|Tonhöhe)$/, 'ArrowRight', 4);
  await press(page, /^(Speed|Tempo)$/, 'ArrowLeft', 6);
  await page.getByRole('dialog').getByRole('radio', { name: 'v5' }).click();
};
const send = async (page: Page) => {
  await changed(page, 0);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Convert again|Erneut konvertieren)$/ })
    .click();
  await page.getByRole('alert').filter({ hasText: /\w/ }).first().waitFor();
};
const searching = async (page: Page) => {
  await send(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Find file' }).click();
  await page.getByRole('dialog').getByText('Searching for the file').waitFor();
};
const otherWay = async (page: Page) => {
  await changing(page, 1);
  await page
    .getByRole('combobox', { name: /^(Connection|Verbindung)$/ })
    .selectOption({ label: await page.locator('option').last().innerText() });
};
const leftOut = async (page: Page) => {
  await several(page);
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: /^(Create again|Erneut erstellen)$/ }).click();
  await page
    .getByRole('status')
    .filter({ hasText: /skipped|übersprungen/ })
    .waitFor();
};
const otherVoice = async (page: Page) => {
  await changing(page, 3);
  await page.getByRole('button', { name: 'Change voice' }).click();
  await page.getByRole('combobox', { name: 'Find a voice' }).fill('deep');
};
const remove = async (page: Page) => {
  await several(page);
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').waitFor();
};
const removed = async (page: Page) => {
  await remove(page);
  await page.getByRole('button', { name: /^(Remove|Entfernen)$/ }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};
const exported = async (page: Page) => {
  await rows(page);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Export list…' }).click();
  await page.getByText(/exported to/).waitFor();
};
const importing = async (page: Page) => {
  await rows(page);
  await page.getByRole('button', { name: /^(Import|Importieren)$/ }).click();
  await page.getByRole('progressbar').waitFor();
};
const imported = async (page: Page) => {
  await rows(page);
  await page.getByRole('button', { name: /^(Import|Importieren)$/ }).click();
  await page.getByRole('button', { name: /^(Undo|Rückgängig)/ }).waitFor();
};
const refusedLines = async (page: Page) => {
  await imported(page);
  await page.getByRole('button', { name: /^(Show lines|Zeilen anzeigen)$/ }).click();
};
const end = async (page: Page) => {
  await choose(page, 0);
  await page.keyboard.press('End');
  await page
    .getByText(/ 1\.wav$|^“/)
    .last()
    .waitFor();
  await page.waitForTimeout(300);
};
/** The bar, not the wheel: to the middle of the list at once. */
const drag = async (page: Page) => {
  await rows(page);
  await page.getByRole('slider', { name: 'Months' }).click({ position: { x: 56, y: 200 } });
  await page.waitForTimeout(300);
};

/** History in every state. */
const statistics = async (page: Page, change: { readonly isTable?: boolean; readonly period?: string } = {}) => {
  await open(page);
  await page.getByRole('tab', { name: /^(Statistics|Statistik)$/ }).click();
  const period = page.getByRole('combobox', { name: /^(Period|Zeitraum)$/ });
  if (change.period) {
    await period
      .locator('option[value="2026"]')
      .or(period.locator('option[value="all"]'))
      .first()
      .waitFor({ state: 'attached' });
    await period.selectOption(change.period);
  }
  if (change.isTable) await page.getByRole('radio', { name: /^(Table|Tabelle)$/ }).click();
  await page.waitForTimeout(100);
};
const statisticsEnd = async (page: Page) => {
  await statistics(page);
  await scrollTo(page.getByRole('heading', { name: /^(Connections|Verbindungen)$/ }));
};
const saveTable = async (page: Page) => {
  await statistics(page);
  await page.getByRole('button', { name: /^(Save as CSV|Als CSV speichern)$/ }).click();
  await page.getByRole('menuitem').first().click();
  await page.waitForTimeout(100);
};

export const historyShots: readonly Shot[] = [
  { name: 'history', scene: 'history', isView: true, act: play },
  { name: 'history-search', scene: 'history', isView: true, act: (page) => search(page, 'kind:conversion lamp') },
  { name: 'history-entry', scene: 'history', act: (page) => look(page, 'chapter 07, three lamps') },
  { name: 'history-speech', scene: 'history', act: (page) => look(page, 'Nobody could say') },
  { name: 'history-gone', scene: 'history', act: (page) => look(page, 'lampade test') },
  { name: 'history-broken', repeats: true, scene: 'history', act: (page) => look(page, 'safety film, lamp check') },
  {
    name: 'history-german',
    repeats: true,
    scene: 'history-german',
    act: (page) => look(page, 'chapter 07, three lamps'),
  },
  { name: 'history-gone-german', repeats: true, scene: 'history-german', act: (page) => look(page, 'lampade test') },
  { name: 'history-several-german', repeats: true, scene: 'history-german', act: several },
  { name: 'history-contrast', repeats: true, scene: 'history-contrast', act: play },
  { name: 'history-forced-colors', repeats: true, scene: 'history', forcedColors: true, act: several },
  { name: 'history-statistics', scene: 'statistics', isView: true, act: (page) => statistics(page) },
  { name: 'history-statistics-end', scene: 'statistics', act: statisticsEnd },
  { name: 'history-statistics-days', scene: 'statistics', act: (page) => statistics(page, { period: '30d' }) },
  { name: 'history-statistics-table', scene: 'statistics', act: (page) => statistics(page, { isTable: true }) },
  { name: 'history-statistics-german', repeats: true, scene: 'statistics-german', act: (page) => statistics(page) },
  {
    name: 'history-statistics-table-german',
    repeats: true,
    scene: 'statistics-german',
    act: (page) => statistics(page, { isTable: true }),
  },
  { name: 'history-statistics-contrast', repeats: true, scene: 'statistics-contrast', act: (page) => statistics(page) },
  {
    name: 'history-statistics-forced-colors',
    repeats: true,
    scene: 'statistics',
    forcedColors: true,
    act: (page) => statistics(page),
  },
  { name: 'history-statistics-long', scene: 'statistics-long', act: (page) => statistics(page, { period: 'all' }) },
  { name: 'history-statistics-long-end', repeats: true, scene: 'statistics-long', act: statisticsEnd },
  { name: 'history-statistics-empty', scene: 'statistics-empty', act: (page) => statistics(page) },
  { name: 'history-statistics-unused', repeats: true, scene: 'statistics-unused', act: (page) => statistics(page) },
  { name: 'history-statistics-failed', scene: 'statistics-failed', act: (page) => statistics(page) },
  { name: 'history-statistics-saved', repeats: true, scene: 'statistics', act: saveTable },
  { name: 'history-statistics-full', repeats: true, scene: 'statistics-full', act: saveTable },
  { name: 'history-empty', scene: 'history-empty', act: open },
  { name: 'history-empty-german', repeats: true, scene: 'history-empty-german', act: open },
  { name: 'history-one', repeats: true, scene: 'history-one', act: rows },
  { name: 'history-thousand', repeats: true, scene: 'history-thousand', act: end },
  { name: 'history-million', repeats: true, scene: 'history-million', isView: true, act: end },
  { name: 'history-million-middle', repeats: true, scene: 'history-million', act: drag },
  { name: 'history-million-search', repeats: true, scene: 'history-million', act: (page) => search(page, 'lamp') },
  { name: 'history-million-all', repeats: true, scene: 'history-million', act: all },
  { name: 'history-names', repeats: true, scene: 'history-names', act: rows },
  {
    name: 'history-names-entry',
    repeats: true,
    scene: 'history-names',
    act: (page) => look(page, '2026-11-18 Interview'),
  },
  { name: 'history-no-match', scene: 'history', act: (page) => search(page, 'voice:unit zzz') },
  { name: 'history-suggestions', scene: 'history', act: (page) => search(page, 'voice:') },
  { name: 'history-fault', repeats: true, scene: 'history', act: (page) => search(page, 'after:soon lamp') },
  {
    name: 'history-fault-german',
    repeats: true,
    scene: 'history-german',
    act: (page) => search(page, 'farbe:rot lamp'),
  },
  { name: 'history-failed', scene: 'history-failed', act: open },
  { name: 'history-rows-failed', repeats: true, scene: 'history-rows-failed', act: drag },
  { name: 'history-menu', isMirrored: true, scene: 'history', act: menu },
  { name: 'history-filters', scene: 'history', act: (page) => rows(page).then(() => filters(page)) },
  { name: 'history-tags', scene: 'history', act: fromMenu(/^Tags/) },
  { name: 'history-other-voice', scene: 'history', act: severalVoices },
  { name: 'history-again-same', scene: 'history', act: (page) => changing(page, 0) },
  { name: 'history-again-changed', scene: 'history', act: (page) => changed(page, 0) },
  { name: 'history-again-german', repeats: true, scene: 'history-german', act: (page) => changed(page, 0) },
  { name: 'history-again-speech', scene: 'history', act: (page) => changed(page, 3) },
  { name: 'history-again-speech-german', repeats: true, scene: 'history-german', act: (page) => changed(page, 3) },
  { name: 'history-again-voice', scene: 'history', act: otherVoice },
  { name: 'history-again-no-voice', scene: 'history-gone', act: (page) => changing(page, 0) },
  { name: 'history-again-no-connection', repeats: true, scene: 'history-gone', act: (page) => changing(page, 1) },
  {
    name: 'history-again-no-connection-german',
    repeats: true,
    scene: 'history-gone-german',
    act: (page) => changing(page, 1),
  },
  { name: 'history-again-other-way', repeats: true, scene: 'history-gone', act: otherWay },
  { name: 'history-left-out', scene: 'history-left', act: leftOut },
  { name: 'history-left-out-german', repeats: true, scene: 'history-left-german', act: leftOut },
  { name: 'history-other-voice-studio', repeats: true, scene: 'history-left', act: severalVoices },
  { name: 'history-again-no-voices', repeats: true, scene: 'history-no-voices', act: (page) => changing(page, 0) },
  { name: 'history-again-searching', repeats: true, scene: 'history-searching', act: searching },
  { name: 'history-again-no-source', repeats: true, scene: 'history-no-source', act: send },
  { name: 'history-again-names', repeats: true, scene: 'history-names', act: (page) => changed(page, 0) },
  {
    name: 'history-again-forced-colors',
    repeats: true,
    scene: 'history',
    forcedColors: true,
    act: (page) => changed(page, 0),
  },
  { name: 'history-again', scene: 'history', act: fromMenu(/^Convert again$/) },
  { name: 'history-several', scene: 'history', act: several },
  { name: 'history-remove', scene: 'history', act: remove },
  { name: 'history-remove-german', repeats: true, scene: 'history-german', act: remove },
  { name: 'history-removed', scene: 'history', act: removed },
  { name: 'history-refusing', scene: 'history-refusing', act: removed },
  { name: 'history-exported', scene: 'history', act: exported },
  { name: 'history-imported', scene: 'history-imported', act: imported },
  { name: 'history-refused-lines', scene: 'history-imported', act: refusedLines },
  { name: 'history-refused-lines-german', repeats: true, scene: 'history-imported-german', act: refusedLines },
  { name: 'history-importing', scene: 'history-importing', act: importing },
  { name: 'history-importing-german', repeats: true, scene: 'history-importing-german', act: importing },
];

function filters(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Filters' }).click();
}
