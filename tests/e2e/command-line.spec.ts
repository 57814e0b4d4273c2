import { execFile, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { join } from 'node:path';
import { expect, test as base } from 'playwright/test';
import { root, samples } from './run-command.ts';

const launcher = join(root, 'timbre');
const sample = join(samples, 'lantern.mp3');

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of stdout as JSON. */
  readonly events: readonly Record<string, unknown>[];
}

function timbre(args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: tmpdir(), env: { ...process.env, LANG: 'en_GB.UTF-8', ...env } };
    execFile(launcher, args, options, (error, stdout, stderr) => {
      const code = error ? Number(error.code) : 0;
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
      resolve({ code, stdout, stderr, events: lines.map((line) => JSON.parse(line) as Record<string, unknown>) });
    });
  });
}

const last = ({ events }: Ran) => events.at(-1) ?? {};
const outputsOf = (ran: Ran) => last(ran)['outputs'] as readonly Record<string, unknown>[];

async function probe(path: string): Promise<{ seconds: number; codec: string }> {
  const args = ['-v', 'error', '-show_entries', 'format=duration:stream=codec_name', '-of', 'json', path];
  const { stdout } = await promisify(execFile)('ffprobe', args);
  const { format, streams } = JSON.parse(stdout) as { format: { duration: string }; streams: { codec_name: string }[] };
  return { seconds: Number(format.duration), codec: streams[0]?.codec_name ?? '' };
}

const test = base.extend<{ folder: string; data: readonly string[] }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-cli-'));
    await use(folder);
    await rm(folder, { recursive: true });
  },
  data: async ({ folder }, use) => use(['--data-dir', join(folder, 'data')]),
});

test('converts a recording to a file of the same length that ffprobe reads', async ({ folder, data }) => {
  const ran = await timbre(['convert', sample, '--voice', 'low-bronze', '--out', folder, '--json', ...data]);
  expect(ran.code).toBe(0);
  const [output] = outputsOf(ran);
  expect(last(ran)).toMatchObject({ event: 'result' });
  expect(output).toMatchObject({ source: sample, status: 'done', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const before = await probe(sample);
  const after = await probe(String(output?.['output']));
  expect(after.codec).toBe('mp3');
  expect(Math.abs(after.seconds / before.seconds - 1)).toBeLessThan(0.05);
});

test('applies the given speed and format', async ({ folder, data }) => {
  const words = ['convert', sample, '--voice', 'low-bronze', '--speed', '2', '--format', '.flac', '--out', folder];
  const ran = await timbre([...words, '--json', ...data]);
  const after = await probe(String(outputsOf(ran)[0]?.['output']));
  expect(after.codec).toBe('flac');
  expect(after.seconds / (await probe(sample)).seconds).toBeCloseTo(0.5, 1);
});

test('ends a batch with all results, explains a failure, and exits with the code of the first one', async ({
  folder,
  data,
}) => {
  const bad = join(folder, 'bad.wav');
  await writeFile(bad, 'no sound at all');
  const args = ['convert', bad, sample, '--voice', 'low-bronze', '--out', join(folder, 'o')];
  const ran = await timbre([...args, '--json', ...data]);
  expect(ran.code).toBe(5);
  expect(outputsOf(ran).map(({ status, code }) => [status, code])).toEqual([
    ['failed', 'input/not-audio'],
    ['done', undefined],
  ]);
  expect(await readdir(join(folder, 'o'))).toEqual(['lantern, Low bronze.mp3']);
});

test('prints whole sentences to stdout and stderr in the user’s language', async ({ folder, data }) => {
  const args = ['convert', join(folder, 'nowhere.wav'), '--voice', 'low-bronze', ...data];
  const english = await timbre(args);
  const german = await timbre(args, { LANG: 'de_DE.UTF-8', LC_ALL: '' });
  expect(english.stdout).toBe('');
  expect(english.stderr).toMatch(/^Can’t find .*nowhere\.wav\.\n$/);
  expect(german.stderr).not.toBe(english.stderr);
  expect(english.stderr + german.stderr).not.toContain('at ');
});

test('starts no job of a batch in which one recording is missing', async ({ folder, data }) => {
  const args = ['convert', sample, join(folder, 'nowhere.wav'), '--voice', 'low-bronze', '--out', join(folder, 'o')];
  const ran = await timbre([...args, '--json', ...data]);
  expect([ran.code, last(ran)]).toEqual([5, expect.objectContaining({ event: 'error', code: 'input/missing' })]);
  expect(await readdir(folder)).not.toContain('o');
});

test('lists the voices of this computer', async ({ data }) => {
  const ran = await timbre(['voices', 'list', '--gender', 'female', '--limit', '5', '--json', ...data]);
  const { voices } = last(ran) as { voices: readonly { gender: string }[] };
  expect(voices.map(({ gender }) => gender)).toEqual(['female', 'female', 'female', 'female', 'female']);
});

for (const [what, args] of [
  ['an unknown command', ['frobnicate']],
  ['no file', ['convert', '--voice', 'x']],
  ['no voice', ['convert', sample]],
  ['a pitch that is none', ['convert', sample, '--voice', 'low-bronze', '--pitch', '0,5']],
  ['a speed of nothing', ['convert', sample, '--voice', 'low-bronze', '--speed', '0']],
  ['an unknown flag', ['convert', sample, '--vioce', 'x']],
  ['an unknown engine', ['convert', sample, '--voice', 'low-bronze', '--engine', 'v6']],
  ['a limit above the maximum', ['voices', 'list', '--limit', '101']],
  ['a connection that does not exist', ['voices', 'list', '--connection', 'nowhere.json']],
] as const) {
  test(`answers ${what} with one sentence and exit 2`, async ({ data }) => {
    const ran = await timbre([...args, ...data]);
    expect([ran.code, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
    expect(ran.stderr).not.toMatch(/\n\s+at /);
    const json = await timbre([...args, '--json', ...data]);
    expect(last(json)).toMatchObject({ event: 'error', code: expect.stringMatching(/^(request|connection)\//) });
  });
}

test('reports an unknown voice before anything is sent', async ({ folder, data }) => {
  const ran = await timbre(['convert', sample, '--voice', 'nobody', '--out', folder, '--json', ...data]);
  expect(ran.code).toBe(5);
  expect(last(ran)).toMatchObject({ event: 'error', code: 'voice/not-found' });
});

test('uses another service with only its connection document, and never shows the token', async ({ folder, data }) => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers.authorization ?? ''}`);
    response.end(JSON.stringify({ page: 0, limit: 10, total: 0, voices: [] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`;
  const document = { name: 'Studio', hosts: { voice: origin, upload: origin }, authorization: 'Key {token}' };
  const file = join(folder, 'studio.json');
  await writeFile(file, JSON.stringify(document));
  const ran = await timbre(['voices', 'list', '--connection', file, ...data], { TIMBRE_TOKEN: 'canary-17' });
  server.close();
  expect(ran.code).toBe(0);
  expect(seen).toEqual(['GET /base/api/pagevoices?version=v2&page=0&limit=100 Key canary-17']);
  expect(ran.stdout + ran.stderr).not.toContain('canary');
});

test('names the wrong field of a connection document', async ({ folder }) => {
  const file = join(folder, 'studio.json');
  await writeFile(file, JSON.stringify({ name: 'Studio', hosts: { voice: 'http://studio.example', upload: '' } }));
  const ran = await timbre(['voices', 'list', '--connection', file]);
  expect(ran.code).toBe(5);
  expect(ran.stderr).toContain('hosts.voice: must be an https address');
});

test('stops at Ctrl-C: exit 7, no engine, no files left', async ({ folder, data }) => {
  const out = join(folder, 'out');
  // Of four minutes: what reads the output may be late, and the command must not have ended by then.
  const bytes = await readFile(join(samples, 'harbour.wav'));
  const [head, sound] = [bytes.subarray(0, 44), Array.from({ length: 20 }, () => bytes.subarray(44))];
  head.writeUInt32LE(36 + 20 * (bytes.length - 44), 4);
  head.writeUInt32LE(20 * (bytes.length - 44), 40);
  const long = join(folder, 'long.wav');
  await writeFile(long, Buffer.concat([head, ...sound]));
  const args = ['convert', long, '--voice', 'low-bronze', '--out', out, '--json', ...data];
  const child = spawn(launcher, args, { stdio: ['ignore', 'pipe', 'ignore'], cwd: tmpdir() });
  let printed = '';
  child.stdout.on('data', (text: Buffer) => {
    printed += text.toString();
    if (text.toString().includes('"uploaded"')) child.kill('SIGINT');
  });
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(7);
  expect(printed).toContain('"status":"cancelled"');
  expect(await readdir(out).catch(() => [])).toEqual([]);
});

test('ends silently when its reader closes the pipe', async ({ data }) => {
  const ran = await new Promise<string>((resolve) => {
    execFile('sh', ['-c', `"${launcher}" voices list --quiet ${data.join(' ')} | head -n 1`], (_error, _out, stderr) =>
      resolve(stderr),
    );
  });
  expect(ran).toBe('');
});

test('runs the engine alone, which rejects requests without the token', async ({ data }) => {
  const child = spawn(launcher, ['engine', '--json', ...data], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { origin, token } = JSON.parse(line.toString()) as { origin: string; token: string };
  const ask = (authorization: string) =>
    fetch(`${origin}/api/pagevoices?version=v2&page=0&limit=1`, { headers: { authorization } });
  expect((await ask(`Bearer ${token}`)).status).toBe(200);
  expect((await ask('Bearer wrong')).status).toBe(401);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
});
