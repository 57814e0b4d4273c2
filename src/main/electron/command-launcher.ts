import { commandSwitch } from './open-requests.ts';

/**
 * Switches of a start that runs a command. Electron chooses its display before it runs code of ours. No page is ever shown, so there
 * is nothing to keep in a sandbox, which a server may not have and root may not use.
 */
export const commandSwitches = (platform: NodeJS.Platform): readonly string[] => [
  commandSwitch,
  ...(platform === 'linux' ? ['--ozone-platform=headless', '--no-sandbox'] : []),
  '--disable-gpu',
  // Chromium's own messages would stand between those of the command.
  '--log-level=3',
];

/** The second line of the program in a shell, by which Timbre knows its own. */
const comment = '# Opens Timbre without arguments; "timbre help" lists the commands.';

export const quoteForShell = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;

/**
 * The program `timbre` of a terminal, for an installed Timbre. Without arguments it opens the app, like `./timbre` in a source tree.
 *
 * @param program Absolute path of the app's executable, or on Windows its path from the folder of the launcher.
 */
export function commandLauncher(program: string, platform: NodeJS.Platform): string {
  const switches = commandSwitches(platform).join(' ');
  if (platform === 'win32') {
    // Without blocks in parentheses, which a parenthesis in an argument would close.
    return [
      '@echo off',
      'setlocal DisableDelayedExpansion',
      'if [%1]==[] goto open',
      `"%~dp0${program}" ${switches} -- %*`,
      'exit /b %errorlevel%',
      ':open',
      `start "" "%~dp0${program}"`,
      '',
    ].join('\r\n');
  }
  const quoted = quoteForShell(program);
  return ['#!/bin/sh', comment, `[ $# -gt 0 ] || exec ${quoted}`, `exec ${quoted} ${switches} -- "$@"`, ''].join('\n');
}

/** True if Timbre has written this program of a shell, for this or for another place of the app. */
export const isCommandLauncher = (text: string): boolean => text.split('\n')[1] === comment;
