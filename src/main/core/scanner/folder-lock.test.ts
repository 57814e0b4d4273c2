import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolderLock } from './folder-lock.ts';
import { watchRules } from './ignore-rules.ts';
import { createLocalScanner } from './local-scanner.ts';
import { lockName } from './root-identity.ts';
import { awaitAllStable, type EventLog, logEvents, testRoot, wavBytes, withTestFolder } from './scanner.fixture.ts';
import type { Scanner, WatchedRoot } from './scanner.ts';

interface Timbre {
  readonly scanner: Scanner;
  readonly log: EventLog;
}

/** Runs with the scanners of two Timbres with different data folders. */
const withTwo = (use: (one: Timbre, other: Timbre, folder: string) => Promise<void>): Promise<void> =>
  withTestFolder(async (folder) => {
    const both = [createLocalScanner(), createLocalScanner()].map((scanner) => ({ scanner, log: logEvents(scanner) }));
    const [one, other] = both as [Timbre, Timbre];
    try {
      await use(one, other, join(folder, 'root'));
    } finally {
      await Promise.all(both.map(({ scanner }) => scanner.stop()));
    }
  });

async function watchUntil({ scanner, log }: Timbre, mode: 'watching' | 'elsewhere', root: WatchedRoot) {
  scanner.watch(root);
  return (await log.waitFor('status', ({ status }) => status.mode === mode)).status;
}

describe('a folder that another Timbre watches', () => {
  it.concurrent('is not watched, which names the folder, and is taken over when the other one stops', () =>
    withTwo(async (one, other, root) => {
      const watched = await testRoot(root);
      await writeFile(join(root, 'a.wav'), wavBytes(0.1));
      await watchUntil(one, 'watching', watched);
      awaitAllStable(other.scanner);
      const { problems } = await watchUntil(other, 'elsewhere', watched);
      expect(problems).toEqual([{ code: 'watch/elsewhere', facts: { folder: root } }]);
      // Even a file that is known from earlier stays at the gate.
      other.scanner.awaitStable('root', ['a.wav']);
      expect(other.log.of('discovered')).toEqual([]);
      one.scanner.unwatch('root');
      await other.log.waitFor('status', ({ status }) => status.mode === 'watching');
      await other.log.waitFor('stable', ({ file }) => file.path === 'a.wav');
    }),
  );

  it.concurrent('is taken over after the other one was killed', () =>
    withTwo(async (one, _other, root) => {
      const watched = await testRoot(root);
      const program = `
        const { DatabaseSync } = require('node:sqlite');
        new DatabaseSync(${JSON.stringify(join(root, lockName))}).exec('BEGIN EXCLUSIVE');
        process.stdout.write('locked');
        setInterval(() => undefined, 1000);`;
      const killed = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(killed.stdout, 'data');
      await watchUntil(one, 'elsewhere', watched);
      killed.kill('SIGKILL');
      await one.log.waitFor('status', ({ status }) => status.mode === 'watching');
    }),
  );

  it.concurrent('is not watched from above, and nothing in it is, if subfolders are included', () =>
    withTwo(async (one, other, root) => {
      const outer = await testRoot(root);
      const inner = await testRoot(join(root, 'deep', 'er'));
      await watchUntil(one, 'watching', outer);
      const { problems } = await watchUntil(other, 'elsewhere', inner);
      expect(problems).toEqual([{ code: 'watch/elsewhere', facts: { folder: root } }]);
      one.scanner.unwatch('root');
      await other.log.waitFor('status', ({ status }) => status.mode === 'watching');
      one.log.clear();
      const status = await watchUntil(one, 'elsewhere', outer);
      expect(status.problems).toEqual([{ code: 'watch/elsewhere', facts: { folder: join(root, 'deep', 'er') } }]);
    }),
  );

  it.concurrent('does not keep another one from a subfolder that it leaves out', () =>
    withTwo(async (one, other, root) => {
      const flat = await testRoot(root, { isRecursive: false });
      const inner = await testRoot(join(root, 'sub'));
      await watchUntil(one, 'watching', flat);
      await watchUntil(other, 'watching', inner);
      one.scanner.unwatch('root');
      one.log.clear();
      await watchUntil(one, 'watching', flat);
      one.log.clear();
      await watchUntil(one, 'watching', { ...flat, isRecursive: true, excluded: [join(root, 'sub')] });
    }),
  );

  it.concurrent('can be previewed', () =>
    withTwo(async (one, other, root) => {
      const watched = await testRoot(root);
      await watchUntil(one, 'watching', watched);
      await watchUntil(other, 'watching', { ...watched, isExclusive: false });
    }),
  );
});

describe('a folder', () => {
  it.concurrent('with other settings is watched on without a gap for another one', () =>
    withTwo(async (one, _other, root) => {
      const watched = await testRoot(root);
      await watchUntil(one, 'watching', watched);
      one.log.clear();
      await watchUntil(one, 'watching', { ...watched, isRecursive: false });
      expect(one.log.of('status').map(({ status }) => status.mode)).not.toContain('elsewhere');
    }),
  );

  it.concurrent('whose lock file was deleted is locked again', () =>
    withTwo(async (one, other, root) => {
      const watched = await testRoot(root);
      await watchUntil(one, 'watching', watched);
      await rm(join(root, lockName));
      one.log.clear();
      one.scanner.rescan();
      await one.log.waitFor('scanned');
      await watchUntil(other, 'elsewhere', watched);
    }),
  );

  it.concurrent.each<[string, (path: string) => Promise<unknown>]>([
    ['a folder is in the way', (path) => mkdir(path)],
    ['another program’s file is in the way', (path) => writeFile(path, 'something else, of some length')],
    ['a link to a database is in the way', (path) => symlink(join(path, '../../timbre.db'), path)],
  ])('that can’t be locked because %s is watched all the same', (_why, block) =>
    withTwo(async (one, other, root) => {
      const watched = await testRoot(root);
      await block(join(root, lockName));
      await watchUntil(one, 'watching', watched);
      await watchUntil(other, 'watching', watched);
    }),
  );
});

const isRoot = process.getuid?.() === 0 && process.platform === 'linux';

describe.skipIf(!isRoot)('where disks are mounted (needs Linux and root, to write there)', () => {
  it.each([
    ['is locked unless it is known to be in this machine', 'freebsd', true],
    ['is not locked on a disk of this machine, which could then not be ejected', 'linux', false],
  ] as const)('a folder %s', async (_, platform, isLocked) => {
    await mkdir('/media', { recursive: true });
    const root = await testRoot(await mkdtemp('/media/timbre-'));
    const lock = createFolderLock({
      rules: watchRules(root, platform),
      platform,
      signal: new AbortController().signal,
    });
    try {
      expect(await lock.acquire()).toBeNull();
      expect((await readdir(root.path)).includes(lockName)).toBe(isLocked);
    } finally {
      lock.release();
      await rm(root.path, { recursive: true });
    }
  });
});
