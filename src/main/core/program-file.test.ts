import { expect, it } from 'vitest';
import { findProgramFile } from './program-file.ts';

const env = {
  APPIMAGE: '/home/ada/Timbre.AppImage',
  APPDIR: '/tmp/.mount_Timbre',
  PORTABLE_EXECUTABLE_FILE: 'E:\\Timbre.exe',
};
const unpacked = 'C:\\Users\\ada\\AppData\\Local\\Temp\\nsk4A1.tmp\\app\\Timbre.exe';

it.each([
  ['an AppImage', 'linux', '/tmp/.mount_Timbre/timbre-app', env, '/home/ada/Timbre.AppImage'],
  ['a package that another AppImage started', 'linux', '/opt/Timbre/timbre-app', env, null],
  ['a package', 'linux', '/opt/Timbre/timbre-app', {}, null],
  ['a portable exe', 'win32', unpacked, env, 'E:\\Timbre.exe'],
  ['a program that a portable exe started', 'win32', 'C:\\Program Files\\Timbre\\Timbre.exe', env, null],
  ['Timbre.app', 'darwin', '/Applications/Timbre.app/Contents/MacOS/Timbre', env, null],
] as const)('the file of %s is what the user starts', (_what, platform, execPath, variables, expected) => {
  expect(findProgramFile({ platform, execPath, env: variables })).toBe(expected);
});
