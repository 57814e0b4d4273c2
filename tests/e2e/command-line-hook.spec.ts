import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'playwright/test';
import { command, program as timbre, runCommand, samples, type Ran } from './run-command.ts';

interface HookFixture {
  readonly folder: string;
  run(...args: readonly string[]): Promise<Ran>;
  /** Sets the program that runs after each result, and other settings. */
  use(lines: string, change?: object, others?: object): Promise<void>;
  /** What the program got on standard input, oldest first. */
  inputs(): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

const test = base.extend<{ fixture: HookFixture }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  fixture: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-cli-hook-'));
    const data = join(folder, 'data');
    await mkdir(join(folder, 'in'));
    await mkdir(data);
    await copyFile(join(samples, 'lantern.mp3'), join(folder, 'in', 'take.mp3'));
    await use({
      folder,
      run: (...args) =>
        runCommand([...args, '--data-dir', data], { cwd: folder, env: { TIMBRE_TOKEN: 'token-of-tests' } }),
      async use(lines, change = {}, others = {}) {
        const program = join(folder, 'hook.sh');
        await writeFile(program, `#!/bin/sh\n${lines}\n`);
        await chmod(program, 0o755);
        const hook = { isOn: true, program, args: ['{result}', '--to={voice}'], timeoutSeconds: 20, ...change };
        await writeFile(join(data, 'settings.json'), JSON.stringify({ ...others, hook }));
      },
      async inputs() {
        const text = await readFile(join(folder, 'input'), 'utf8').catch(() => '');
        return text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
      },
    });
    await rm(folder, { recursive: true });
  },
});
const toOut = ['--voice', 'low-bronze', '--out', 'out'];

test('convert, speak, watch and again run the program for each result, and end after it', async ({ fixture }) => {
  const log = `cat >> "${fixture.folder}/input"; sleep 0.2; printf '%s|' "$@" >> "${fixture.folder}/args"; env > "${fixture.folder}/env"`;
  await fixture.use(log);
  expect((await fixture.run('convert', 'in/take.mp3', ...toOut)).code).toBe(0);
  const result = join(fixture.folder, 'out', 'take, Low bronze.mp3');
  expect(await readFile(join(fixture.folder, 'args'), 'utf8')).toBe(`${result}|--to=Low bronze|`);
  expect((await fixture.run('speak', 'Hello', '--voice', 'low-bronze', '--out', 'hello.wav')).code).toBe(0);
  expect((await fixture.run('watch', 'in', ...toOut, '--once')).code).toBe(0);
  const [{ id } = {}] = await fixture.inputs();
  expect((await fixture.run('history', 'again', String(id))).code).toBe(0);
  const inputs = await fixture.inputs();
  expect(inputs.map(({ kind, watchFolder }) => [kind, watchFolder])).toEqual([
    ['conversion', null],
    ['speech', null],
    ['conversion', join(fixture.folder, 'in')],
    ['conversion', null],
  ]);
  expect(JSON.stringify(inputs) + (await readFile(join(fixture.folder, 'env'), 'utf8'))).not.toContain(
    'token-of-tests',
  );
});

test('--no-hook runs it for no result, now or later', async ({ fixture }) => {
  await fixture.use(`cat >> "${fixture.folder}/input"`);
  expect((await fixture.run('convert', 'in/take.mp3', ...toOut, '--no-hook')).code).toBe(0);
  expect((await fixture.run('watch', 'in', ...toOut, '--once', '--no-hook')).code).toBe(0);
  expect(await fixture.inputs()).toEqual([]);
  expect((await fixture.run('speak', 'Hello', '--voice', 'low-bronze', '--out', 'hello.wav')).code).toBe(0);
  expect(await fixture.inputs()).toMatchObject([{ kind: 'speech' }]);
});

test('a program that fails is reported, and neither the command nor the result fails', async ({ fixture }) => {
  await fixture.use('echo broken >&2; exit 7');
  const ran = await fixture.run('convert', 'in/take.mp3', ...toOut, '--json');
  expect(ran.code).toBe(0);
  const events = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(events.filter(({ event }) => event === 'hook')).toMatchObject([
    {
      exitCode: 7,
      code: 'hook/failed',
      message: expect.stringMatching(/^hook.sh failed \(exit code 7\)\. The result is fine\./),
    },
  ]);
  expect(ran.last).toMatchObject({ event: 'result', outputs: [{ status: 'done' }] });
  expect(await readdir(join(fixture.folder, 'out'))).toEqual(['take, Low bronze.mp3']);
  const { stdout } = await fixture.run('log', '--level', 'warn');
  expect(stdout).toContain('hook: program failed');
  expect(stdout).toContain('broken');

  await fixture.use('', { program: '/nowhere/up.sh' });
  const missing = await fixture.run('convert', 'in/take.mp3', '--again', ...toOut);
  expect([missing.code, missing.stderr]).toEqual([0, expect.stringContaining('up.sh wasn’t found')]);
});

test('a program may change or move a result, whose copy was made before', async ({ fixture }) => {
  const { folder } = fixture;
  const settings = { copies: { isOn: true, maxGigabytes: 1, since: 0 } };
  // Each is named after its content.
  const copies = async () =>
    (await readdir(join(folder, 'data', 'copies')).catch(() => [])).filter((name) => !name.startsWith('.'));
  const nameOf = (bytes: Buffer, extension: string) =>
    `${createHash('sha256').update(bytes).digest('hex')}.${extension}`;
  await fixture.use('printf tag >> "$1"', {}, settings);
  expect((await fixture.run('convert', 'in/take.mp3', ...toOut)).code).toBe(0);
  const tagged = await readFile(join(folder, 'out', 'take, Low bronze.mp3'));
  expect(tagged.subarray(-3).toString()).toBe('tag');
  expect(await copies()).toEqual([nameOf(tagged.subarray(0, -3), 'mp3')]);
  await fixture.use(`mv -- "$1" "${folder}/moved.wav"`, {}, settings);
  expect((await fixture.run('speak', 'Hello', '--voice', 'low-bronze', '--out', 'hello.wav')).code).toBe(0);
  expect(await copies()).toContain(nameOf(await readFile(join(folder, 'moved.wav')), 'wav'));
});

test('a watched folder moves its originals first, also if the program changes or moves the results', async ({
  fixture,
}) => {
  const { folder } = fixture;
  for (const [name, lines] of [
    ['changed', 'printf tag >> "$1"'],
    ['moved', `mv -- "$1" "${folder}"`],
  ] as const) {
    await mkdir(join(folder, name));
    for (const take of ['a.mp3', 'b.mp3']) {
      const bytes = await readFile(join(samples, 'lantern.mp3'));
      await writeFile(join(folder, name, take), Buffer.concat([bytes, Buffer.from(take)]));
    }
    await fixture.use(`test ! -e "$2" && ${lines}`, { args: ['{result}', '{source}'] });
    const { code, stderr } = await fixture.run('watch', name, ...toOut, '--move-done', '--once');
    expect([code, stderr]).toEqual([0, '']);
    expect((await readdir(join(folder, name, 'Done'))).sort()).toEqual(['a.mp3', 'b.mp3']);
  }
});

test('a result that the program changes in its place is no new recording, and its original is not converted again', async ({
  fixture,
}) => {
  const { folder } = fixture;
  const entries = async () => (await readdir(join(folder, 'in'))).filter((name) => !name.startsWith('.')).sort();
  // It still works when the folder takes the file for complete. Never without end.
  await fixture.use(`test "$(ls "${folder}/in" | wc -l)" -gt 4 || printf tag >> "$1"\nsleep 8`);
  expect((await fixture.run('watch', 'in', '--voice', 'low-bronze', '--once')).code).toBe(0);
  expect(await entries()).toEqual(['take, Low bronze.mp3', 'take.mp3']);
  expect((await fixture.run('watch', 'in', '--voice', 'low-bronze', '--once')).code).toBe(0);
  await fixture.use('mv -- "$1" "$1.new"; cat "$1.new" "$1.new" > "$1"; rm -- "$1.new"');
  await copyFile(join(samples, 'harbour.wav'), join(folder, 'in', 'other.wav'));
  for (const given of ['in', 'in/other.wav', 'in'])
    expect((await fixture.run('convert', given, '--voice', 'low-bronze')).code).toBe(0);
  expect(await entries()).toEqual(['other, Low bronze.wav', 'other.wav', 'take, Low bronze.mp3', 'take.mp3']);
});

test('a program that takes too long is ended', async ({ fixture }) => {
  await fixture.use('sleep 1000', { timeoutSeconds: 1 });
  const ran = await fixture.run('convert', 'in/take.mp3', ...toOut);
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('was stopped after 1 s')]);
});

test('a command that the program starts runs no program, which would go on without end and be paid for', async ({
  fixture,
}) => {
  const { folder } = fixture;
  const again = `${[timbre, ...command].map((word) => `"${word}"`).join(' ')} convert "$1" --voice low-bronze --out "${folder}/again" --data-dir "${folder}/data"`;
  await fixture.use(`cat >> "${folder}/input"\n${again}`);
  expect((await fixture.run('convert', 'in/take.mp3', ...toOut)).code).toBe(0);
  expect(await readdir(join(folder, 'again'))).toEqual(['take, Low bronze, Low bronze.mp3']);
  expect(await fixture.inputs()).toHaveLength(1);
});

test('a command that runs follows when the program is turned off', async ({ fixture }) => {
  const { folder } = fixture;
  const off = JSON.stringify({ hook: { isOn: false, program: '/bin/true', args: [], timeoutSeconds: 20 } });
  await fixture.use(`cat >> "${folder}/input"\nprintf '%s' '${off}' > "${folder}/data/settings.json"`);
  for (const name of ['b.mp3', 'c.mp3']) await copyFile(join(samples, 'lantern.mp3'), join(folder, 'in', name));
  expect((await fixture.run('convert', 'in', ...toOut)).code).toBe(0);
  expect(await readdir(join(folder, 'out'))).toHaveLength(3);
  expect(await fixture.inputs()).toHaveLength(1);
});
