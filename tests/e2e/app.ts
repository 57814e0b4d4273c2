import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { _electron, test as base, expect, type ElectronApplication, type Locator, type Page } from 'playwright/test';
import { processesOf } from '../../scripts/run-folder.mts';
import type { Settings } from '../../src/shared/schemas/settings.ts';
import { empty } from './empty.ts';
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

/** As long as `expect` waits: by itself Playwright would wait for 30 seconds, and for five outside of a test. */
export const patienceMs = 120_000;

async function firstPage(app: ElectronApplication): Promise<Page> {
  app.context().setDefaultTimeout(patienceMs);
  const page = await app.firstWindow({ timeout: patienceMs });
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
  /** What its settings hold at the first start; null where nothing was ever set. */
  readonly settings: Partial<Settings> | null;
}

/** A Timbre in a data folder of its own. */
export interface Started {
  readonly timbre: Omit<Timbre, 'folder'>;
  hasEnded(): boolean;
  /** Makes an empty folder for a test. */
  makeFolder(): Promise<string>;
  /** Removes these folders: Timbre must have nothing left to do in them, or it would make them again. */
  removeFolders(): Promise<void>;
  /** Ends it, unless it has ended, and removes its data and these folders. */
  close(): Promise<void>;
}

async function startTimbre({ language, launcher, program, settings }: Options): Promise<Started> {
  if (!existsSync(executable)) throw new Error('TIMBRE_ELECTRON must name the host: run "npm test"');
  const dataFolder = await mkdtemp(join(tmpdir(), 'timbre-data-'));
  if (settings) await writeFile(join(dataFolder, 'settings.json'), JSON.stringify(settings));
  const launch = (...switches: readonly string[]) =>
    _electron.launch({
      executablePath: launcher,
      args: [program, '--lang=en-GB', ...switches],
      env: {
        // Without a session bus, libdbus would start one, which outlives Timbre.
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
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
  let end = endOf(main);
  async function start(...switches: readonly string[]): Promise<void> {
    app = await launch(...switches);
    main = app.process();
    end = endOf(main);
  }
  /** A child of a killed one, or a second start, may end later: it would make the folder again, and hold Chromium's profile. */
  const childrenEnd = () => expect.poll(() => processesOf(dataFolder), { timeout: patienceMs }).toEqual([]);
  async function kill(): Promise<void> {
    main.kill('SIGKILL');
    await end;
    await childrenEnd();
    // As if it had run for longer: after three that were killed so soon, the next one would ask whether to start safely.
    await rm(join(dataFolder, 'starts.json'), { force: true });
  }
  const folders: string[] = [];
  async function removeFolders(): Promise<void> {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  }
  return {
    timbre: {
      get page() {
        return page;
      },
      dataFolder,
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
      ended: () => end,
      drop: (selector, paths) => drop(page, selector, paths),
    },
    async makeFolder() {
      const folder = await mkdtemp(join(tmpdir(), 'timbre-files-'));
      folders.push(folder);
      return folder;
    },
    removeFolders,
    hasEnded: () => main.exitCode !== null || main.signalCode !== null,
    async close() {
      // `app.close()` asks to quit, and Timbre asks back where a test left work open; a signal ends it in order without a question.
      main.kill('SIGTERM');
      await end;
      await childrenEnd();
      await rm(dataFolder, { recursive: true, force: true });
      await removeFolders();
    },
  };
}

/** Gives a test its Timbre, with an empty folder for files. */
async function lendTimbre(started: Started, use: (timbre: Timbre) => Promise<void>, title: string): Promise<void> {
  const { timbre } = started;
  const folder = await started.makeFolder();
  await use(Object.defineProperties({ folder } as Timbre, Object.getOwnPropertyDescriptors(timbre)));
  const pictures = process.env['TIMBRE_PICTURES'];
  if (pictures) await timbre.page.screenshot({ path: join(pictures, `${title}.png`) });
}

/** Keeps a Timbre open between the tests of one file. A test that fails ends it with its worker, so the next one gets another. */
export interface SharedTimbre {
  /** The one that is open, emptied, or a fresh one. */
  open(file: string, options: Options): Promise<Started>;
  close(): Promise<void>;
}

function createSharedTimbre(): SharedTimbre {
  let kept: { readonly key: string; readonly started: Started } | undefined;
  async function close(): Promise<void> {
    await kept?.started.close();
    kept = undefined;
  }
  return {
    async open(file, options) {
      const key = JSON.stringify([file, options]);
      if (kept?.key === key && !kept.started.hasEnded()) {
        await empty(kept.started.timbre);
        await kept.started.removeFolders();
      } else {
        await close();
        kept = { key, started: await startTimbre(options) };
      }
      return kept.started;
    },
    close,
  };
}

export interface Sharing {
  /**
   * True for tests that need no first start: one Timbre is opened for those of a file, and emptied before each (empty.ts). What
   * is stubbed in main stays.
   */
  readonly isShared: boolean;
}

/** One fixture for both hosts: a fresh Timbre in a fresh data folder, or a shared one. */
export const test = base.extend<Options & Sharing & { timbre: Timbre }, { sharedTimbre: SharedTimbre }>({
  language: ['en_GB.UTF-8', { option: true }],
  launcher: [executable, { option: true }],
  program: [appFolder, { option: true }],
  settings: [null, { option: true }],
  isShared: [false, { option: true }],
  sharedTimbre: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, use) => {
      const shared = createSharedTimbre();
      await use(shared);
      await shared.close();
    },
    { scope: 'worker' },
  ],
  timbre: async ({ sharedTimbre, language, launcher, program, settings, isShared }, use, info) => {
    const options = { language, launcher, program, settings };
    if (isShared) return lendTimbre(await sharedTimbre.open(info.file, options), use, info.title);
    // Two windows on one display would take the focus from each other.
    await sharedTimbre.close();
    const started = await startTimbre(options);
    await lendTimbre(started, use, info.title);
    await started.close();
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
/** Adds a folder of the test's own by hand, as the form has it from the start, or with a preset. */
export async function watchFolder(timbre: Timbre, preset?: string, name = 'in'): Promise<string> {
  const { page } = timbre;
  const folder = join(timbre.folder, name);
  await mkdir(folder, { recursive: true });
  await chooseFile(timbre, folder);
  await openView(page, 'Watch folders');
  await page.getByRole('button', { name: 'Add folder' }).first().click();
  if (preset === undefined) {
    await page.getByRole('button', { name: 'Choose voice' }).click();
    await page.getByRole('dialog').getByRole('option').first().click();
  } else await page.getByRole('combobox', { name: 'Preset' }).selectOption(preset);
  await page.getByRole('button', { name: 'Watch this folder' }).click();
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  return folder;
}

/** Starts Timbre a second time on the same data, as the system does for files and links. It hands them over and ends. */
export async function startAgain({ dataFolder }: Timbre, ...args: readonly string[]): Promise<void> {
  const env = { ...process.env, TIMBRE_DATA_DIR: dataFolder };
  await promisify(execFile)(executable, [appFolder, ...args], { env });
}
/** Pauses the queue, which has nothing in it yet: what is added then waits, and a busy machine does not convert it before the test can. */
export const pauseQueue = async ({ page }: Timbre): Promise<void> =>
  void (await page.evaluate(() => window.bridge.invoke('jobs:pause')));
/** From now on a sound begins again at its end: a busy machine may look only then, and see that nothing plays. */
export const playWithoutEnd = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      this.loop = true;
      return play.call(this);
    };
  });
export const quit = ({ evaluateMain }: Timbre): Promise<void> => evaluateMain(({ app }) => app.quit());
export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name });
/** The position of the playing audio, in seconds; -1 if none is playing. */
export const playbackSeconds = (page: Page): Promise<number> =>
  page.evaluate(() => [...document.querySelectorAll('audio')].find((audio) => !audio.paused)?.currentTime ?? -1);

export { expect };
