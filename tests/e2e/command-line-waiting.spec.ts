import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test as base } from 'playwright/test';
import {
  replyJson,
  startScriptedService,
  type ScriptedService,
} from '../../src/main/core/voice-service/scripted-service.fixture.ts';
import { startFaultProxy, type FaultProxy } from '../faults/start-fault-proxy.ts';
import { command, program, samples } from './run-command.ts';
import { damageDatabase } from '../../src/main/core/database/damage.fixture.ts';

const sample = join(samples, 'lantern.mp3');
const voices = [{ id: 'low-bronze', name: 'Low bronze', language: 'en-US', gender: 'male', category: 'natural' }];

interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** The lines of stdout as JSON. */
  events(): readonly Record<string, unknown>[];
  readonly exited: Promise<number>;
}

interface CommandFixture {
  readonly service: ScriptedService;
  readonly proxy: FaultProxy;
  readonly folder: string;
  /** `timbre convert` of so many recordings, asked for in the same way each time. */
  convert(count: number, ...flags: readonly string[]): Running;
  /** The same, in a process that throws an error at SIGUSR2 that nothing handles. */
  convertWithBug(count: number): Running;
  /** The same on a terminal, where stdout and stderr are one. */
  convertOnTerminal(count: number): Running;
  /** `timbre history` through the same service. */
  history(...args: readonly string[]): Running;
  calls(part: string): number;
}

const bug = "--import=data:text/javascript,process.on('SIGUSR2',()=>{throw%20new%20Error('a%20bug')})";

function run(file: string, args: readonly string[], nodeOptions = ''): Running {
  const env = {
    ...process.env,
    NODE_OPTIONS: nodeOptions,
    LANG: 'en_GB.UTF-8',
    LC_ALL: '',
    TIMBRE_TOKEN: 'canary-17',
    TERM: 'xterm',
  };
  const child = spawn(file, args, { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const events = () =>
    stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const exited = once(child, 'close').then(([code]) => Number(code));
  return { child, stdout: () => stdout, stderr: () => stderr, events, exited };
}

const test = base.extend<{ fixture: CommandFixture }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  fixture: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-cli-'));
    const sound = await readFile(sample);
    const service = await startScriptedService(({ url, headers }, response) => {
      if (url.includes('pagevoices')) replyJson(response, { page: 0, limit: 100, total: 1, voices });
      else if (url.includes('create')) replyJson(response, { taskId: `t${Math.random()}` });
      else if (url.includes('upload')) replyJson(response, { uuid: decodeURIComponent(url.split('/').at(-1) ?? '') });
      else if (url.includes('changeaudiofile')) {
        replyJson(response, { status: 'success', data: { audioUrl: `http://${headers.host ?? ''}/results/t/result` } });
      } else response.end(sound);
    });
    const proxy = await startFaultProxy({ target: service.origin });
    const { hosts } = proxy.document();
    await writeFile(join(folder, 'studio.json'), JSON.stringify({ name: 'Studio', hosts }));
    const where = ['--connection', join(folder, 'studio.json'), '--data-dir', join(folder, 'data')];
    const args = (count: number) => [
      ...[...command, 'convert', ...Array.from({ length: count }, (_, k) => join(folder, `${k + 1}.mp3`))],
      ...['--voice', 'low-bronze', '--out', join(folder, 'out'), ...where],
    ];
    for (const k of [1, 2]) await copyFile(sample, join(folder, `${k}.mp3`));
    await use({
      service,
      proxy,
      folder,
      convert: (count, ...flags) => run(program, [...args(count), ...flags]),
      convertWithBug: (count) => run(program, args(count), bug),
      convertOnTerminal(count) {
        const line = [program, ...args(count)].map((arg) => `'${arg}'`).join(' ');
        return run('script', ['--quiet', '--return', '--command', `stty cols 100; ${line}`, '/dev/null']);
      },
      history: (...words) => run(program, [...command, 'history', ...words, ...where]),
      calls: (part) => service.requests.filter(({ url }) => url.includes(part)).length,
    });
    await proxy.stop();
    await service.stop();
    await rm(folder, { recursive: true });
  },
});

const limited = (seconds: number) => ({
  kind: 'answer' as const,
  status: 429,
  headers: { 'retry-after': String(seconds) },
  body: { error: 'Too many requests.' },
});
const outputs = (folder: string) => readdir(join(folder, 'out')).catch(() => []);

test('a pause requested by the service is reported once with its end, and without the token', async ({ fixture }) => {
  fixture.proxy.script([{ operation: 'create-task', times: 1, fault: limited(1) }]);
  const ran = fixture.convert(2);
  expect(await ran.exited).toBe(0);
  expect(ran.stderr()).toMatch(/^Studio asked Timbre to wait, resumes at \d\d:\d\d:\d\d\n$/);
  expect(ran.stdout().trim().split('\n').sort()).toEqual(
    [1, 2].map((k) => `${k}.mp3 -> ${join(fixture.folder, 'out')}/${k}, Low bronze.mp3`),
  );
  expect(ran.stdout() + ran.stderr()).not.toContain('canary');
});

test('a program receives a pause and each retry with code and time', async ({ fixture }) => {
  fixture.proxy.script([
    { operation: 'create-task', times: 1, fault: limited(1) },
    { operation: 'upload', times: 1, fault: { kind: 'drop-before', at: 'headers', reset: true } },
  ]);
  const began = Date.now();
  const ran = fixture.convert(1, '--json');
  expect(await ran.exited).toBe(0);
  const pause = ran.events().find(({ event }) => event === 'pause');
  expect(pause).toEqual({
    event: 'pause',
    connection: 'Studio',
    reason: 'rate',
    resumesAt: expect.any(Number),
    code: 'rate/limited',
  });
  expect(Number(pause?.['resumesAt'])).toBeGreaterThanOrEqual(began + 1000);
  const again = ran.events().filter(({ event, nextTryAt }) => event === 'job' && nextTryAt !== undefined);
  expect(again).toEqual([
    {
      event: 'job',
      source: join(fixture.folder, '1.mp3'),
      state: 'created',
      nextTryAt: expect.any(Number),
      code: 'network/cut',
    },
  ]);
  expect(ran.stderr()).toBe('');
});

test('a lost network is reported once however often it is tried, and the batch continues when it is back', async ({
  fixture,
}) => {
  let letGo = () => undefined as void;
  const until = new Promise<void>((resolve) => (letGo = resolve));
  fixture.proxy.script([{ operation: 'create-task', times: 1, fault: { kind: 'hold', until } }]);
  const ran = fixture.convert(1);
  await fixture.proxy.waitFor(({ operation }) => operation === 'create-task');
  await fixture.proxy.goOffline();
  letGo();
  await expect.poll(ran.stderr).toContain('No network connection, trying again\n');
  await fixture.proxy.comeBack();
  expect(await ran.exited).toBe(0);
  expect(ran.stderr().trim().split('\n')).toEqual([
    expect.stringMatching(/^1\.mp3: The connection was interrupted\. Next try at \d\d:\d\d:\d\d\.$/),
    'No network connection, trying again',
  ]);
});

test('a terminal shows one line with progress and the reason to wait, which disappears at the end', async ({
  fixture,
}) => {
  fixture.proxy.script([{ operation: 'create-task', times: 1, fault: limited(2) }]);
  const ran = fixture.convertOnTerminal(2);
  expect(await ran.exited).toBe(0);
  const shown = ran.stdout().split('\r\n');
  expect(shown[0]).toMatch(/0 of 2 done, Studio asked Timbre to wait, resumes at \d\d:\d\d:\d\d/);
  // A terminal shows only what was last written to each line.
  const seen = shown.map((line) => line.split('\r\u001b[K').at(-1) ?? '');
  expect(seen.filter((line) => line !== '').sort()).toEqual(
    [1, 2].map((k) => `${k}.mp3 -> ${join(fixture.folder, 'out')}/${k}, Low bronze.mp3`),
  );
});

for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} leaves the jobs to the same command, which resumes them`, async ({ fixture }) => {
    let letGo = () => undefined as void;
    const until = new Promise<void>((resolve) => (letGo = resolve));
    fixture.proxy.script([{ operation: 'upload', fault: { kind: 'hold', until } }]);
    const first = fixture.convert(2);
    await expect.poll(() => fixture.proxy.count({ operation: 'upload' })).toBe(2);
    first.child.kill(signal);
    expect(await first.exited).toBe(7);
    expect(first.stderr()).toBe('Unfinished jobs stay in the queue. Run the same command to resume them.\n');
    expect(await outputs(fixture.folder)).toEqual([]);
    fixture.proxy.script([]);
    letGo();

    const second = fixture.convert(2, '--json');
    expect(await second.exited).toBe(0);
    expect(await outputs(fixture.folder)).toEqual(['1, Low bronze.mp3', '2, Low bronze.mp3']);
    expect([fixture.calls('create'), fixture.calls('changeaudiofile')]).toEqual([2, 2]);
  });
}

for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} during a paid call waits for its answer, which is then not paid for again`, async ({ fixture }) => {
    let letGo = () => undefined as void;
    const until = new Promise<void>((resolve) => (letGo = resolve));
    fixture.proxy.script([{ operation: 'convert', times: 1, fault: { kind: 'hold', at: 'reply', until } }]);
    const first = fixture.convert(1);
    await expect.poll(() => fixture.calls('changeaudiofile')).toBe(1);
    first.child.kill(signal);
    await expect.poll(first.stderr).toContain('Waiting for the current steps to finish.');
    letGo();
    expect(await first.exited).toBe(7);
    expect(await fixture.convert(1).exited).toBe(0);
    expect([fixture.calls('create'), fixture.calls('changeaudiofile')]).toEqual([1, 1]);
  });
}

test('an error that nothing handles waits for the answer to a paid call, which is then not paid for again', async ({
  fixture,
}) => {
  test.skip(process.env['TIMBRE_COMMANDS'] === 'electron', 'an installed Timbre reads no NODE_OPTIONS');
  let letGo = () => undefined as void;
  const until = new Promise<void>((resolve) => (letGo = resolve));
  fixture.proxy.script([{ operation: 'convert', times: 1, fault: { kind: 'hold', at: 'reply', until } }]);
  const first = fixture.convertWithBug(1);
  await expect.poll(() => fixture.calls('changeaudiofile')).toBe(1);
  first.child.kill('SIGUSR2');
  await expect.poll(first.stderr).toContain('Waiting for the current steps to finish.');
  // Another one does not end it either.
  first.child.kill('SIGUSR2');
  letGo();
  expect(await first.exited).toBe(1);
  expect(first.stderr()).toContain('Run the same command to resume them.\n');
  expect(await fixture.convert(1).exited).toBe(0);
  expect([fixture.calls('create'), fixture.calls('changeaudiofile')]).toEqual([1, 1]);
});

for (const [status, code] of [
  [401, 3],
  [402, 4],
] as const) {
  test(`a ${status} ends the command only when the paid calls in flight are answered`, async ({ fixture }) => {
    let letGo = () => undefined as void;
    const until = new Promise<void>((resolve) => (letGo = resolve));
    fixture.proxy.script([
      { operation: 'convert', times: 1, fault: { kind: 'hold', at: 'reply', until } },
      { operation: 'convert', after: 1, times: 1, fault: { kind: 'answer', status, body: { error: 'No.' } } },
    ]);
    const first = fixture.convert(2, '--json');
    await expect.poll(() => first.events().some(({ event }) => event === 'pause')).toBe(true);
    expect(await Promise.race([first.exited, sleep(1500, 'running')])).toBe('running');
    letGo();
    expect(await first.exited).toBe(code);
    fixture.proxy.script([]);
    expect(await fixture.convert(2).exited).toBe(0);
    expect(await outputs(fixture.folder)).toEqual(['1, Low bronze.mp3', '2, Low bronze.mp3']);
    expect([fixture.calls('create'), fixture.calls('changeaudiofile')]).toEqual([2, 2]);
  });
}

test('a stopped batch resumes without paying again for the recordings that were done', async ({ fixture }) => {
  let letGo = () => undefined as void;
  const until = new Promise<void>((resolve) => (letGo = resolve));
  fixture.proxy.script([{ operation: 'upload', after: 1, fault: { kind: 'hold', until } }]);
  const first = fixture.convert(2);
  await expect.poll(() => outputs(fixture.folder)).toHaveLength(1);
  await expect.poll(() => fixture.proxy.count({ operation: 'upload' })).toBe(2);
  first.child.kill('SIGTERM');
  expect(await first.exited).toBe(7);
  fixture.proxy.script([]);
  letGo();

  const second = fixture.convert(2, '--json');
  expect(await second.exited).toBe(0);
  expect(second.events().at(-1)).toMatchObject({ outputs: [{ status: 'done' }, { status: 'done' }] });
  expect(await outputs(fixture.folder)).toEqual(['1, Low bronze.mp3', '2, Low bronze.mp3']);
  expect(fixture.calls('changeaudiofile')).toBe(2);
});

test('a repeated job resumes when the same command is run again, and is charged once', async ({ fixture }) => {
  expect(await fixture.convert(1).exited).toBe(0);
  const list = fixture.history('list', '--json');
  await list.exited;
  const id = String(list.events()[0]?.['id']);
  let letGo = () => undefined as void;
  const until = new Promise<void>((resolve) => (letGo = resolve));
  fixture.proxy.script([{ operation: 'upload', fault: { kind: 'hold', until } }]);
  const first = fixture.history('again', id);
  await expect.poll(() => fixture.proxy.count({ operation: 'upload' })).toBe(2);
  first.child.kill('SIGTERM');
  expect(await first.exited).toBe(7);
  expect(first.stderr()).toContain('Run the same command to resume them.\n');
  fixture.proxy.script([]);
  letGo();
  expect(await fixture.history('again', id).exited).toBe(0);
  expect(await outputs(fixture.folder)).toEqual(['1, Low bronze (2).mp3', '1, Low bronze.mp3']);
  expect([fixture.calls('create'), fixture.calls('changeaudiofile')]).toEqual([2, 2]);
});

test('Ctrl-C cancels the request: the same command starts from the beginning', async ({ fixture }) => {
  fixture.proxy.script([{ operation: 'upload', fault: { kind: 'stall', at: 'headers' } }]);
  const first = fixture.convert(1, '--json');
  await expect.poll(() => fixture.calls('upload')).toBe(1);
  first.child.kill('SIGINT');
  expect(await first.exited).toBe(7);
  expect(first.events().at(-1)).toMatchObject({ event: 'result', outputs: [{ status: 'cancelled' }] });
  fixture.proxy.script([]);
  expect(await fixture.convert(1).exited).toBe(0);
  expect(fixture.calls('create')).toBe(2);
});

test('a result that the first command could not fetch is fetched by the same command, and charged once', async ({
  fixture,
}) => {
  fixture.proxy.script([{ operation: 'download', fault: { kind: 'redirect', status: 302 } }]);
  const first = fixture.convert(1, '--json');
  expect(await first.exited).toBe(1);
  expect(first.events().at(-1)).toMatchObject({ outputs: [{ status: 'failed', code: 'service/redirected' }] });
  fixture.proxy.script([]);
  expect(await fixture.convert(1).exited).toBe(0);
  expect(await outputs(fixture.folder)).toEqual(['1, Low bronze.mp3']);
  expect([fixture.calls('create'), fixture.calls('changeaudiofile')]).toEqual([1, 1]);
});

test('Ctrl-C during the download keeps the result for the same command, and is charged once', async ({ fixture }) => {
  fixture.proxy.script([{ operation: 'download', fault: { kind: 'stall', at: 'body', afterBytes: 100 } }]);
  const first = fixture.convert(1);
  await expect.poll(() => fixture.proxy.count({ operation: 'download' })).toBe(1);
  first.child.kill('SIGINT');
  expect(await first.exited).toBe(7);
  expect(await outputs(fixture.folder)).toEqual([]);
  fixture.proxy.script([]);
  expect(await fixture.convert(1).exited).toBe(0);
  expect(await outputs(fixture.folder)).toEqual(['1, Low bronze.mp3']);
  expect([fixture.calls('create'), fixture.calls('changeaudiofile')]).toEqual([1, 1]);
});

test('Ctrl-C during a paid call says, for programs too, that it may be charged', async ({ fixture }) => {
  fixture.proxy.script([{ operation: 'convert', fault: { kind: 'stall', at: 'headers' } }]);
  for (const flags of [[], ['--json']]) {
    const before = fixture.calls('changeaudiofile');
    const ran = fixture.convert(1, ...flags);
    await expect.poll(() => fixture.calls('changeaudiofile')).toBe(before + 1);
    ran.child.kill('SIGINT');
    expect(await ran.exited).toBe(7);
    const said = flags.length === 0 ? ran.stderr() : JSON.stringify(ran.events().at(-1));
    expect(said).toContain('Cancelled, but you may still be charged');
    if (flags.length > 0) expect(said).toContain('service/may-charge');
  }
});

test('a database that is damaged during a paid call ends the command with one sentence, and the next one repairs it', async ({
  fixture,
}) => {
  let letGo = () => undefined as void;
  const until = new Promise<void>((resolve) => (letGo = resolve));
  fixture.proxy.script([{ operation: 'convert', times: 1, fault: { kind: 'hold', at: 'reply', until } }]);
  const ran = fixture.convert(1);
  await expect.poll(() => fixture.calls('changeaudiofile')).toBe(1);
  await damageDatabase(join(fixture.folder, 'data/timbre.db'));
  letGo();
  expect(await ran.exited).toBe(1);
  expect(ran.stderr()).toBe(
    `Timbre’s data in ${join(fixture.folder, 'data')} is damaged, so nothing more is sent. Open Timbre to repair it, or run the command again; your recordings weren’t touched.\n`,
  );
  const again = fixture.convert(1);
  await again.exited;
  expect(again.stderr()).toContain('Timbre’s data was damaged and has been repaired.');
});

test('Ctrl-C ends a command that waits for the list of voices', async ({ fixture }) => {
  fixture.proxy.script([{ operation: 'voices', fault: { kind: 'stall', at: 'headers' } }]);
  const ran = fixture.convert(1);
  await expect.poll(() => fixture.calls('pagevoices')).toBe(1);
  ran.child.kill('SIGINT');
  expect(await ran.exited).toBe(7);
  expect(await outputs(fixture.folder)).toEqual([]);
});
