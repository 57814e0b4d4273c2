import { copyFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasCaselessDisk, withCaselessDisk } from '../files/caseless-disk.fixture.ts';
import { createLocalScanner } from './local-scanner.ts';
import { markerName } from './root-identity.ts';
import { awaitAllStable, logEvents, testRoot, wavBytes, withScanner, withTestFolder } from './scanner.fixture.ts';

const isWatching = ({ status }: { readonly status: { readonly mode: string } }) => status.mode === 'watching';

describe('the first scan', () => {
  it.concurrent('reports every file, and how many names are ignored', () =>
    withScanner(async ({ scanner, log, root }) => {
      const watched = await testRoot(root);
      await mkdir(join(root, 'a', 'b'), { recursive: true });
      await writeFile(join(root, 'one.wav'), wavBytes(0.1));
      await writeFile(join(root, 'a', 'b', 'two.WAV'), wavBytes(0.1));
      await writeFile(join(root, 'a', 'three.txt'), 'no sound');
      scanner.watch(watched);
      expect(await log.waitFor('scanned')).toMatchObject({ ignored: 1 });
      const paths = log.of('discovered').flatMap(({ files }) => files.map(({ path }) => path));
      expect(paths.sort()).toEqual([join('a', 'b', 'two.WAV'), 'one.wav']);
      await log.waitFor('status', isWatching);
      expect(log.of('status').map(({ status }) => status.mode)).toEqual(['starting', 'watching']);
    }),
  );

  it.concurrent('neither reads nor follows a link to a file or folder outside the root', () =>
    withScanner(async ({ scanner, log, folder, root }) => {
      const watched = await testRoot(root);
      await mkdir(join(folder, 'outside'));
      await writeFile(join(folder, 'outside', 'secret.wav'), wavBytes(0.1));
      await symlink(join(folder, 'outside', 'secret.wav'), join(root, 'link.wav'));
      await symlink(join(folder, 'outside'), join(root, 'linked-folder.wav'));
      await symlink(root, join(root, 'loop'));
      awaitAllStable(scanner);
      scanner.watch(watched);
      await log.waitFor('scanned');
      const discovered = log.of('discovered').flatMap(({ files }) => files);
      expect(discovered.map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
        'link link.wav',
        'link linked-folder.wav',
      ]);
      // Even on request.
      scanner.awaitStable('root', ['link.wav']);
      expect(await log.waitFor('rejected')).toMatchObject({ path: 'link.wav', problem: { code: 'input/not-a-file' } });
      expect(log.of('stable')).toEqual([]);
    }),
  );

  it('ignores an excluded folder that is reached through a link', () =>
    withScanner(async ({ scanner, log, folder, root }) => {
      await symlink(root, join(folder, 'link'));
      const watched = await testRoot(root, { excluded: [join(folder, 'link/results')] });
      for (const name of ['results', 'kept']) {
        await mkdir(join(root, name));
        await writeFile(join(root, name, 'a.wav'), wavBytes(0.1));
      }
      scanner.watch(watched);
      await log.waitFor('scanned');
      expect(log.of('discovered').flatMap(({ files }) => files.map(({ path }) => path))).toEqual([
        join('kept', 'a.wav'),
      ]);
    }));

  it.skipIf(!hasCaselessDisk)(
    'ignores an excluded folder that has other letters, where case does not count (skipped without exFAT)',
    () =>
      withCaselessDisk((disk) =>
        withScanner(async ({ scanner, log }) => {
          const root = join(disk, 'root');
          const watched = await testRoot(root, { excluded: [join(root, 'Done')] });
          await mkdir(join(root, 'done'));
          await writeFile(join(root, 'done/a.wav'), wavBytes(0.1));
          scanner.watch(watched);
          await log.waitFor('scanned');
          expect(log.of('discovered')).toEqual([]);
          await scanner.stop();
        }),
      ),
  );

  it.concurrent('ignores excluded folders, hidden and temporary names', () =>
    withScanner(async ({ scanner, log, root }) => {
      const watched = await testRoot(root, { excluded: [join(root, 'results')] });
      for (const name of ['results', '.cache', '_UNPACK_x', '@eaDir', 'kept']) {
        await mkdir(join(root, name));
        await writeFile(join(root, name, 'a.wav'), wavBytes(0.1));
      }
      for (const name of ['.hidden.wav', '._a.wav', '~$a.wav']) await writeFile(join(root, name), wavBytes(0.1));
      scanner.watch(watched);
      await log.waitFor('scanned');
      expect(log.of('discovered').flatMap(({ files }) => files.map(({ path }) => path))).toEqual([
        join('kept', 'a.wav'),
      ]);
    }),
  );
});

describe('a clock that is changed', () => {
  it.concurrent('does not make a file older: one that was just written must still become quiet', () =>
    withTestFolder(async (folder) => {
      let setBy = 0;
      const clock = { monotonic: () => performance.now(), wallNow: () => Date.now() + setBy };
      const scanner = createLocalScanner({ clock });
      const log = logEvents(scanner);
      const watched = await testRoot(join(folder, 'root'));
      awaitAllStable(scanner);
      scanner.watch(watched);
      await log.waitFor('status', isWatching);
      for (const [name, by] of [
        ['forwards.wav', 3_600_000],
        ['back.wav', -7_200_000],
      ] as const) {
        setBy += by;
        await writeFile(join(watched.path, name), wavBytes(0.1));
        await log.waitFor('waiting', ({ path, wait }) => path === name && wait.kind === 'quiet');
        await log.waitFor('stable', ({ file }) => file.path === name);
      }
      expect(log.of('stable')).toHaveLength(2);
      await scanner.stop();
    }),
  );
});

describe('a root that disappears', () => {
  it.concurrent(
    'is offline, reports no file as deleted, not even with an empty folder in its place, and continues when it is back',
    () =>
      withScanner(async ({ scanner, log, folder, root }) => {
        const watched = await testRoot(root);
        await mkdir(join(root, 'sub'));
        await writeFile(join(root, 'sub', 'a.wav'), wavBytes(0.1));
        await writeFile(join(root, 'b.wav'), wavBytes(0.1));
        scanner.watch(watched);
        await log.waitFor('status', isWatching);
        log.clear();

        await rename(root, join(folder, 'away'));
        const missing = await log.waitFor('status', ({ status }) => status.mode === 'offline');
        expect(missing.status.problems).toEqual([{ code: 'watch/missing', facts: { folder: root } }]);
        await mkdir(root);
        await log.waitFor('status', ({ status }) => status.problems[0]?.code === 'watch/another-folder');
        await rm(root, { recursive: true });
        await rename(join(folder, 'away'), root);
        await writeFile(join(root, 'sub', 'new.wav'), wavBytes(0.1));
        await log.waitFor('discovered', ({ files }) => files.some(({ path }) => path === join('sub', 'new.wav')));
        await log.waitFor('status', isWatching);
        expect(log.of('deleted')).toEqual([]);
        // Known files are not reported again.
        expect(log.of('discovered').flatMap(({ files }) => files.map(({ path }) => path))).toEqual([
          join('sub', 'new.wav'),
        ]);
      }),
  );

  it.concurrent('keeps its marker, which moves with it', () =>
    withScanner(async ({ root }) => {
      const { identity } = await testRoot(root);
      expect(JSON.parse(await readFile(join(root, '.timbre-folder'), 'utf8'))).toEqual({ id: identity.marker });
    }),
  );
});

describe('a root whose path is a link', () => {
  it.concurrent('is watched by events, also once it leads elsewhere', () =>
    withScanner(async ({ scanner, log, folder, root }) => {
      const [first, second] = [join(folder, 'first'), join(folder, 'second')];
      const { identity } = await testRoot(first);
      await mkdir(second);
      await copyFile(join(first, markerName), join(second, markerName));
      await symlink(first, root);
      scanner.watch({ ...(await testRoot(root)), identity });
      const { status } = await log.waitFor('status', ({ status: { mode } }) => mode !== 'starting');
      expect(status).toMatchObject({ mode: 'watching', problems: [] });
      await writeFile(join(first, 'one.wav'), wavBytes(0.1));
      await log.waitFor('discovered', ({ files }) => files.some(({ path }) => path === 'one.wav'));
      await rm(root);
      await symlink(second, root);
      await writeFile(join(second, 'two.wav'), wavBytes(0.1));
      await log.waitFor('discovered', ({ files }) => files.some(({ path }) => path === 'two.wav'));
      expect(log.of('status').filter(({ status: { mode } }) => mode === 'polling')).toEqual([]);
    }),
  );
});

describe('files and folders that disappear', () => {
  it.concurrent('reports files that are deleted, alone or with their folder', () =>
    withScanner(async ({ scanner, log, root }) => {
      const watched = await testRoot(root);
      await mkdir(join(root, 'sub', 'deep'), { recursive: true });
      await writeFile(join(root, 'a.wav'), wavBytes(0.1));
      await writeFile(join(root, 'sub', 'deep', 'b.wav'), wavBytes(0.1));
      scanner.watch(watched);
      await log.waitFor('status', isWatching);
      await rm(join(root, 'a.wav'));
      await log.waitFor('deleted', ({ paths }) => paths.includes('a.wav'));
      await rm(join(root, 'sub'), { recursive: true });
      await log.waitFor('deleted', ({ paths }) => paths.includes(join('sub', 'deep', 'b.wav')));
      expect(log.of('deleted').flatMap(({ paths }) => paths)).toHaveLength(2);
    }),
  );

  it.concurrent('finds files in a folder that was moved within the root', () =>
    withScanner(async ({ scanner, log, root }) => {
      const watched = await testRoot(root);
      await mkdir(join(root, 'old'));
      await writeFile(join(root, 'old', 'a.wav'), wavBytes(0.1));
      scanner.watch(watched);
      await log.waitFor('status', isWatching);
      await rename(join(root, 'old'), join(root, 'new'));
      await log.waitFor('deleted', ({ paths }) => paths.includes(join('old', 'a.wav')));
      await log.waitFor('discovered', ({ files }) => files.some(({ path }) => path === join('new', 'a.wav')));
      await writeFile(join(root, 'new', 'b.wav'), wavBytes(0.1));
      await log.waitFor('discovered', ({ files }) => files.some(({ path }) => path === join('new', 'b.wav')));
    }),
  );

  it.concurrent('ends the wait of a file that is deleted at the gate', () =>
    withScanner(async ({ scanner, log, root }) => {
      const watched = await testRoot(root);
      awaitAllStable(scanner);
      scanner.watch(watched);
      await log.waitFor('status', isWatching);
      await writeFile(join(root, 'a.wav'), wavBytes(0.1));
      await log.waitFor('waiting');
      await rm(join(root, 'a.wav'));
      expect((await log.waitFor('deleted')).paths).toEqual(['a.wav']);
      expect(log.of('stable')).toEqual([]);
    }),
  );
});

describe('stop', () => {
  it.concurrent('wins every race: nothing is emitted afterwards, whatever is running', async () => {
    for (const waitMs of [0, 1, 5, 20, 100, 200]) {
      await withScanner(async ({ scanner, log, root }) => {
        const watched = await testRoot(root);
        for (let at = 0; at < 20; at += 1) await writeFile(join(root, `${at}.wav`), wavBytes(0.1));
        awaitAllStable(scanner);
        scanner.watch(watched);
        scanner.probeDurations('root', ['1.wav', '2.wav']);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        await scanner.stop();
        log.clear();
        await writeFile(join(root, 'late.wav'), wavBytes(0.1));
        scanner.awaitStable('root', ['late.wav']);
        scanner.rescan();
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect(log.events).toEqual([]);
      });
    }
  });
});
