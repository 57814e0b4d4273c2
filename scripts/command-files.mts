import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { linuxProgram, windowsProgram } from '../build/command-files.js';
import { commandLauncher } from '../src/main/electron/command-launcher.ts';
import { root } from './root.mts';

const printed = (...words: readonly string[]): string =>
  execFileSync(process.execPath, [join(root, 'out/main/cli.js'), ...words], {
    encoding: 'utf8',
    env: { ...process.env, LANG: 'en_GB.UTF-8', LC_ALL: '', LANGUAGE: '' },
  });

/** Writes what packages install of the command line outside the app, as build/command-files.js names it. Needs the built app. */
export function writeCommandFiles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string | Buffer, mode = 0o644) =>
    writeFileSync(join(folder, name), content, { mode });
  write('timbre', commandLauncher(linuxProgram, 'linux'), 0o755);
  write('timbre.cmd', commandLauncher(windowsProgram, 'win32'));
  for (const shell of ['bash', 'zsh', 'fish']) write(`timbre.${shell}`, printed('completion', shell));
  write('timbre.1.gz', gzipSync(printed('man'), { level: 9 }));
}
