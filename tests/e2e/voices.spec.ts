import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright/test';
import { startFaultProxy, type FaultProxy } from '../faults/start-fault-proxy.ts';
import { expect, openView, playWithoutEnd, type Timbre } from './app.ts';
import { samples } from './run-command.ts';
import { addService, giveToken, test as base } from './service.ts';

/** The real engine as a service on the net, which can be pulled away and takes any token. */
const test = base.extend<{ service: FaultProxy }>({
  service: async ({ engine }, use) => {
    const proxy = await startFaultProxy({ target: engine.origin, serviceToken: engine.token });
    await use(proxy);
    await proxy.stop();
  },
});

test.use({ isShared: true });

const bells = (page: Page) => page.getByRole('grid', { name: 'Voices' }).getByRole('gridcell');
const chosen = (page: Page) => page.getByRole('grid', { name: 'Voices' }).getByRole('gridcell', { selected: true });
const pane = (page: Page) => page.getByRole('complementary', { name: 'About this voice' });
const headline = (page: Page) => page.locator('main header').first();

async function openVoices(page: Page): Promise<void> {
  await openView(page, 'Voices');
  await expect(bells(page).first()).toBeVisible();
}

async function useService(timbre: Timbre, service: FaultProxy): Promise<void> {
  await addService(timbre, service);
  await giveToken(timbre.page, 'any token');
}

test('a recording that is dropped on a voice is converted with it, and the selected one stays', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'take.mp3'));
  await openVoices(page);
  const name = (await bells(page).nth(3).getAttribute('title')) ?? '';
  await drop(`[role="gridcell"][title="${name}"]`, [join(folder, 'take.mp3')]);
  await expect(page.getByRole('tab', { name: 'Done' })).toContainText('1');
  expect(await readdir(folder)).toContain(`take, ${name}.mp3`);
  await openView(page, 'Voices');
  await expect(bells(page).nth(3).getByText('In use')).toHaveCount(0);
});

test('all voices are browsed by keyboard in one grid, and one is used', async ({ timbre: { page } }) => {
  await openVoices(page);
  await expect(headline(page)).toContainText('130 voices, updated ');
  const grid = page.getByRole('grid', { name: 'Voices' });
  const columns = Number(await grid.getAttribute('aria-colcount'));
  expect(await grid.getAttribute('aria-rowcount')).toBe(String(Math.ceil(130 / columns)));

  await bells(page).first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(bells(page).nth(columns)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(bells(page).nth(columns + 1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(bells(page).nth(1)).toBeFocused();

  // The last voice is rendered when the focus moves there, and the first one again.
  const first = (await bells(page).first().getAttribute('title')) ?? '';
  await page.keyboard.press('End');
  const focused = page.locator('[role="gridcell"]:focus');
  await expect(focused).toBeInViewport({ ratio: 1 });
  await expect(page.locator('[role="row"]:has(:focus)')).toHaveAttribute(
    'aria-rowindex',
    String(Math.ceil(130 / columns)),
  );
  await page.keyboard.press('PageUp');
  await expect(focused).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Home');
  await expect(focused).toHaveAttribute('title', first);
  await page.keyboard.press('PageDown');
  await expect(focused).not.toHaveAttribute('title', first);

  const name = (await focused.getAttribute('title')) ?? '';
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: `converted to ${name}.` })).toHaveCount(1);
  await expect(pane(page).getByRole('button', { name: 'In use' })).toBeVisible();
});

test('all details of a voice are shown beside it', async ({ timbre: { page } }) => {
  await openVoices(page);
  await bells(page).filter({ hasText: 'Low bronze' }).click();
  for (const fact of [
    'Low bronze',
    'English, US',
    'male',
    'natural',
    '88 Hz',
    '1.0',
    'flac',
    'low-bronze',
    'unhurried',
  ]) {
    await expect(pane(page)).toContainText(fact);
  }
});

async function openFilter(page: Page, filter: string) {
  await page.getByRole('button', { name: new RegExp(`^${filter}: `) }).focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu', { name: filter });
  await expect(menu.locator(':focus')).toHaveCount(1);
  return menu;
}

/** Opens a filter by keyboard and selects what begins with these letters. */
async function filterBy(page: Page, filter: string, ...typed: readonly string[]): Promise<void> {
  const menu = await openFilter(page, filter);
  for (const letters of typed) {
    await page.keyboard.type(letters);
    await expect(menu.locator(':focus')).toContainText(new RegExp(`^\\s*${letters}`, 'i'));
    await page.keyboard.press('Enter');
    await expect(menu.locator(':focus')).toHaveAttribute('aria-checked', 'true');
    await page.keyboard.press('Home');
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: new RegExp(`^${filter}: `) })).toBeFocused();
}

test('voices are filtered by several values, which are kept, and the filter in the way can be removed', async ({
  timbre,
}) => {
  const { page } = timbre;
  await openVoices(page);
  await filterBy(page, 'Language', 'German', 'Japan');
  await expect(headline(page)).toContainText(/\d of 130 match/);
  await expect(page.getByRole('button', { name: 'Language: German and Japanese' })).toBeVisible();
  await expect(bells(page).filter({ hasText: 'German' }).first()).toBeVisible();
  await expect(bells(page).filter({ hasText: 'Japanese' }).first()).toBeVisible();
  await expect(bells(page).filter({ hasNotText: /German|Japanese/ })).toHaveCount(0);

  await page.keyboard.press('/');
  await page.keyboard.type('bronze lamp post');
  await expect(page.getByRole('heading', { name: 'No voices match these filters' })).toBeVisible();
  await page.getByRole('button', { name: /^Remove “bronze lamp post”/ }).click();
  await expect(chosen(page)).toBeFocused();

  await timbre.reopen();
  const again = timbre.page;
  await openVoices(again);
  await expect(again.getByRole('button', { name: 'Language: German and Japanese' })).toBeVisible();
  await openFilter(again, 'Language');
  await again.keyboard.press('Home');
  await again.keyboard.press('Enter');
  await again.keyboard.press('Escape');
  await expect(headline(again)).toContainText('130 voices');
  await again.keyboard.press('Control+f');
  await again.keyboard.type('low br');
  await expect(bells(again)).toHaveCount(1);
  await again.keyboard.press('ArrowDown');
  await expect(bells(again).filter({ hasText: 'Low bronze' })).toBeFocused();
});

test('favourites are toggled by key, survive a kill, and can be listed alone', async ({ timbre }) => {
  await openVoices(timbre.page);
  await bells(timbre.page).filter({ hasText: 'Low bronze' }).focus();
  await timbre.page.keyboard.press('f');
  await expect(pane(timbre.page).getByRole('button', { name: 'Favourite' })).toHaveAttribute('aria-pressed', 'true');
  await expect(timbre.page.getByText('Low bronze added to favourites')).toHaveCount(1);

  await timbre.reopen();
  const { page } = timbre;
  await openVoices(page);
  await page.getByRole('radio', { name: 'Favourites' }).click();
  await expect(bells(page)).toHaveCount(1);
  await expect(bells(page)).toContainText('Low bronze');
  // In the search the letter is a letter.
  await page.keyboard.press('/');
  await page.keyboard.type('f');
  await page.keyboard.press('Escape');
  await expect(bells(page)).toHaveCount(1);
  await bells(page).focus();
  await page.keyboard.press('f');
  await expect(page.getByRole('heading', { name: 'No favourites yet' })).toBeVisible();
});

test('without the service the cached catalogue is shown with its date and the reason, and is filtered locally', async ({
  timbre,
  service,
}) => {
  const { page } = timbre;
  await useService(timbre, service);
  await openVoices(page);
  await expect(headline(page)).toContainText('130 voices');
  await service.goOffline();

  await page.getByRole('button', { name: 'Refresh' }).click();
  await filterBy(page, 'Language', 'German');
  await expect(page.getByText('This is the saved copy from')).toContainText('Can’t reach the service');
  await expect(headline(page)).toContainText('saved copy from');
  await expect(bells(page).filter({ hasText: 'German' }).first()).toBeVisible();
  await expect(bells(page).filter({ hasNotText: 'German' })).toHaveCount(0);
  const count = await bells(page).count();

  await service.comeBack();
  await page.getByRole('status').getByRole('button', { name: 'Try again' }).click();
  await expect(pane(page).getByRole('alert')).toHaveCount(0);
  await expect(page.getByText('This is the saved copy from')).toHaveCount(0);
  await expect(bells(page)).toHaveCount(count);
});

test('a cached catalogue survives a restart, and without a cache the reason is shown', async ({ timbre, service }) => {
  await useService(timbre, service);
  await openVoices(timbre.page);
  await expect(headline(timbre.page)).toContainText('130 voices');
  await timbre.reopen(() => service.goOffline());
  const { page } = timbre;
  await openVoices(page);
  await expect(headline(page)).toContainText('130 voices, saved copy from');
});

test('details that the service could not give can be requested again', async ({ timbre, service }) => {
  const { page } = timbre;
  await useService(timbre, service);
  await openVoices(page);
  service.script([{ operation: 'voice-detail', fault: { kind: 'answer', status: 503, body: { error: 'Later.' } } }]);
  await bells(page).nth(3).click();
  await expect(pane(page).getByRole('alert')).toContainText('Message from the service: “Later.”');
  service.script([]);
  await pane(page).getByRole('button', { name: 'Try again' }).click();
  await expect(pane(page).getByRole('alert')).toHaveCount(0);
  await expect(pane(page)).toContainText('Hz');
});

function storedNotes({ dataFolder }: Timbre): readonly unknown[] {
  const database = new DatabaseSync(join(dataFolder, 'timbre.db'), { readOnly: true });
  const rows = database.prepare('SELECT text FROM voice_note').all();
  database.close();
  return rows.map(({ text }) => text);
}

test('a note on a voice survives a kill, is found by search, and removed when it is emptied', async ({ timbre }) => {
  await openVoices(timbre.page);
  await bells(timbre.page).filter({ hasText: 'Low bronze' }).click();
  const note = (page: Page) => pane(page).getByLabel('Your note');
  await note(timbre.page).fill('The captain, act two');
  await expect(bells(timbre.page).filter({ hasText: 'has a note' })).toHaveCount(1);
  await note(timbre.page).press('Tab');
  await expect.poll(() => storedNotes(timbre)).toEqual(['The captain, act two']);

  await timbre.reopen();
  const { page } = timbre;
  await openVoices(page);
  await page.keyboard.press('/');
  await page.keyboard.type('captain');
  await expect(bells(page)).toHaveCount(1);
  await expect(bells(page)).toContainText('Low bronze');
  await expect(note(page)).toHaveValue('The captain, act two');
  await note(page).fill('');
  await expect(page.getByRole('heading', { name: 'No voices match these filters' })).toBeVisible();
});

test('voices that sound similar are found among those that were heard', async ({ timbre: { page } }) => {
  await openVoices(page);
  await playWithoutEnd(page);
  const similar = pane(page).getByRole('region', { name: 'Sounds similar' });
  // The tests before may have had a voice spoken.
  await expect(similar).toContainText(/Listen to (this voice to compare|more voices)/);
  await bells(page).first().focus();
  await page.keyboard.press(' ');
  for (let k = 1; k < 8; k += 1) {
    await expect(bells(page).nth(k - 1)).toContainText('playing,');
    await page.keyboard.press('ArrowRight');
  }
  await expect(bells(page).nth(7)).toContainText('playing,');
  await expect(similar).toContainText(/([7-9]|\d\d) other voices you’ve heard/);
});
