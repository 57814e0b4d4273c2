import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { damageDatabase } from '../../src/main/core/database/damage.fixture.ts';
import type { FaultProxy } from '../faults/start-fault-proxy.ts';
import { openView, pauseQueue, tab, type Timbre } from './app.ts';
import { samples } from './run-command.ts';
import { addService, expect, giveToken, right, test } from './service.ts';

test.use({ isShared: true });

const rows = (page: Page) => page.getByRole('row');
const waiting = (page: Page) => rows(page).filter({ hasText: /Paused|Waiting/ });
const takeNames = (count: number) => Array.from({ length: count }, (_, k) => `take ${k + 1}.wav`);
/** The vertical position of each row on the screen. */
const order = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role="row"]')]
      .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      .map((row) => /take \d+/.exec(row.textContent)?.[0] ?? ''),
  );
const outputs = async (folder: string) => (await readdir(folder)).filter((name) => name.includes('Low bronze')).sort();

const pauses = (page: Page) => page.getByRole('list', { name: 'Reasons why the queue is paused' });
const sent = (page: Page) => rows(page).filter({ hasText: /(Uploads|Converts|Saves) next/ });

async function dropTakes({ folder, drop }: Timbre, count: number): Promise<void> {
  const paths = takeNames(count).map((name) => join(folder, name));
  for (const path of paths) await copyFile(join(samples, 'harbour.wav'), path);
  await drop('main', paths);
}

/** Recordings in a paused queue, of which none has begun. */
async function pausedWith(timbre: Timbre, count: number): Promise<void> {
  const { page } = timbre;
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await pauseQueue(timbre);
  await dropTakes(timbre, count);
  await expect(pauses(page)).toContainText('Paused.');
  await expect(waiting(page)).toHaveCount(count);
}

/** Recordings in a queue that is paused by its key while the service has the first ones, and none of them is paid for. */
async function pausedWithSent(timbre: Timbre, service: FaultProxy, count: number): Promise<void> {
  const { page } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  await openView(page, 'Convert');
  await page.getByRole('radio', { name: 'Low bronze' }).click();
  const gate = Promise.withResolvers<void>();
  service.script([{ operation: 'upload', fault: { kind: 'hold', until: gate.promise } }]);
  await dropTakes(timbre, count);
  await expect.poll(() => service.count({ operation: 'upload' })).toBeGreaterThan(0);
  await page.keyboard.press('p');
  await expect(pauses(page)).toContainText('Paused.');
  gate.resolve();
  await expect(page.getByRole('heading', { name: 'Convert' }).locator('..')).not.toContainText('running');
  await expect(waiting(page)).toHaveCount(count);
}

test('a pause lets running steps finish and starts no other until the user resumes', async ({ timbre, service }) => {
  const { page, folder } = timbre;
  await pausedWithSent(timbre, service, 8);
  const uploaded = service.count({ operation: 'upload' });
  expect(uploaded).toBeLessThan(8);
  await expect(sent(page)).toHaveCount(service.count({ operation: 'create-task' }));
  expect(service.count({ operation: 'convert' })).toBe(0);

  await page.getByRole('button', { name: 'Resume' }).focus();
  await page.keyboard.press('Enter');
  await expect(pauses(page)).toHaveCount(0);
  await expect(tab(page, 'Done')).toContainText('8');
  expect(await outputs(folder)).toHaveLength(8);
  expect([service.count({ operation: 'upload' }), service.count({ operation: 'convert' })]).toEqual([8, 8]);
});

test('undo returns a cancelled recording to its place in the queue, and then takes back what was added', async ({
  timbre,
  service,
}) => {
  const { page, folder } = timbre;
  await pausedWithSent(timbre, service, 8);
  const before = await order(page);
  const name = before.at(-2) ?? '';
  const row = rows(page).filter({ hasText: `${name}.wav` });
  await row.focus();
  await page.keyboard.press('Delete');
  await expect(row).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo cancelling' })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('status').filter({ hasText: 'Back in the queue.' })).toBeAttached();
  await expect(row).toBeVisible();
  await expect.poll(() => order(page)).toEqual(before);
  await expect(page.getByRole('button', { name: 'Undo cancelling' })).toHaveCount(0);
  expect(await outputs(folder)).toEqual([]);

  await page.getByRole('button', { name: 'Undo adding' }).click();
  // Those that have been sent stay.
  await expect(waiting(page).filter({ hasNotText: /(Uploads|Converts|Saves) next/ })).toHaveCount(0);
});

test('the keyboard moves a waiting recording, which keeps the focus and announces its position', async ({
  timbre,
  service,
}) => {
  const { page } = timbre;
  await pausedWithSent(timbre, service, 9);
  // Those that have been sent already stay where they are, and are not in the line.
  const all = await order(page);
  const line = all.slice(await sent(page).count());
  const last = line.at(-1) ?? '';
  const row = rows(page).filter({ hasText: `${last}.wav` });
  const says = (place: number) => page.getByText(`Moved ${last}.wav to ${place} of ${line.length} in the queue`);
  await rows(page).first().focus();
  await page.keyboard.press('End');
  await expect(row).toBeFocused();

  await page.keyboard.press('Alt+Home');
  await expect(says(1)).toBeAttached();
  const first = (await order(page)).indexOf(last);
  expect(first).toBeLessThan(all.length - 1);
  await expect(row).toBeFocused();

  await page.keyboard.press('Alt+ArrowDown');
  await expect(says(2)).toBeAttached();
  expect((await order(page)).indexOf(last)).toBeGreaterThan(first);
  await expect(row).toBeFocused();

  await page.keyboard.press('Alt+End');
  await expect(says(line.length)).toBeAttached();
  await expect.poll(() => order(page)).toEqual(all);
});

test('a finished recording is repeated by keyboard, beside the first result', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'a.mp3'));
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await drop('main', [join(folder, 'a.mp3')]);
  await expect(tab(page, 'Done')).toContainText('1');
  await tab(page, 'Queue').focus();
  await page.keyboard.press('ArrowRight');
  await rows(page).first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Convert a.mp3 again' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(tab(page, 'Done')).toContainText('2');
  expect(await outputs(folder)).toEqual(['a, Low bronze (2).mp3', 'a, Low bronze.mp3']);
});

test('several failed recordings are retried with one button', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  const paths = takeNames(2).map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, 'not yet');
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await drop('main', paths);
  await expect(page.getByRole('button', { name: 'Retry all 2' })).toBeVisible();
  for (const path of paths) await copyFile(join(samples, 'lantern.mp3'), path);
  await page.getByRole('button', { name: 'Retry all 2' }).focus();
  await page.keyboard.press('Enter');
  await expect(tab(page, 'Done')).toContainText('2');
});

test('jobs that waited when Timbre was killed are queued at the next start, and run once', async ({ timbre }) => {
  const { folder } = timbre;
  await pausedWith(timbre, 8);
  const left = await order(timbre.page);
  await timbre.reopen();
  const { page } = timbre;
  await expect(rows(page)).toHaveCount(left.length);
  await expect.poll(() => order(page)).toEqual(left);
  await expect(waiting(page).first()).toContainText('Paused');
  await rows(page).first().focus();
  await page.keyboard.press('p');
  await expect(tab(page, 'Done')).toContainText('8');
  expect(await outputs(folder)).toEqual(takeNames(8).map((name) => name.replace('.wav', ', Low bronze.wav')));
});

test('a job list that cannot be read says so in its place and accepts no jobs, and the rest works', async ({
  timbre,
}) => {
  const { dataFolder, folder } = timbre;
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'a.mp3'));
  await expect(timbre.page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  const removeDatabase = async () => {
    const parts = (await readdir(dataFolder)).filter((name) => name.startsWith('timbre.db'));
    await Promise.all(parts.map((name) => rm(join(dataFolder, name), { recursive: true })));
  };
  await timbre.reopen(async () => {
    await removeDatabase();
    await mkdir(join(dataFolder, 'timbre.db'));
  });
  const { page } = timbre;
  await expect(page.getByRole('heading', { name: 'Can’t open the list of your jobs' })).toBeVisible();
  await timbre.drop('main', [join(folder, 'a.mp3')]);
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t open the list of your jobs.' })).toBeVisible();
  await openView(page, 'Settings');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible();
  await openView(page, 'Convert');

  await removeDatabase();
  await page.getByRole('button', { name: 'Try again' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
});

test('a damaged job database is repaired at the start, and the damaged file is kept', async ({ timbre }) => {
  const { dataFolder, folder, drop } = timbre;
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'a.mp3'));
  await drop('main', [join(folder, 'a.mp3')]);
  await expect(tab(timbre.page, 'Done')).toContainText('1');
  let damaged = Buffer.alloc(0);
  await timbre.reopen(async () => {
    const path = join(dataFolder, 'timbre.db');
    // Behind the head, which says what the file is: the list of tables.
    await damageDatabase(path, 100, 4096);
    damaged = await readFile(path);
  });
  const { page } = timbre;
  const said = page.getByRole('alert').filter({ hasText: 'was damaged and has been repaired' });
  await expect(said).toContainText('The damaged file is kept as timbre.db.damaged-');
  const kept = (await readdir(dataFolder)).find(
    (name) => name.startsWith('timbre.db.damaged-') && !/-(wal|shm)$/.test(name),
  );
  expect((await readFile(join(dataFolder, kept ?? ''))).subarray(4096).equals(damaged.subarray(4096))).toBe(true);
  await drop('main', [join(folder, 'a.mp3')]);
  await expect(tab(page, 'Done')).toContainText('1');
});

test('a name template applies to the next file, and an invalid one to none', async ({ timbre }) => {
  const { page, folder, drop } = timbre;
  await copyFile(join(samples, 'lantern.mp3'), join(folder, 'a.mp3'));
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await openView(page, 'Settings');
  const field = page.getByRole('textbox', { name: 'Name' });
  await field.fill('{voice}/');
  await expect(page.getByText('This pattern has an empty part.')).toBeVisible();
  await page.getByRole('button', { name: 'Insert {name}' }).focus();
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('{voice}/{name}');
  await expect(field).toBeFocused();
  await expect(page.getByText('harbour.wav becomes Low bronze/harbour.wav')).toBeVisible();

  await field.fill('../{name}');
  await expect(page.getByText('This pattern leads outside the folder.')).toBeVisible();
  await openView(page, 'Convert');
  await drop('main', [join(folder, 'a.mp3')]);
  await expect(tab(page, 'Done')).toContainText('1');
  expect(await readdir(join(folder, 'Low bronze'))).toEqual(['a.mp3']);
});

test('quitting with open work asks first, and Escape cancels', async ({ timbre }) => {
  const { page, evaluateMain, ended } = timbre;
  await pausedWith(timbre, 8);
  const question = page.getByRole('dialog', { name: 'aren’t finished' });
  await evaluateMain(({ app }) => app.quit());
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await evaluateMain(({ app }) => app.quit());
  await expect(question.getByRole('button', { name: 'Quit', exact: true })).toBeFocused();
  // The window closes before the key is released, so the press may never resolve.
  void page.keyboard.press('Enter').catch(() => undefined);
  await ended();
});
