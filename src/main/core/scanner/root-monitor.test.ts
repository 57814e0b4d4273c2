import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canaryPrefix, createFsEvents, type EventLoss } from './fs-events.ts';
import { systemMonotonicClock } from '../clock.ts';
import { createLocalScanner } from './local-scanner.ts';
import { createFindWriters } from './open-writers.ts';
import { monitorRoot } from './root-monitor.ts';
import type { Scanner } from './scanner.ts';
import { createStabilityGate } from './stability-gate.ts';
import { awaitAllStable, logEvents, testRoot, wavBytes, withTestFolder, type EventLog } from './scanner.fixture.ts';

/** A system without events, or that reports why there are none. */
const createNoEvents =
  (loss?: EventLoss): typeof createFsEvents =>
  ({ onLoss }) => {
    if (loss) setImmediate(() => onLoss(loss));
    return {
      add: () => undefined,
      remove: () => undefined,
      covers: () => true,
      whenAdded: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    };
  };

const withDeafScanner = (
  loss: EventLoss | undefined,
  use: (scanner: Scanner, log: EventLog, root: string) => Promise<void>,
): Promise<void> =>
  withTestFolder(async (folder) => {
    const scanner = createLocalScanner({ createEvents: createNoEvents(loss) });
    try {
      await use(scanner, logEvents(scanner), join(folder, 'root'));
    } finally {
      await scanner.stop();
    }
  });

describe('a root without events', () => {
  it.concurrent('is polled, reports the reason, and finds a new file', () =>
    withDeafScanner(undefined, async (scanner, log, root) => {
      const watched = await testRoot(root);
      await writeFile(join(root, 'old.wav'), wavBytes(0.1));
      awaitAllStable(scanner);
      scanner.watch(watched);
      const { status } = await log.waitFor('status', ({ status: { mode } }) => mode === 'polling');
      expect(status.problems).toEqual([{ code: 'watch/no-hints', facts: { seconds: status.everySeconds } }]);
      await log.waitFor('stable', ({ file }) => file.path === 'old.wav');
      await mkdir(join(root, 'sub'));
      await writeFile(join(root, 'sub', 'new.wav'), wavBytes(0.1));
      await log.waitFor('stable', ({ file }) => file.path === join('sub', 'new.wav'));
      await rename(join(root, 'sub', 'new.wav'), join(root, 'moved.wav'));
      await log.waitFor('deleted', ({ paths }) => paths.includes(join('sub', 'new.wav')));
      await log.waitFor('stable', ({ file }) => file.path === 'moved.wav');
    }),
  );

  it.concurrent.each([
    ['too-many-folders', 'watch/too-many-folders'],
    ['too-many-files', 'system/too-many-files'],
  ] as const)('reports %s', (loss, code) =>
    withDeafScanner(loss, async (scanner, log, root) => {
      scanner.watch(await testRoot(root));
      const { status } = await log.waitFor('status', ({ status: { mode } }) => mode === 'polling');
      expect(status.problems).toMatchObject([{ code }]);
    }),
  );

  it.concurrent('finds a file that changed in place a moment after it was discovered', () =>
    withDeafScanner(undefined, async (scanner, log, root) => {
      scanner.watch(await testRoot(root));
      await log.waitFor('status', ({ status: { mode } }) => mode === 'polling');
      await writeFile(join(root, 'a.wav'), wavBytes(0.1));
      const first = await log.waitFor('discovered');
      log.clear();
      await writeFile(join(root, 'a.wav'), wavBytes(0.2));
      const second = await log.waitFor('discovered');
      expect(second.files[0]?.signature.sizeBytes).toBeGreaterThan(first.files[0]?.signature.sizeBytes ?? 0);
    }),
  );
});

/** A system that reports the canary and nothing else. */
const createCanaryEvents: typeof createFsEvents = (dependencies) =>
  createFsEvents({
    ...dependencies,
    onEvent(event) {
      if (event.path.startsWith(canaryPrefix)) dependencies.onEvent(event);
    },
  });

describe('a root whose events get lost', () => {
  it.concurrent('is scanned anyway, and polled after the second scan that found what no event reported', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      const scanner = createLocalScanner({ createEvents: createCanaryEvents, rescanMs: 3000 });
      const log = logEvents(scanner);
      scanner.watch(await testRoot(root));
      await log.waitFor('status', ({ status }) => status.mode === 'watching');
      // The first scan after the subscription does not count against the events.
      log.clear();
      await log.waitFor('scanned');
      let found = 0;
      // On a busy machine a scan may find nothing that is late enough between two that do.
      while (log.of('status').length === 0) {
        const name = `${found}.wav`;
        const scans = log.of('scanned').length;
        await writeFile(join(root, name), wavBytes(0.1));
        await log.waitFor('discovered', ({ files }) => files.some(({ path }) => path === name));
        await expect.poll(() => log.of('scanned').length).toBeGreaterThan(scans);
        found += 1;
      }
      expect(found).toBeGreaterThan(1);
      const { status } = await log.waitFor('status');
      expect(status).toMatchObject({ mode: 'polling', problems: [{ code: 'watch/no-hints' }] });
      await scanner.stop();
    }),
  );
});

describe('a root whose events arrive', () => {
  it.concurrent('is listed by every scan, and its known files are checked by every tenth', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      const [changed, deleted] = [join(root, 'changed.wav'), join(root, 'deleted.wav')];
      const watched = await testRoot(root);
      const longAgo = new Date('2020-01-01');
      const write = (path: string, seconds: number) => {
        writeFileSync(path, wavBytes(seconds));
        utimesSync(path, longAgo, longAgo);
      };
      write(changed, 0.1);
      write(deleted, 0.1);
      const clock = systemMonotonicClock;
      const { platform } = process;
      const gate = createStabilityGate({ clock, findWriters: createFindWriters(platform), emit() {}, platform });
      const kinds: string[] = [];
      const monitor = monitorRoot({
        root: watched,
        platform,
        clock,
        gate,
        createEvents: createCanaryEvents,
        rescanMs: 100,
        emit({ kind }) {
          if (kind === 'status') return;
          kinds.push(kind);
          // The second scan also looks for changes from before the events.
          if (kinds.filter((one) => one === 'scanned').length !== 2 || kinds.at(-1) !== 'scanned') return;
          write(changed, 0.2);
          rmSync(deleted);
        },
        before: Promise.resolve(),
      });
      await expect.poll(() => kinds.filter((kind) => kind === 'discovered').length).toBe(2);
      await monitor.stop();
      await gate.stop();
      const listed = Array.from({ length: 9 }, () => 'scanned');
      const untilFound = kinds.slice(0, kinds.lastIndexOf('discovered'));
      expect(untilFound).toEqual(['discovered', 'scanned', 'scanned', 'deleted', ...listed]);
    }),
  );

  it.concurrent('is scanned thoroughly as soon as events are known to be lost', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      const watched = await testRoot(root);
      const longAgo = new Date('2020-01-01');
      const path = join(root, 'a.wav');
      await writeFile(path, wavBytes(0.1));
      await utimes(path, longAgo, longAgo);
      const scanner = createLocalScanner({ createEvents: createCanaryEvents });
      const log = logEvents(scanner);
      scanner.watch(watched);
      await log.waitFor('status', ({ status }) => status.mode === 'watching');
      log.clear();
      await writeFile(path, wavBytes(0.2));
      await utimes(path, longAgo, longAgo);
      scanner.rescan();
      await log.waitFor('discovered');
      await scanner.stop();
    }),
  );
});

describe('a root that is missing at first', () => {
  it.concurrent('is offline until it appears, and is then scanned', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      const watched = await testRoot(root);
      await writeFile(join(root, 'a.wav'), wavBytes(0.1));
      await rename(root, join(folder, 'away'));
      const scanner = createLocalScanner();
      const log = logEvents(scanner);
      scanner.watch(watched);
      await log.waitFor('status', ({ status }) => status.problems[0]?.code === 'watch/missing');
      await rename(join(folder, 'away'), root);
      await log.waitFor('discovered');
      await log.waitFor('status', ({ status }) => status.mode === 'watching');
      expect(log.of('status').map(({ status }) => status.mode)).toEqual(['offline', 'starting', 'watching']);
      await scanner.stop();
    }),
  );
});

describe.runIf(process.platform === 'linux')('a root with a name that is not valid Unicode', () => {
  it.concurrent('reports it, and continues', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      const watched = await testRoot(root);
      await writeFile(
        Buffer.concat([Buffer.from(`${root}/`), Buffer.from('Präsentation.wav', 'latin1')]),
        wavBytes(0.1),
      );
      const scanner = createLocalScanner();
      const log = logEvents(scanner);
      scanner.watch(watched);
      const { status } = await log.waitFor('status', ({ status: { mode } }) => mode === 'watching');
      const facts = { name: 'Pr\uFFFDsentation.wav', count: 1 };
      expect(status.problems).toEqual([{ code: 'input/unreadable-name', facts }]);
      await scanner.stop();
    }),
  );
});

describe('a folder that is watched with new rules', () => {
  it.concurrent('is scanned from the start', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      const watched = await testRoot(root);
      await mkdir(join(root, 'sub'));
      await writeFile(join(root, 'a.wav'), wavBytes(0.1));
      await writeFile(join(root, 'sub', 'b.mp3'), 'x');
      const scanner = createLocalScanner();
      const log = logEvents(scanner);
      scanner.watch({ ...watched, isRecursive: false });
      await log.waitFor('scanned');
      const discovered = () => log.of('discovered').flatMap(({ files }) => files.map(({ path }) => path));
      expect(discovered()).toEqual(['a.wav']);
      log.clear();
      scanner.watch({ ...watched, endings: ['.mp3'] });
      expect(await log.waitFor('scanned')).toMatchObject({ ignored: 1 });
      expect(discovered()).toEqual([join('sub', 'b.mp3')]);
      scanner.unwatch('root');
      log.clear();
      await rm(join(root, 'a.wav'));
      scanner.rescan();
      await scanner.stop();
      expect(log.events).toEqual([]);
    }),
  );
});
