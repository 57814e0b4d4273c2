import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addService, card, expect, giveToken, right, test } from './service.ts';
import { openView, type Timbre } from './timbre.ts';

const samples = join(import.meta.dirname, '../../samples');
const rows = ({ page }: Timbre) => page.getByRole('row').filter({ hasText: /\.(wav|mp3)/ });
const pane = ({ page }: Timbre) => page.getByRole('complementary', { name: 'Chosen recording' });
const outcome = ({ page }: Timbre, text: string) => page.getByRole('status').filter({ hasText: text });

async function convert(timbre: Timbre, name: string, done: number): Promise<void> {
  const { page, folder, drop } = timbre;
  await openView(page, 'Convert');
  await copyFile(join(samples, name), join(folder, name));
  await drop('main', [join(folder, name)]);
  await expect(page.getByRole('tab', { name: 'Done' })).toContainText(String(done));
}

test('what was made through a service that is gone is made again through another connection', async ({
  timbre,
  service,
}) => {
  const { page, folder } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  await convert(timbre, 'harbour.wav', 1);
  await openView(page, 'Settings');
  await card(page).getByRole('button', { name: 'Remove Studio' }).click();
  await card(page).getByRole('button', { name: 'Remove it and its token' }).click();
  await expect(card(page)).toHaveCount(0);

  await openView(page, 'History');
  await rows(timbre).first().click();
  await expect(pane(timbre)).toContainText('Studio');
  await pane(timbre).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Again with changes…' }).click();
  const form = page.getByRole('dialog', { name: 'Same again with changes' });
  const again = form.getByRole('button', { name: 'Convert again' });
  await expect(form).toContainText('The connection Studio is gone. Choose another one.');
  await expect(again).toBeDisabled();
  await form.getByRole('combobox', { name: 'Through' }).selectOption('This computer');
  await expect(form.getByText('Through: Studio → This computer')).toBeVisible();
  await again.click();
  await expect(form).toHaveCount(0);
  await expect(rows(timbre)).toHaveCount(2);
  await rows(timbre).first().click();
  await expect(pane(timbre)).toContainText('This computer');
  expect(await readdir(folder)).toContain('harbour, Low bronze (2).wav');
  expect(service.count({ operation: 'convert' })).toBe(1);
});

test('several get a voice of the connection in use, wherever they were made, and what cannot be made is told', async ({
  timbre,
  service,
}) => {
  const { page, folder } = timbre;
  await addService(timbre, service);
  await giveToken(page, right);
  await page.getByRole('button', { name: 'Use This computer' }).click();
  await convert(timbre, 'harbour.wav', 1);
  await convert(timbre, 'lantern.mp3', 2);
  await openView(page, 'Settings');
  await card(page).getByRole('button', { name: 'Use Studio' }).click();
  await openView(page, 'History');
  await rows(timbre).first().click();
  await page.keyboard.press('Control+a');
  await pane(timbre).getByRole('button', { name: 'Again with another voice…' }).click();
  await page.getByRole('combobox', { name: 'Find a voice of Studio' }).fill('Quiet harbour');
  await page.keyboard.press('Enter');
  await expect(outcome(timbre, '2 recordings put in the queue, with what was changed.')).toBeVisible();
  await expect(rows(timbre)).toHaveCount(4);
  expect(service.count({ operation: 'convert' })).toBe(2);
  expect(await readdir(folder)).toContain('harbour, Quiet harbour.wav');
});
