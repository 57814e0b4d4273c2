import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'playwright/test';
import { command, program, runCommand, samples, type Ran } from './run-command.ts';
import { damageDatabase } from '../../src/main/core/database/damage.fixture.ts';

const sample = join(samples, 'lantern.mp3');

interface CommandFixture {
  readonly folder: string;
  readonly data: string;
  readonly args: readonly string[];
  watch(...flags: readonly string[]): Promise<Ran>;
  results(): Promise<readonly string[]>;
}

const test = base.extend<{ fixture: CommandFixture }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  fixture: async ({}, use) => {
    const place = await mkdtemp(join(tmpdir(), 'timbre-cli-watch-'));
    const folder = join(place, 'in');
    const out = join(place, 'out');
    await mkdir(join(folder, 'day 1'), { recursive: true });
    await copyFile(sample, join(folder, 'day 1/take.mp3'));
    const data = join(place, 'data');
    const args = ['watch', folder, '--voice', 'low-bronze', '--out', out, '--data-dir', data];
    await use({
      folder,
      data,
      args,
      watch: (...flags) => runCommand([...args, ...flags]),
      results: async () => (await readdir(out, { recursive: true }).catch(() => [])).sort(),
    });
    await rm(place, { recursive: true });
  },
});

test('a dry run reports what would be converted and its duration, and sends and writes nothing', async ({
  fixture,
}) => {
  await writeFile(join(fixture.folder, 'notes.txt'), 'no sound');
  const { code, stdout } = await fixture.watch('--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain(`${join('day 1', 'take.mp3')}  4`);
  expect(stdout).toContain('This would convert 1 recording');
  expect(stdout).toContain('1 file skipped: name not supported.');
  expect(await fixture.results()).toEqual([]);
  expect(await readdir(fixture.folder)).toEqual(['day 1', 'notes.txt']);
});

test('results that could not be copied are told, and are fine', async ({ fixture }) => {
  await mkdir(fixture.data);
  const copies = { isOn: true, maxGigabytes: 1, since: 0 };
  await writeFile(join(fixture.data, 'settings.json'), JSON.stringify({ copies }));
  await writeFile(join(fixture.data, 'copies'), 'no folder');
  const { code, stderr } = await fixture.watch('--once');
  expect([code, stderr]).toEqual([0, expect.stringContaining('couldn’t keep a copy of each result')]);
  expect(await fixture.results()).toHaveLength(2);
});

test('a text in the folder is spoken with the voices of its speakers', async ({ fixture }) => {
  await writeFile(join(fixture.folder, 'scene.txt'), 'Anna: Good evening.\n\nThe door opens.');
  const wrong = await fixture.watch('--once', '--speaker', 'Anna');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Write --speaker "NAME=ID"')]);
  const speakers = ['--speaker', 'Anna=bright-reed', '--speaker', 'Ben=low-bronze'];
  const { code, stdout } = await fixture.watch('--once', ...speakers);
  expect([code, stdout]).toEqual([0, expect.stringContaining('scene.txt -> ')]);
  const listed = await runCommand(['history', 'search', 'scene', '--data-dir', fixture.data, '--json']);
  const [line = ''] = listed.stdout.split('\n');
  const { id } = JSON.parse(line) as { readonly id: string };
  const shown = await runCommand(['history', 'show', id, '--data-dir', fixture.data]);
  expect(shown.stdout).toContain('Anna=bright-reed');
  expect(shown.stdout).not.toContain('Ben');
});

test('a subfolder named after a voice has that voice, and others and other hours wait', async ({ fixture }) => {
  await mkdir(join(fixture.folder, 'Bright reed'));
  await copyFile(join(samples, 'harbour.wav'), join(fixture.folder, 'Bright reed/a.wav'));
  const wrong = await fixture.watch('--once', '--hours', '22-6');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('such as 22:00-06:00, not "22-6"')]);
  const hour = new Date().getHours();
  const [from, to] = [2, 3].map((later) => `${String((hour + later) % 24).padStart(2, '0')}:00`);
  const early = await fixture.watch('--once', '--subfolder-voices', '--hours', `${from}-${to}`);
  expect([early.code, early.stdout]).toEqual([1, expect.stringContaining(`Waiting until ${from}`)]);
  expect(await fixture.results()).toEqual([]);
  const { code, stderr } = await fixture.watch('--once', '--subfolder-voices');
  expect([code, stderr]).toEqual([1, expect.stringContaining('“day 1” doesn’t name a voice.')]);
  expect(await fixture.results()).toEqual(['Bright reed', join('Bright reed', 'a, Bright reed.wav')]);
});

test('texts are spoken only if asked for, in their last version, and history knows their files', async ({
  fixture,
}) => {
  await writeFile(join(fixture.folder, 'letter.txt'), 'Good evening.');
  await writeFile(join(fixture.folder, 'notes.md'), '# Day *one*\n\n- Milk');
  await writeFile(join(fixture.folder, 'image.txt'), Buffer.from([0, 1, 2]));
  const plain = await fixture.watch('--once');
  expect(plain.code).toBe(0);
  expect(await fixture.results()).toHaveLength(2);
  const dry = await fixture.watch('--dry-run', '--speak-texts');
  expect(dry.stdout).toMatch(/This would speak 2 texts, about \d+\ss of audio/);
  const advised = 'image.txt: This file isn’t plain text. Save it as plain text in UTF-8 and Timbre will try again.';
  expect(dry.stderr).toContain(advised);
  const first = await fixture.watch('--once', '--speak-texts');
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('letter.txt -> ')]);
  expect(first.stderr).toContain(advised);
  const results = ['day 1', join('day 1', 'take, Low bronze.mp3'), 'letter, Low bronze.wav', 'notes, Low bronze.wav'];
  expect(await fixture.results()).toEqual(results);
  await copyFile(join(fixture.folder, 'letter.txt'), join(fixture.folder, 'copy.txt'));
  const second = await fixture.watch('--once', '--speak-texts');
  expect(second.stdout).toContain('copy.txt Not spoken: same text as letter.txt');
  expect(await fixture.results()).toEqual(results);

  const history = (...args: readonly string[]) =>
    runCommand(['history', ...args, '--data-dir', fixture.data, '--json']);
  const { stdout } = await history('search', 'notes');
  const [entry] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);
  expect(entry).toMatchObject({ kind: 'speech', name: 'notes.md', source: join(fixture.folder, 'notes.md') });
  const shown = await history('show', entry?.['id'] ?? '');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    text: 'Day one.\n\nMilk.',
    source: { name: 'notes.md', path: join(fixture.folder, 'notes.md') },
  });
  await rm(join(fixture.folder, 'notes.md'));
  const again = await history('again', entry?.['id'] ?? '');
  expect([again.code, again.stderr]).toEqual([0, '']);
  expect(await fixture.results()).toContain('notes, Low bronze (2).wav');
});

test('a recording in a folder is converted once, however often the folder is watched', async ({ fixture }) => {
  const first = await fixture.watch('--once');
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining(`${join('day 1', 'take.mp3')} -> `)]);
  expect(await fixture.results()).toEqual(['day 1', join('day 1', 'take, Low bronze.mp3')]);
  await copyFile(sample, join(fixture.folder, 'copy.mp3'));
  const second = await fixture.watch('--once');
  expect(second.code).toBe(0);
  expect(second.stdout).toContain('copy.mp3 Not converted: same audio as');
  expect(await fixture.results()).toHaveLength(2);
});

test('a cut recording is reported with the reason, and the others are converted', async ({ fixture }) => {
  const whole = await readFile(join(samples, 'harbour.wav'));
  await writeFile(join(fixture.folder, 'cut.wav'), whole.subarray(0, whole.length / 2));
  const { code, stdout, stderr } = await fixture.watch('--once');
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/cut\.wav: The recording is incomplete\..* Save it again and Timbre will try again\./),
  ]);
  expect(stdout).toContain(' -> ');
});

test('SIGTERM ends it with 0, and a second command that watches the same folder is rejected, also with other data', async ({
  fixture,
}) => {
  const child = spawn(program, [...command, ...fixture.args, '--only-new', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LANG: 'en_GB.UTF-8', LC_ALL: '' },
  });
  let told = '';
  child.stdout.on('data', (text: Buffer) => (told += text.toString()));
  const exited = once(child, 'exit');
  await expect.poll(() => told).toContain('"mode":"watching"');
  await copyFile(join(samples, 'harbour.wav'), join(fixture.folder, 'new.wav'));
  await expect.poll(() => told).toContain('"state":"done"');
  const refusal =
    `Another Timbre watches ${fixture.folder}, so this command did nothing. ` +
    'Run it again when the other one has stopped.\n';
  const second = await fixture.watch();
  expect([second.code, second.stderr]).toEqual([5, refusal]);
  const withOtherData = await fixture.watch('--once', '--data-dir', `${fixture.folder}-data`);
  expect([withOtherData.code, withOtherData.stderr]).toEqual([5, refusal]);
  child.kill('SIGTERM');
  expect((await exited)[0]).toBe(0);
  expect(await fixture.results()).toEqual(['new, Low bronze.wav']);
});

test('a database that is damaged meanwhile ends it with one sentence', async ({ fixture }) => {
  const child = spawn(program, [...command, ...fixture.args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LANG: 'en_GB.UTF-8', LC_ALL: '' },
  });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const ended = once(child, 'exit');
  await expect.poll(fixture.results).toContain(join('day 1', 'take, Low bronze.mp3'));
  await damageDatabase(join(fixture.data, 'timbre.db'));
  await copyFile(join(samples, 'harbour.wav'), join(fixture.folder, 'harbour.wav'));
  expect((await ended)[0]).toBe(1);
  expect(stderr.match(/is damaged, so nothing more is sent/g)).toHaveLength(1);
});

test('a missing folder is named', async ({ fixture }) => {
  await rm(fixture.folder, { recursive: true });
  const { code, stderr } = await fixture.watch('--once');
  expect([code, stderr]).toEqual([5, expect.stringContaining(fixture.folder)]);
});
