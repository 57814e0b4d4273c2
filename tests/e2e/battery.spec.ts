import { appendFile, chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, openView, tab, test, type Timbre } from './app.ts';
import { samples } from './run-command.ts';

/** A computer on battery power with UPower on its bus. Returns a function that changes the source of power, which UPower signals. */
async function onBatteryPower({ folder, evaluateMain }: Timbre): Promise<(isOnBattery: boolean) => Promise<void>> {
  const programs = join(folder, 'programs');
  const answer = join(programs, 'answer');
  const signals = join(programs, 'signals');
  const asked = join(programs, 'asked');
  await mkdir(programs);
  await writeFile(signals, '');
  await writeFile(answer, '(<true>,)\n');
  const call = `[ "$1" = call ] && { tee '${asked}' <'${answer}'; exit; }`;
  await writeFile(join(programs, 'gdbus'), `#!/bin/sh\n${call}\nexec tail -n 0 -f '${signals}'\n`);
  await chmod(join(programs, 'gdbus'), 0o755);
  await evaluateMain((_electron, path) => void (process.env['PATH'] = `${path}:${process.env['PATH']}`), programs);
  return async (isOnBattery) => {
    await writeFile(answer, `(<${isOnBattery}>,)\n`);
    await appendFile(signals, 'PropertiesChanged\n');
    await expect.poll(() => readFile(asked, 'utf8')).toBe(`(<${isOnBattery}>,)\n`);
  };
}

test('jobs wait while the computer runs on battery power, until it is plugged in or the user continues', async ({
  timbre,
}) => {
  const { page, folder, drop } = timbre;
  const setOnBattery = await onBatteryPower(timbre);
  await openView(page, 'Settings');
  const setting = page.getByRole('switch', { name: 'Pause while on battery power' });
  await expect(setting).not.toBeChecked();
  await setting.click();
  await expect(setting).toBeChecked();
  await openView(page, 'Convert');
  const pauses = page.getByRole('list', { name: 'Reasons why the queue is paused' });
  await expect(pauses).toBeHidden();

  for (const name of ['one.wav', 'two.wav', 'three.wav', 'four.wav']) {
    await copyFile(join(samples, 'harbour.wav'), join(folder, name));
  }
  await expect(page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await drop('main', [join(folder, 'one.wav')]);
  await expect(pauses).toContainText('Paused on battery power. 1 item is waiting');
  await pauses.getByRole('button', { name: 'Continue now' }).click();
  await expect(tab(page, 'Done')).toContainText('1');

  // The user's choice lasts while nothing changes.
  await drop('main', [join(folder, 'two.wav')]);
  await expect(tab(page, 'Done')).toContainText('2');
  await setOnBattery(false);
  await drop('main', [join(folder, 'three.wav')]);
  await expect(tab(page, 'Done')).toContainText('3');
  await setOnBattery(true);
  // The answer was read, and arrives a moment later.
  await expect
    .poll(() => page.evaluate(() => window.bridge.invoke('jobs:pauses')))
    .toMatchObject({ value: [{ reason: 'battery' }] });
  await drop('main', [join(folder, 'four.wav')]);
  await expect(pauses).toContainText('Paused on battery power. 1 item is waiting');
  await setOnBattery(false);
  await expect(tab(page, 'Done')).toContainText('4');
  await expect(pauses).toBeHidden();
});

test('Settings say so when the computer does not tell where its power comes from', async ({ timbre }) => {
  const { page, folder, evaluateMain } = timbre;
  await writeFile(join(folder, 'gdbus'), '#!/bin/sh\nexit 1\n');
  await chmod(join(folder, 'gdbus'), 0o755);
  await evaluateMain((_electron, path) => void (process.env['PATH'] = `${path}:${process.env['PATH']}`), folder);
  await openView(page, 'Settings');
  await expect(page.getByText('can’t tell whether this computer is on battery power')).toBeVisible();
});
