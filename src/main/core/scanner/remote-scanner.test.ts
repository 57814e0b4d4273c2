import { fork } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ServiceProcess, SpawnService } from '../child-process.ts';
import type { Scanner, ScannerEvent, WatchedRoot } from './scanner.ts';
import { logNews, testRoot, wavBytes, withTestFolder } from './scanner.fixture.ts';
import { createRemoteScanner } from './remote-scanner.ts';

const root: WatchedRoot = {
  id: 'root',
  path: '/somewhere',
  identity: { marker: null, device: '1', inode: '2' },
  isRecursive: true,
  endings: ['.wav'],
  excluded: [],
};

interface Scripted {
  readonly got: unknown[];
  say(message: unknown): void;
  exit(): void;
}

/** Eyes before processes that the test plays, and pauses that it ends. */
function setUp() {
  const spawned: Scripted[] = [];
  const pauses: number[] = [];
  let wake: () => void = () => undefined;
  const spawnService: SpawnService = () => {
    let hear: (message: unknown) => void = () => undefined;
    let ended: () => void = () => undefined;
    const scripted: Scripted = { got: [], say: (message) => hear(message), exit: () => ended() };
    spawned.push(scripted);
    return {
      send: (message) => {
        scripted.got.push(message);
        if ((message as { readonly type: string }).type === 'stop') ended();
      },
      onMessage: (listener) => (hear = listener),
      onExit: (listener) => (ended = listener),
      kill: () => ended(),
    } satisfies ServiceProcess;
  };
  const eyes = createRemoteScanner({
    onDefect: (error) => expect(error).toBeUndefined(),
    spawnService,
    clock: {
      now: () => 0,
      sleep: (ms, signal) =>
        new Promise((resolve, reject) => {
          pauses.push(ms);
          wake = resolve;
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    },
  });
  const endPause = async () => {
    wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { eyes, spawned, pauses, endPause };
}

/** What a process knows the root by at first. */
const alias = 'root/1';
const ready = (path: string): ScannerEvent => ({
  kind: 'stable',
  id: alias,
  file: {
    path,
    signature: { device: '1', inode: '3', sizeBytes: 1, modifiedNs: '1', changedNs: '1' },
    sha256: 'ab',
    durationSeconds: 1,
  },
});

describe('eyes in another process', () => {
  it('are started by the first root', () => {
    const { eyes, spawned } = setUp();
    eyes.awaitStable('root', ['a.wav']);
    expect(spawned).toHaveLength(0);
    eyes.watch(root);
    expect(spawned[0]?.got).toEqual([{ type: 'watch', root: { ...root, id: alias } }]);
  });

  it('are started again when they died, later each time, and are told what is not answered', async () => {
    const { eyes, spawned, pauses, endPause } = setUp();
    eyes.watch(root);
    eyes.awaitStable('root', ['a.wav', 'b.wav']);
    eyes.probeDurations('root', ['d.wav', 'e.wav']);
    spawned[0]?.say(ready('a.wav'));
    spawned[0]?.say({ kind: 'durations', id: alias, files: [{ path: 'd.wav', seconds: 1, problem: null }] });
    spawned[0]?.exit();
    await endPause();
    expect(spawned[1]?.got).toEqual([
      { type: 'watch', root: { ...root, id: alias } },
      { type: 'await-stable', id: alias, paths: ['b.wav'] },
      { type: 'probe-durations', id: alias, paths: ['e.wav'] },
    ]);
    spawned[1]?.exit();
    await endPause();
    expect(pauses).toEqual([1000, 2000]);
  });

  it('tell nothing of a root that is no longer watched, and nothing after their end', async () => {
    const { eyes, spawned } = setUp();
    const log = logNews(eyes);
    eyes.watch(root);
    eyes.watch({ ...root, id: 'other' });
    eyes.unwatch('root');
    spawned[0]?.say(ready('a.wav'));
    await eyes.stop();
    spawned[0]?.say({ ...ready('b.wav'), id: 'other/2' });
    expect(log.news).toEqual([]);
    eyes.watch(root);
    expect(spawned).toHaveLength(1);
  });

  it('tell of a root that is watched anew only what they have seen since', () => {
    const { eyes, spawned } = setUp();
    const log = logNews(eyes);
    const scanned = (id: string) => ({ kind: 'scanned', id, files: 1, folders: 1, ignored: 0 });
    eyes.watch(root);
    eyes.unwatch('root');
    eyes.watch(root);
    spawned[0]?.say(scanned(alias));
    expect(log.news).toEqual([]);
    expect(spawned[0]?.got.slice(1)).toEqual([
      { type: 'unwatch', id: alias },
      { type: 'watch', root: { ...root, id: 'root/2' } },
    ]);
    spawned[0]?.say(scanned('root/2'));
    expect(log.news).toEqual([scanned('root')]);
  });

  it('are not started again when they die in a pause before the end', async () => {
    const { eyes, spawned } = setUp();
    eyes.watch(root);
    spawned[0]?.exit();
    await eyes.stop();
    expect(spawned).toHaveLength(1);
  });
});

describe('the watcher’s process', () => {
  const entry = new URL('../../../processes/scanner.ts', import.meta.url);

  /** Real processes, as the command line makes them. */
  function forkWatcher(): {
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

  const considerSeen = (eyes: Scanner) =>
    eyes.onEvent((news) => {
      if (news.kind === 'discovered')
        eyes.awaitStable(
          news.id,
          news.files.map(({ path }) => path),
        );
    });

  it('tells what it sees, and goes on after it was killed', () =>
    withTestFolder(async (folder) => {
      const watched = await testRoot(join(folder, 'root'));
      const { spawnService, kill, count } = forkWatcher();
      const eyes = createRemoteScanner({ spawnService, onDefect: (error) => expect(error).toBeUndefined() });
      const log = logNews(eyes);
      considerSeen(eyes);
      eyes.watch(watched);
      await log.waitFor('status', ({ status }) => status.mode === 'watching');
      await writeFile(join(folder, 'a.wav'), wavBytes(0.2));
      await rename(join(folder, 'a.wav'), join(watched.path, 'a.wav'));
      expect((await log.waitFor('stable')).file.durationSeconds).toBe(0.2);
      log.clear();
      kill();
      await writeFile(join(watched.path, 'b.wav'), wavBytes(0.3));
      await log.waitFor('stable', ({ file }) => file.path === 'b.wav');
      expect(count()).toBe(2);
      await eyes.stop();
    }));
});
