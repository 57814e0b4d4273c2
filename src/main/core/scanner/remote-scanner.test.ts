import { fork } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServiceProcess, SpawnService } from '../child-process.ts';
import type { ScannerEvent, WatchedRoot } from './scanner.ts';
import { awaitAllStable, logEvents, testRoot, wavBytes, withTestFolder } from './scanner.fixture.ts';
import { createRemoteScanner } from './remote-scanner.ts';

const root: WatchedRoot = {
  id: 'root',
  path: '/somewhere',
  identity: { marker: null, device: '1', inode: '2' },
  isRecursive: true,
  endings: ['.wav'],
  excluded: [],
  isExclusive: true,
};

interface FakeProcess {
  readonly received: unknown[];
  send(message: unknown): void;
  exit(): void;
}

/** A scanner whose processes and restart delays the test controls. */
function setUp() {
  const spawned: FakeProcess[] = [];
  const delays: number[] = [];
  const defects: unknown[] = [];
  let refusals = 0;
  let wake: () => void = () => undefined;
  const spawnService: SpawnService = () => {
    refusals -= 1;
    if (refusals >= 0) throw new Error('spawn ENOMEM');
    let onMessage: (message: unknown) => void = () => undefined;
    let onExit: () => void = () => undefined;
    const process: FakeProcess = { received: [], send: (message) => onMessage(message), exit: () => onExit() };
    spawned.push(process);
    return {
      send: (message) => {
        process.received.push(message);
        if ((message as { readonly type: string }).type === 'stop') onExit();
      },
      onMessage: (listener) => (onMessage = listener),
      onExit: (listener) => (onExit = listener),
      kill: () => onExit(),
    } satisfies ServiceProcess;
  };
  const scanner = createRemoteScanner({
    onDefect: (error) => defects.push(error),
    spawnService,
    clock: {
      now: () => 0,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          delays.push(ms);
          wake = resolve;
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    },
  });
  const endDelay = async () => {
    wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { scanner, spawned, delays, endDelay, defects, refuse: (times: number) => (refusals = times) };
}

/** First id of the root in a process. */
const alias = 'root/1';
const stable = (path: string): ScannerEvent => ({
  kind: 'stable',
  id: alias,
  file: {
    path,
    signature: { device: '1', inode: '3', sizeBytes: 1, modifiedNs: '1', changedNs: '1' },
    sha256: 'ab',
    durationSeconds: 1,
    text: null,
  },
});

describe('a scanner in another process', () => {
  it('starts with the first root', () => {
    const { scanner, spawned } = setUp();
    scanner.awaitStable('root', ['a.wav']);
    expect(spawned).toHaveLength(0);
    scanner.watch(root);
    expect(spawned[0]?.received).toEqual([{ type: 'watch', root: { ...root, id: alias } }]);
  });

  it('is restarted with growing delays when it dies, with all unanswered requests', async () => {
    const { scanner, spawned, delays, endDelay } = setUp();
    scanner.watch(root);
    scanner.awaitStable('root', ['a.wav', 'b.wav']);
    scanner.probeDurations('root', ['d.wav', 'e.wav']);
    spawned[0]?.send(stable('a.wav'));
    spawned[0]?.send({ kind: 'durations', id: alias, files: [{ path: 'd.wav', seconds: 1, problem: null }] });
    spawned[0]?.exit();
    await endDelay();
    expect(spawned[1]?.received).toEqual([
      { type: 'watch', root: { ...root, id: alias } },
      { type: 'await-stable', id: alias, paths: ['b.wav'] },
      { type: 'probe-durations', id: alias, paths: ['e.wav'] },
    ]);
    spawned[1]?.exit();
    await endDelay();
    expect(delays).toEqual([1000, 2000]);
  });

  it('is started later if the system cannot start it now, which is reported', async () => {
    const { scanner, spawned, delays, endDelay, defects, refuse } = setUp();
    refuse(2);
    scanner.watch(root);
    await endDelay();
    await endDelay();
    expect(spawned[0]?.received).toEqual([{ type: 'watch', root: { ...root, id: alias } }]);
    expect(delays).toEqual([1000, 2000]);
    expect(defects).toMatchObject([{ message: 'spawn ENOMEM' }, { message: 'spawn ENOMEM' }]);
  });

  it('emits nothing for a root that is no longer watched, and nothing after stop', async () => {
    const { scanner, spawned } = setUp();
    const log = logEvents(scanner);
    scanner.watch(root);
    scanner.watch({ ...root, id: 'other' });
    scanner.unwatch('root');
    spawned[0]?.send(stable('a.wav'));
    await scanner.stop();
    spawned[0]?.send({ ...stable('b.wav'), id: 'other/2' });
    expect(log.events).toEqual([]);
    scanner.watch(root);
    expect(spawned).toHaveLength(1);
  });

  it('emits for a root that is watched again only what happened since', () => {
    const { scanner, spawned } = setUp();
    const log = logEvents(scanner);
    const scanned = (id: string) => ({ kind: 'scanned', id, ignored: 0 });
    scanner.watch(root);
    scanner.unwatch('root');
    scanner.watch(root);
    spawned[0]?.send(scanned(alias));
    expect(log.events).toEqual([]);
    expect(spawned[0]?.received.slice(1)).toEqual([
      { type: 'unwatch', id: alias },
      { type: 'watch', root: { ...root, id: 'root/2' } },
    ]);
    spawned[0]?.send(scanned('root/2'));
    expect(log.events).toEqual([scanned('root')]);
  });

  it('is not restarted when it is stopped during a restart delay', async () => {
    const { scanner, spawned } = setUp();
    scanner.watch(root);
    spawned[0]?.exit();
    await scanner.stop();
    expect(spawned).toHaveLength(1);
  });
});

describe('the scanner process', () => {
  const entry = new URL('../../../processes/scanner.ts', import.meta.url);

  /** Real processes, as the command line starts them. */
  function forkScanner(): {
    readonly spawnService: SpawnService;
    readonly kill: () => void;
    readonly count: () => number;
  } {
    const children: ReturnType<typeof fork>[] = [];
    return {
      spawnService: () => {
        const child = fork(entry, [], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
        children.push(child);
        return {
          send: (message) => void (child.connected && child.send(message as object)),
          onMessage: (listener) => void child.on('message', listener),
          onExit: (listener) => void child.once('exit', listener),
          kill: () => void child.kill(),
        };
      },
      kill: () => void children.at(-1)?.kill('SIGKILL'),
      count: () => children.length,
    };
  }

  it('reports files, and continues after it was killed', () =>
    withTestFolder(async (folder) => {
      const watched = await testRoot(join(folder, 'root'));
      const { spawnService, kill, count } = forkScanner();
      const scanner = createRemoteScanner({ spawnService, onDefect: (error) => expect(error).toBeUndefined() });
      const log = logEvents(scanner);
      awaitAllStable(scanner);
      scanner.watch(watched);
      await log.waitFor('status', ({ status }) => status.mode === 'watching');
      await writeFile(join(folder, 'a.wav'), wavBytes(0.2));
      await rename(join(folder, 'a.wav'), join(watched.path, 'a.wav'));
      expect((await log.waitFor('stable')).file.durationSeconds).toBe(0.2);
      log.clear();
      kill();
      await writeFile(join(watched.path, 'b.wav'), wavBytes(0.3));
      await log.waitFor('stable', ({ file }) => file.path === 'b.wav');
      expect(count()).toBe(2);
      await scanner.stop();
    }));
});
