import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLauncher } from './command-launcher.ts';

describe.skipIf(process.platform === 'win32')('the program timbre of a terminal', () => {
  let folder: string;
  let launcher: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'timbre-launcher-'));
    const program = join(folder, "Anna's $HOME", 'timbre-app');
    mkdirSync(join(program, '..'));
    writeFileSync(program, '#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done\nexit 7\n', { mode: 0o755 });
    launcher = join(folder, 'timbre');
    writeFileSync(launcher, commandLauncher(program, 'linux'), { mode: 0o755 });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(...words: readonly string[]): { readonly given: readonly string[]; readonly code: number } {
    try {
      execFileSync(launcher, words);
      throw new Error('the program ends with 7');
    } catch (error) {
      const { status, stdout } = error as { readonly status: number; readonly stdout: Buffer };
      return { given: stdout.toString().split('\n').slice(0, -1), code: status };
    }
  }

  it('passes every argument as it was given, behind switches that need no display, and returns the exit code', () => {
    const words = ['convert', 'two words', "it's", '$HOME', '*', '', '--out=https://x', '--', '-v'];
    const { given, code } = run(...words);
    const end = given.indexOf('--');
    expect(given.slice(0, end)).toEqual(expect.arrayContaining(['--command-line', '--ozone-platform=headless']));
    expect([given.slice(end + 1), code]).toEqual([words, 7]);
  });

  it('opens the app without arguments', () => {
    expect(run()).toEqual({ given: [], code: 7 });
  });
});

it('the program timbre of Windows starts the app beside its folder, with all arguments and without a display server', () => {
  const lines = commandLauncher('..\\Timbre.exe', 'win32').split('\r\n');
  expect(lines).toContain('"%~dp0..\\Timbre.exe" --command-line --disable-gpu --log-level=3 -- %*');
});
