import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'playwright/test';
import { commandLines, type Ran, runCommand, samples } from './run-command.ts';

// An installed Timbre has no Node: its own program runs the commands, with processes that Electron starts.

interface Fixture {
  readonly folder: string;
  run(...args: readonly string[]): Promise<Ran>;
  start(...args: readonly string[]): ChildProcess;
}

const test = base.extend<{ timbre: Fixture }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  timbre: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-installed-'));
    // Chromium’s session goes to the temporary folder, and has to be gone from it in the end.
    const temporary = await mkdtemp(join(tmpdir(), 'timbre-temporary-'));
    const env = { TIMBRE_DATA_DIR: join(folder, 'data'), TMPDIR: temporary, DISPLAY: '', WAYLAND_DISPLAY: '' };
    await use({
      folder,
      run: (...args) => runCommand(args, { runtime: 'electron', cwd: folder, env }),
      start(...args) {
        const [program = '', ...before] = commandLines.electron();
        return spawn(program, [...before, ...args], { cwd: folder, env: { ...process.env, ...env }, stdio: 'pipe' });
      },
    });
    expect((await readdir(temporary)).filter((name) => name.startsWith('timbre-'))).toEqual([]);
    await rm(temporary, { recursive: true });
    await rm(folder, { recursive: true });
  },
});

test('converts without a display, and finds it in the history', async ({ timbre }) => {
  await copyFile(join(samples, 'harbour.wav'), join(timbre.folder, 'harbour.wav'));
  const converted = await timbre.run('convert', 'harbour.wav', '--voice', 'low-bronze', '--json');
  expect([converted.code, converted.last]).toEqual([0, expect.objectContaining({ event: 'result' })]);
  expect(await readdir(timbre.folder)).toContain('harbour, Low bronze.wav');
  const found = await timbre.run('history', 'search', 'harbour');
  expect([found.code, found.stdout, found.stderr]).toEqual([0, expect.stringContaining('Low bronze'), '']);
});

test('reads its words as they were given, and ends with the same codes as in Node', async ({ timbre }) => {
  const lines = [
    ['--version'],
    ['help', 'convert'],
    ['convrt'],
    ['convert', 'no such file.wav', '--voice', 'low-bronze'],
    ['speak', 'https://example.com --voice', '--voice', 'nobody'],
    ['history', 'search', '--', '-x'],
  ];
  for (const line of lines) {
    const installed = await timbre.run(...line);
    const env = { TIMBRE_DATA_DIR: join(timbre.folder, 'data') };
    expect(installed).toEqual(await runCommand(line, { runtime: 'node', cwd: timbre.folder, env }));
  }
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`hears ${signal} although Chromium has started, and ends in order`, async ({ timbre }) => {
    const child = timbre.start('watch', '.', '--voice', 'low-bronze', '--out', 'out', '--json');
    const ended = once(child, 'close');
    let stdout = '';
    child.stdout?.on('data', (text: Buffer) => (stdout += text.toString()));
    // By a process of its own, which needs Chromium.
    await expect.poll(() => stdout).toContain('"mode":"watching"');
    child.kill(signal);
    expect((await ended)[0]).toBe(0);
  });
}

test('prints all to a slow reader, and ends silently when that goes', async ({ timbre }) => {
  await writeFile(join(timbre.folder, 'words.txt'), 'Good evening. '.repeat(3));
  const whole = await timbre.run('man');
  const [program = '', ...before] = commandLines.electron();
  const quoted = [program, ...before, 'man'].map((word) => `'${word}'`).join(' ');
  const slow = spawn('sh', ['-c', `${quoted} | (sleep 1; cat)`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let read = '';
  slow.stdout.on('data', (text: Buffer) => (read += text.toString()));
  await once(slow, 'close');
  expect(read).toBe(whole.stdout);
  const gone = spawn('sh', ['-c', `${quoted} | head -n 1`], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  gone.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
  await once(gone, 'close');
  expect(complaint).toBe('');
});
