import { AppImageUpdater, type AppUpdater } from 'electron-updater';
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

it('an update that Squirrel refuses says so, so that the user can get it from its page', async () => {
  const updater = Object.assign(new EventEmitter(), {
    setFeedURL: () => undefined,
    checkForUpdates: () => Promise.resolve({ isUpdateAvailable: true }),
    downloadUpdate: () => Promise.resolve(['/cache/update.zip']),
    quitAndInstall: () => setImmediate(() => updater.emit('error', new Error('code signature is missing'))),
  });
  const installer = createUpdateInstaller({
    package: 'zip',
    file: null,
    loadUpdater: () => Promise.resolve(updater as unknown as AppUpdater),
    restart: () => expect.unreachable(),
    quitThen: () => expect.unreachable(),
  });
  await installer.download(file, () => Promise.resolve());
  await expect(installer.install()).rejects.toMatchObject({ code: 'update/failed' });
});

// The real updater, without an Electron around it.
describe.skipIf(process.platform !== 'linux')('an AppImage (skipped except on Linux)', () => {
  function setUp(version = '0.1.0') {
    const folder = mkdtempSync(join(tmpdir(), 'timbre-installer-'));
    const image = join(folder, 'apps', 'My Timbre.AppImage');
    mkdirSync(join(folder, 'apps'));
    writeFileSync(image, '#!/bin/sh\necho old\n', { mode: 0o755 });
    writeFileSync(
      join(folder, 'app-update.yml'),
      'provider: generic\nurl: https://timbre.example\nupdaterCacheDirName: timbre\n',
    );
    const before = process.env['APPIMAGE'];
    process.env['APPIMAGE'] = image;
    onTestFinished(() => {
      if (before === undefined) delete process.env['APPIMAGE'];
      else process.env['APPIMAGE'] = before;
      rmSync(folder, { recursive: true });
    });
    const updater = new AppImageUpdater(null, {
      version,
      name: 'timbre',
      isPackaged: true,
      appUpdateConfigPath: join(folder, 'app-update.yml'),
      userDataPath: join(folder, 'data'),
      baseCachePath: join(folder, 'cache'),
      whenReady: () => Promise.resolve(),
      relaunch: () => undefined,
      quit: () => undefined,
      onQuit: () => undefined,
    });
    updater.logger = null;
    const saves: string[] = [];
    let restarts = 0;
    const installer = createUpdateInstaller({
      package: 'appimage',
      file: image,
      loadUpdater: () => Promise.resolve(updater),
      restart: () => void (restarts += 1),
      quitThen: () => expect.unreachable(),
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
