import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canaryPrefix, createFsEvents, type EventLoss } from './fs-events.ts';
import { createLocalScanner } from './local-scanner.ts';
import type { Scanner } from './scanner.ts';
import { considerAll, logNews, testRoot, wavBytes, withTestFolder, type NewsLog } from './scanner.fixture.ts';

/** A system that tells nothing, or why it does not. */
const deaf =
  (trouble?: EventLoss): typeof createFsEvents =>
  ({ onTrouble }) => {
    if (trouble) setImmediate(() => onTrouble(trouble));
    return {
      add: () => undefined,
      remove: () => undefined,
      covers: () => true,
      settled: () => Promise.resolve(),
      stop: () => Promise.resolve(),
    };
  };

const withDeafEyes = (
  trouble: EventLoss | undefined,
  use: (eyes: Scanner, log: NewsLog, root: string) => Promise<void>,
): Promise<void> =>
  withTestFolder(async (folder) => {
    const eyes = createLocalScanner({ listenTo: deaf(trouble) });
    try {
      await use(eyes, logNews(eyes), join(folder, 'root'));
    } finally {
      await eyes.stop();
    }
  });

describe('a root whose system tells nothing', () => {
  it.concurrent('is polled, with the reason, and a new file is found', () =>
    withDeafEyes(undefined, async (eyes, log, root) => {
      const watched = await testRoot(root);
      await writeFile(join(root, 'old.wav'), wavBytes(0.1));
      considerAll(eyes);
      eyes.watch(watched);
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
  ] as const)('says so where the system has %s', (trouble, code) =>
    withDeafEyes(trouble, async (eyes, log, root) => {
      eyes.watch(await testRoot(root));
      const { status } = await log.waitFor('status', ({ status: { mode } }) => mode === 'polling');
      expect(status.problems).toMatchObject([{ code }]);
    }),
  );

  it.concurrent('finds a file that changed in place a moment after it was new', () =>
    withDeafEyes(undefined, async (eyes, log, root) => {
      eyes.watch(await testRoot(root));
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

/** A system that tells of a canary and of nothing else. */
const forgetful: typeof createFsEvents = (dependencies) =>
  createFsEvents({
    ...dependencies,
    onHint(hint) {
      if (hint.path.startsWith(canaryPrefix)) dependencies.onHint(hint);
    },
  });

describe('a root whose hints get lost', () => {
  it.concurrent('is looked over in any case, and polled after the second look that found what no hint told', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      const eyes = createLocalScanner({ listenTo: forgetful, rescanMs: 3000 });
      const log = logNews(eyes);
      eyes.watch(await testRoot(root));
      await log.waitFor('status', ({ status }) => status.mode === 'watching');
      // The first look after the beginning is not held against the hints.
      log.clear();
      await log.waitFor('scanned');
      for (const name of ['a.wav', 'b.wav']) {
        expect(log.of('status')).toEqual([]);
        log.clear();
        await writeFile(join(root, name), wavBytes(0.1));
        await log.waitFor('discovered', ({ files }) => files.some(({ path }) => path === name));
        await log.waitFor('scanned');
      }
      const { status } = await log.waitFor('status');
      expect(status).toMatchObject({ mode: 'polling', problems: [{ code: 'watch/no-hints' }] });
      await eyes.stop();
    }),
  );
});

describe('a root that is missing at first', () => {
  it.concurrent('is offline until it comes, and is looked at then', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      const watched = await testRoot(root);
      await writeFile(join(root, 'a.wav'), wavBytes(0.1));
      await rename(root, join(folder, 'away'));
      const eyes = createLocalScanner();
      const log = logNews(eyes);
      eyes.watch(watched);
      await log.waitFor('status', ({ status }) => status.problems[0]?.code === 'watch/missing');
      await rename(join(folder, 'away'), root);
      await log.waitFor('discovered');
      await log.waitFor('status', ({ status }) => status.mode === 'watching');
      expect(log.of('status').map(({ status }) => status.mode)).toEqual(['offline', 'starting', 'watching']);
      await eyes.stop();
    }),
  );
});

describe.runIf(process.platform === 'linux')('a root with a name that is no text', () => {
  it.concurrent('says which, and goes on', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      const watched = await testRoot(root);
      await writeFile(
        Buffer.concat([Buffer.from(`${root}/`), Buffer.from('Präsentation.wav', 'latin1')]),
        wavBytes(0.1),
      );
      const eyes = createLocalScanner();
      const log = logNews(eyes);
      eyes.watch(watched);
      const { status } = await log.waitFor('status', ({ status: { mode } }) => mode === 'watching');
      const facts = { name: 'Pr\uFFFDsentation.wav', count: 1 };
      expect(status.problems).toEqual([{ code: 'watch/unreadable-name', facts }]);
      await eyes.stop();
    }),
  );
});

describe('a folder that is watched with new rules', () => {
  it.concurrent('is looked at from the beginning, by the new ones', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      const watched = await testRoot(root);
      await mkdir(join(root, 'sub'));
      await writeFile(join(root, 'a.wav'), wavBytes(0.1));
      await writeFile(join(root, 'sub', 'b.mp3'), 'x');
      const eyes = createLocalScanner();
      const log = logNews(eyes);
      eyes.watch({ ...watched, isRecursive: false });
      expect(await log.waitFor('scanned')).toMatchObject({ files: 1, folders: 1 });
      log.clear();
      eyes.watch({ ...watched, endings: ['.mp3'] });
      expect(await log.waitFor('scanned')).toMatchObject({ files: 1, folders: 2, ignored: 1 });
      expect(log.of('discovered').flatMap(({ files }) => files.map(({ path }) => path))).toEqual([
        join('sub', 'b.mp3'),
      ]);
      eyes.unwatch('root');
      log.clear();
      await rm(join(root, 'a.wav'));
      eyes.rescan();
      await eyes.stop();
      expect(log.news).toEqual([]);
    }),
  );
});
