import { appendFile, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test as base } from 'playwright/test';
import {
  replyJson,
  startScriptedService,
  type ScriptedService,
} from '../../src/main/core/voice-service/scripted-service.fixture.ts';
import { canHaveKeyring, keyringSession } from '../keyring/keyring-session.ts';
import { runCommand, type Ran, samples } from './run-command.ts';

const voices = [{ id: 'low-bronze', name: 'Low bronze', language: 'en-US', gender: 'male', category: 'natural' }];

interface CommandFixture {
  readonly folder: string;
  readonly service: ScriptedService;
  /** The scripted service's document. */
  readonly file: string;
  run(args: readonly string[], options?: Parameters<typeof runCommand>[1]): Promise<Ran>;
  authorization(): string | undefined;
}

const test = base.extend<{ fixture: CommandFixture }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  fixture: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-cli-'));
    const service = await startScriptedService(({ url, headers }, response) => {
      // Some seconds more than ten minutes: what the answer takes is no part of the skew.
      response.setHeader('date', new Date(Date.now() - 610_000).toUTCString());
      if (headers.authorization === undefined) replyJson(response, { error: 'Unauthorized.' }, 401);
      else if (url.includes('pagevoices')) replyJson(response, { page: 0, limit: 1, total: 1, voices });
      else if (url.includes('getvoicedetail')) replyJson(response, { ...voices[0], voiceId: 'low-bronze' });
      else replyJson(response, { error: 'No such thing.' }, 404);
    });
    const file = join(folder, 'studio.json');
    await writeFile(file, JSON.stringify({ name: 'Studio', hosts: { voice: service.origin, upload: service.origin } }));
    await use({
      folder,
      service,
      file,
      run: (args, options) => runCommand([...args, '--data-dir', join(folder, 'data')], { cwd: folder, ...options }),
      authorization: () => service.requests.at(-1)?.headers.authorization,
    });
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  },
});

const inFile = ['token', 'set', '--connection', 'Studio', '--store-in-file'];

test('imports a connection, uses it by name, exports it and never replaces a file', async ({ fixture }) => {
  const { run, file, folder } = fixture;
  expect((await run(['connections', 'import', file])).stdout).toBe(
    'Studio imported. To store its token, run "timbre token set --connection Studio".\n',
  );
  const list = await run(['connections', 'list', '--json']);
  expect(list.last['connections']).toEqual([
    { name: 'This computer', kind: 'local' },
    { name: 'Studio', kind: 'remote', address: fixture.service.origin },
  ]);
  const ran = await run(['voices', 'list', '--connection', 'Studio'], { env: { TIMBRE_TOKEN: 'canary-17' } });
  expect([ran.code, fixture.authorization()]).toEqual([0, 'Bearer canary-17']);
  const copy = join(folder, 'copy.json');
  expect((await run(['connections', 'export', 'Studio', copy])).code).toBe(0);
  const printed = await run(['connections', 'export', 'Studio']);
  expect((await run(['connections', 'export', 'Studio', '-'])).stdout).toBe(printed.stdout);
  expect(printed.stdout).toBe(await readFile(copy, 'utf8'));
  await writeFile(copy, 'mine');
  const again = await run(['connections', 'export', 'Studio', copy]);
  expect([again.code, await readFile(copy, 'utf8')]).toEqual([2, 'mine']);
  expect((await run(['connections', 'import', file])).code).toBe(2);
});

test('reports each wrong field of a document on its own line, and saves nothing', async ({ fixture }) => {
  await writeFile(
    fixture.file,
    JSON.stringify({ name: '', hosts: { voice: 'http://a.test', upload: '' }, token: 'x' }),
  );
  const ran = await fixture.run(['connections', 'import', fixture.file]);
  expect(ran.code).toBe(5);
  const [, ...faults] = ran.stderr.trim().split('\n');
  expect(faults.map((line) => line.split(':')[0])).toEqual(['name', 'hosts.voice', 'hosts.upload', 'token']);
  await writeFile(fixture.file, 'no JSON');
  expect((await fixture.run(['connections', 'import', fixture.file])).code).toBe(5);
  expect((await fixture.run(['connections', 'list'])).stdout).toBe('This computer\n');
});

test('finds a connection by its name in other case, and no other may take that', async ({ fixture }) => {
  const { run, file } = fixture;
  await run(['connections', 'import', file]);
  expect((await run(['connections', 'export', 'STUDIO', '--json'])).last['document']).toMatchObject({ name: 'Studio' });
  expect((await run(['connections', 'export', 'this computer'])).stderr).toContain('has no document to export');
  expect((await run(['voices', 'show', 'low-bronze', '--connection', 'THIS computer'])).code).toBe(0);
  const document = await readFile(file, 'utf8');
  // `--connection local` is this computer as well.
  for (const name of ['this computer', 'Local']) {
    await writeFile(file, document.replace('"Studio"', `"${name}"`));
    expect((await run(['connections', 'import', file])).code).toBe(2);
  }
});

test('lists the connections if an unknown one is named', async ({ fixture }) => {
  await fixture.run(['connections', 'import', fixture.file]);
  const ran = await fixture.run(['voices', 'list', '--connection', 'Studoi']);
  expect([ran.code, ran.stderr]).toEqual([
    2,
    'There is no connection "Studoi". Available: This computer and Studio.\n',
  ]);
  for (const name of ['This computer', 'local']) {
    expect((await fixture.run(['voices', 'list', '--limit', '1', '--connection', name])).code).toBe(0);
  }
});

test('stores no token without a keychain, unless the less secure file is chosen', async ({ fixture }) => {
  await fixture.run(['connections', 'import', fixture.file]);
  const refused = await fixture.run(['token', 'set', '--connection', 'Studio'], { input: 'canary-17\n' });
  expect([refused.code, refused.stdout]).toEqual([3, '']);
  expect(refused.stderr).toContain('--store-in-file');
  const several = await fixture.run(inFile, { input: 'canary-17\ncanary-18\n' });
  expect([several.code, several.stderr]).toEqual([2, expect.stringContaining('without line breaks')]);
  const kept = await fixture.run(inFile, { input: '  canary-17  \n\n' });
  expect([kept.code, kept.stdout]).toEqual([
    0,
    'The token for Studio is stored in a file that any program you run can read.\n',
  ]);
  const secrets = join(fixture.folder, 'data/secrets');
  const name = (await readdir(secrets)).find((one) => extname(one) === '.open') ?? '';
  expect((await stat(join(secrets, name))).mode & 0o777).toBe(0o600);
  await fixture.run(['voices', 'list', '--connection', 'Studio']);
  expect(fixture.authorization()).toBe('Bearer canary-17');
  await fixture.run(['voices', 'list', '--connection', 'Studio'], { env: { TIMBRE_TOKEN: 'Bearer canary-19' } });
  expect(fixture.authorization()).toBe('Bearer canary-19');
  const shown = await fixture.run(['connections', 'show', 'Studio']);
  expect(shown.stdout + kept.stdout + kept.stderr).not.toContain('canary');
  expect(shown.stdout).toContain('Token: in a file');
  await fixture.run(['token', 'clear', '--connection', 'Studio']);
  const none = await fixture.run(['voices', 'list', '--connection', 'Studio']);
  expect([none.code, fixture.authorization()]).toEqual([3, undefined]);
});

test('reads a typed token without showing it, and stops at Ctrl-C', async ({ fixture }) => {
  await fixture.run(['connections', 'import', fixture.file]);
  const at = 'Token for Studio (hidden): ';
  const typed = await fixture.run(inFile, { typed: { at, text: 'canary-18\u007f7\r' } });
  expect([typed.code, typed.stdout]).toEqual([0, expect.not.stringContaining('canary')]);
  await fixture.run(['voices', 'list', '--connection', 'Studio']);
  expect(fixture.authorization()).toBe('Bearer canary-17');
  expect((await fixture.run(inFile, { typed: { at, text: 'canary-19\u0003' } })).code).toBe(7);
  await fixture.run(['voices', 'list', '--connection', 'Studio']);
  expect(fixture.authorization()).toBe('Bearer canary-17');
});

test('a dry run says why a recording could not be converted there, and sends nothing', async ({ fixture }) => {
  const { service, folder, run } = fixture;
  const limits = { maxSeconds: 1 };
  const hosts = { voice: service.origin, upload: service.origin };
  const file = join(folder, 'strict.json');
  await writeFile(file, JSON.stringify({ name: 'Strict', hosts, uploadFormats: ['ogg'] }));
  await writeFile(join(folder, 'short.json'), JSON.stringify({ name: 'Short', hosts, limits }));
  await run(['connections', 'import', file]);
  await run(['connections', 'import', join(folder, 'short.json')]);
  const dry = ['convert', join(samples, 'lantern.mp3'), '--voice', 'low-bronze', '--dry-run', '--connection'];
  const format = await run([...dry, 'Strict']);
  expect([format.code, format.stderr]).toEqual([5, expect.stringContaining('mp3')]);
  const length = await run([...dry, 'Short']);
  expect([length.code, length.stderr]).toEqual([5, expect.stringContaining('lantern.mp3')]);
  expect(service.requests.filter(({ url }) => url.includes('create'))).toEqual([]);
});

test('tests a connection with one line for each operation', async ({ fixture }) => {
  await fixture.run(['connections', 'import', fixture.file]);
  await fixture.run(inFile, { input: 'canary-17' });
  const ran = await fixture.run(['token', 'test', '--connection', 'Studio']);
  expect(ran.code).toBe(1);
  expect(ran.stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^Voices: understood \([\d,]+ ms\)\.$/),
    expect.stringMatching(/^Voice details: understood/),
    expect.stringMatching(
      /^Custom voices: not understood .*No such thing\. Check modelPageSizeQuery in the connection\.$/,
    ),
  ]);
});

test('removes a connection and its token only with confirmation', async ({ fixture }) => {
  await fixture.run(['connections', 'import', fixture.file]);
  await fixture.run(inFile, { input: 'canary-17' });
  expect((await fixture.run(['connections', 'remove', 'Studio'])).code).toBe(2);
  const kept = await readdir(join(fixture.folder, 'data/secrets'));
  // The token, and where it may be sent.
  expect(kept.map(extname).sort()).toEqual(['', '.json', '.open']);
  expect((await fixture.run(['connections', 'remove', 'Studio', '--yes'])).code).toBe(0);
  // What it leaves is no connection's: that tokens of an older Timbre were looked for.
  expect(await readdir(join(fixture.folder, 'data/secrets'))).toEqual(['adopted']);
  expect((await fixture.run(['connections', 'show', 'Studio'])).code).toBe(2);
  expect((await fixture.run(['connections', 'remove', 'local', '--yes'])).code).toBe(2);
});

test('doctor starts the real engine and reports what else is wrong', async ({ fixture }) => {
  await fixture.run(['connections', 'import', fixture.file]);
  const ran = await fixture.run(['doctor', '--json']);
  const checks = ran.last['checks'] as readonly { check: string; ok: boolean; message: string }[];
  expect(Object.fromEntries(checks.map(({ check, ok }) => [check, ok]))).toMatchObject({
    'data-folder': true,
    'connection/This computer': true,
    'connection/Studio': false,
    keychain: true,
    'output-folder': true,
    clock: false,
    watching: true,
  });
  expect(checks.find(({ check }) => check === 'keychain')).toMatchObject({ isWarning: true });
  expect(ran.code).toBe(1);
  expect(checks.find(({ check }) => check === 'clock')?.message).toMatch(/differs from the one at Studio by 10\smin/);
  expect(await readdir(fixture.folder)).toEqual(['data', 'studio.json']);
});

test('logs an unexpected error, and on stderr with TIMBRE_DEBUG, without token and control characters', async ({
  fixture,
}) => {
  await fixture.run(['connections', 'import', fixture.file]);
  const data = join(fixture.folder, 'data');
  const database = new DatabaseSync(join(data, 'timbre.db'));
  database.prepare('UPDATE connection SET document = ?').run('canary-17\u001b[31m');
  database.close();
  const log = join(data, 'timbre.log');
  for (const debug of ['', '1']) {
    for (const json of [[], ['--json']]) {
      await rm(log, { force: true });
      const env = { TIMBRE_TOKEN: 'canary-17', TIMBRE_DEBUG: debug };
      const ran = await fixture.run(['connections', 'list', ...json], { env });
      expect(ran.stderr.includes('SyntaxError')).toBe(debug !== '');
      const written = await readFile(log, 'utf8');
      expect(written).toContain('SyntaxError');
      for (const wrong of ['canary', '\u001b']) expect(ran.stdout + ran.stderr + written).not.toContain(wrong);
      expect((await stat(log)).mode & 0o777).toBe(0o600);
    }
  }
});

/** Runs the command of the arguments with a real keyring. */
const shell = `
  printf 'canary-17' | "$@" token set --connection Studio --data-dir "$DATA" || exit 71
  "$@" voices list --connection Studio --data-dir "$DATA"`;

test('stores a token in a real keyring, and reads it again (needs keytar and gnome-keyring)', async ({ fixture }) => {
  test.skip(!canHaveKeyring, 'no keyring can be had: it takes gnome-keyring, dbus-run-session and keytar');
  await fixture.run(['connections', 'import', fixture.file]);
  const home = join(fixture.folder, 'home');
  await mkdir(home, { mode: 0o700 });
  const ran = await runCommand([], {
    through: keyringSession(shell),
    env: { HOME: home, XDG_RUNTIME_DIR: home, XDG_DATA_HOME: join(home, 'share'), DATA: join(fixture.folder, 'data') },
  });
  expect([ran.code, ran.stdout + ran.stderr]).toEqual([0, expect.not.stringContaining('canary')]);
  expect(ran.stdout).toContain('The token for Studio is stored in this system’s password store.\n');
  expect(fixture.authorization()).toBe('Bearer canary-17');
});

test('a command that would call a service is refused offline, and opens no connection', async ({ fixture }) => {
  const { folder, file, service } = fixture;
  await mkdir(join(folder, 'data'), { recursive: true });
  const environment = { env: { TIMBRE_TOKEN: 'tok-1' } };
  // A damaged file may have said so, too.
  for (const settings of [JSON.stringify({ isOfflineMode: true }), '{ "isOfflineMode": tr']) {
    await writeFile(join(folder, 'data/settings.json'), settings);
    const refused = await fixture.run(['voices', 'list', '--connection', file, '--json'], environment);
    expect(refused.last).toMatchObject({ event: 'error', code: 'network/offline-mode' });
    expect(refused.code).toBe(6);
    expect(service.requests).toEqual([]);
  }
  const here = await fixture.run(['voices', 'list']);
  expect([here.code, here.stdout]).toEqual([0, expect.stringContaining('low-bronze')]);

  await writeFile(join(folder, 'data/settings.json'), '{}');
  expect((await fixture.run(['voices', 'list', '--connection', file], environment)).code).toBe(0);
  expect(service.requests.length).toBeGreaterThan(0);
});

test('says why it cannot show the log', async ({ fixture }) => {
  const mistyped = await fixture.run(['log', '--json']);
  const message = `Can’t find the folder ${join(fixture.folder, 'data')}.`;
  expect([mistyped.code, mistyped.last]).toEqual([5, { event: 'error', code: 'input/missing', message }]);

  await mkdir(join(fixture.folder, 'data/timbre.log'), { recursive: true });
  const unreadable = await fixture.run(['log']);
  expect([unreadable.code, unreadable.stderr]).toEqual([
    5,
    `Can’t read the log in ${join(fixture.folder, 'data')}. Check that timbre.log is a file and that you may read it.\n`,
  ]);
});

test('shows the log, also while it is written, and ends quietly with its reader', async ({ fixture }) => {
  const { folder } = fixture;
  await mkdir(join(folder, 'data'), { recursive: true });
  const path = join(folder, 'data/timbre.log');
  const lineOf = (message: string, level = 'info') =>
    `${JSON.stringify({ time: '2026-11-22T00:00:00.000Z', level, area: 'app', message })}\n`;
  const lines = Array.from({ length: 200 }, (_, k) => lineOf(`entry ${k}`, k % 10 === 0 ? 'warn' : 'info'));
  await writeFile(path, lines.join(''));
  const newest = await fixture.run(['log', '--limit', '2']);
  expect(newest.stdout).toBe(['198', '199'].map((k) => `2026-11-22T00:00:00.000Z info app: entry ${k}\n`).join(''));
  const warnings = await fixture.run(['log', '--level', 'warn', '--json']);
  expect(warnings.stdout.trimEnd().split('\n')).toHaveLength(21);
  expect(warnings.last).toEqual({ event: 'result', entries: 20 });
  expect((await fixture.run(['log', '--level', 'loud'])).code).toBe(2);
  expect((await fixture.run(['log', '--level', 'error'])).stderr).toBe('The log has no such entries.\n');

  const reader = 'IFS= read -r first; echo "$first"; IFS= read -r second; echo "$second"';
  const following = fixture.run(['log', '--follow', '--limit', '1'], {
    through: ['sh', '-c', `"$@" | { ${reader}; }`, 'sh'],
  });
  // It learns from its next entry that nobody reads any more.
  const writing = setInterval(() => void appendFile(path, lineOf('written meanwhile')), 100);
  const { stdout, stderr } = await following.finally(() => clearInterval(writing));
  expect(stdout).toMatch(/^.*info app: (entry 199|written meanwhile)\n.*info app: written meanwhile\n$/);
  expect(stderr).toBe('');
});
