import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, pauseQueue, tab, test, type Timbre } from './app.ts';
import { samples } from './run-command.ts';

/** The commands that would sleep or shut down are ours from now on, and only write down that they ran. */
async function fakePower({ folder, evaluateMain }: Timbre): Promise<() => Promise<string>> {
  const log = join(folder, 'power.log');
  for (const name of ['systemctl', 'pmset', 'osascript']) {
    const program = join(folder, name);
    await writeFile(program, `#!/bin/sh\necho "$0 $*" >> '${log}'\n`);
    await chmod(program, 0o755);
  }
  await evaluateMain((_, bin) => {
    process.env['PATH'] = bin;
    // Those of Windows are not found there.
    process.env['SystemRoot'] = bin;
  }, folder);
  return () => readFile(log, 'utf8').catch(() => '');
}

test('a shutdown waits for the queue and its pause, counts down, and is forgotten once it is cancelled', async ({
  timbre,
}) => {
  const { page, folder, drop } = timbre;
  const ran = await fakePower(timbre);
  const names = ['one.wav', 'two.wav'];
  for (const name of names) await copyFile(join(samples, 'harbour.wav'), join(folder, name));
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await pauseQueue(timbre);
  await drop(
    'main',
    names.map((name) => join(folder, name)),
  );
  await expect(tab(page, 'Queue')).toContainText('2');
  await page.getByRole('button', { name: 'When done' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Shut down' }).click();
  const button = page.getByRole('button', { name: 'When done: Shut down' });
  await expect(button).toBeVisible();

  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(tab(page, 'Done')).toContainText('2');
  const dialog = page.getByRole('dialog', { name: /^This computer shuts down in \d+/ });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(button).toHaveCount(0);
  expect(await ran()).toBe('');

  // Nothing of it is remembered.
  await timbre.reopen();
  await expect(tab(timbre.page, 'Done')).toContainText('2');
  await expect(timbre.page.getByRole('button', { name: /^When done/ })).toHaveCount(0);
  expect(await ran()).toBe('');
});
