import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright/test';
import { processesOf } from '../../scripts/run-folder.mts';
import { expect, openView, patienceMs, test, type Timbre, watchFolder } from './app.ts';
import { copyProgram, executable } from './run-command.ts';

interface Running {
  readonly app: ElectronApplication;
  readonly page: Page;
  end(): Promise<void>;
}

/** Opens the program in `stick` on a computer with its own configuration. */
async function open(stick: string, computer: string): Promise<Running> {
  const env = { ...(process.env as Record<string, string>), TIMBRE_DATA_DIR: '', XDG_CONFIG_HOME: computer };
  const app = await _electron.launch({
    executablePath: executable,
    args: [stick, '--lang=en-GB'],
    env: { ...env, LANG: 'en_GB.UTF-8', LC_ALL: '', LANGUAGE: '' },
    colorScheme: null,
  });
  app.context().setDefaultTimeout(patienceMs);
  const page = await app.firstWindow({ timeout: patienceMs });
  const main = app.process();
  return {
    app,
    page,
    async end() {
      const ended = once(main, 'exit');
      main.kill('SIGTERM');
      await ended;
      await expect.poll(() => processesOf(stick)).toEqual([]);
    },
  };
}

let folder: string;
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-portable-'));
});
test.afterEach(() => rm(folder, { recursive: true }));

test('data beside the program is used as it is, and waits on a computer that has never seen it', async () => {
  const [stick, files, data] = ['stick', 'files', join('stick', 'timbre-data')].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(data, { recursive: true });
  await mkdir(files);
  await copyProgram(stick);
  const [home, library] = [join(folder, 'home'), join(folder, 'library')];

  const first = await open(stick, home);
  const timbre = { page: first.page, folder: files, evaluateMain: first.app.evaluate.bind(first.app) };
  await watchFolder(timbre as unknown as Timbre);
  await expect(first.page.getByText('Watching, no new files').first()).toBeVisible();
  await openView(first.page, 'Settings');
  await expect(first.page.getByText(`All of Timbre’s data is in ${data}`)).toBeVisible();
  await first.end();
  expect(await readdir(data)).toContain('timbre.db');
  expect(await readdir(join(home, 'Timbre'))).not.toContain('timbre.db');

  // At home it goes on.
  const again = await open(stick, home);
  await openView(again.page, 'Watch folders');
  await expect(again.page.getByText('Watching, no new files').first()).toBeVisible();
  await again.end();

  const hook = { isOn: true, program: '/bin/true', args: ['{result}'], timeoutSeconds: 20 };
  await writeFile(join(data, 'settings.json'), JSON.stringify({ hook }));
  const elsewhere = await open(stick, library);
  // By its text: it opens on Settings, whose fields have alerts of their own.
  await expect(elsewhere.page.getByRole('alert').filter({ hasText: 'new on this computer' })).toBeVisible();
  await openView(elsewhere.page, 'Watch folders');
  await expect(elsewhere.page.getByRole('button', { name: 'Resume' }).first()).toBeVisible();
  await openView(elsewhere.page, 'Settings');
  await expect(elsewhere.page.getByRole('switch', { name: /after each result/i })).not.toBeChecked();
  await elsewhere.end();
});
