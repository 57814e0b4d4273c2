import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright/test';
import { expect, openView, type Timbre } from './app.ts';
import { samples } from './run-command.ts';

export const harbour = 'harbour.wav';
export const lantern = 'lantern.mp3';

/** Those of recordings: a day has a row too. */
export const rows = ({ page }: Timbre): Locator => page.getByRole('row').filter({ hasText: /\.(wav|mp3)/ });
export const row = (timbre: Timbre, name: string): Locator => rows(timbre).filter({ hasText: name });
export const pane = ({ page }: Timbre): Locator => page.getByRole('complementary', { name: 'Selected entry' });
export const outcome = ({ page }: Timbre, text: string): Locator => page.getByRole('status').filter({ hasText: text });

/** What is looked for by its bytes is looked for around its folder too: there nothing of other tests lies. */
export const takesOf = ({ folder }: Timbre): string => join(folder, 'year', 'takes');

/** Converts both samples, one after the other, in a folder of their own, and opens History. */
export async function withHistory(timbre: Timbre): Promise<void> {
  const { page, drop } = timbre;
  const folder = takesOf(timbre);
  await mkdir(folder, { recursive: true });
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  for (const [k, name] of [harbour, lantern].entries()) {
    await copyFile(join(samples, name), join(folder, name));
    await drop('main', [join(folder, name)]);
    await expect(page.getByRole('tab', { name: 'Done' })).toContainText(String(k + 1));
  }
  await openView(page, 'History');
  await expect(rows(timbre)).toHaveCount(2);
}
