import { AppImageUpdater, MacUpdater } from 'electron-updater';
import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inFolder } from '../core/files/errno.ts';
import type { UpdateFile } from '../core/updates/updates.ts';
import { createUpdateInstaller, findPackage } from './update-installer.ts';

it.each([
  ['an AppImage', 'linux', true, '/home/ada/Timbre.AppImage', 'appimage'],
  ['a deb or rpm', 'linux', true, null, null],
  ['a source tree', 'linux', false, '/home/ada/Timbre.AppImage', null],
  ['Timbre.app', 'darwin', true, null, 'zip'],
  ['a setup of Windows', 'win32', true, null, 'nsis'],
  ['a portable exe', 'win32', true, 'E:\\Timbre.exe', null],
] as const)('%s is replaced by the package of its kind, or not at all', (_what, platform, isPackaged, file, expected) =>
  expect(findPackage({ platform, isPackaged, file })).toBe(expected),
);

const content = Buffer.from('#!/bin/sh\necho new\n');
const file: UpdateFile = {
  package: 'appimage',
  arch: 'x64',
  name: 'timbre-0.2.0-linux-x64.AppImage',
  bytes: content.length,
  sha512: createHash('sha512').update(content).digest('base64'),
  version: '0.2.0',
  address: new URL('https://timbre.example/timbre-0.2.0-linux-x64.AppImage'),
};

/** Electron's `autoUpdater` on macOS: it fetches what it installs from where electron-updater says. */
function createSquirrel(refuses?: 'the app' | 'the update') {
  let feed: { readonly url: string; readonly headers: Record<string, string> } | undefined;
  let fetched = '';
  async function fetchUpdate({ url, headers }: NonNullable<typeof feed>): Promise<void> {
    const update = (await (await fetch(url, { headers })).json()) as { readonly url: string };
    fetched = await (await fetch(update.url)).text();
    if (refuses === undefined) squirrel.emit('update-downloaded');
    else squirrel.emit('error', new Error('code has no resources but signature indicates they must be present'));
  }
  const squirrel = Object.assign(new EventEmitter(), {
    checks: 0,
    quits: 0,
    fetched: () => fetched,
    setFeedURL(options: NonNullable<typeof feed>) {
      if (refuses === 'the app') {
        squirrel.emit('error', new Error('Could not get code signature for running application'));
      } else feed = options;
    },
    /** Without a feed, nothing happens. */
    checkForUpdates() {
      squirrel.checks += 1;
      if (feed) void fetchUpdate(feed);
    },
    quitAndInstall: () => void (squirrel.quits += 1),
  });
  return squirrel;
}

/** The parts of an Electron that electron-updater needs. */
function createElectron(version: string, folder: string) {
  const appUpdateConfigPath = join(folder, 'app-update.yml');
  writeFileSync(appUpdateConfigPath, 'provider: generic\nurl: https://timbre.example\nupdaterCacheDirName: timbre\n');
  return {
    version,
    name: 'timbre',
    isPackaged: true,
    appUpdateConfigPath,
    userDataPath: join(folder, 'data'),
    baseCachePath: join(folder, 'cache'),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => expect.unreachable(),
    onQuit: () => undefined,
  };
}

describe.skipIf(process.platform === 'win32')('Timbre.app (skipped on Windows, which has no uname)', () => {
  const zip = { ...file, package: 'zip', name: 'timbre-0.2.0-mac-x64.zip' } as const;
  const electronPath = createRequire(import.meta.resolve('electron-updater')).resolve('electron');

  /** The real updater, in place of which only Squirrel is ours. */
  function setUp(refuses?: 'the app' | 'the update') {
    const folder = mkdtempSync(join(tmpdir(), 'timbre-installer-'));
    const squirrel = createSquirrel(refuses);
    const require = createRequire(electronPath);
    require.cache[electronPath] = { exports: { autoUpdater: squirrel } } as NodeJS.Module;
    const updater = new MacUpdater(undefined, createElectron('0.1.0', folder));
    updater.logger = null;
    onTestFinished(() => {
      Reflect.deleteProperty(require.cache, electronPath);
      (updater as unknown as { closeServerIfExists(): void }).closeServerIfExists();
      rmSync(folder, { recursive: true });
    });
    /** What the user has been asked, and would start with a press. */
    const questions: (() => void)[] = [];
    const installer = createUpdateInstaller({
      package: 'zip',
      file: null,
      loadUpdater: () => Promise.resolve(updater),
      squirrel,
      restart: () => expect.unreachable(),
      quitThen: () => expect.unreachable(),
      quitBy: (quit) => void questions.push(quit),
    });
    const download = () => installer.download(zip, (path) => writeFile(path, content));
    return { squirrel, installer, questions, download };
  }

  it('is given to Squirrel only at the press of a button, and replaced only if the user then lets Timbre quit', async () => {
    const { squirrel, installer, questions, download } = setUp();
    await download();
    expect(squirrel.checks).toBe(0);
    await installer.install();
    expect([squirrel.fetched(), squirrel.quits, questions.length]).toEqual([content.toString(), 0, 1]);
    questions[0]?.();
    expect(squirrel.quits).toBe(1);
  });

  it('asks again at the next press after the user has cancelled, and is not given to Squirrel twice', async () => {
    const { squirrel, installer, questions, download } = setUp();
    await download();
    await installer.install();
    await installer.install();
    expect([squirrel.checks, squirrel.quits, questions.length]).toEqual([1, 0, 2]);
    questions[1]?.();
    expect(squirrel.quits).toBe(1);
  });

  it('says so if Squirrel refuses the update, so that the user can get it from its page, and asks nothing', async () => {
    const { installer, questions, download } = setUp('the update');
    await download();
    await expect(installer.install()).rejects.toMatchObject({ code: 'update/failed' });
    expect(questions).toEqual([]);
  });

  it('without a signature is offered no restart: Squirrel would never answer', async () => {
    const { download } = setUp('the app');
    await expect(download()).rejects.toMatchObject({ code: 'update/failed' });
  });
});

// The real updater, without an Electron around it.
describe.skipIf(process.platform !== 'linux')('an AppImage (skipped except on Linux)', () => {
  function setUp(version = '0.1.0') {
    const folder = mkdtempSync(join(tmpdir(), 'timbre-installer-'));
    const image = join(folder, 'apps', 'My Timbre.AppImage');
    mkdirSync(join(folder, 'apps'));
    writeFileSync(image, '#!/bin/sh\necho old\n', { mode: 0o755 });
    const before = process.env['APPIMAGE'];
    process.env['APPIMAGE'] = image;
    onTestFinished(() => {
      if (before === undefined) delete process.env['APPIMAGE'];
      else process.env['APPIMAGE'] = before;
      rmSync(folder, { recursive: true });
    });
    const updater = new AppImageUpdater(null, createElectron(version, folder));
    updater.logger = null;
    const saves: string[] = [];
    let restarts = 0;
    const installer = createUpdateInstaller({
      package: 'appimage',
      file: image,
      loadUpdater: () => Promise.resolve(updater),
      squirrel: createSquirrel(),
      restart: () => void (restarts += 1),
      quitThen: () => expect.unreachable(),
      quitBy: () => expect.unreachable(),
    });
    return {
      folder,
      image,
      installer,
      saves,
      restarts: () => restarts,
      save: async (path: string) => {
        saves.push(path);
        await writeFile(path, content);
      },
    };
  }

  it('is replaced under its own name, whole and executable, and started again', async () => {
    const { folder, image, installer, save, restarts } = setUp();
    await installer.download(file, save);
    expect(readFileSync(image, 'utf8')).toContain('old');
    await installer.install();
    expect(readFileSync(image).equals(content)).toBe(true);
    expect(statSync(image).mode & 0o777).toBe(0o755);
    expect(readdirSync(join(folder, 'apps'))).toEqual(['My Timbre.AppImage']);
    expect(restarts()).toBe(1);
  });

  it('stays as it is, and is not started again, if what was downloaded has changed since', async () => {
    const { folder, image, installer, save, saves, restarts } = setUp();
    await installer.download(file, save);
    const pending = join(folder, 'cache', 'timbre', 'pending', file.name);
    expect([saves.length, existsSync(pending)]).toEqual([1, true]);
    writeFileSync(pending, 'cut');
    await expect(installer.install()).rejects.toMatchObject({ code: 'update/failed' });
    expect(readFileSync(image, 'utf8')).toContain('old');
    expect(readdirSync(join(folder, 'apps'))).toEqual(['My Timbre.AppImage']);
    expect(restarts()).toBe(0);
  });

  it('that cannot be replaced where it is says so, and is not started again', async () => {
    const { folder, installer, save, restarts } = setUp();
    await installer.download(file, save);
    rmSync(join(folder, 'apps'), { recursive: true });
    await expect(installer.install()).rejects.toMatchObject({ code: 'update/failed' });
    expect(restarts()).toBe(0);
  });

  it.runIf(process.getuid?.() === 0)(
    'stays whole if its disk is full, or nothing can be written there (skipped unless root, who can mount)',
    async () => {
      const { folder, image, installer, save, restarts } = setUp();
      const apps = join(folder, 'apps');
      await installer.download(file, save);
      for (const [options, code] of [
        ['size=8k', 'output/disk-full'],
        ['size=8k,ro', 'update/failed'],
      ] as const) {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', apps]);
        try {
          writeFileSync(image, '#!/bin/sh\necho old\n', { mode: 0o755 });
          writeFileSync(join(apps, 'filler'), Buffer.alloc(4096));
          execFileSync('mount', ['-o', `remount,${options}`, apps]);
          await expect(installer.install()).rejects.toMatchObject({ code });
          expect(readFileSync(image, 'utf8')).toContain('old');
          expect(readdirSync(apps).sort()).toEqual(['My Timbre.AppImage', 'filler']);
        } finally {
          execFileSync('umount', [apps]);
        }
      }
      expect(restarts()).toBe(0);
    },
  );

  it.runIf(process.getuid?.() === 0)(
    'is not downloaded onto a full disk, and leaves nothing there (skipped unless root, who can mount)',
    async () => {
      const { folder, installer } = setUp();
      const cache = join(folder, 'cache');
      mkdirSync(cache);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', cache]);
      try {
        const save = (path: string) => inFolder(cache, () => writeFile(path, Buffer.alloc(1_000_000)));
        await expect(installer.download(file, save)).rejects.toMatchObject({ code: 'output/disk-full' });
        expect(readdirSync(join(cache, 'timbre', 'pending'))).toEqual([]);
      } finally {
        execFileSync('umount', [cache]);
      }
    },
  );

  it('is downloaded once, also across starts', async () => {
    const { installer, save, saves } = setUp();
    await installer.download(file, save);
    await installer.download(file, save);
    expect(saves).toHaveLength(1);
  });

  it('leaves nothing of a download that failed, and can be downloaded again', async () => {
    const { folder, installer, save } = setUp();
    const fail = async (path: string) => {
      await writeFile(path, 'half');
      throw new Error('cut');
    };
    await expect(installer.download(file, fail)).rejects.toThrow('cut');
    expect(readdirSync(join(folder, 'cache', 'timbre', 'pending'))).toEqual([]);
    await installer.download(file, save);
  });

  it('is not replaced by an older one', async () => {
    const { installer, save, saves } = setUp('0.3.0');
    await expect(installer.download(file, save)).rejects.toMatchObject({ code: 'update/failed' });
    expect(saves).toEqual([]);
  });
});
