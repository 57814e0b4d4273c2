import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, openView, test } from './app.ts';
import { harbour, row, rows, takesOf, withHistory } from './history-page.ts';

test('a deleted result is restored from its copy, which goes with its entry or when the user deletes all', async ({
  timbre,
}) => {
  const { page, dataFolder } = timbre;
  const copies = async () =>
    (await readdir(join(dataFolder, 'copies')).catch(() => [])).filter((name) => !name.startsWith('.'));
  await openView(page, 'Settings');
  const keep = page.getByRole('switch', { name: 'Keep a copy of each result' });
  await keep.focus();
  await page.keyboard.press('Space');
  await expect(keep).toBeChecked();
  await openView(page, 'Convert');
  await withHistory(timbre);
  await expect.poll(async () => (await copies()).length).toBe(2);

  const result = join(takesOf(timbre), 'harbour, Low bronze.wav');
  const bytes = await readFile(result);
  await rm(result);
  await timbre.reopen();
  await openView(timbre.page, 'History');
  // Of several, if one of these has something to restore.
  await rows(timbre).first().click();
  await timbre.page.keyboard.press('Control+a');
  const several = timbre.page.getByRole('complementary').getByRole('button', { name: 'Restore from copy' });
  await expect(several).toBeVisible();
  const restore = row(timbre, harbour).getByRole('button', { name: /^Restore/ });
  await restore.click();
  await expect(restore).toHaveCount(0);
  expect((await readFile(result)).equals(bytes)).toBe(true);
  await timbre.page.keyboard.press('Control+k');
  await timbre.page.getByRole('combobox', { name: 'Find a command' }).fill('copies');
  await timbre.page.keyboard.press('Enter');
  await expect(timbre.page.getByRole('switch', { name: 'Keep a copy of each result' })).toBeFocused();
  await openView(timbre.page, 'History');

  await row(timbre, harbour).click();
  await timbre.page.keyboard.press('Delete');
  await timbre.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(rows(timbre)).toHaveCount(1);
  await timbre.reopen();
  await openView(timbre.page, 'Settings');
  await expect(timbre.page.getByText(/^1 copy, /)).toBeVisible();
  expect(await copies()).toHaveLength(1);
  await timbre.page.getByRole('button', { name: 'Delete all copies…' }).click();
  await timbre.page.getByRole('button', { name: 'Delete copies' }).click();
  await expect(timbre.page.getByText('None yet')).toBeVisible();
  expect(await copies()).toEqual([]);
});
