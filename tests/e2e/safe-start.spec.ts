import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDisplay, type Display } from '../../scripts/start-display.mts';
import { expect, onElectron, openView, test, watchFolder } from './app.ts';
import { executable } from './run-command.ts';

// The question comes before any window, so no test could answer it: a program in place of the host's dialogs does, which need
// a display.
const folder = mkdtempSync(join(tmpdir(), 'safe-start-'));
const launcher = join(folder, 'launcher');
let display: Display;

test.use({ launcher });
test.skip(onElectron, 'Electron shows a dialog of the system, which only a person can answer');
test.beforeAll(async () => {
  display = await startDisplay();
  writeFileSync(join(folder, 'zenity'), `#!/bin/sh\necho "$@" >>'${folder}/asked'\necho 'Start safely'\n`, {
    mode: 0o755,
  });
  writeFileSync(
    launcher,
    `#!/bin/sh\nunset WAYLAND_DISPLAY\nDISPLAY='${display.name}' PATH='${folder}':"$PATH" exec '${executable}' "$@"\n`,
    { mode: 0o755 },
  );
});
test.afterAll(() => {
  display.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('after three starts that crashed Timbre offers to start safely: paused, with default settings, and nothing lost', async ({
  timbre,
}) => {
  await watchFolder(timbre);
  await expect(timbre.page.getByText('Watching, no new files').first()).toBeVisible();
  await openView(timbre.page, 'Settings');
  await timbre.page.getByRole('radio', { name: 'Dark' }).click();
  const settings = join(timbre.dataFolder, 'settings.json');
  await expect.poll(() => (existsSync(settings) ? readFileSync(settings, 'utf8') : '')).toContain('"dark"');
  await timbre.reopen(() => {
    writeFileSync(join(timbre.dataFolder, 'starts.json'), '{"failed":3}');
    return Promise.resolve();
  });

  const { page } = timbre;
  expect(readFileSync(join(folder, 'asked'), 'utf8')).toContain('ended unexpectedly');
  await expect(page.getByText('Timbre was started safely')).toBeVisible();
  await openView(page, 'Settings');
  await expect(page.getByRole('radio', { name: 'Dark' })).not.toBeChecked();
  await openView(page, 'Watch folders');
  await page.getByRole('button', { name: 'Resume' }).first().click();
  await expect(page.getByText('Watching, no new files').first()).toBeVisible();
  expect(readFileSync(settings, 'utf8')).toContain('"dark"');

  timbre.signal('SIGTERM');
  await timbre.ended();
  expect(JSON.parse(readFileSync(join(timbre.dataFolder, 'starts.json'), 'utf8'))).toEqual({ failed: 0 });
});
