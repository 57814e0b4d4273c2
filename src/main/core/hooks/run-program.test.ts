import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { writeProgram } from './hook-program.fixture.ts';
import { maxOutputLength, type ProgramStart, runProgram } from './run-program.ts';

let folder: string;
const open = new AbortController().signal;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-hook-'));
});
afterEach(() => rm(folder, { recursive: true }));

const timeoutMs = 30_000;
const run = async (
  change: Partial<ProgramStart> & Pick<ProgramStart, 'program'>,
  signal = open,
  platform: NodeJS.Platform = process.platform,
  clock = systemClock,
) =>
  runProgram(
    { args: [], input: '', cwd: folder, env: { PATH: process.env['PATH'] ?? '' }, timeoutMs, ...change },
    { clock, platform },
    signal,
  );

/** Runs a program whose time is over once the test says so, which is when it has begun. */
function runUntil(over: Promise<void>, program: string) {
  const sleep: typeof systemClock.sleep = (ms, signal) => (ms === timeoutMs ? over : systemClock.sleep(ms, signal));
  return run({ program }, open, process.platform, { ...systemClock, sleep });
}

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
async function pidIn(name: string): Promise<number> {
  await expect.poll(() => existsSync(join(folder, name))).toBe(true);
  await expect.poll(async () => (await readFile(join(folder, name), 'utf8')).trim()).not.toBe('');
  return Number(await readFile(join(folder, name), 'utf8'));
}

describe('a program', () => {
  it('gets each argument as it is, whatever a shell would make of it', async () => {
    const args = ['a b', '$(touch pwned)', '`id`', '"; rm -rf x', "'", '*', '', '-n', '\n'];
    const program = await writeProgram(folder, 'for one in "$@"; do printf "[%s]" "$one"; done');
    expect(await run({ program, args })).toMatchObject({
      kind: 'exited',
      exitCode: 0,
      output: args.map((one) => `[${one}]`).join(''),
    });
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  it('reads its input to the end', async () => {
    const program = await writeProgram(folder, 'cat');
    expect(await run({ program, input: '{"name":"Grüße"}' })).toMatchObject({ output: '{"name":"Grüße"}' });
  });

  it('need not read its input, however long it is', async () => {
    const program = await writeProgram(folder, 'exit 0');
    expect(await run({ program, input: 'x'.repeat(5_000_000) })).toMatchObject({ kind: 'exited', exitCode: 0 });
  });

  it('runs with the given environment only', async () => {
    const program = await writeProgram(folder, 'env');
    const end = await run({ program, env: { PATH: process.env['PATH'] ?? '', GIVEN: 'yes' } });
    expect(end).toMatchObject({ output: expect.stringContaining('GIVEN=yes') as string });
    expect(end).toMatchObject({ output: expect.not.stringContaining('HOME=') as string });
  });

  it('that fails says so by its exit code or signal', async () => {
    const failing = await writeProgram(folder, 'echo "no space" >&2; exit 7', 'a.sh');
    expect(await run({ program: failing })).toMatchObject({ kind: 'exited', exitCode: 7, output: 'no space' });
    const killed = await writeProgram(folder, 'kill -9 $$', 'b.sh');
    expect(await run({ program: killed })).toMatchObject({ kind: 'exited', exitCode: null, signal: 'SIGKILL' });
  });

  it('that writes without end fills no memory: the end of its output is kept, without what a terminal interprets', async () => {
    const program = await writeProgram(folder, 'head -c 3000000 /dev/zero | tr "\\0" x; printf "\\033[31mlast\\n"');
    const end = await run({ program });
    if (end.kind !== 'exited') expect.unreachable(end.kind);
    expect(end.output.length).toBeLessThanOrEqual(maxOutputLength);
    expect(end.output.endsWith('x[31mlast')).toBe(true);
  });

  it('that leaves another behind, which holds its output open, has ended all the same', async () => {
    const program = await writeProgram(folder, 'sleep 1000 & echo $! > pid; echo done');
    expect(await run({ program })).toMatchObject({ kind: 'exited', exitCode: 0, output: 'done' });
    process.kill(await pidIn('pid'));
  });

  it('that leaves another behind does not end it, even if it goes on writing', async () => {
    const program = await writeProgram(
      folder,
      '(while [ ! -e go ]; do sleep 0.1; done; echo late; echo late >&2; echo $$ > survived) & echo done',
    );
    expect(await run({ program })).toMatchObject({ kind: 'exited', exitCode: 0, output: 'done' });
    await writeFile(join(folder, 'go'), '');
    await pidIn('survived');
  });
});

describe('after its timeout', () => {
  it('a program and all that it started have ended', async () => {
    const program = await writeProgram(
      folder,
      'echo begun; sh -c "sleep 1000 & echo \\$! > deep; wait" & echo $! > near; wait',
    );
    const over = Promise.withResolvers<void>();
    const ending = runUntil(over.promise, program);
    const pids = [await pidIn('near'), await pidIn('deep')];
    over.resolve();
    expect(await ending).toMatchObject({ kind: 'timeout', output: 'begun' });
    for (const pid of pids) await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('a program that ignores the request to end has ended too', async () => {
    const program = await writeProgram(folder, 'trap "" TERM; echo $$ > pid; while :; do sleep 0.1; done');
    const over = Promise.withResolvers<void>();
    const ending = runUntil(over.promise, program);
    const pid = await pidIn('pid');
    over.resolve();
    expect((await ending).kind).toBe('timeout');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

it('is ended when Timbre quits', async () => {
  const stopping = new AbortController();
  const program = await writeProgram(folder, 'echo $$ > pid; exec sleep 1000');
  const ending = run({ program }, stopping.signal);
  const pid = await pidIn('pid');
  stopping.abort(new Error('quit'));
  expect((await ending).kind).toBe('stopped');
  expect(isRunning(pid)).toBe(false);
});

describe('what cannot be started says why', () => {
  it('a program that is not there', async () => {
    expect(await run({ program: join(folder, 'none') })).toEqual({ kind: 'not-started', code: 'hook/missing' });
  });

  it('a file that may not be executed, but not a folder, where no program is', async () => {
    const program = await writeProgram(folder, 'exit 0');
    await chmod(program, 0o644);
    expect(await run({ program })).toEqual({ kind: 'not-started', code: 'hook/not-allowed' });
    expect(await run({ program: folder })).toEqual({ kind: 'not-started', code: 'hook/missing' });
  });

  it('a script whose interpreter is not there', async () => {
    const program = join(folder, 'a.py');
    await writeFile(program, '#!/nowhere/python9\n');
    await chmod(program, 0o755);
    expect(await run({ program })).toEqual({ kind: 'not-started', code: 'hook/not-a-program' });
  });

  it('a program that the system has no room for now, with the system’s reason', async () => {
    const program = await writeProgram(folder, 'exit 0');
    expect(await run({ program, args: ['x'.repeat(5_000_000)] })).toEqual({
      kind: 'not-started',
      code: 'hook/failed',
      errno: expect.stringMatching(/^E[A-Z0-9]+$/) as string,
    });
  });

  it('a batch file on Windows, which only a shell could run', async () => {
    for (const name of ['a.cmd', 'b.BAT']) {
      const program = await writeProgram(folder, 'touch ran', name);
      expect(await run({ program }, open, 'win32')).toEqual({ kind: 'not-started', code: 'hook/batch-file' });
    }
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });
});
