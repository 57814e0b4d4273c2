import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkRoot, markerName, placeMarker } from './root-identity.ts';
import { withTestFolder } from './scanner.fixture.ts';

describe('placeMarker', () => {
  it('writes a marker once and then uses the existing one', () =>
    withTestFolder(async (folder) => {
      const first = await placeMarker(folder);
      expect(first.marker).toMatch(/^[0-9a-f-]{36}$/);
      expect(await placeMarker(folder)).toEqual(first);
    }));

  it('agrees with another process that writes a marker at the same moment', () =>
    withTestFolder(async (folder) => {
      const [one, two] = await Promise.all([placeMarker(folder), placeMarker(folder)]);
      const onDisk = JSON.parse(await readFile(join(folder, markerName), 'utf8')) as { readonly id: string };
      expect([one.marker, two.marker]).toContain(onDisk.id);
    }));

  it('leaves a foreign marker alone, and then compares device and inode', () =>
    withTestFolder(async (folder) => {
      await writeFile(join(folder, markerName), 'of another program');
      const identity = await placeMarker(folder);
      expect(identity.marker).toBeNull();
      expect(await checkRoot(folder, identity)).toBe('present');
      expect(await readFile(join(folder, markerName), 'utf8')).toBe('of another program');
    }));

  it('does not wait for a pipe that has the name of a marker', () =>
    withTestFolder(async (folder) => {
      execFileSync('mkfifo', [join(folder, markerName)]);
      expect((await placeMarker(folder)).marker).toBeNull();
    }));

  it('throws with the reason and the path if a folder cannot be watched', () =>
    withTestFolder(async (folder) => {
      const file = join(folder, 'file');
      await writeFile(file, '');
      await expect(placeMarker(file)).rejects.toMatchObject({
        problem: { code: 'watch/not-a-folder', facts: { folder: file } },
      });
      await expect(placeMarker(join(folder, 'none'))).rejects.toMatchObject({ code: 'watch/missing' });
    }));
});

describe('checkRoot', () => {
  it('detects another folder in its place, and recognizes it when it is back', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      await mkdir(root);
      const identity = await placeMarker(root);
      await rename(root, join(folder, 'away'));
      expect(await checkRoot(root, identity)).toBe('missing');
      await mkdir(root);
      expect(await checkRoot(root, identity)).toBe('another');
      await rm(root, { recursive: true });
      await writeFile(root, '');
      expect(await checkRoot(root, identity)).toBe('another');
      await rm(root);
      await rename(join(folder, 'away'), root);
      expect(await checkRoot(root, identity)).toBe('present');
    }));
});
