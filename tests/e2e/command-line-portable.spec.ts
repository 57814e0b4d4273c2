import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'playwright/test';
import { copyProgram, type Ran, runCommand, samples } from './run-command.ts';

interface Fixture {
  readonly folder: string;
  readonly stick: string;
  readonly data: string;
  /** Folder of a computer's own configuration. */
  readonly computer: string;
  run(args: readonly string[], options?: { readonly on?: string; readonly from?: string }): Promise<Ran>;
  store(settings: object): Promise<void>;
}

const test = base.extend<{ fixture: Fixture }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  fixture: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-cli-portable-'));
    const [stick, computer] = [join(folder, 'stick'), join(folder, 'computer')];
    const data = join(stick, 'timbre-data');
    await mkdir(data, { recursive: true });
    await copyProgram(stick);
    await copyFile(join(samples, 'lantern.mp3'), join(folder, 'take.mp3'));
    await use({
      ...{ folder, stick, data, computer },
      run: (args, { on = computer, from = stick } = {}) =>
        runCommand(args, { cwd: folder, program: from, env: { XDG_CONFIG_HOME: on, TIMBRE_DATA_DIR: '' } }),
      store: (settings) => writeFile(join(data, 'settings.json'), JSON.stringify(settings)),
    });
    await rm(folder, { recursive: true });
  },
});
const convert = ['convert', 'take.mp3', '--voice', 'low-bronze', '--out', 'out'];
const convertTo = (out: string) => [...convert.slice(0, -1), out];
const isNew = 'new on this computer';

test('data beside the program is used from every folder, also after it moved, and this computer gets none of it', async ({
  fixture,
}) => {
  const { folder, stick, data, computer, run, store } = fixture;
  // The first command finds the empty folder of a new user.
  expect((await run(['voices', 'list'])).code).toBe(0);
  await store({ copies: { isOn: true, maxGigabytes: 1, since: 0 } });
  const converted = await run(convert);
  expect([converted.code, converted.stderr]).toEqual([0, '']);
  expect(await readdir(data)).toContain('timbre.db');
  expect(await readdir(join(computer, 'Timbre'))).toEqual(['portable-data.json', 'secrets']);

  const moved = join(folder, 'another letter');
  await rename(stick, moved);
  await rm(join(folder, 'out'), { recursive: true });
  const { stdout, stderr, code } = await run(['history', 'search', 'take', '--json'], { from: moved });
  expect([code, stderr]).toEqual([0, '']);
  const { id } = JSON.parse(stdout.split('\n')[0] ?? '') as { id: string };
  expect((await run(['history', 'restore', id], { from: moved })).code).toBe(0);
  expect(await readdir(join(folder, 'out'))).toHaveLength(1);
});

test('the program after each result stays off on a computer that has never seen the data', async ({ fixture }) => {
  const { folder, data, run, store, computer } = fixture;
  const program = join(folder, 'planted.sh');
  await writeFile(program, `#!/bin/sh\ntouch '${join(folder, 'ran')}'\n`);
  await chmod(program, 0o755);
  await store({ hook: { isOn: true, program, args: ['{result}'], timeoutSeconds: 20 } });
  const first = await run(convert);
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(isNew)]);
  const second = await run(convertTo('out2'));
  expect(second.stderr).not.toContain(isNew);
  expect(await readdir(folder)).not.toContain('ran');
  expect(JSON.parse(await readFile(join(data, 'settings.json'), 'utf8'))).toMatchObject({
    hook: { isOn: false, program },
  });

  // The user has turned it on, on this computer. Another one asks again.
  await store({ hook: { isOn: true, program, args: ['{result}'], timeoutSeconds: 20 } });
  expect((await run(convertTo('out3'))).code).toBe(0);
  expect(await readdir(folder)).toContain('ran');
  await rm(join(folder, 'ran'));
  const elsewhere = await run(convertTo('out4'), { on: `${computer}-2` });
  expect(elsewhere.stderr).toContain(isNew);
  expect(await readdir(folder)).not.toContain('ran');
});

test('a token is never stored in portable data', async ({ fixture }) => {
  const { folder, data, run } = fixture;
  const hosts = { voice: 'https://voice.example', upload: 'https://voice.example', converter: 'https://voice.example' };
  await writeFile(join(folder, 'studio.json'), JSON.stringify({ name: 'Studio', hosts }));
  expect((await run(['connections', 'import', 'studio.json'])).code).toBe(0);
  const { code, stderr } = await run(['token', 'set', '--connection', 'Studio', '--store-in-file']);
  expect(code).not.toBe(0);
  expect(stderr).toContain('Portable data holds no tokens');
  expect(await readdir(data)).not.toContain('secrets');
});

test('portable data that cannot be written is named, and this computer’s data is not used instead', async ({
  fixture,
}) => {
  const { data, computer, run } = fixture;
  // Also for root, whom permissions do not stop.
  await mkdir(join(data, 'portable.json'));
  const { code, stderr } = await run(convert);
  expect(code).not.toBe(0);
  expect(stderr).toContain(data);
  expect(await readdir(join(computer, 'Timbre'))).toEqual([]);
});
