import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { _electron, test as base, expect, type ElectronApplication, type Locator, type Page } from 'playwright/test';
import { appFolder, executable } from './run-command.ts';

export interface Timbre {
  /** The window of the Timbre that runs now: another one after `reopen`. */
  readonly page: Page;
  /** Data folder of this start: settings, engine, profile. */
  readonly dataFolder: string;
  /** An empty folder for the test's own files. */
  readonly folder: string;
  /** Runs a function in main, with what `electron` exports there. */
  readonly evaluateMain: ElectronApplication['evaluate'];
  /** Drops files or folders on the middle of an element, as a file manager would. */
  drop(selector: string, paths: readonly string[]): Promise<void>;
  /** Sends a signal to main. */
  signal(name: NodeJS.Signals): void;
  /** Kills Timbre as a power cut would, unless it has ended, and opens it again on the same data, or what was made of it `meanwhile`. */
  reopen(meanwhile?: () => Promise<void>): Promise<void>;
  /** Like `reopen`, but as the system does when the user signs in: without a window, so `page` stays the old one. */
  reopenHidden(): Promise<void>;
  /** Resolves when Timbre has ended by itself. */
  readonly ended: () => Promise<void>;
}

interface DragData {
  readonly items: readonly [];
  readonly files: readonly string[];
  readonly dragOperationsMask: number;
}

/** The real Electron, with dialogs of the system and isolated preloads. */
export const onElectron = !executable.includes('/host/');

async function drop(page: Page, selector: string, paths: readonly string[]): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} is not on the screen`);
  const data: DragData = { items: [], files: paths, dragOperationsMask: 1 };
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { ...data, items: [], files: [...paths] },
    });
  }
  await session.detach();
}

async function firstPage(app: ElectronApplication): Promise<Page> {
  const page = await app.firstWindow();
  await page.waitForURL((url) => url.protocol === 'app:' || url.hostname.endsWith('.localhost'));
  return page;
}

/** Resolves once the program is gone; to be asked before it goes. */
const endOf = (process: ChildProcess): Promise<void> => new Promise((resolve) => process.once('exit', () => resolve()));

export interface Options {
  /** Language of the system, as LANG holds it. */
  readonly language: string;
  /** What is started in place of the host, and starts it. */
  readonly launcher: string;
  /** Folder of the program that it starts. */
  readonly program: string;
}

/** One fixture for both hosts: a fresh Timbre in a fresh data folder. */
export const test = base.extend<Options & { timbre: Timbre }>({
  language: ['en_GB.UTF-8', { option: true }],
  launcher: [executable, { option: true }],
  program: [appFolder, { option: true }],
  timbre: async ({ language, launcher, program }, use, info) => {
    if (!existsSync(executable)) throw new Error('TIMBRE_ELECTRON must name the host: run "npm test"');
    const dataFolder = await mkdtemp(join(tmpdir(), 'timbre-data-'));
    const folder = await mkdtemp(join(tmpdir(), 'timbre-files-'));
    const launch = (...switches: readonly string[]) =>
      _electron.launch({
        executablePath: launcher,
        args: [program, '--lang=en-GB', ...switches],
        env: {
          ...(process.env as Record<string, string>),
          TIMBRE_DATA_DIR: dataFolder,
          LANG: language,
          LC_ALL: '',
          LANGUAGE: '',
        },
        colorScheme: null,
      });
    let app = await launch();
    let page = await firstPage(app);
    // Playwright forgets a process that has ended.
    let main = app.process();
    let hasEnded = endOf(main);
    async function start(...switches: readonly string[]): Promise<void> {
      app = await launch(...switches);
      main = app.process();
      hasEnded = endOf(main);
    }
    async function kill(): Promise<void> {
      main.kill('SIGKILL');
      await hasEnded;
    }
    await use({
      get page() {
        return page;
      },
      dataFolder,
      folder,
      evaluateMain: (...args: Parameters<ElectronApplication['evaluate']>) => app.evaluate(...args),
      signal: (name) => void main.kill(name),
      async reopen(meanwhile) {
        await kill();
        await meanwhile?.();
        await start();
        page = await firstPage(app);
      },
      async reopenHidden() {
        await kill();
        await start('--hidden');
      },
      ended: () => hasEnded,
      drop: (selector, paths) => drop(page, selector, paths),
    });
    const pictures = process.env['TIMBRE_PICTURES'];
    if (pictures) await page.screenshot({ path: join(pictures, `${info.title}.png`) });
    // `app.close()` asks to quit, and Timbre asks back where a test left work open; a signal ends it in order without a question.
    main.kill('SIGTERM');
    await hasEnded;
    await rm(dataFolder, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  },
});

/** Opens a view with its button in the sidebar, by name. */
export const openView = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation').getByTitle(name, { exact: true }).click();

/** The system's file dialog returns `path` from now on; null cancels it. */
export const chooseFile = ({ evaluateMain }: Timbre, path: string | null): Promise<void> =>
  evaluateMain(({ dialog }, chosen) => {
    const choice = chosen === null ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [chosen] };
    dialog.showOpenDialog = () => Promise.resolve(choice);
  }, path);
/** Adds `in` of the test's own folder by hand, as the form has it from the start, or with a preset. */
export async function watchFolder(timbre: Timbre, preset?: string): Promise<string> {
  const { page } = timbre;
  const folder = join(timbre.folder, 'in');
  await mkdir(folder, { recursive: true });
  await chooseFile(timbre, folder);
  await openView(page, 'Watch folders');
  await page.getByRole('button', { name: 'Add folder' }).first().click();
  if (preset === undefined) {
    await page.getByRole('button', { name: 'Choose voice' }).click();
    await page.getByRole('dialog').getByRole('option').first().click();
  } else await page.getByRole('combobox', { name: 'Preset' }).selectOption(preset);
  await page.getByRole('button', { name: 'Watch this folder' }).click();
  await expect(page.getByRole('heading', { name: 'in', exact: true })).toBeVisible();
  return folder;
}

/** Starts Timbre a second time on the same data, as the system does for files and links. It hands them over and ends. */
export async function startAgain({ dataFolder }: Timbre, ...args: readonly string[]): Promise<void> {
  const env = { ...process.env, TIMBRE_DATA_DIR: dataFolder };
  await promisify(execFile)(executable, [appFolder, ...args], { env });
}
export const quit = ({ evaluateMain }: Timbre): Promise<void> => evaluateMain(({ app }) => app.quit());
export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name });
/** The position of the playing audio, in seconds; -1 if none is playing. */
export const playbackSeconds = (page: Page): Promise<number> =>
  page.evaluate(() => [...document.querySelectorAll('audio')].find((audio) => !audio.paused)?.currentTime ?? -1);

export { expect };
