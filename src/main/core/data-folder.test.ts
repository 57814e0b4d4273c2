import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFolder, keepPrivate } from './data-folder.ts';

let folder: string;
const modeOf = (path: string) => statSync(path).mode & 0o1777;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'timbre-data-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it.each([0o000, 0o022, 0o077])('a new data folder is private from the start with the umask %i', (mask) => {
  const before = process.umask(mask);
  try {
    const path = join(folder, 'a', 'Timbre');
    keepPrivate(path);
    expect(modeOf(path)).toBe(0o700);
  } finally {
    process.umask(before);
  }
});

it.each([0o755, 0o777, 0o750])('a data folder of mode %i from an older version becomes private', (mode) => {
  const path = join(folder, 'Timbre');
  mkdirSync(path);
  chmodSync(path, mode);
  keepPrivate(path);
  expect(modeOf(path)).toBe(0o700);
});

it('a folder that is shared on purpose keeps its permissions', () => {
  chmodSync(folder, 0o1777);
  keepPrivate(folder);
  expect(modeOf(folder)).toBe(0o1777);
});

const of = (env: Readonly<Record<string, string>>, platform: NodeJS.Platform = 'linux') =>
  dataFolder({ platform, env, home: '/home/anna', cwd: () => '/somewhere' });

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
