import { join } from 'node:path';

/** Where scripts/write-command-files.mts writes the files that packages install outside the app. */
export const commandFolder = join(import.meta.dirname, '../dist/command-line');

/** The app's executable, as the program `timbre` of a terminal starts it. */
export const linuxProgram = '/opt/Timbre/timbre-app';
export const windowsProgram = String.raw`..\Timbre.exe`;

/**
 * Arguments of fpm that put these files where shells, man and people look for them.
 *
 * @param {string} zshFolder Where zsh reads completions of packages: each distribution has its own.
 * @returns {string[]}
 */
export const installCommandFiles = (zshFolder) =>
  /** @type {const} */ ([
    ['timbre', '/usr/bin/timbre'],
    ['timbre.bash', '/usr/share/bash-completion/completions/timbre'],
    ['timbre.zsh', `${zshFolder}/_timbre`],
    ['timbre.fish', '/usr/share/fish/vendor_completions.d/timbre.fish'],
    ['timbre.1.gz', '/usr/share/man/man1/timbre.1.gz'],
    ['copyright', '/usr/share/doc/timbre/copyright'],
  ]).map(([name, place]) => `${join(commandFolder, name)}=${place}`);
