import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { linuxProgram, windowsProgram } from '../build/command-files.js';
import { commandLauncher } from '../src/main/electron/command-launcher.ts';
import { noticesFile } from './notices.mts';
import { root } from './root.mts';

const printed = (...words: readonly string[]): string =>
  execFileSync(process.execPath, [join(root, 'out/main/cli.js'), ...words], {
    encoding: 'utf8',
    env: { ...process.env, LANG: 'en_GB.UTF-8', LC_ALL: '', LANGUAGE: '' },
  });

/** Writes the files that packages install outside the app, which build/command-files.js names. Needs the built app. */
export function writeCommandFiles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  function write(name: string, content: string | Buffer, mode = 0o644): void {
    const path = join(folder, name);
    writeFileSync(path, content);
    // Not limited by the umask of whoever makes the package.
    chmodSync(path, mode);
  }
  write('timbre', commandLauncher(linuxProgram, 'linux'), 0o755);
  write('timbre.cmd', commandLauncher(windowsProgram, 'win32'));
  for (const shell of ['bash', 'zsh', 'fish']) write(`timbre.${shell}`, printed('completion', shell));
  write('copyright', [noticesFile, join(root, 'LICENSE')].map((file) => readFileSync(file, 'utf8')).join('\n'));
  write('timbre.1.gz', gzipSync(printed('man'), { level: 9 }));
}
