import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPaths } from './app-paths.mts';

const deps = { appName: () => 'Timbre', userDataSwitch: '', exe: '/host/electron', env: {} };

test('user data is in the configuration directory, under the name of the app', () => {
  expect(createPaths(deps).get('userData')).toBe(join(homedir(), '.config/Timbre'));
  expect(createPaths({ ...deps, env: { XDG_CONFIG_HOME: '/config' } }).get('userData')).toBe('/config/Timbre');
});

test('--user-data-dir takes precedence, and is made absolute', () => {
  expect(createPaths({ ...deps, userDataSwitch: 'x' }).get('userData')).toBe(join(process.cwd(), 'x'));
});

test('paths in userData move with it', () => {
  const paths = createPaths(deps);
  paths.set('userData', '/moved');
  expect(paths.get('sessionData')).toBe('/moved');
});

test('unknown names and relative paths are rejected', () => {
  const paths = createPaths(deps);
  expect(() => paths.get('recent')).toThrow("Failed to get 'recent' path");
  expect(() => paths.get('toString')).toThrow("Failed to get 'toString' path");
  expect(() => paths.set('nonsense', '/x')).toThrow("Failed to get 'nonsense' path");
  expect(() => paths.set('music', 'relative')).toThrow('Path must be absolute');
});
