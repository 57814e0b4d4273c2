import { mkdir, mkdtemp, copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test as base } from 'playwright/test';
import { databaseName } from '../../src/main/core/database/database.ts';
import { runCommand, samples, type Ran } from './run-command.ts';

interface CommandFixture {
  readonly folder: string;
  run(...args: readonly string[]): Promise<Ran>;
  /** A setting of the newest job. */
  last(field: string): unknown;
}

const test = base.extend<{ fixture: CommandFixture }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  fixture: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-cli-presets-'));
    const run = (...args: readonly string[]) =>
      runCommand([...args, '--data-dir', join(folder, 'data')], { cwd: folder });
    await use({
      folder,
      run,
      last(field) {
        const database = new DatabaseSync(join(folder, 'data', databaseName), { readOnly: true });
        const row = database.prepare('SELECT settings FROM job ORDER BY number DESC LIMIT 1').get();
        database.close();
        return (JSON.parse(String(row?.['settings'])) as Readonly<Record<string, unknown>>)[field];
      },
    });
    await rm(folder, { recursive: true, force: true });
  },
});

const local = { id: 'local', name: 'This computer' };
const conversion = { pitchControl: '', autoF0: true, engine: 'v5', format: '.wav' };
const presets = [
  {
    name: 'Evening',
    kind: 'conversion',
    connection: local,
    voice: 'Low bronze',
    settings: { ...conversion, voiceId: 'low-bronze', pitch: 1.2, speed: 1 },
  },
  {
    name: 'Reader',
    kind: 'speech',
    connection: local,
    voice: 'Low bronze',
    settings: { voiceId: 'low-bronze', language: '', speed: 1.1, pitch: 1, engine: 'v7', platform: 'web' },
  },
];
const studio = { ...presets[0], name: 'Studio take', connection: { id: 'x', name: 'Studio' } };
const file = (list: readonly unknown[]) => JSON.stringify({ format: 'timbre-presets', version: 1, presets: list });

test('imports presets, converts, speaks and watches with them, and exports them', async ({ fixture }) => {
  const { folder, run, last } = fixture;
  expect((await run('presets')).stderr).toContain('No presets yet.');
  await writeFile(join(folder, 'presets.json'), file([...presets, studio]));

  const imported = await run('presets', 'import', 'presets.json');
  expect(imported.code).toBe(5);
  expect(imported.stdout).toBe('2 presets imported.\n');
  expect(imported.stderr).toContain('“Studio take” was skipped: there is no connection “Studio” here.');
  const list = await run('presets');
  expect(list.stdout).toBe(
    'For recordings:\n  Evening, Low bronze, This computer\nFor speech:\n  Reader, Low bronze, This computer\n',
  );
  expect((await run('presets', 'list', '--json')).last['presets']).toMatchObject([
    { name: 'Evening', kind: 'conversion', revision: 1, isConnectionMissing: false },
    { name: 'Reader', kind: 'speech' },
  ]);

  const lantern = join(samples, 'lantern.mp3');
  const converted = await run('convert', lantern, '--preset', 'evening', '--out', 'out');
  expect([converted.code, converted.stderr]).toEqual([0, '']);
  expect(await readdir(join(folder, 'out'))).toEqual(['lantern, Low bronze.wav']);
  expect(last('pitch')).toBe(1.2);
  const overridden = await run('convert', lantern, '--preset', 'Evening', '--pitch', '1.1', '--out', 'out');
  expect([overridden.code, last('pitch'), last('engine')]).toEqual([0, 1.1, 'v5']);

  const spoken = await run('speak', 'Good evening.', '--preset', 'Reader', '--out', 'good.wav');
  expect([spoken.code, last('speed')]).toEqual([0, 1.1]);

  await mkdir(join(folder, 'in'));
  await copyFile(lantern, join(folder, 'in/take.mp3'));
  const watched = await run('watch', 'in', '--preset', 'Evening', '--once', '--out', 'watched');
  expect([watched.code, last('pitch')]).toEqual([0, 1.2]);
  expect(await readdir(join(folder, 'watched'))).toEqual(['take, Low bronze.wav']);

  expect((await run('presets', 'export', 'copy.json')).stdout).toContain('2 presets exported to copy.json.');
  expect(JSON.parse(await readFile(join(folder, 'copy.json'), 'utf8'))).toEqual(JSON.parse(file(presets)));
  const copy = await readFile(join(folder, 'copy.json'), 'utf8');
  for (const printed of [[], ['-']]) expect((await run('presets', 'export', ...printed)).stdout).toBe(copy);
  expect(await readdir(folder)).not.toContain('-');
  expect((await run('presets', 'export', 'copy.json')).code).toBe(2);
  const again = await run('presets', 'import', 'copy.json', '--json');
  expect([again.code, again.last['imported']]).toEqual([0, 0]);
});

test('says what to type instead of an unknown preset, and what is wrong with a file', async ({ fixture }) => {
  const { folder, run } = fixture;
  await writeFile(join(folder, 'presets.json'), file(presets));
  await run('presets', 'import', 'presets.json');
  // A result stands beside its recording.
  const sample = join(folder, 'lantern.mp3');
  await copyFile(join(samples, 'lantern.mp3'), sample);
  const near = await run('convert', sample, '--preset', 'evning');
  expect([near.code, near.stderr]).toEqual([
    5,
    'There is no preset "evning" for recordings. Did you mean "Evening"? To list the presets, run "timbre presets".\n',
  ]);
  expect((await run('convert', sample, '--preset', 'Reader')).stderr).toContain('for recordings, only one for speech.');
  expect((await run('convert', sample)).stderr).toContain('--preset NAME');
  await writeFile(join(folder, 'broken.json'), '{"format":');
  const broken = await run('presets', 'import', 'broken.json');
  expect([broken.code, broken.stderr]).toEqual([5, expect.stringContaining('broken.json contains no presets.')]);
  expect((await run('presets', 'import', 'none.json')).code).toBe(5);
});
