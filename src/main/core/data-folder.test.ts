import { describe, expect, it } from 'vitest';
import { dataFolder } from './data-folder.ts';

const of = (env: Readonly<Record<string, string>>, platform: NodeJS.Platform = 'linux') =>
  dataFolder({ platform, env, home: '/home/anna', cwd: '/somewhere' });

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  it('stands in XDG_CONFIG_HOME, or in .config of the home', () => {
    expect(of({ XDG_CONFIG_HOME: '/etc/anna' })).toBe('/etc/anna/Timbre');
    expect(of({})).toBe('/home/anna/.config/Timbre');
  });

  it.each(['', 'relative', './here', '~/x'])(
    'is nowhere else for an XDG_CONFIG_HOME of "%s", which names no place',
    (value) => expect(of({ XDG_CONFIG_HOME: value })).toBe('/home/anna/.config/Timbre'),
  );

  it('is TIMBRE_DATA_DIR where that is set, made absolute', () => {
    expect(of({ TIMBRE_DATA_DIR: '/data' })).toBe('/data');
    expect(of({ TIMBRE_DATA_DIR: 'data' })).toBe('/somewhere/data');
    expect(of({ TIMBRE_DATA_DIR: '' })).toBe('/home/anna/.config/Timbre');
  });

  it('is in Application Support on macOS', () =>
    expect(of({ XDG_CONFIG_HOME: '/etc/anna' }, 'darwin')).toBe('/home/anna/Library/Application Support/Timbre'));
});
