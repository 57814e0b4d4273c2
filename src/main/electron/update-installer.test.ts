import { AppImageUpdater } from 'electron-updater';
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
