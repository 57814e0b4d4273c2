import { createHash } from 'node:crypto';
import { readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HookRun, HookSettings } from '../../../shared/schemas/hook.ts';
import { systemClock } from '../clock.ts';
import { createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { useLibrary } from '../history/history-entries.fixture.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import { createHookRuns, type HookRuns } from './hook-runs.ts';
import { writeProgram } from './hook-program.fixture.ts';
import { settlePatienceMs, createHooks, type Hooks } from './hooks.ts';

const library = useLibrary();
const opened: Hooks[] = [];
let settings: HookSettings;
let runs: HookRuns;
let ended: HookRun[];
let dead: ReadonlySet<string>;
/** Time between two looks for what dead processes left. */
let adoptMs: number;
/** How long a program waits until Timbre no longer needs its result. */
let patienceMs: number;
/** What Timbre itself does with a result. */
let settle: (id: string) => Promise<void>;

/** Hooks of a process with this id. The library's jobs are those of `test`. */
function open(
  owner = 'test',
  role: 'app' | 'command' = 'app',
  change: Partial<WriteGate> = {},
  onDefect: (error: unknown) => void = raise,
): Hooks {
  const { database, store } = library();
  const hooks = createHooks({
    runs,
    store,
    writes: { ...createWriteGate({ database, clock: systemClock, onDefect: raise }), ...change },
    processLock: { id: owner, isAlive: (id) => !dead.has(id) },
    history: { watchFolderOf: () => null },
    settings: () => settings,
    clock: {
      ...systemClock,
      sleep: (ms, signal) =>
        systemClock.sleep(ms === 10_000 ? adoptMs : ms === settlePatienceMs ? patienceMs : ms, signal),
    },
    platform: process.platform,
    role,
    whenSettled: (id) => settle(id),
    onDefect,
  });
  hooks.onRun(({ run }) => ended.push(run));
  opened.push(hooks);
  return hooks;
}
function raise(error: unknown): never {
  throw error;
}

const use = async (lines: string, change: Partial<HookSettings> = {}) => {
  const program = await writeProgram(library().folder, lines);
  settings = { isOn: true, program, args: ['{result}'], timeoutSeconds: 30, ...change };
};
let count = 0;
/** A result that is done now, for which the hook is due in the process `owner`. */
async function result(name = `take ${++count}.wav`, owner = 'test') {
  const { write, done } = library();
  const path = await write(`out/${name}`, 'result');
  const { id } = await done(
    `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
    await write(`in/${name}`, 'source'),
    path,
  );
  runs.add({ id, source: null }, owner);
  return { id, path };
}
const read = (name: string) => readFile(join(library().folder, name), 'utf8');
const lines = async (name: string) => (await read(name).catch(() => '')).split('\n').filter((line) => line !== '');
const inFolder = (name: string) => `"${join(library().folder, name)}"`;

beforeEach(() => {
  runs = createHookRuns(library().database);
  ended = [];
  dead = new Set();
  adoptMs = 10_000;
  patienceMs = settlePatienceMs;
  settle = () => Promise.resolve();
});
afterEach(() => Promise.all(opened.splice(0).map((hooks) => hooks.stop())));

describe('the hook', () => {
  it('runs once for each result, in the order of their end, one at a time', async () => {
    await use(`echo "begin $1" >> ${inFolder('log')}; sleep 0.1; echo "end $1" >> ${inFolder('log')}`);
    const hooks = open();
    hooks.start();
    const made = [await result(), await result(), await result()];
    hooks.update();
    await hooks.idle(AbortSignal.timeout(120_000));
    expect(await lines('log')).toEqual(made.flatMap(({ path }) => [`begin ${path}`, `end ${path}`]));
    expect(hooks.status()).toMatchObject({ waiting: 0, failed: 0, last: { problem: null, exitCode: 0 } });
  });

  it('runs once Timbre no longer needs its result, since it may change or move the file', async () => {
    const { store, write, at } = library();
    await use(`cat "${at('copy')}" "$1" > ${inFolder('log')}`);
    settle = async (id) => void (await write('copy', await readFile(store.get(id)?.output?.path ?? '', 'utf8')));
    const hooks = open();
    hooks.start();
    await result();
    hooks.update();
    await hooks.idle(AbortSignal.timeout(120_000));
    expect(await lines('log')).toEqual(['resultresult']);
  });

  it('has its changes of a result known, also where it fails, and none where it changed nothing or moved the file', async () => {
    const changed = () =>
      library()
        .database.prepare('SELECT sha256 FROM hook_output ORDER BY job')
        .all()
        .map(({ sha256 }) => sha256);
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
    await use(
      `case "$1" in *change*) printf tag >> "$1";; *replace*) echo new > "$1.part"; mv "$1.part" "$1"; exit 1;; *move*) mv "$1" "$1.moved";; esac`,
    );
    const hooks = open();
    hooks.start();
    for (const name of ['change.wav', 'replace.wav', 'move.wav', 'keep.wav']) await result(name);
    hooks.update();
    await hooks.idle(AbortSignal.timeout(120_000));
    expect(changed()).toEqual([hashOf('resulttag'), hashOf('new\n')]);
  });

  it('does not wait without end for a disk that hangs, nor does Timbre when it quits', async () => {
    await use(`echo "$1" >> ${inFolder('log')}`);
    settle = () => new Promise(() => undefined);
    patienceMs = 0;
    const hooks = open();
    hooks.start();
    const { path } = await result();
    hooks.update();
    await hooks.idle(AbortSignal.timeout(120_000));
    expect(await lines('log')).toEqual([path]);

    patienceMs = settlePatienceMs;
    await result();
    hooks.update();
    await hooks.stop();
    expect(await lines('log')).toEqual([path]);
  });

  it('learns all about the result as JSON, and no secret', async () => {
    vi.stubEnv('TIMBRE_TOKEN', 'secret-token');
    await use(`cat > ${inFolder('input')}; env > ${inFolder('env')}`);
    const hooks = open();
    const { id, path } = await result('Grüße "1".wav');
    hooks.start();
    await hooks.idle(AbortSignal.timeout(120_000));
    vi.unstubAllEnvs();
    const input = await read('input');
    expect(JSON.parse(input)).toMatchObject({
      timbre: 'hook',
      version: 1,
      isTest: false,
      attempt: 1,
      id,
      kind: 'conversion',
      state: 'done',
      source: { name: 'Grüße "1".wav', path: library().at('in', 'Grüße "1".wav') },
      result: { name: 'Grüße "1".wav', path },
      voice: { name: conversionJob().voice.name },
      connection: { name: 'Studio' },
      watchFolder: null,
    });
    expect(input + (await read('env'))).not.toContain('secret-token');
    expect(input).not.toContain('https://');
  });

  it('that fails leaves job and result alone, says why, and runs again when the user has mended it', async () => {
    await use('echo "no route to host" >&2; exit 3');
    const hooks = open();
    hooks.start();
    const { id, path } = await result();
    hooks.update();
    await hooks.idle(AbortSignal.timeout(120_000));
    const problem = { code: 'hook/failed', facts: { name: 'hook.sh', exitCode: 3 } };
    expect(hooks.status()).toMatchObject({ waiting: 0, failed: 1, failures: [{ id, problem }] });
    expect(ended).toMatchObject([{ problem, output: 'no route to host', exitCode: 3 }]);
    expect(library().store.get(id)).toMatchObject({ state: 'done', problem: null });
    expect(await readFile(path, 'utf8')).toBe('result');

    await use('exit 0');
    hooks.repeatFailed();
    await hooks.idle(AbortSignal.timeout(120_000));
    expect(hooks.status()).toMatchObject({ waiting: 0, failed: 0, failures: [] });
  });

  it('that is not there or takes too long is one failure, and the next result has its turn', async () => {
    await use('sleep 1000', { timeoutSeconds: 1 });
    const hooks = open();
    hooks.start();
    await result();
    hooks.update();
    await expect.poll(() => ended.map(({ problem }) => problem?.code)).toEqual(['hook/timeout']);
    settings = { ...settings, program: join(library().folder, 'none') };
    await result();
    hooks.update();
    await hooks.idle(AbortSignal.timeout(120_000));
    expect(ended.map(({ problem }) => problem?.code)).toEqual(['hook/timeout', 'hook/missing']);
  });

  it('goes on after the results that wait for it could not be read for a moment', async () => {
    await use(`echo run >> ${inFolder('ran')}`);
    const broken = new Error('disk I/O error');
    const { next } = runs;
    let reads = 0;
    runs.next = (owner) => {
      reads += 1;
      // The look for another result after the first.
      if (reads === 3) throw broken;
      return next(owner);
    };
    const defects: unknown[] = [];
    const hooks = open('test', 'app', {}, (error) => defects.push(error));
    await result();
    hooks.start();
    await hooks.idle(AbortSignal.timeout(120_000));
    await result();
    hooks.update();
    await hooks.idle(AbortSignal.timeout(120_000));
    expect([await lines('ran'), defects, hooks.isBusy()]).toEqual([['run', 'run'], [broken], false]);
  });

  it('runs where there is no home folder, as for a service, in the one for temporary files', async () => {
    await use(`pwd > ${inFolder('cwd')}`);
    vi.stubEnv('HOME', join(library().folder, 'none'));
    const hooks = open();
    await result();
    hooks.start();
    await hooks.idle(AbortSignal.timeout(120_000));
    vi.unstubAllEnvs();
    expect(ended).toMatchObject([{ problem: null }]);
    expect(await lines('cwd')).toEqual([await realpath(tmpdir())]);
  });

  it('runs for no result that was done while it was off, and for none that waited when it was turned off', async () => {
    await use(`echo ran >> ${inFolder('log')}`, { isOn: false });
    await result();
    const hooks = open();
    hooks.start();
    hooks.update();
    settings = { ...settings, isOn: true };
    hooks.update();
    await hooks.idle(AbortSignal.timeout(120_000));
    expect(await lines('log')).toEqual([]);
    expect(hooks.status()).toMatchObject({ waiting: 0 });
  });
});

describe('when its process ends', () => {
  it('the program is ended too, and the next start runs it once more, as the second attempt', async () => {
    await use(`cat >> ${inFolder('log')}; echo $$ > ${inFolder('pid')}; exec sleep 1000`);
    const first = open();
    first.start();
    await result();
    first.update();
    await expect.poll(() => lines('pid')).toHaveLength(1);
    await first.stop();
    const [pid] = await lines('pid');
    expect(() => process.kill(Number(pid), 0)).toThrow();
    expect(first.status()).toMatchObject({ waiting: 1 });

    await use(`cat >> ${inFolder('log')}`);
    dead = new Set(['test']);
    const second = open('second');
    second.start();
    await expect.poll(() => ended.length).toBe(1);
    expect((await lines('log')).map((line) => (JSON.parse(line) as { attempt: number }).attempt)).toEqual([1, 2]);
  });

  it('it ends although the database cannot be written any more', async () => {
    await use('exit 0');
    let isWritable = true;
    let isHeld = false;
    const hooks = open('test', 'app', {
      commit(work, signal) {
        if (isWritable) return Promise.resolve(work());
        isHeld = true;
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error)));
      },
    });
    await result();
    hooks.start();
    hooks.onChanged(() => (isWritable = false));
    await expect.poll(() => isHeld).toBe(true);
    await hooks.stop();
    expect(hooks.isBusy()).toBe(false);
  });

  it('the runs of a process that lives are left to it', async () => {
    await use(`echo ran >> ${inFolder('log')}`);
    await result('a.wav', 'other');
    const hooks = open();
    hooks.start();
    await hooks.idle(AbortSignal.timeout(120_000));
    expect(await lines('log')).toEqual([]);
    expect(runs.otherOwners('test')).toEqual(['other']);
    // What happens when the work is done must wait for them.
    expect(hooks.isBusy()).toBe(true);
    runs.discardDue();
    expect(hooks.isBusy()).toBe(false);
  });

  it('its runs are taken over, although those of others could not be read before', async () => {
    await use(`echo ran >> ${inFolder('log')}`);
    const broken = new Error('disk I/O error');
    const { otherOwners } = runs;
    const readable = ['test'];
    runs.otherOwners = (owner) => {
      if (!readable.includes(owner)) throw broken;
      return otherOwners(owner);
    };
    adoptMs = 1;
    const defects: unknown[] = [];
    const app = open('app', 'app', {}, (error) => defects.push(error));
    app.start();
    await expect.poll(() => defects.length).toBeGreaterThan(1);
    await result('a.wav', 'other');
    dead = new Set(['other']);
    readable.push('app');
    await expect.poll(() => lines('log')).toEqual(['ran']);
    expect(new Set(defects)).toEqual(new Set([broken]));
  });

  it('a program that was interrupted twice is not started a third time: it may be what ends Timbre', async () => {
    await use(`echo ran >> ${inFolder('log')}`);
    const { id } = await result('a.wav', 'other');
    runs.begin(id, 'other');
    runs.begin(id, 'other');
    dead = new Set(['other']);
    const hooks = open();
    hooks.start();
    await expect.poll(() => ended.map(({ problem }) => problem?.code)).toEqual(['hook/interrupted']);
    expect(await lines('log')).toEqual([]);
    expect(hooks.status()).toMatchObject({ failed: 1, waiting: 0 });
  });

  it('a command takes over what others have left', async () => {
    await use(`echo ran >> ${inFolder('log')}`);
    await result('a.wav', 'other');
    dead = new Set(['other']);
    const command = open('command', 'command');
    command.start();
    await command.idle(AbortSignal.timeout(120_000));
    expect(await lines('log')).toEqual(['ran']);
  });

  it('a command that runs no program leaves it alone, and the app discards it once the hook is off', async () => {
    await use(`echo ran >> ${inFolder('log')}`);
    await result('a.wav', 'other');
    dead = new Set(['other']);
    settings = { ...settings, isOn: false };
    const command = open('command', 'command');
    command.start();
    await command.idle(AbortSignal.timeout(120_000));
    expect(runs.otherOwners('nobody')).toEqual(['other']);
    const app = open('app');
    app.start();
    await expect.poll(() => runs.otherOwners('nobody')).toEqual([]);
    expect(await lines('log')).toEqual([]);
  });
});

describe('a try', () => {
  const sample = join(import.meta.dirname, '../../../../samples/harbour.wav');

  it('runs for the latest result that is there, also while the hook is off, and says so', async () => {
    await use(`cat > ${inFolder('input')}; echo "$1"`, { isOn: false });
    const { path } = await result('kept.wav');
    const gone = await result('gone.wav');
    await rm(gone.path);
    const run = await open().test(sample);
    expect(run).toMatchObject({ isTest: true, name: 'kept.wav', exitCode: 0, output: path, problem: null });
    expect(JSON.parse(await read('input'))).toMatchObject({ isTest: true, result: { path } });
  });

  it('before there is any result has a copy of the sample, which is removed afterwards', async () => {
    await use('echo "$1"; rm "$1"');
    const run = await open().test(sample);
    expect(run).toMatchObject({ isTest: true, name: null, exitCode: 0 });
    expect(run.output).toMatch(/harbour\.wav$/);
    expect(run.output).not.toBe(sample);
    expect(await readdir(join(import.meta.dirname, '../../../../samples'))).toContain('harbour.wav');
    await expect(readFile(run.output)).rejects.toThrow('ENOENT');
  });

  it('of a program that fails shows its exit code and what it wrote', async () => {
    await use('echo out; echo err >&2; exit 9');
    await writeFile(join(library().folder, 'x'), '');
    const run = await open().test(sample);
    expect(run).toMatchObject({ exitCode: 9, problem: { code: 'hook/failed', facts: { exitCode: 9 } } });
    expect(run.output.split('\n').sort()).toEqual(['err', 'out']);
  });
});
