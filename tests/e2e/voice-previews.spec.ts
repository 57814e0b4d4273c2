import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { chooseFile, expect, openView, playWithoutEnd, tab, type Timbre } from './app.ts';
import { appFolder } from './run-command.ts';
import { addService, giveToken, right, test } from './service.ts';

test.use({ isShared: true });

const grid = (page: Page) => page.getByRole('grid', { name: 'Voices' });
const cells = (page: Page) => grid(page).getByRole('gridcell');
const playing = (page: Page) => cells(page).filter({ hasText: 'playing,' });
const question = (page: Page) => page.getByRole('dialog', { name: /^Listen to / });

async function openVoices(page: Page): Promise<void> {
  await openView(page, 'Voices');
  await expect(cells(page).first()).toBeVisible();
  await playWithoutEnd(page);
}

async function useService({ page, ...timbre }: Timbre, service: Parameters<typeof addService>[1]): Promise<void> {
  await addService({ page, ...timbre }, service);
  await giveToken(page, right);
  await openVoices(page);
}

test('on this computer a voice that is pressed is heard, and those that the arrow keys move to', async ({
  timbre: { page },
}) => {
  await openVoices(page);
  await cells(page).first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(playing(page)).toHaveCount(0);
  await page.keyboard.press(' ');
  await expect(playing(page)).toHaveCount(1);
  await expect(cells(page).nth(1)).toContainText('playing,');
  for (let k = 2; k < 6; k += 1) {
    await page.keyboard.press('ArrowRight');
    await expect(cells(page).nth(k)).toContainText('playing,');
  }
  await page.keyboard.press('Escape');
  await expect(playing(page)).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await cells(page).nth(9).click();
  await expect(cells(page).nth(9)).toContainText('playing,');
  await expect(cells(page).nth(6)).not.toContainText('playing,');
});

test('a service is called only for a voice that was pressed, once, and only after the user agreed', async ({
  timbre,
  service,
}) => {
  const { page } = timbre;
  await useService(timbre, service);
  const calls = () => service.count({ operation: 'speech' });

  await cells(page).first().focus();
  for (let k = 0; k < 20; k += 1) await page.keyboard.press('ArrowRight');
  await expect(cells(page).nth(20)).toBeFocused();
  expect(calls()).toBe(0);

  // Neither does selecting one, and it asks nothing.
  await cells(page).nth(21).click();
  await cells(page).nth(20).click();
  await expect(question(page)).toHaveCount(0);
  expect(calls()).toBe(0);

  await page.keyboard.press(' ');
  await expect(question(page)).toContainText('Studio has to speak this text and may charge for it');
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(cells(page).nth(20)).toBeFocused();
  expect(calls()).toBe(0);
  await page.keyboard.press(' ');
  await question(page).getByRole('button', { name: 'Listen' }).click();
  await expect(cells(page).nth(20)).toContainText('playing,');
  expect(calls()).toBe(1);

  // Back over all of them: one was heard before, and none is requested.
  for (let k = 19; k >= 0; k -= 1) {
    await page.keyboard.press('ArrowLeft');
    await expect(cells(page).nth(k)).toBeFocused();
  }
  for (let k = 1; k <= 20; k += 1) await page.keyboard.press('ArrowRight');
  await expect(cells(page).nth(20)).toContainText('playing,');
  expect(calls()).toBe(1);

  // From now on a press is enough, and each voice is requested once.
  for (const k of [3, 4, 3, 4, 3]) {
    await cells(page).nth(k).click();
    await expect(cells(page).nth(k)).toContainText('playing,');
  }
  expect(calls()).toBe(3);
});

test('a preview is kept with the catalogue: it is heard without the service after a restart', async ({
  timbre,
  service,
}) => {
  await useService(timbre, service);
  await cells(timbre.page).nth(2).click();
  await timbre.page.getByRole('button', { name: /^Listen to / }).click();
  await question(timbre.page).getByRole('button', { name: 'Listen' }).click();
  await expect(cells(timbre.page).nth(2)).toContainText('playing,');

  await timbre.reopen(() => service.goOffline());
  await openVoices(timbre.page);
  await cells(timbre.page).nth(2).click();
  await expect(cells(timbre.page).nth(2)).toContainText('playing,');
  // One that was never heard says why it cannot be heard now.
  await cells(timbre.page).nth(5).click();
  const reasons = timbre.page.getByRole('alert').filter({ hasText: 'Can’t reach the service' });
  await expect(reasons.first()).toBeVisible();
});

test('a preview whose reply was lost is not requested again without a question', async ({ timbre, service }) => {
  const { page } = timbre;
  await useService(timbre, service);
  service.script([{ operation: 'speech', times: 1, fault: { kind: 'drop-after' } }]);
  await cells(page).nth(2).click();
  await page.keyboard.press(' ');
  await question(page).getByRole('button', { name: 'Listen' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await cells(page).nth(2).press(' ');
  const again = page.getByRole('dialog', { name: /^Request the preview of / });
  await expect(again).toContainText('may have charged for it');
  expect(service.count({ operation: 'speech' })).toBe(1);
  await again.getByRole('button', { name: 'Listen' }).click();
  await expect(cells(page).nth(2)).toContainText('playing,');
  expect(service.count({ operation: 'speech' })).toBe(2);
});

const compareBar = (page: Page) => page.getByRole('region', { name: 'Compare voices' });
const comparison = (page: Page) => page.getByRole('dialog', { name: 'Compare voices' });
const audible = (page: Page) =>
  comparison(page)
    .getByRole('button', { pressed: true })
    .filter({ hasText: /^[A-D]/ });

/** Marks the first voices, and opens the comparison, by keyboard. */
async function compare(page: Page, count: number): Promise<void> {
  await cells(page).first().focus();
  for (let k = 0; k < count; k += 1) {
    await page.keyboard.press('c');
    await page.keyboard.press('ArrowRight');
  }
  await openComparison(page);
}

async function openComparison(page: Page): Promise<void> {
  await compareBar(page).getByRole('button', { name: 'Compare', exact: true }).focus();
  await page.keyboard.press('Enter');
}

test('four voices are compared at the same instant, by the keys A to D', async ({ timbre: { page } }) => {
  await openVoices(page);
  await compare(page, 4);
  await expect(audible(page)).toHaveText(/^A/);
  await expect(comparison(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  for (const [key, letter] of [
    ['c', 'C'],
    ['2', 'B'],
    ['d', 'D'],
    ['1', 'A'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(audible(page)).toHaveText(new RegExp(`^${letter}`));
    await expect(audible(page)).toHaveCount(1);
  }
  await page.keyboard.press(' ');
  await expect(comparison(page).getByRole('button', { name: 'Play' })).toBeVisible();
  await page.keyboard.press('l');
  await expect(comparison(page).getByRole('button', { name: 'Loop' })).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('Escape');
  await expect(comparison(page)).toHaveCount(0);
  // The fifth finds no place, and the first can be taken out.
  await cells(page).nth(4).focus();
  await page.keyboard.press('c');
  await expect(compareBar(page).getByRole('listitem')).toHaveCount(4);
  await cells(page).first().focus();
  await page.keyboard.press('c');
  await expect(compareBar(page).getByRole('listitem')).toHaveCount(3);
});

test('a comparison says how many calls it takes, makes none unasked, and none twice', async ({ timbre, service }) => {
  const { page } = timbre;
  await useService(timbre, service);
  const calls = () => service.count({ operation: 'speech' });
  await cells(page).first().focus();
  await page.keyboard.press(' ');
  await question(page).getByRole('button', { name: 'Listen' }).click();
  await expect(cells(page).first()).toContainText('playing,');
  await cells(page).nth(1).click();
  await expect(cells(page).nth(1)).toContainText('playing,');
  expect(calls()).toBe(2);

  await compare(page, 4);
  await expect(comparison(page)).toContainText('2 of 4 previews are on this computer. The others take 2 speech calls.');
  await page.keyboard.press('Escape');
  await expect(comparison(page)).toHaveCount(0);
  expect(calls()).toBe(2);

  // The reply to one of them is lost: it is asked about before it is made again.
  service.script([{ operation: 'speech', times: 1, fault: { kind: 'drop-after' } }]);
  await openComparison(page);
  await comparison(page).getByRole('button', { name: 'Request 2 previews' }).press('Enter');
  await expect(comparison(page).getByRole('alert')).toBeVisible();
  expect(calls()).toBe(4);
  await comparison(page).getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(comparison(page)).toContainText('3 of 4 previews are on this computer');
  await expect(comparison(page)).toContainText('1 of them was requested before');
  expect(calls()).toBe(4);
  await comparison(page).getByRole('button', { name: 'Request 1 preview' }).press('Enter');
  await expect(comparison(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  expect(calls()).toBe(5);
  await page.keyboard.press('Escape');
  await openComparison(page);
  await expect(comparison(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press('d');
  await expect(audible(page)).toHaveText(/^D/);
  expect(calls()).toBe(5);
});

test('previews say the user’s own text, and pause the player', async ({ timbre: { page } }) => {
  await openVoices(page);
  const about = page.getByRole('complementary', { name: 'About this voice' });
  await about.getByRole('radio', { name: 'Own text' }).click();
  const field = about.getByLabel('Preview text');
  await field.fill('One, two, three.');
  await field.press('Tab');
  await page.getByRole('button', { name: /^Listen to / }).click();
  await expect(playing(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
});

test('the voices of a picker are heard without choosing one', async ({ timbre: { page } }) => {
  await openVoices(page);
  await cells(page).nth(3).focus();
  await page.keyboard.press('Enter');
  await openView(page, 'Convert');
  await page.keyboard.press('v');
  const picker = page.getByRole('dialog', { name: 'Choose voice' });
  await page.keyboard.press('Shift+Enter');
  await expect(picker.getByTitle('Stop')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await expect(picker.getByTitle('Stop')).toHaveCount(1);
  await expect(picker).toBeVisible();
});

const about = (page: Page) => page.getByRole('complementary', { name: 'About this voice' });
const parts = (page: Page) => page.getByRole('dialog', { name: 'Try voices on your recording' });
const tryQuestion = (page: Page) => page.getByRole('dialog', { name: /^Try .* on your recording\?$/ });

/** A recording of the user's, which the system's dialog returns from now on. */
async function makeRecording(timbre: Timbre): Promise<string> {
  const path = join(timbre.folder, 'My take.wav');
  await copyFile(join(appFolder, 'samples/harbour.wav'), path);
  await chooseFile(timbre, path);
  return path;
}

/** Makes a part of six seconds the one that voices are heard with, by keyboard. */
async function choosePart(page: Page): Promise<void> {
  await about(page).getByRole('radio', { name: 'Recording' }).click();
  await about(page).getByRole('button', { name: 'Choose recording…' }).press('Enter');
  const part = parts(page).getByRole('slider', { name: 'Part' });
  await expect(part).toBeFocused();
  for (let k = 0; k < 8; k += 1) await page.keyboard.press('Shift+ArrowLeft');
  await expect(part).toHaveAttribute('aria-valuetext', /, 6\u00a0s$/);
  await parts(page).getByRole('button', { name: 'Use this part' }).press('Enter');
  await expect(parts(page)).toHaveCount(0);
  await expect(about(page)).toContainText('My take.wav');
}

for (const [what, operation] of [
  ['a text', 'speech'],
  ['a recording', 'convert'],
] as const) {
  test(`40 voices are gone through by keyboard with ${what}: no call is made unasked, and none is repeated`, async ({
    timbre,
    service,
  }) => {
    test.slow();
    const { page } = timbre;
    await useService(timbre, service);
    await makeRecording(timbre);
    if (operation === 'convert') await choosePart(page);
    const calls = () => service.count({ operation });
    const other = () => service.count({ operation: operation === 'convert' ? 'speech' : 'convert' });
    const every = 8;
    let pressed = 0;

    const current = page.locator('[role="gridcell"]:focus');
    async function goThrough(key: 'ArrowRight' | 'ArrowLeft', from: number, visit: (k: number) => Promise<void>) {
      for (let k = from; k >= 0 && k < 40; k += key === 'ArrowRight' ? 1 : -1) {
        await expect(current).toHaveAttribute('aria-selected', 'true');
        await visit(k);
        await page.keyboard.press(key);
      }
    }

    await cells(page).first().focus();
    await goThrough('ArrowRight', 0, () => Promise.resolve());
    expect([calls(), other()]).toEqual([0, 0]);
    await page.keyboard.press('ArrowLeft');
    await goThrough('ArrowLeft', 39, async (k) => {
      if (k % every > 0) return;
      await page.keyboard.press(' ');
      const asked = page.getByRole('dialog', { name: /^(Listen to|Try) / });
      if (pressed === 0) await asked.getByRole('button', { name: 'Listen' }).click();
      pressed += 1;
      await expect(current).toContainText('playing,');
      expect(calls()).toBe(pressed);
    });
    // While the user listens, those that were made are heard again, and nothing else happens.
    await cells(page).first().focus();
    await goThrough('ArrowRight', 0, async (k) => {
      if (k % every === 0) await expect(current).toContainText('playing,');
    });
    await page.keyboard.press('ArrowLeft');
    await goThrough('ArrowLeft', 39, () => Promise.resolve());
    expect([calls(), other(), pressed]).toEqual([5, 0, 5]);
  });
}

test('on this computer voices are heard on a part of the user’s recording, also when it is gone, and it is no job', async ({
  timbre,
}) => {
  const path = await makeRecording(timbre);
  await openVoices(timbre.page);
  await choosePart(timbre.page);
  await cells(timbre.page).nth(1).focus();
  await timbre.page.keyboard.press(' ');
  await expect(cells(timbre.page).nth(1)).toContainText('playing,');
  await timbre.page.keyboard.press('ArrowRight');
  await expect(cells(timbre.page).nth(2)).toContainText('playing,');

  await timbre.reopen(() => rm(path));
  await openVoices(timbre.page);
  await expect(about(timbre.page)).toContainText('My take.wav');
  await cells(timbre.page).nth(3).focus();
  await timbre.page.keyboard.press(' ');
  await expect(cells(timbre.page).nth(3)).toContainText('playing,');
  await about(timbre.page).getByRole('button', { name: 'Change part…' }).click();
  await expect(parts(timbre.page).getByRole('alert')).toContainText('still use the part you chose before');
  await timbre.page.keyboard.press('Escape');
  await openView(timbre.page, 'History');
  await expect(timbre.page.getByText('My take')).toHaveCount(0);

  await openVoices(timbre.page);
  await about(timbre.page).getByRole('button', { name: 'Remove the recording from Timbre' }).click();
  await expect(about(timbre.page).getByRole('radio', { name: 'Sentence' })).toBeChecked();
  expect(await readdir(join(timbre.dataFolder, 'excerpt'))).toEqual([]);
});

test('a service converts a part once for each voice, says so before, and is asked again after a lost reply', async ({
  timbre,
  service,
}) => {
  const { page } = timbre;
  await useService(timbre, service);
  await makeRecording(timbre);
  await choosePart(page);
  const calls = () => service.count({ operation: 'convert' });
  await cells(page).nth(2).focus();
  await page.keyboard.press(' ');
  await expect(tryQuestion(page)).toContainText('Each voice you try is one conversion of 6\u00a0s at Studio');
  expect([calls(), service.count({ operation: 'upload' })]).toEqual([0, 0]);

  service.script([{ operation: 'convert', times: 1, fault: { kind: 'drop-after' } }]);
  await tryQuestion(page).getByRole('button', { name: 'Listen' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await cells(page).nth(2).press(' ');
  const again = page.getByRole('dialog', { name: /^Request the preview of / });
  await expect(again).toContainText('may have charged for it');
  expect(calls()).toBe(1);
  await again.getByRole('button', { name: 'Listen' }).click();
  await expect(cells(page).nth(2)).toContainText('playing,');
  expect(calls()).toBe(2);

  // The comparison uses it, too, and asks for the others.
  await cells(page).nth(2).press('c');
  await cells(page).nth(3).focus();
  await page.keyboard.press('c');
  await openComparison(page);
  await expect(comparison(page)).toContainText(
    '1 of 2 previews is on this computer. The others take 1 conversion of 6',
  );
  await comparison(page).getByRole('button', { name: 'Request 1 preview' }).press('Enter');
  await expect(comparison(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  expect([calls(), service.count({ operation: 'speech' })]).toEqual([3, 0]);
});

test('stopping a voice that is not converted yet costs nothing', async ({ timbre, service }) => {
  const { page } = timbre;
  await useService(timbre, service);
  await makeRecording(timbre);
  await choosePart(page);
  service.script([{ operation: 'upload', times: 1, fault: { kind: 'hold', until: new Promise(() => undefined) } }]);
  await cells(page).nth(2).focus();
  await page.keyboard.press(' ');
  await tryQuestion(page).getByRole('button', { name: 'Listen' }).click();
  await expect.poll(() => service.count({ operation: 'upload' })).toBe(1);
  await cells(page).nth(2).press(' ');
  await expect(cells(page).nth(2)).toHaveAttribute('aria-busy', 'false');
  // It is asked about again, as nothing was converted.
  await cells(page).nth(2).press(' ');
  await expect(tryQuestion(page)).toBeVisible();
  expect(service.count({ operation: 'convert' })).toBe(0);
});

test('a recording that is dropped beside the voices is tried, and one on a voice is converted', async ({ timbre }) => {
  const { page } = timbre;
  const path = await makeRecording(timbre);
  await openVoices(page);
  await timbre.drop('.view-header h1', [path]);
  await expect(parts(page)).toContainText('My take.wav');
  await parts(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(about(page).getByRole('radio', { name: 'Sentence' })).toBeChecked();
  await timbre.drop('[data-drop-voice="low-bronze"]', [path]);
  await expect(tab(page, 'Done')).toContainText('1');

  await openView(page, 'History');
  await page.getByRole('row').filter({ hasText: 'My take' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Try voices on this recording…' }).click();
  await expect(parts(page)).toContainText('My take.wav');
  await parts(page).getByRole('button', { name: 'Use this part' }).press('Enter');
  await expect(about(page)).toContainText('My take.wav');
});
