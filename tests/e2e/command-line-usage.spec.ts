import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'playwright/test';
import { runCommand } from './run-command.ts';

const test = base.extend<{ here: typeof runCommand }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  here: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-cli-'));
    await use((args, options) =>
      runCommand([...args, '--data-dir', join(folder, 'data')], { cwd: folder, ...options }),
    );
    await rm(folder, { recursive: true });
  },
});

for (const [what, args] of [
  ['a voice that is not named', ['voices', 'show']],
  ['a verb that is nearly one', ['models', 'lst']],
  ['a search for nothing named', ['history', 'search']],
  ['a number of lines that is none', ['history', 'list', '--limit', '0']],
  ['a value that looks like a flag', ['plant', 'create', '--id', '--name', 'x']],
  ['two texts', ['speak', 'one', 'two', '--voice', 'x']],
  ['a folder for a file', ['speak', 'one', '--voice', 'x', '--out', './']],
  ['a field in a name', ['speak', 'one', '--voice', 'x', '--out', '{voice}.wav']],
  ['a speed out of the range', ['speak', 'one', '--voice', 'low-bronze', '--speed', '9']],
  ['a speaker without a voice', ['speak', 'Anna: Hello.', '--voice', 'low-bronze', '--speaker', 'Anna']],
  ['a speaker who says nothing', ['speak', 'Ann: Hello.', '--voice', 'low-bronze', '--speaker', 'Anna=low-bronze']],
  ['an id of 65 bits', ['plant', 'create', '--id', '9223372036854775808', '--name', 'x']],
  ['a model that would be another path', ['models', 'delete', '..', '--yes']],
] as const) {
  test(`answers ${what} with the correct usage, and exit 2`, async ({ here }) => {
    const ran = await here(args);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toMatch(/^[^\n]+\n$/);
    const german = await here([...args, '--json'], { env: { LANG: 'de_DE.UTF-8' } });
    expect(german.last).toMatchObject({ event: 'error', code: 'request/invalid' });
    expect(german.last['message']).not.toBe(ran.stderr.trim());
  });
}

test('answers an unknown subcommand with the list of subcommands, and exit 2', async ({ here }) => {
  const { code, stderr } = await here(['models', 'drop']);
  expect([code, stderr]).toEqual([
    2,
    'Usage:\n  timbre models list [options]\n  timbre models delete NAME [options]\n',
  ]);
});

for (const args of [
  ['help', 'convert'],
  ['voices', 'show', 'low-bronze'],
  ['presets', 'export'],
  ['help', '--json'],
]) {
  test(`says that ${args.join(' ')} could not be written to a full disk, and exit 1`, async ({ here }) => {
    test.skip(process.platform !== 'linux', 'needs /dev/full');
    const { code, stderr } = await here(args, { through: ['sh', '-c', 'exec "$@" > /dev/full', 'sh'] });
    expect([code, stderr]).toEqual([1, 'The disk is full. Free up some space, then try again.\n']);
  });
}

test('ends quietly if the reader of the last line has gone', async ({ here }) => {
  test.skip(process.platform === 'win32', 'needs a shell');
  const { code, stderr } = await here(['help'], {
    through: ['bash', '-c', '"$@" | true; exit ${PIPESTATUS[0]}', 'sh'],
  });
  expect([code, stderr]).toEqual([141, '']);
});

test('help lists every command', async ({ here }) => {
  const { code, stdout } = await here(['help']);
  expect(code).toBe(0);
  const names = ['convert', 'watch', 'speak', 'history', 'voices', 'models', 'token', 'connections', 'plant', 'engine'];
  for (const name of [...names, 'doctor']) {
    expect(stdout).toContain(`\n  timbre ${name} `);
  }
});
