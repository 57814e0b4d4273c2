import { createHash } from 'node:crypto';
import { link, lstat, mkdir, open, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buzz, encoded } from '../../../sound/sound.fixture.ts';
import { createLocalScanner } from './local-scanner.ts';
import type { ScannerEvent, WatchedRoot } from './scanner.ts';
import {
  awaitAllStable,
  logEvents,
  openWavBytes,
  testRoot,
  wavBytes,
  withScanner,
  withTestFolder,
  type EventLog,
} from './scanner.fixture.ts';
import { systemMonotonicClock, type MonotonicClock } from '../clock.ts';
import { signatureOf } from '../files/identity.ts';
import type { FindWriters } from './open-writers.ts';
import { createStabilityGate } from './stability-gate.ts';

/** A complete Ogg without the end flag on its last page, as many programs write it. */
async function oggWithoutEnd(): Promise<Buffer> {
  const bytes = Buffer.from(await encoded('ogg', [buzz(120, 1, 44_100)], 44_100));
  bytes[bytes.lastIndexOf('OggS\0') + 5] = 0;
  return bytes;
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const isWatching = ({ status }: { readonly status: { readonly mode: string } }) => status.mode === 'watching';

it.concurrent('lets a file through that was renamed into the folder', () =>
  withScanner(async ({ scanner, log, folder, root }) => {
    const watched = await testRoot(root);
    awaitAllStable(scanner);
    scanner.watch(watched);
    await log.waitFor('status', isWatching);
    const bytes = wavBytes(0.5);
    await writeFile(join(folder, 'new.wav'), bytes);
    await rename(join(folder, 'new.wav'), join(root, 'new.wav'));
    const { file } = await log.waitFor('stable');
    expect(file).toMatchObject({ path: 'new.wav', sha256: sha256(bytes), durationSeconds: 0.5 });
  }),
);

it.concurrent(
  'lets a file through only once its writer has closed it, however long that pauses, and reads all of it',
  () =>
    withScanner(async ({ scanner, log, root }) => {
      const watched = await testRoot(root);
      awaitAllStable(scanner);
      scanner.watch(watched);
      await log.waitFor('status', isWatching);
      const bytes = wavBytes(1);
      const file = await open(join(root, 'slow.wav'), 'wx');
      await file.write(bytes.subarray(0, 4000));
      await log.waitFor('waiting', ({ wait }) => wait.kind === 'quiet');
      // Quiet for long enough, but still open.
      const { wait } = await log.waitFor('waiting', (event) => event.wait.kind === 'writer');
      expect(wait).toMatchObject({ kind: 'writer', sizeBytes: 4000 });
      await file.write(bytes.subarray(4000));
      await file.close();
      const stable = await log.waitFor('stable');
      expect(stable.file.sha256).toBe(sha256(bytes));
      expect([...log.of('stable'), ...log.of('rejected')]).toHaveLength(1);
    }),
);

it.concurrent('does not mistake a preallocated file for a complete one', () =>
  withScanner(async ({ scanner, log, root }) => {
    const watched = await testRoot(root);
    awaitAllStable(scanner);
    const bytes = wavBytes(1, 7);
    const file = await open(join(root, 'prealloc.wav'), 'wx');
    await file.write(bytes.subarray(0, 44), 0, 44, 0);
    await file.truncate(bytes.length);
    // Half-written when watching starts.
    scanner.watch(watched);
    await log.waitFor('waiting', ({ wait }) => wait.kind === 'writer');
    await file.write(bytes, 44, bytes.length - 44, 44);
    await file.close();
    const stable = await log.waitFor('stable');
    expect(stable.file.sha256).toBe(sha256(bytes));
    expect(log.of('stable')).toHaveLength(1);
  }),
);

it.concurrent('lets no version through that was replaced once it had been read, as no other event tells of that', () =>
  withTestFolder(async (folder) => {
    const [first, last] = [wavBytes(0.5), wavBytes(1)];
    const path = join(folder, 'a.wav');
    const events: ScannerEvent[] = [];
    const stable = Promise.withResolvers<void>();
    const gate = createStabilityGate({
      clock: systemMonotonicClock,
      findWriters: (questions) => Promise.resolve(questions.map(() => ({ kind: 'none' }))),
      emit(event) {
        events.push(event);
        if (event.kind === 'stable') stable.resolve();
      },
      platform: process.platform,
    });
    let isReplaced = false;
    gate.addRoot({
      id: 'root',
      path: folder,
      hasOwnEvents: () => true,
      isNetworkDrive: () => false,
      isWatched: () => true,
      async isPresent() {
        if (!isReplaced) {
          isReplaced = true;
          await writeFile(path, last);
          gate.recheckSoon('root', 'a.wav', signatureOf(await lstat(path, { bigint: true })));
        }
        return true;
      },
      onMissing: () => undefined,
      onLeft: () => undefined,
    });
    await writeFile(path, first);
    gate.add('root', ['a.wav']);
    await stable.promise;
    await gate.stop();
    const versions = events.flatMap((event) => (event.kind === 'stable' ? [event.file.sha256] : []));
    expect([isReplaced, versions]).toEqual([true, [sha256(last)]]);
  }),
);

describe('an unseen writer', () => {
  /** Runs ten times too fast, so it cannot be compared with the wall clock. */
  const fastClock: MonotonicClock = { monotonic: () => performance.now() * 10, wallNow: () => Date.now() };
  const findWriters: FindWriters = (questions) => Promise.resolve(questions.map(() => ({ kind: 'unseen' })));

  const withUnseenWriters = (clock: MonotonicClock, use: (log: EventLog, root: WatchedRoot) => Promise<void>) =>
    withTestFolder(async (folder) => {
      const scanner = createLocalScanner({ clock, findWriters });
      try {
        const log = logEvents(scanner);
        const root = await testRoot(join(folder, 'root'));
        awaitAllStable(scanner);
        scanner.watch(root);
        await log.waitFor('status', isWatching);
        await use(log, root);
      } finally {
        await scanner.stop();
      }
    });

  it.concurrent('has all the time it needs for a preallocated file', () =>
    withUnseenWriters(fastClock, async (log, root) => {
      const bytes = wavBytes(1, 7);
      const file = await open(join(root.path, 'upload.wav'), 'wx');
      await file.truncate(bytes.length);
      for (const [from, to] of [
        [0, 4000],
        [4000, 9000],
      ] as const) {
        await file.write(bytes, from, to - from, from);
        log.clear();
        await log.waitFor('waiting', ({ wait }) => wait.kind === 'quiet' && wait.neededSeconds === 60);
      }
      await file.write(bytes, 9000, bytes.length - 9000, 9000);
      await file.close();
      const stable = await log.waitFor('stable');
      expect(stable.file.sha256).toBe(sha256(bytes));
      expect(log.of('stable')).toHaveLength(1);
    }),
  );

  it.concurrent.each(['an Ogg without its end flag', 'a WAV with an open length'])('delays %s for a minute', (what) =>
    withUnseenWriters(fastClock, async (log, root) => {
      const bytes = what.startsWith('an Ogg') ? await oggWithoutEnd() : openWavBytes(1);
      await writeFile(join(root.path, 'a.wav'), bytes);
      await log.waitFor('waiting', ({ wait }) => wait.kind === 'quiet' && wait.neededSeconds === 60);
      expect(log.of('stable')).toEqual([]);
      expect((await log.waitFor('stable')).file.sha256).toBe(sha256(bytes));
      expect(log.of('rejected')).toEqual([]);
    }),
  );

  it.concurrent('that paused once gets more time the next time, even after its file was let through', () =>
    withUnseenWriters(fastClock, async (log, root) => {
      await writeFile(join(root.path, 'a.wav'), wavBytes(0.3, 1));
      await log.waitFor('stable');
      log.clear();
      await writeFile(join(root.path, 'a.wav'), wavBytes(0.4, 2));
      await log.waitFor('waiting', ({ wait }) => wait.kind === 'quiet' && wait.neededSeconds > 5);
    }),
  );

  it.concurrent('does not delay a file that was renamed into the folder', () =>
    withUnseenWriters(systemMonotonicClock, async (log, root) => {
      const path = join(root.path, '.a.part');
      await writeFile(path, wavBytes(0.3));
      await utimes(path, 1_700_000_000, 1_700_000_000);
      await rename(path, join(root.path, 'a.wav'));
      await log.waitFor('stable');
      expect(log.of('waiting').map(({ wait }) => wait.kind)).toEqual(['reading']);
    }),
  );
});

it.concurrent('ignores a download until it has its final name', () =>
  withScanner(async ({ scanner, log, root }) => {
    const watched = await testRoot(root);
    awaitAllStable(scanner);
    await writeFile(join(root, 'song.wav.part'), wavBytes(0.2));
    scanner.watch(watched);
    await log.waitFor('status', isWatching);
    expect(log.of('discovered')).toEqual([]);
    await rename(join(root, 'song.wav.part'), join(root, 'song.wav'));
    expect((await log.waitFor('stable')).file.path).toBe('song.wav');
  }),
);

it.concurrent('rejects a cut recording, and lets it through when it is completed', () =>
  withScanner(async ({ scanner, log, root }) => {
    const watched = await testRoot(root);
    awaitAllStable(scanner);
    const bytes = wavBytes(1);
    await writeFile(join(root, 'cut.wav'), bytes.subarray(0, 9000));
    scanner.watch(watched);
    const cut = await log.waitFor('rejected');
    expect(cut.problem).toMatchObject({ code: 'input/cut', facts: { name: 'cut.wav', actualBytes: 9000 } });
    expect(log.of('stable')).toEqual([]);
    await writeFile(join(root, 'cut.wav'), bytes);
    await log.waitFor('stable', ({ file }) => file.path === 'cut.wav');
  }),
);

it.concurrent('waits a minute for a recording with an open length, or until it is completed', () =>
  withScanner(async ({ scanner, log, root }) => {
    const watched = await testRoot(root);
    awaitAllStable(scanner);
    const path = join(root, 'open.wav');
    await writeFile(path, openWavBytes(1));
    // Old times do not prove that it is finished.
    await utimes(path, 1_700_000_000, 1_700_000_000);
    scanner.watch(watched);
    await log.waitFor('waiting', ({ wait }) => wait.kind === 'quiet' && wait.neededSeconds === 60);
    expect([...log.of('stable'), ...log.of('rejected')]).toEqual([]);
    await writeFile(path, wavBytes(1));
    expect((await log.waitFor('stable')).file.sha256).toBe(sha256(wavBytes(1)));
  }),
);

it.concurrent('lets an Ogg without its end flag through as soon as its writer has closed it', () =>
  withScanner(async ({ scanner, log, root }) => {
    const watched = await testRoot(root, { endings: ['.ogg'] });
    awaitAllStable(scanner);
    scanner.watch(watched);
    await log.waitFor('status', isWatching);
    const bytes = await oggWithoutEnd();
    const file = await open(join(root, 'a.ogg'), 'wx');
    await file.write(bytes);
    await log.waitFor('waiting', ({ wait }) => wait.kind === 'writer');
    await file.close();
    expect((await log.waitFor('stable')).file.sha256).toBe(sha256(bytes));
    expect(log.of('waiting').filter(({ wait }) => wait.kind === 'quiet' && wait.neededSeconds === 60)).toEqual([]);
  }),
);

it.concurrent('lets both names of one file through, with one hash', () =>
  withScanner(async ({ scanner, log, root }) => {
    const watched = await testRoot(root);
    awaitAllStable(scanner);
    await writeFile(join(root, 'a.wav'), wavBytes(0.3));
    await link(join(root, 'a.wav'), join(root, 'b.wav'));
    scanner.watch(watched);
    const a = await log.waitFor('stable', ({ file }) => file.path === 'a.wav');
    const b = await log.waitFor('stable', ({ file }) => file.path === 'b.wav');
    expect(a.file.sha256).toBe(b.file.sha256);
    expect(a.file.signature.inode).toBe(b.file.signature.inode);
  }),
);

it.concurrent('loses none of 300 files that arrive at once in new folders', () =>
  withScanner(async ({ scanner, log, root }) => {
    const watched = await testRoot(root);
    awaitAllStable(scanner);
    scanner.watch(watched);
    await log.waitFor('status', isWatching);
    const names = Array.from({ length: 300 }, (_, at) => join(`day ${at % 3}`, `take ${at}.wav`));
    for (const name of names) {
      await mkdir(join(root, name, '..'), { recursive: true });
      await writeFile(join(root, name), wavBytes(0.05, names.indexOf(name) % 250));
    }
    await Promise.all(names.map((name) => log.waitFor('stable', ({ file }) => file.path === name)));
    expect(log.of('stable')).toHaveLength(300);
  }),
);

it.concurrent('reports a file again when it changes after it was let through', () =>
  withScanner(async ({ scanner, log, root }) => {
    const watched = await testRoot(root);
    awaitAllStable(scanner);
    await writeFile(join(root, 'a.wav'), wavBytes(0.3));
    scanner.watch(watched);
    const first = await log.waitFor('stable');
    await log.waitFor('status', isWatching);
    await writeFile(join(root, 'a.wav'), wavBytes(0.4, 9));
    const second = await log.waitFor('stable', ({ file }) => file.sha256 !== first.file.sha256);
    expect(second.file.sha256).toBe(sha256(wavBytes(0.4, 9)));
  }),
);
