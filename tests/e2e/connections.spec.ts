import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers } from '../faults/answers.ts';
import { addService, card, expect, giveToken, right, test } from './service.ts';
import { openView } from './app.ts';
import { samples } from './run-command.ts';

test.use({ isShared: true });

test(
  'a service is added from its file, tested line by line, and converts',
  { tag: '@smoke' },
  async ({ timbre, service }) => {
    const { page, folder, drop } = timbre;
    await addService(timbre, service);
    await card(page).getByRole('button', { name: 'Test Studio' }).click();
    await expect(card(page)).toContainText('The service rejected the token.');
    // A notice in another view leads to the field that mends it.
    await openView(page, 'Voices');
    await page.getByRole('button', { name: 'Enter token' }).click();
    await expect(card(page).locator('input[type="password"]')).toBeFocused();
    await giveToken(page, right);
    await card(page).getByRole('button', { name: 'Test Studio' }).click();
    await expect(card(page).getByText('Connected, authorised and understood')).toHaveCount(3);

    await openView(page, 'Convert');
    await page.getByRole('radio', { name: 'Low bronze' }).click();
    await copyFile(join(samples, 'lantern.mp3'), join(folder, 'lantern.mp3'));
    await drop('main', [join(folder, 'lantern.mp3')]);
    await expect(page.getByRole('tab', { name: 'Done' })).toContainText('1');
    expect(await readdir(folder)).toContain('lantern, Low bronze.mp3');
    expect(service.count({ operation: 'convert' })).toBe(1);
  },
);

test('a rejected token pauses the queue once, and the new token resumes it where it was', async ({
  timbre,
  service,
}) => {
  const { page, folder, drop } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  await openView(page, 'Convert');
  await page.getByRole('radio', { name: 'Low bronze' }).click();
  // The token runs out in the middle of the batch.
  service.script([{ operation: 'convert', fault: answers.unauthorized }]);
  const names = [1, 2, 3].map((k) => `take ${k}.mp3`);
  for (const name of names) await copyFile(join(samples, 'lantern.mp3'), join(folder, name));
  await drop(
    'main',
    names.map((name) => join(folder, name)),
  );
  const held = page.getByRole('list', { name: 'Reasons why the queue is paused' });
  await expect(held.getByText('Studio rejected the token.')).toHaveCount(1);

  // The notice has a field for it.
  service.script([]);
  await held.getByLabel('Token for Studio', { exact: true }).fill(`${right}-new`);
  await page.keyboard.press('Enter');
  await expect(held).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Done' })).toContainText('3');
  const passed = (operation: 'create-task' | 'upload' | 'convert') =>
    service.calls.filter((call) => call.operation === operation && call.serviceStatus === 200).length;
  expect([passed('create-task'), passed('upload'), passed('convert')]).toEqual([3, 3, 3]);
});

test('many recordings are sent to a service only after a question with their number and length', async ({
  timbre,
  service,
}) => {
  const { page, folder, drop } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  await openView(page, 'Convert');
  await page.getByRole('radio', { name: 'Low bronze' }).click();
  const paths = Array.from({ length: 25 }, (_, k) => join(folder, `take ${k + 1}.mp3`));
  for (const path of paths) await copyFile(join(samples, 'lantern.mp3'), path);
  await drop('main', paths);
  const dialog = page.getByRole('dialog', { name: 'Convert 25 recordings?' });
  await expect(dialog).toContainText('of audio will be sent to Studio, which may charge for it.');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(service.count({ operation: 'create-task' })).toBe(0);

  // Nothing is paid for meanwhile.
  service.script([{ operation: 'create-task', fault: answers.unauthorized }]);
  await drop('main', paths);
  await dialog.getByRole('button', { name: 'Convert' }).click();
  await expect(page.getByText('Added 25 recordings.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Undo adding' }).click();
  await expect(page.getByText('Removed 25 recordings.').first()).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Queue' })).toContainText('0');
  await openView(page, 'History');
  await expect(page.getByText('take 1', { exact: false })).toHaveCount(0);
  expect(service.count({ operation: 'convert' })).toBe(0);
});

test('a token stays out of the page, its messages and the files', async ({ timbre, service }) => {
  const { page, dataFolder } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  expect(await page.content()).not.toContain(right);
  async function search(folder: string): Promise<void> {
    // Chromium's profile is included: it must not store what the user types into a password field. It removes files and folders meanwhile.
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await search(path);
      else if (entry.isFile())
        expect((await readFile(path).catch(() => Buffer.alloc(0))).includes(right), path).toBe(false);
    }
  }
  expect(await readdir(dataFolder)).not.toEqual([]);
  await search(dataFolder);
});

test('a removed connection takes its token with it, and this computer replaces it', async ({ timbre, service }) => {
  const { page } = timbre;
  await addService(timbre, service);
  await card(page).getByRole('button', { name: 'Remove Studio' }).click();
  await card(page).getByRole('button', { name: 'Remove with token' }).click();
  await expect(card(page)).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: 'This computer' })).toContainText('In use');
});

test('a service is added by hand: its form names what is wrong, and its test the field to check', async ({
  timbre,
  service,
}) => {
  const { page } = timbre;
  const { hosts } = service.document({});
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await openView(page, 'Settings');
  await page.getByRole('button', { name: 'Add service' }).click();
  await field('Address for voices').fill('ftp://nowhere');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('3 fields need fixing.')).toBeVisible();
  await field('Name').last().fill('Studio');
  await field('Address for voices').fill(hosts.voice);
  await field('Address for uploads').fill(hosts.upload);
  await page.getByText('Advanced settings').click();
  await field('Query: voice for details').fill('nonsense');
  await field('Query: voice for details').press('Enter');
  await expect(page.getByRole('button', { name: 'Add service' })).toBeFocused();

  await giveToken(page, right);
  await card(page).getByRole('button', { name: 'Test Studio' }).click();
  await expect(card(page)).toContainText('Select Edit and check “Query: voice for details”.');

  await card(page).getByRole('button', { name: 'Edit Studio' }).click();
  await page.getByText('Advanced settings').click();
  await expect(field('Query: voice for details')).toHaveValue('nonsense');
  await field('Query: voice for details').fill('voiceId');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(field('Query: voice for details')).toBeHidden();
  await card(page).getByRole('button', { name: 'Test Studio' }).click();
  await expect(card(page).getByText('Connected, authorised and understood')).toHaveCount(3);

  // It is there again, and it is the document that was written.
  await timbre.reopen();
  await openView(timbre.page, 'Settings');
  await card(timbre.page).getByRole('button', { name: 'Edit Studio' }).click();
  await expect(timbre.page.getByRole('textbox', { name: 'Address for uploads' })).toHaveValue(hosts.upload);
});

test('a service gets no call while the user works offline; this computer goes on, and jobs resume at once', async ({
  timbre,
  service,
}) => {
  const { page, folder, drop } = timbre;
  const [first, second] = [join(folder, 'first.mp3'), join(folder, 'second.mp3')];
  for (const path of [first, second]) await copyFile(join(samples, 'lantern.mp3'), path);
  await addService(timbre, service);
  await giveToken(page, right);
  // What the token brings was asked for before, and may arrive later than the switch.
  const answered = (operation: 'models' | 'voices') =>
    service.calls.filter((call) => call.operation === operation && call.serviceStatus === 200).length;
  await expect.poll(() => [answered('voices'), answered('models')]).toEqual([2, 1]);
  await page.getByRole('switch', { name: 'Work offline' }).click();
  const online = page.getByRole('button', { name: /Working offline/ });
  await expect(online).toBeVisible();
  await expect(card(page)).toContainText('In use');
  const asked = service.calls.length;

  await card(page).getByRole('button', { name: 'Test Studio' }).click();
  await expect(card(page)).toContainText('You’re working offline.');
  await openView(page, 'Convert');
  await drop('main', [first]);
  await expect(page.getByText('Studio isn’t used while you work offline.', { exact: true })).toBeVisible();
  await expect(page.getByText('until you’re online')).toBeVisible();
  // This computer converts meanwhile.
  await openView(page, 'Settings');
  await page.getByRole('button', { name: 'Use This computer' }).click();
  await expect(page.getByRole('button', { name: 'Use This computer' })).toHaveCount(0);
  await openView(page, 'Convert');
  await drop('main', [second]);
  await page.getByRole('tab', { name: /^Done/ }).click();
  await expect(page.getByRole('row', { name: /second/ })).toBeVisible();
  expect(service.calls.length).toBe(asked);

  await online.click();
  await expect(online).toHaveCount(0);
  await expect(page.getByRole('row', { name: /first/ })).toBeVisible();
  expect(service.count({ operation: 'convert' })).toBe(1);
});

test('after damage to the settings, which may have said so, Timbre works offline until the user goes online', async ({
  timbre,
}) => {
  const path = join(timbre.dataFolder, 'settings.json');
  await timbre.reopen(() => writeFile(path, '{ "isOfflineMode": tr'));
  const { page } = timbre;
  const banner = page.getByRole('alert').filter({ hasText: 'The settings were damaged' });
  await expect(banner).toBeVisible();
  await expect(page.getByRole('button', { name: /Working offline/ })).toBeVisible();
  await banner.getByRole('button', { name: 'Go online' }).click();
  await expect(banner).toBeHidden();
  await expect(page.getByRole('button', { name: /Working offline/ })).toHaveCount(0);
  await expect
    .poll(async () => JSON.parse(await readFile(path, 'utf8')) as object)
    .toMatchObject({ isOfflineMode: false });
});
