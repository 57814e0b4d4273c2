import { readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseName } from '../../src/main/core/database/database.ts';
import { openAsLater } from '../../src/main/core/newer-data.fixture.ts';
import { expect, openView, playbackSeconds, test } from './app.ts';
import { harbour, pane, row, rows, takesOf, withHistory } from './history-page.ts';
import { samples } from './run-command.ts';

test('the history of a newer Timbre is found and played, a banner says why nothing can be changed, and nothing is', async ({
  timbre,
}) => {
  await withHistory(timbre);
  await timbre.reopen(async () => (await openAsLater(timbre.dataFolder)).close());
  const { page, dataFolder } = timbre;
  const database = join(dataFolder, databaseName);
  const before = readFileSync(database);
  /** The banner, and what a view says of a change that was refused. */
  const reasons = page.getByRole('alert').filter({ hasText: 'This data is from a newer version of Timbre' });
  await expect(reasons).toHaveCount(1);
  await expect(reasons).toContainText(/The data has version \d+, and this Timbre knows versions up to \d+\./);
  await reasons.getByRole('button').click();
  await expect(page.getByRole('heading', { name: 'Updates' })).toBeInViewport();

  await openView(page, 'History');
  await expect(rows(timbre)).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Search history' }).fill('harb');
  await expect(rows(timbre)).toHaveCount(1);
  await row(timbre, harbour).click();
  await expect(pane(timbre)).toContainText('Low bronze');
  await row(timbre, harbour)
    .getByRole('button', { name: `Listen to ${harbour}` })
    .click();
  await expect.poll(() => playbackSeconds(page)).toBeGreaterThan(0.1);
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'Remove 1 entry?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(reasons).toHaveCount(2);
  await expect(rows(timbre)).toHaveCount(1);

  await openView(page, 'Convert');
  await expect(reasons).toHaveCount(1);
  const another = join(takesOf(timbre), 'another.wav');
  await copyFile(join(samples, harbour), another);
  await timbre.drop('main', [another]);
  await expect(reasons).toHaveCount(2);
  await expect(page.getByRole('tab', { name: 'Queue' })).toContainText('0');
  await expect(page.getByRole('tab', { name: 'Done' })).toContainText('2');

  // Where somebody looks for the way back.
  await openView(page, 'Diagnostics');
  await expect(page.getByText(`${database}.before-`).first()).toBeVisible();

  timbre.signal('SIGTERM');
  await timbre.ended();
  expect(readFileSync(database)).toEqual(before);
});
