import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileIndex, type FileIndex } from './file-index.ts';
import { scanFolder, type ScanOrder } from './tree-scan.ts';
import { testRoot, withTestFolder } from './scanner.fixture.ts';
import { watchRules } from './ignore-rules.ts';

async function scanning(root: string, index: FileIndex, changes: Partial<ScanOrder> = {}) {
  const looked: string[] = [];
  const scan = await scanFolder({
    rules: watchRules(await testRoot(root), 'linux'),
    index,
    from: '',
    isThorough: true,
    isFresh: () => false,
    onFile(path, kind) {
      looked.push(`${kind} ${path}`);
      index.putFile(path, kind);
    },
    onFolder: () => undefined,
    isLocal: false,
    monotonic: () => performance.now(),
    signal: new AbortController().signal,
    ...changes,
  });
  return { scan, looked: looked.sort() };
}

describe('scanFolder', () => {
  it('looks at new names only where it is not thorough, and at those that are fresh', () =>
    withTestFolder(async (root) => {
      const index = createFileIndex();
      for (const name of ['a.wav', 'b.wav']) await writeFile(join(root, name), 'x');
      await scanning(root, index);
      await writeFile(join(root, 'c.wav'), 'x');
      const poll = { isThorough: false, isFresh: (path: string) => path === 'b.wav' };
      const { scan, looked } = await scanning(root, index, poll);
      expect(looked).toEqual(['file b.wav', 'file c.wav']);
      expect(scan.files).toBe(3);
    }));

  it('gives the same answer for a disk in this machine and for a drive in the network', () =>
    withTestFolder(async (root) => {
      await mkdir(join(root, 'a', 'b'), { recursive: true });
      for (const name of ['1.wav', join('a', '2.wav'), join('a', 'b', '3.wav')]) await writeFile(join(root, name), 'x');
      await symlink('1.wav', join(root, 'link.wav'));
      const local = await scanning(root, createFileIndex(), { isLocal: true });
      expect(local).toEqual(await scanning(root, createFileIndex()));
      expect(local.looked).toHaveLength(4);
    }));

  it('misses files and folders that it knew', () =>
    withTestFolder(async (root) => {
      const index = createFileIndex();
      await mkdir(join(root, 'sub'));
      await writeFile(join(root, 'sub', 'a.wav'), 'x');
      await writeFile(join(root, 'b.wav'), 'x');
      await scanning(root, index);
      await rm(join(root, 'sub'), { recursive: true });
      await rm(join(root, 'b.wav'));
      const { scan } = await scanning(root, index);
      expect(scan).toMatchObject({ missing: ['b.wav'], missingFolders: ['sub'] });
    }));

  it('misses what was deleted on a disk that has another number since it was mounted again', () =>
    withTestFolder(async (root) => {
      const index = createFileIndex();
      await mkdir(join(root, 'mounted', 'sub'), { recursive: true });
      for (const name of ['kept.wav', 'gone.wav', join('sub', 'a.wav')]) {
        await writeFile(join(root, 'mounted', name), 'x');
      }
      await scanning(root, index);
      for (const folder of ['mounted', join('mounted', 'sub')]) index.open(folder).device = 'number before';
      await rm(join(root, 'mounted', 'gone.wav'));
      await rm(join(root, 'mounted', 'sub', 'a.wav'));
      const { scan } = await scanning(root, index);
      expect(scan.missing).toEqual([join('mounted', 'gone.wav'), join('mounted', 'sub', 'a.wav')]);
    }));

  it('misses nothing where another disk lies in the place of a folder', () =>
    withTestFolder(async (root) => {
      const index = createFileIndex();
      await mkdir(join(root, 'mounted'));
      index.putFile(join('mounted', 'a.wav'), 'file');
      index.open('mounted').device = 'of another disk';
      const { scan } = await scanning(root, index);
      expect(scan.missing).toEqual([]);
    }));

  it('keeps two names that differ only in how their accents are written', () =>
    withTestFolder(async (root) => {
      for (const name of ['\u00e9.wav', 'e\u0301.wav', '-x.wav', 'a\nb.wav', '"q".wav', '\u202eRTL.wav', '🎙.wav']) {
        await writeFile(join(root, name), 'x');
      }
      const { looked } = await scanning(root, createFileIndex());
      expect(new Set(looked).size).toBe(7);
    }));

  it.runIf(process.platform === 'linux')('says which names are no text, and takes a good name with the same sign', () =>
    withTestFolder(async (root) => {
      const latin1 = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
      await mkdir(latin1('Hörer'));
      await writeFile(latin1('Präsentation.wav'), 'x');
      await writeFile(latin1('Präsentation.txt'), 'x');
      await writeFile(join(root, 'good \uFFFD.wav'), 'x');
      for (const isLocal of [true, false]) {
        const { scan, looked } = await scanning(root, createFileIndex(), { isLocal });
        expect(scan.unnameable.toSorted()).toEqual(['H\uFFFDrer', 'Pr\uFFFDsentation.wav']);
        expect([looked, scan.unreadable]).toEqual([['file good \uFFFD.wav'], []]);
      }
    }),
  );

  it('ends with the reason of its signal', () =>
    withTestFolder(async (root) => {
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(scanning(root, createFileIndex(), { signal })).rejects.toThrow('enough');
    }));
});

describe('watchRules', () => {
  it('takes a file without a block for a placeholder on systems of clouds, and for a sparse file on Linux', async () => {
    await withTestFolder(async (root) => {
      const watched = await testRoot(root);
      const stats = { isSymbolicLink: () => false, isFile: () => true, size: 5n, blocks: 0n };
      const kindOn = (platform: NodeJS.Platform) => watchRules(watched, platform).kindOf(stats as never);
      expect(['darwin', 'win32', 'linux'].map((platform) => kindOn(platform as NodeJS.Platform))).toEqual([
        'placeholder',
        'placeholder',
        'file',
      ]);
    });
  });

  it('reaches no folder below one that is passed over or excluded', async () => {
    await withTestFolder(async (root) => {
      const rules = watchRules(await testRoot(root, { excluded: [join(root, 'Out')] }), 'darwin');
      const reached = ['a', join('a', 'b'), 'out', join('Out', 'b'), join('.git', 'b')].filter(rules.reaches);
      expect(reached).toEqual(['a', join('a', 'b')]);
    });
  });
});
