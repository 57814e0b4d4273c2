import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseFile, expect, openView, test, type Timbre } from './app.ts';
import { samples } from './run-command.ts';

/** The system's question about arguments is answered with this button from now on; it keeps what was asked. */
const answer = ({ evaluateMain }: Timbre, response: 0 | 1) =>
  evaluateMain(({ dialog }, button) => {
    dialog.showMessageBox = (...args: readonly unknown[]) => {
      Reflect.set(globalThis, 'asked', (args.at(-1) as { readonly detail: string }).detail);
      return Promise.resolve({ response: button, checkboxChecked: false });
    };
  }, response);
const asked = ({ evaluateMain }: Timbre) => evaluateMain(() => String(Reflect.get(globalThis, 'asked')));

async function writeHook({ folder }: Timbre, lines: string): Promise<string> {
  const path = join(folder, 'hook.sh');
  await writeFile(path, `#!/bin/sh\n${lines}\n`);
  await chmod(path, 0o755);
  return path;
}

test('a program is chosen, tried and turned on, and what it fails for is shown, repeated and survives a kill', async ({
  timbre,
}) => {
  const { folder } = timbre;
  const log = join(folder, 'log');
  const lines = async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  await openView(timbre.page, 'Settings');
  const on = () => timbre.page.getByRole('switch', { name: 'Run a program after each result' });
  await expect(on()).toBeDisabled();
  await chooseFile(timbre, await writeHook(timbre, `echo "$2" >> "${log}"; echo "from $1"; exit 3`));
  await timbre.page.getByRole('button', { name: 'Choose…', exact: true }).click();
  await expect(on()).toBeEnabled();
  await expect(on()).not.toBeChecked();

  const args = timbre.page.getByRole('textbox', { name: 'Arguments' });
  await expect(args).toHaveValue('{result}');
  await args.fill('{result}\n--voice={voice}');
  await answer(timbre, 1);
  await timbre.page.getByRole('button', { name: 'Use these arguments' }).click();
  await expect.poll(() => asked(timbre)).toBe('1. {result}\n2. --voice={voice}');
  await expect(args).toHaveValue('{result}\n--voice={voice}');
  await answer(timbre, 0);
  await timbre.page.getByRole('button', { name: 'Use these arguments' }).click();
  await expect(timbre.page.getByRole('button', { name: 'Use these arguments' })).toHaveCount(0);

  await timbre.page.getByRole('button', { name: 'Try it' }).click();
  await expect(timbre.page.getByText(/^Failed for the bundled sample after/)).toBeVisible();
  await expect(timbre.page.getByRole('region', { name: 'What the program wrote' })).toContainText('harbour.wav');
  expect(await lines()).toEqual(['--voice=Sample']);
  await on().click();
  await expect(on()).toBeChecked();

  await openView(timbre.page, 'Convert');
  const recording = join(folder, 'take.wav');
  await copyFile(join(samples, 'harbour.wav'), recording);
  await expect(timbre.page.getByRole('radio', { name: 'Low bronze' })).toBeVisible();
  await timbre.drop('main', [recording]);
  await timbre.page.getByRole('tab', { name: 'Done' }).click();
  const row = () => timbre.page.getByRole('row').filter({ hasText: 'take.wav' });
  await expect(row()).toContainText('hook.sh failed (exit code 3). The result is fine.');
  await expect(row().getByText('Done', { exact: true })).toBeVisible();
  await timbre.reopen();
  await timbre.page.getByRole('tab', { name: 'Done' }).click();
  await expect(row()).toContainText('hook.sh failed (exit code 3)');
  await openView(timbre.page, 'History');
  await timbre.page.getByRole('row').filter({ hasText: 'take.wav' }).click();
  const panel = timbre.page.getByRole('complementary', { name: 'Selected entry' });
  await expect(panel).toContainText('hook.sh failed (exit code 3)');
  await panel.getByRole('button', { name: 'Open its settings' }).click();
  await expect(on()).toBeFocused();

  await writeHook(timbre, `echo "$2" >> "${log}"`);
  await timbre.page.getByRole('button', { name: 'Run again for 1 result' }).click();
  await expect(timbre.page.getByText(/^Succeeded for take\.wav after .* \(exit code 0\)$/)).toBeVisible();
  expect(await lines()).toEqual(['--voice=Sample', '--voice=Low bronze', '--voice=Low bronze']);
  await openView(timbre.page, 'Convert');
  await timbre.page.getByRole('tab', { name: 'Done' }).click();
  await expect(row()).not.toContainText('hook.sh');
});
