import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileIndex, type FileIndex } from './file-index.ts';
import { scanFolder, type ScanOptions } from './tree-scan.ts';
import { testRoot, withTestFolder } from './scanner.fixture.ts';
import { watchRules } from './ignore-rules.ts';

async function scan(root: string, index: FileIndex, changes: Partial<ScanOptions> = {}) {
  const checked: string[] = [];
  const result = await scanFolder({
    rules: watchRules(await testRoot(root), 'linux'),
    index,
    from: '',
    isThorough: true,
    mustCheck: () => false,
    onFile(path, kind) {
      checked.push(`${kind} ${path}`);
      index.setFile(path, kind);
    },
    onFolder: () => undefined,
    isLocal: false,
    monotonic: () => performance.now(),
    signal: new AbortController().signal,
    ...changes,
  });
  return { result, checked: checked.sort() };
}

describe('scanFolder', () => {
  it('checks only new names and files that must be checked unless it is thorough', () =>
    withTestFolder(async (root) => {
      const index = createFileIndex();
      for (const name of ['a.wav', 'b.wav']) await writeFile(join(root, name), 'x');
      await scan(root, index);
      await writeFile(join(root, 'c.wav'), 'x');
      const poll = { isThorough: false, mustCheck: (path: string) => path === 'b.wav' };
      const { checked } = await scan(root, index, poll);
      expect(checked).toEqual(['file b.wav', 'file c.wav']);
    }));

  it('returns the same for a local disk and for a network drive', () =>
    withTestFolder(async (root) => {
      await mkdir(join(root, 'a', 'b'), { recursive: true });
      for (const name of ['1.wav', join('a', '2.wav'), join('a', 'b', '3.wav')]) await writeFile(join(root, name), 'x');
      await symlink('1.wav', join(root, 'link.wav'));
      const local = await scan(root, createFileIndex(), { isLocal: true });
      expect(local).toEqual(await scan(root, createFileIndex()));
      expect(local.checked).toHaveLength(4);
    }));

  it('reports known files and folders that are missing', () =>
    withTestFolder(async (root) => {
      const index = createFileIndex();
      await mkdir(join(root, 'sub'));
      await writeFile(join(root, 'sub', 'a.wav'), 'x');
      await writeFile(join(root, 'b.wav'), 'x');
      await scan(root, index);
      await rm(join(root, 'sub'), { recursive: true });
      await rm(join(root, 'b.wav'));
      const { result } = await scan(root, index);
      expect(result).toMatchObject({ missing: ['b.wav'], missingFolders: ['sub'] });
    }));

  it('reports what is missing on a disk that got another number when it was mounted again', () =>
    withTestFolder(async (root) => {
      const index = createFileIndex();
      await mkdir(join(root, 'mounted', 'sub'), { recursive: true });
      for (const name of ['kept.wav', 'gone.wav', join('sub', 'a.wav')]) {
        await writeFile(join(root, 'mounted', name), 'x');
      }
      await scan(root, index);
      for (const folder of ['mounted', join('mounted', 'sub')]) index.openFolder(folder).device = 'number before';
      await rm(join(root, 'mounted', 'gone.wav'));
      await rm(join(root, 'mounted', 'sub', 'a.wav'));
      const { result } = await scan(root, index);
      expect(result.missing).toEqual([join('mounted', 'gone.wav'), join('mounted', 'sub', 'a.wav')]);
    }));

  it('reports nothing as missing where another disk is mounted', () =>
    withTestFolder(async (root) => {
      const index = createFileIndex();
      await mkdir(join(root, 'mounted'));
      index.setFile(join('mounted', 'a.wav'), 'file');
      index.openFolder('mounted').device = 'of another disk';
      const { result } = await scan(root, index);
      expect(result.missing).toEqual([]);
    }));

  it('keeps two names that differ only in how their accents are written', () =>
    withTestFolder(async (root) => {
      for (const name of ['\u00e9.wav', 'e\u0301.wav', '-x.wav', 'a\nb.wav', '"q".wav', '\u202eRTL.wav', '🎙.wav']) {
        await writeFile(join(root, name), 'x');
      }
      const { checked } = await scan(root, createFileIndex());
      expect(new Set(checked).size).toBe(7);
    }));

  it.runIf(process.platform === 'linux')(
    'reports names that are not valid Unicode, and accepts a valid name with the replacement character',
    () =>
      withTestFolder(async (root) => {
        const latin1 = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
        await mkdir(latin1('Hörer'));
        await writeFile(latin1('Präsentation.wav'), 'x');
        await writeFile(latin1('Präsentation.txt'), 'x');
        await writeFile(join(root, 'good \uFFFD.wav'), 'x');
        for (const isLocal of [true, false]) {
          const { result, checked } = await scan(root, createFileIndex(), { isLocal });
          expect(result.unnameable.toSorted()).toEqual(['H\uFFFDrer', 'Pr\uFFFDsentation.wav']);
          expect([checked, result.unreadable]).toEqual([['file good \uFFFD.wav'], []]);
        }
      }),
  );

  it('rejects with the reason of its signal', () =>
    withTestFolder(async (root) => {
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(scan(root, createFileIndex(), { signal })).rejects.toThrow('enough');
    }));
});

describe('watchRules', () => {
  it('treats a file without blocks as a placeholder on macOS and Windows, and as a sparse file on Linux', async () => {
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

  it('does not reach a folder below one that is ignored or excluded', async () => {
    await withTestFolder(async (root) => {
      const rules = watchRules(await testRoot(root, { excluded: [join(root, 'Out')] }), 'darwin');
      const reached = ['a', join('a', 'b'), 'out', join('Out', 'b'), join('.git', 'b')].filter(rules.reaches);
      expect(reached).toEqual(['a', join('a', 'b')]);
    });
  });
});
