import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright/test';
import { expect, openView, test, type Timbre } from './app.ts';
import { outcome, row, rows, harbour, withHistory } from './history-page.ts';

const table = ({ page }: Timbre, name: string): Locator => page.getByRole('table', { name });

test('statistics count what was made, as charts and as tables, by keyboard, without what is removed, and are saved as CSV', async ({
  timbre,
}) => {
  const { page, folder } = timbre;
  await withHistory(timbre);
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Find a command' }).fill('statist');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Statistics' })).toHaveAttribute('aria-selected', 'true');

  const voice = table(timbre, 'Voices').getByRole('row', { name: /Low bronze/ });
  await expect(voice.getByRole('cell')).toHaveText(['2']);
  await expect(page.getByText(/^2 results were made on this computer/)).toBeVisible();
  // The table behind the chart.
  await expect(table(timbre, 'Per month').getByRole('row')).toHaveCount(13);
  await expect(table(timbre, 'Per month').getByRole('row').last().getByRole('cell').first()).toHaveText('2');

  await page.getByRole('radio', { name: 'Chart' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Table' })).toBeChecked();
  await expect(
    table(timbre, 'Connections')
      .getByRole('row', { name: /This computer/ })
      .getByRole('cell'),
  ).toHaveText(['2', /^\d+(\.\d)?$/, '0', '0', '0', '0']);
  await page.getByRole('combobox', { name: 'Period' }).selectOption('30d');
  await expect(table(timbre, 'Per day').getByRole('row')).toHaveCount(31);
  await page.getByRole('radio', { name: 'Speech' }).click();
  await expect(page.getByText('Nothing was made in this period.')).toBeVisible();
  await page.getByRole('radio', { name: 'All' }).click();

  const path = join(folder, 'voices.csv');
  await timbre.evaluateMain(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, path);
  await page.getByRole('button', { name: 'Save as CSV' }).click();
  await page.getByRole('menuitem', { name: 'Voices…' }).click();
  await expect(outcome(timbre, 'Table saved as voices.csv.')).toBeVisible();
  const [head, first] = (await readFile(path, 'utf8')).split('\r\n');
  expect(head).toBe(
    '\ufeffvoice,voice_id,connection,results,minutes,unmeasured,characters,failed,cancelled,uncertain,spoken_minutes,unmeasured_texts',
  );
  expect(first).toMatch(/^Low bronze,low-bronze,This computer,2,\d+\.\d\d,0,0,0,0,0,0\.00,0$/);

  await page.getByRole('tab', { name: 'List' }).click();
  await row(timbre, harbour).click();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(rows(timbre)).toHaveCount(1);
  await page.getByRole('tab', { name: 'Statistics' }).click();
  await expect(table(timbre, 'Per day').getByRole('row').last().getByRole('cell').first()).toHaveText('1');
  await openView(page, 'Convert');
});
