import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ServiceProcess } from '../child-process.ts';
import { createLocalEngine } from './local-engine.ts';

const { signal } = new AbortController();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-engine-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Fake processes controlled by the test, with the messages they received. */
function scriptedProcesses(onStart: (process: ScriptedProcess) => void) {
  const spawned: ScriptedProcess[] = [];
  const spawnService = (): ServiceProcess => {
    const process = createScriptedProcess(onStart);
    spawned.push(process);
    return process;
  };
  return { spawned, spawnService };
}

interface ScriptedProcess extends ServiceProcess {
  readonly got: unknown[];
  readonly killed: () => boolean;
  say(message: unknown): void;
  exit(): void;
}

function createScriptedProcess(onStart: (process: ScriptedProcess) => void): ScriptedProcess {
  const got: unknown[] = [];
  let receive: (message: unknown) => void = () => undefined;
  let ended: () => void = () => undefined;
  let killed = false;
  const process: ScriptedProcess = {
    got,
    killed: () => killed,
    send: (message) => {
      got.push(message);
      queueMicrotask(() => onStart(process));
    },
    onMessage: (listener) => (receive = listener),
    onExit: (listener) => (ended = listener),
    kill: () => {
      killed = true;
      ended();
    },
    say: (message) => receive(message),
    exit: () => ended(),
  };
  return process;
}

const listening = { type: 'listening', origin: 'http://127.0.0.1:9', token: 't' };
const answering = (process: ScriptedProcess) => {
  const last = process.got.at(-1) as { type: string };
  if (last.type === 'start') process.say(listening);
  else process.exit();
};

describe('the local engine', () => {
  it('knows its own address while it runs', async () => {
    const { spawned, spawnService } = scriptedProcesses(answering);
    const engine = createLocalEngine({ spawnService, dataFolder: folder });
    expect(engine.isOrigin('')).toBe(false);
    await engine.access(signal);
    expect([engine.isOrigin(listening.origin), engine.isOrigin('http://127.0.0.1:10')]).toEqual([true, false]);
    spawned[0]?.exit();
    expect(engine.isOrigin(listening.origin)).toBe(false);
  });

  it('starts once with the first call, however many calls arrive', async () => {
    const { spawned, spawnService } = scriptedProcesses(answering);
    const engine = createLocalEngine({ spawnService, dataFolder: folder });
    expect(spawned).toHaveLength(0);
    const [one, two] = await Promise.all([engine.access(signal), engine.access(signal)]);
    expect(one).toEqual(two);
    expect(one).toMatchObject({ token: 't', hosts: { voice: 'http://127.0.0.1:9' } });
    expect(spawned).toHaveLength(1);
    expect(spawned[0]?.got).toEqual([{ type: 'start', dataDirectory: folder }]);
    await engine.stop();
  });

  it('is restarted by the next call after it died', async () => {
    const { spawned, spawnService } = scriptedProcesses(answering);
    const engine = createLocalEngine({ spawnService, dataFolder: folder });
    await engine.access(signal);
    spawned[0]?.exit();
    await engine.access(signal);
    expect(spawned).toHaveLength(2);
    await engine.stop();
  });

  it.each<[string, (process: ScriptedProcess) => void]>([
    ['says that it failed', (process) => process.say({ type: 'failed', code: 'x', message: 'no port' })],
    ['ends before it listens', (process) => process.exit()],
    ['never answers', () => undefined],
  ])('is reported as the cause when it %s', async (_name, behave) => {
    const { spawnService } = scriptedProcesses(behave);
    const engine = createLocalEngine({ spawnService, dataFolder: folder, startTimeoutMs: 20 });
    await expect(engine.access(signal)).rejects.toMatchObject({ code: 'engine/not-started' });
  });

  it('does not delay a call that was cancelled', async () => {
    const giveUp = new AbortController();
    const { spawnService } = scriptedProcesses(() => giveUp.abort(new Error('enough')));
    const engine = createLocalEngine({ spawnService, dataFolder: folder });
    await expect(engine.access(giveUp.signal)).rejects.toThrow('enough');
  });

  it('is not restarted after stop, which kills a process that does not exit', async () => {
    const { spawned, spawnService } = scriptedProcesses((process) => {
      if ((process.got.at(-1) as { type: string }).type === 'start') process.say(listening);
    });
    const engine = createLocalEngine({ spawnService, dataFolder: folder, graceMs: 20 });
    await engine.access(signal);
    await engine.stop();
    await engine.stop();
    expect(spawned.map((process) => process.killed())).toEqual([true]);
    await expect(engine.access(signal)).rejects.toMatchObject({ code: 'engine/not-started' });
  });

  it('ends once no call has needed it for a while, and the next call starts another', async () => {
    const { spawned, spawnService } = scriptedProcesses((process) => {
      if ((process.got.at(-1) as { type: string }).type === 'start') process.say(listening);
    });
    const engine = createLocalEngine({ spawnService, dataFolder: folder, idleMs: 20 });
    await engine.access(signal);
    await expect.poll(() => spawned[0]?.got.at(-1)).toEqual({ type: 'drain' });
    expect(engine.isOrigin(listening.origin)).toBe(false);
    // It still answers a call.
    expect(spawned[0]?.killed()).toBe(false);
    await engine.access(signal);
    expect(spawned).toHaveLength(2);
    spawned[0]?.exit();
    await engine.access(signal);
    expect(spawned).toHaveLength(2);
    spawned[1]?.exit();
    await engine.stop();
  });

  it('is not ended while calls arrive', async () => {
    const { spawned, spawnService } = scriptedProcesses(answering);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const engine = createLocalEngine({ spawnService, dataFolder: folder, idleMs: 1000 });
    for (let call = 0; call < 5; call += 1) {
      await engine.access(signal);
      vi.advanceTimersByTime(999);
    }
    expect(spawned.map(({ got }) => got.length)).toEqual([1]);
    await engine.stop();
  });

  it('is stopped while it still answers a last call', async () => {
    const { spawned, spawnService } = scriptedProcesses((process) => {
      const { type } = process.got.at(-1) as { type: string };
      if (type === 'start') process.say(listening);
      if (type === 'stop') process.exit();
    });
    const engine = createLocalEngine({ spawnService, dataFolder: folder, idleMs: 20 });
    await engine.access(signal);
    await expect.poll(() => spawned[0]?.got.length).toBe(2);
    await engine.stop();
    expect(spawned[0]?.got.at(-1)).toEqual({ type: 'stop' });
  });

  it('is stopped while it is still starting', async () => {
    const { spawned, spawnService } = scriptedProcesses((process) => {
      if ((process.got.at(-1) as { type: string }).type === 'stop') process.exit();
    });
    const engine = createLocalEngine({ spawnService, dataFolder: folder });
    const access = engine.access(signal);
    const stopped = engine.stop();
    await expect(access).rejects.toMatchObject({ code: 'engine/not-started' });
    await stopped;
    expect(spawned).toHaveLength(1);
  });
});
