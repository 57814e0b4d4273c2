import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'playwright/test';
import { runCommand, type Ran } from './run-command.ts';

const root = join(import.meta.dirname, '../..');
const sample = join(root, 'samples/lantern.mp3');

interface Bench {
  readonly folder: string;
  readonly args: readonly string[];
  watch(...flags: readonly string[]): Promise<Ran>;
  results(): Promise<readonly string[]>;
}

const test = base.extend<{ bench: Bench }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  bench: async ({}, use) => {
    const place = await mkdtemp(join(tmpdir(), 'timbre-cli-watch-'));
    const folder = join(place, 'in');
    const out = join(place, 'out');
    await mkdir(join(folder, 'day 1'), { recursive: true });
    await copyFile(sample, join(folder, 'day 1/take.mp3'));
    const data = join(place, 'data');
    const args = ['watch', folder, '--voice', 'low-bronze', '--out', out, '--data-dir', data];
    await use({
      folder,
      args,
      watch: (...flags) => runCommand([...args, ...flags]),
      results: async () => (await readdir(out, { recursive: true }).catch(() => [])).sort(),
    });
    await rm(place, { recursive: true });
  },
});

test('a dry run reports what would be converted and its duration, and sends and writes nothing', async ({ bench }) => {
  await writeFile(join(bench.folder, 'notes.txt'), 'no sound');
  const { code, stdout } = await bench.watch('--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain(`${join('day 1', 'take.mp3')}  4`);
  expect(stdout).toContain('This would convert 1 recording');
  expect(stdout).toContain('1 file skipped: name not supported.');
  expect(await bench.results()).toEqual([]);
  expect(await readdir(bench.folder)).toEqual(['day 1', 'notes.txt']);
});

test('a recording in a folder is converted once, however often the folder is watched', async ({ bench }) => {
  const first = await bench.watch('--once');
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining(`${join('day 1', 'take.mp3')} -> `)]);
  expect(await bench.results()).toEqual(['day 1', join('day 1', 'take, Low bronze.mp3')]);
  await copyFile(sample, join(bench.folder, 'copy.mp3'));
  const second = await bench.watch('--once');
  expect(second.code).toBe(0);
  expect(second.stdout).toContain('copy.mp3 Not converted: same audio as');
  expect(await bench.results()).toHaveLength(2);
});

test('a cut recording is reported with the reason, and the others are converted', async ({ bench }) => {
  const whole = await readFile(join(root, 'samples/harbour.wav'));
  await writeFile(join(bench.folder, 'cut.wav'), whole.subarray(0, whole.length / 2));
  const { code, stdout, stderr } = await bench.watch('--once');
  expect([code, stderr]).toEqual([0, expect.stringContaining('cut.wav: The recording is incomplete.')]);
  expect(stdout).toContain(' -> ');
});

test('SIGTERM ends it with 0, and a second command that watches the same folder is rejected', async ({ bench }) => {
  const child = spawn(process.execPath, [join(root, 'out/main/cli.js'), ...bench.args, '--only-new', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LANG: 'en_GB.UTF-8', LC_ALL: '' },
  });
  let told = '';
  child.stdout.on('data', (text: Buffer) => (told += text.toString()));
  const exited = once(child, 'exit');
  await expect.poll(() => told, { timeout: 20_000 }).toContain('"mode":"watching"');
  await copyFile(join(root, 'samples/harbour.wav'), join(bench.folder, 'new.wav'));
  await expect.poll(() => told, { timeout: 20_000 }).toContain('"state":"done"');
  const second = await bench.watch('--once');
  expect([second.code, second.stderr]).toEqual([5, expect.stringContaining('Another Timbre')]);
  child.kill('SIGTERM');
  expect((await exited)[0]).toBe(0);
  expect(await bench.results()).toEqual(['new, Low bronze.wav']);
});

test('a missing folder is named', async ({ bench }) => {
  await rm(bench.folder, { recursive: true });
  const { code, stderr } = await bench.watch('--once');
  expect([code, stderr]).toEqual([5, expect.stringContaining(bench.folder)]);
});
