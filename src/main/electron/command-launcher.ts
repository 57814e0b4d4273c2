import { commandSwitch } from './open-requests.ts';

/**
 * Switches of a start that runs a command. Electron chooses its display before it runs code of ours. No page is ever shown, so there
 * is nothing to keep in a sandbox, which a server may not have and root may not use.
 */
const switches = (platform: NodeJS.Platform): string =>
  [
    commandSwitch,
    ...(platform === 'linux' ? ['--ozone-platform=headless', '--no-sandbox'] : []),
    '--disable-gpu',
    // Chromium's own messages would stand between those of the command.
    '--log-level=3',
  ].join(' ');

const quoteForShell = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The program `timbre` of a terminal, for an installed Timbre. Without a word it opens the app, like `./timbre` in a source tree.
 *
 * @param program Absolute path of the app's executable, or on Windows its path from the folder of the launcher.
 */
export function commandLauncher(program: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    return [
      '@echo off',
      'if "%~1"=="" (',
      `  start "" "%~dp0${program}"`,
      ') else (',
      `  "%~dp0${program}" ${switches(platform)} -- %*`,
      ')',
      '',
    ].join('\r\n');
  }
  const quoted = quoteForShell(program);
  return [
    '#!/bin/sh',
    '# Without a word it opens Timbre; "timbre help" lists the commands.',
    `[ $# -gt 0 ] || exec ${quoted}`,
    `exec ${quoted} ${switches(platform)} -- "$@"`,
    '',
  ].join('\n');
}
