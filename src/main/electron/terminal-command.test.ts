import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTerminalCommand, findTerminalCommand } from './terminal-command.ts';

let home: string;
let folder: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'timbre-terminal-'));
  folder = join(home, '.local/bin');
  path = join(folder, 'timbre');
});
afterEach(() => rmSync(home, { recursive: true }));

/** A program that prints its last word. */
function programAt(name: string): string {
  const program = join(home, name);
  writeFileSync(program, `#!/bin/sh\nfor word; do last=$word; done\necho "${name} $last"\n`, { mode: 0o755 });
  return program;
}

const commandOf = (program: string, searchPath = '/usr/bin') =>
  createTerminalCommand({ platform: 'linux', program, folder, searchPath });
const run = () => execFileSync(path, ['help'], { encoding: 'utf8' });

describe('the command timbre', () => {
  it('is installed where a terminal may find it, runs the program, and is removed', async () => {
    const command = commandOf(programAt('Timbre.AppImage'), `/usr/bin:${folder}`);
    expect(command.get()).toEqual({ path, isInstalled: false, isOnPath: true });
    await command.set(true);
    expect(command.get()).toEqual({ path, isInstalled: true, isOnPath: true });
    expect(run()).toBe('Timbre.AppImage help\n');
    expect(statSync(path).mode & 0o777).toBe(0o755);
    await command.set(false);
    expect([command.get().isInstalled, existsSync(path)]).toEqual([false, false]);
  });

  it('says that its folder is not on the path', async () => {
    const command = commandOf(programAt('Timbre.AppImage'));
    await command.set(true);
    expect(command.get()).toEqual({ path, isInstalled: true, isOnPath: false });
  });

  it.each([
    ['a program', () => writeFileSync(path, '#!/bin/sh\necho mine\n')],
    ['a binary', () => writeFileSync(path, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 10, 10]))],
    ['a folder', () => mkdirSync(path)],
    ['a link that leads nowhere', () => symlinkSync(join(home, 'nowhere'), path)],
  ])('never replaces or removes %s of the user’s', async (_what, make) => {
    mkdirSync(folder, { recursive: true });
    make();
    const before = lstatSync(path);
    const command = commandOf(programAt('Timbre.AppImage'));
    await expect(command.set(true)).rejects.toMatchObject({
      code: 'system/terminal-command-taken',
      problem: { facts: { name: path } },
    });
    await command.set(false);
    command.repair();
    expect([lstatSync(path).ino, lstatSync(path).mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    expect(existsSync(join(home, 'nowhere'))).toBe(false);
    expect(command.get().isInstalled).toBe(false);
  });

  it('starts the program that was opened last, without being asked', async () => {
    await commandOf(programAt('Timbre-1.AppImage')).set(true);
    const newer = commandOf(programAt('Timbre-2.AppImage'));
    expect(newer.get().isInstalled).toBe(false);
    newer.repair();
    expect([newer.get().isInstalled, run()]).toEqual([true, 'Timbre-2.AppImage help\n']);
  });

  it('is installed without what was left of an attempt that was killed, and without touching other files', async () => {
    await commandOf(programAt('Timbre-1.AppImage')).set(true);
    const left = [join(folder, 'timbre.123.tmp'), join(folder, 'timbre.4.tmp')];
    renameSync(path, left[0] ?? '');
    writeFileSync(left[1] ?? '', '');
    writeFileSync(join(folder, 'timbre.5.tmp'), 'mine');
    await commandOf(programAt('Timbre-2.AppImage')).set(true);
    expect(readdirSync(folder).sort()).toEqual(['timbre', 'timbre.5.tmp']);
    expect(run()).toBe('Timbre-2.AppImage help\n');
  });

  it('is not installed by a start', () => {
    commandOf(programAt('Timbre.AppImage')).repair();
    expect(existsSync(path)).toBe(false);
  });

  it('names the folder if it cannot be written', async () => {
    writeFileSync(join(home, '.local'), 'a file');
    await expect(commandOf(programAt('Timbre.AppImage')).set(true)).rejects.toMatchObject({
      code: 'system/terminal-command',
      problem: { facts: { folder } },
    });
  });
});

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a folder on another disk (skipped unless root, who can mount)',
  () => {
    it('is not left half written, and keeps the command that is there, if its disk is full', async () => {
      mkdirSync(folder, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', folder]);
      try {
        const present = commandOf(programAt('Timbre-1.AppImage'));
        await present.set(true);
        writeFileSync(join(folder, 'filler'), Buffer.alloc(4096));
        const newer = commandOf(programAt('Timbre-2.AppImage'));
        await expect(newer.set(true)).rejects.toMatchObject({ code: 'output/disk-full' });
        expect([present.get().isInstalled, readdirSync(folder).sort()]).toEqual([true, ['filler', 'timbre']]);
      } finally {
        execFileSync('umount', [folder]);
      }
    });

    it('is written and emptied with the system’s permission', async () => {
      // Root writes everywhere, so the folder is a read-only mount.
      mkdirSync(folder, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', folder]);
      try {
        const asked: string[] = [];
        const command = createTerminalCommand({
          platform: 'darwin',
          program: programAt("Anna's Timbre"),
          folder,
          searchPath: '',
          runAsAdministrator(line) {
            asked.push(line);
            execFileSync('mount', ['-o', 'remount,rw', folder]);
            execFileSync('sh', ['-c', line]);
            execFileSync('mount', ['-o', 'remount,ro', folder]);
            return Promise.resolve();
          },
        });
        await command.set(true);
        expect([command.get().isInstalled, run()]).toEqual([true, "Anna's Timbre help\n"]);
        await command.set(false);
        expect([existsSync(path), asked.length]).toEqual([false, 2]);
      } finally {
        execFileSync('umount', [folder]);
      }
    });
  },
);

describe('a program', () => {
  const image = { APPIMAGE: '/home/ada/Timbre.AppImage', APPDIR: '/tmp/.mount_Timbre' };
  const found = (surroundings: Partial<Parameters<typeof findTerminalCommand>[0]>) =>
    findTerminalCommand({
      platform: 'linux',
      isPackaged: true,
      exe: '/opt/Timbre/timbre-app',
      home: '/home/ada',
      env: {},
      ...surroundings,
    })?.get().path;

  it.each([
    ['an AppImage', { exe: '/tmp/.mount_Timbre/timbre-app', env: image }, '/home/ada/.local/bin/timbre'],
    [
      'Timbre.app',
      { platform: 'darwin', exe: '/Applications/Timbre.app/Contents/MacOS/Timbre' },
      '/usr/local/bin/timbre',
    ],
    ['a Debian package', {}, undefined],
    ['a Debian package that an AppImage started', { env: image }, undefined],
    ['a source tree', { isPackaged: false, exe: '/tmp/.mount_Timbre/timbre-app', env: image }, undefined],
    ['a setup of Windows', { platform: 'win32', exe: 'C:\\Timbre\\Timbre.exe' }, undefined],
    ['a disk image', { platform: 'darwin', exe: '/Volumes/Timbre/Timbre.app/Contents/MacOS/Timbre' }, undefined],
    [
      'a download that was not moved',
      { platform: 'darwin', exe: '/private/var/folders/x/AppTranslocation/1/d/Timbre.app/Contents/MacOS/Timbre' },
      undefined,
    ],
  ] as const)('from %s offers the command at the right place, or none', (_what, surroundings, expected) => {
    expect(found(surroundings)).toBe(expected);
  });
});
