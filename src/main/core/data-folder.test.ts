import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dataPlace, ensurePrivateFolder, ownDataPlace } from './data-folder.ts';
import { openPortableData } from './portable.ts';

let folder: string;
const modeOf = (path: string) => statSync(path).mode & 0o1777;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'timbre-data-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it.each([0o000, 0o022, 0o077])('a new data folder is private from the start with the umask %i', (mask) => {
  const before = process.umask(mask);
  try {
    const path = join(folder, 'a', 'Timbre');
    ensurePrivateFolder(path);
    expect(modeOf(path)).toBe(0o700);
  } finally {
    process.umask(before);
  }
});

it.each([0o755, 0o777, 0o750])('a data folder of mode %i from an older version becomes private', (mode) => {
  const path = join(folder, 'Timbre');
  mkdirSync(path);
  chmodSync(path, mode);
  ensurePrivateFolder(path);
  expect(modeOf(path)).toBe(0o700);
});

it('a folder with other files keeps its permissions, and one that holds the database becomes private', () => {
  const path = join(folder, 'home');
  mkdirSync(path);
  chmodSync(path, 0o755);
  writeFileSync(join(path, 'letter.txt'), '');
  ensurePrivateFolder(path);
  expect(modeOf(path)).toBe(0o755);
  writeFileSync(join(path, 'timbre.db'), '');
  ensurePrivateFolder(path);
  expect(modeOf(path)).toBe(0o700);
});

it('a folder that is shared on purpose keeps its permissions', () => {
  chmodSync(folder, 0o1777);
  ensurePrivateFolder(folder);
  expect(modeOf(folder)).toBe(0o1777);
});

it.runIf(process.platform === 'linux')(
  'a place where no folder can be made ends no start (skipped except on Linux)',
  () => {
    const module = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'data-folder.ts')).href);
    const script = `import { ensurePrivateFolder } from ${module}; ensurePrivateFolder('/proc/timbre/data');`;
    // A process of its own: what hangs there could not be interrupted.
    const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { timeout: 20_000 });
    expect(status).toBe(0);
  },
);

interface Program {
  readonly env?: Readonly<Record<string, string>>;
  readonly platform?: NodeJS.Platform;
  readonly execPath?: string;
  readonly entryFolder?: string;
  /** What exists of the places where portable data can be. */
  readonly folders?: readonly string[];
}
const asar = '/x/resources/app.asar/out/main';
const placeOf = ({ env = {}, platform = 'linux', execPath = '/x/timbre', entryFolder = asar, folders = [] }: Program) =>
  dataPlace({
    ...{ platform, env, execPath, entryFolder, home: '/home/anna', cwd: () => '/somewhere' },
    exists: (path) => folders.includes(path),
  });
const of = (env: Readonly<Record<string, string>>, platform: NodeJS.Platform = 'linux') =>
  placeOf({ env, platform }).folder;

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  it('is in XDG_CONFIG_HOME, or in .config of the home folder', () => {
    expect(of({ XDG_CONFIG_HOME: '/etc/anna' })).toBe('/etc/anna/Timbre');
    expect(of({})).toBe('/home/anna/.config/Timbre');
  });

  it.each(['', 'relative', './here', '~/x'])(
    'ignores an XDG_CONFIG_HOME of "%s", which is not an absolute path',
    (value) => expect(of({ XDG_CONFIG_HOME: value })).toBe('/home/anna/.config/Timbre'),
  );

  it('is TIMBRE_DATA_DIR if that is set, made absolute', () => {
    expect(of({ TIMBRE_DATA_DIR: '/data' })).toBe('/data');
    expect(of({ TIMBRE_DATA_DIR: 'data' })).toBe('/somewhere/data');
    expect(of({ TIMBRE_DATA_DIR: '' })).toBe('/home/anna/.config/Timbre');
  });

  it('is in Application Support on macOS', () =>
    expect(of({ XDG_CONFIG_HOME: '/etc/anna' }, 'darwin')).toBe('/home/anna/Library/Application Support/Timbre'));
});

describe.skipIf(process.platform === 'win32')('portable data', () => {
  const usual = '/home/anna/.config/Timbre';
  const image = { APPIMAGE: '/media/stick/Timbre.AppImage', APPDIR: '/tmp/.mount_Timbre' };
  const portableExe = { PORTABLE_EXECUTABLE_FILE: 'E:\\Timbre.exe', APPDATA: '/home/anna/.config' };
  const unpackedExe = 'C:\\Users\\anna\\AppData\\Local\\Temp\\nsk4A1.tmp\\app\\Timbre.exe';
  const inImage = { execPath: '/tmp/.mount_Timbre/timbre', env: image };

  it.each<[string, string, Program]>([
    ['an unpacked program', '/media/stick/Timbre/timbre-data', { execPath: '/media/stick/Timbre/timbre' }],
    ['an AppImage', '/media/stick/timbre-data', inImage],
    ['a source tree', '/home/anna/timbre/timbre-data', { entryFolder: '/home/anna/timbre/out/main' }],
    [
      'an app of macOS',
      '/Volumes/Stick/timbre-data',
      { platform: 'darwin', execPath: '/Volumes/Stick/Timbre.app/Contents/MacOS/Timbre' },
    ],
    ['a program of Windows', 'E:\\Timbre\\timbre-data', { platform: 'win32', execPath: 'E:\\Timbre\\Timbre.exe' }],
    ['a portable exe of Windows', 'E:\\timbre-data', { platform: 'win32', execPath: unpackedExe, env: portableExe }],
  ])('of %s is beside it if the folder exists', (_what, folder, program) => {
    expect(placeOf({ ...program, folders: [folder] }).folder).toBe(folder);
    expect(placeOf(program).computerFolder).toBeNull();
    expect(placeOf(program).folder).not.toBe(folder);
  });

  it('leaves what belongs to the computer in its usual folder', () => {
    const place = placeOf({ ...inImage, folders: ['/media/stick/timbre-data'] });
    expect(place).toEqual({ folder: '/media/stick/timbre-data', computerFolder: usual });
  });

  it('is not that of another AppImage that started Timbre', () => {
    const folders = ['/media/stick/timbre-data'];
    expect(placeOf({ execPath: '/home/anna/Timbre/timbre', env: image, folders }).folder).toBe(usual);
  });

  it('is not that of a portable exe that started Timbre', () => {
    const execPath = 'C:\\Users\\anna\\Timbre\\Timbre.exe';
    expect(placeOf({ platform: 'win32', execPath, env: portableExe, folders: ['E:\\timbre-data'] }).folder).toBe(usual);
  });

  it.each<[string, Program]>([
    ['/opt/Timbre/timbre-data', { execPath: '/opt/Timbre/timbre' }],
    ['/usr/lib/timbre/timbre-data', { execPath: '/usr/lib/timbre/timbre' }],
    ['/Applications/timbre-data', { platform: 'darwin', execPath: '/Applications/Timbre.app/Contents/MacOS/Timbre' }],
    [
      'C:\\Program Files\\Timbre\\timbre-data',
      {
        platform: 'win32',
        execPath: 'C:\\Program Files\\Timbre\\Timbre.exe',
        env: { ProgramFiles: 'c:\\program files' },
      },
    ],
  ])('is not in %s, which belongs to all users of the computer', (folder, program) => {
    expect(placeOf({ ...program, folders: [folder] }).computerFolder).toBeNull();
  });

  it.each<[string, (path: string) => void]>([
    ['a file', (path) => writeFileSync(path, '')],
    ['a link to a disk that is away', (path) => symlinkSync(join(folder, 'away'), path)],
  ])('that cannot be used, such as %s, is reported, and no other data is used in its place', (_what, make) => {
    const path = join(folder, 'timbre-data');
    make(path);
    vi.stubEnv('TIMBRE_DATA_DIR', '');
    vi.stubEnv('XDG_CONFIG_HOME', join(folder, 'computer'));
    const place = ownDataPlace(join(folder, 'out', 'main'));
    vi.unstubAllEnvs();
    expect(() => openPortableData(place)).toThrow(
      expect.objectContaining({ problem: { code: 'data/portable-not-writable', facts: { name: path } } }) as Error,
    );
  });

  it('gives way to TIMBRE_DATA_DIR', () => {
    const folders = ['/media/stick/timbre-data'];
    const env = { ...image, TIMBRE_DATA_DIR: '/data' };
    expect(placeOf({ ...inImage, env, folders })).toEqual({ folder: '/data', computerFolder: null });
  });
});
