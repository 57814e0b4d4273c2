import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkRoot, createRootCheck, driveKind, isFuseDisk, markerName, placeMarker } from './root-identity.ts';
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

describe('createRootCheck', () => {
  it('detects another marker and another folder each time, although it need not read the same marker twice', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      const marker = join(root, markerName);
      await mkdir(root);
      const identity = await placeMarker(root);
      const check = createRootCheck(root, identity);
      const twice = async () => [await check(), await check()];
      expect(await twice()).toEqual(['present', 'present']);

      const { atime, mtime } = await stat(marker);
      const text = await readFile(marker, 'utf8');
      await writeFile(marker, text.replace(identity.marker ?? '', '00000000-0000-4000-8000-000000000000'));
      await utimes(marker, atime, mtime);
      expect(await twice()).toEqual(['another', 'another']);
      await writeFile(marker, text);
      expect(await twice()).toEqual(['present', 'present']);

      await rename(root, join(folder, 'away'));
      expect(await twice()).toEqual(['missing', 'missing']);
      await mkdir(root);
      expect(await twice()).toEqual(['another', 'another']);
      await rm(root, { recursive: true });
      await rename(join(folder, 'away'), root);
      expect(await twice()).toEqual(['present', 'present']);
    }));
});

describe('a path that leads nowhere', () => {
  it('is a folder that is missing, not one that Timbre may not open', () =>
    withTestFolder(async (folder) => {
      const root = join(folder, 'root');
      await mkdir(root);
      const identity = await placeMarker(root);
      await rm(root, { recursive: true });
      // Like a dead drive it exists, and every call fails.
      await symlink(root, root);
      expect(await checkRoot(root, identity)).toBe('missing');
      await expect(placeMarker(root)).rejects.toMatchObject({ code: 'watch/missing' });
    }));
});

describe('driveKind', () => {
  it('knows a disk of this machine, and nothing on other systems', () =>
    withTestFolder(async (folder) => {
      expect(await driveKind(folder, 'linux')).toBe('local');
      expect(await driveKind(folder, 'darwin')).toBe('unknown');
      expect(await driveKind(join(folder, 'none'), 'linux')).toBe('unknown');
    }));

  it('tells a disk that a program serves from a drive elsewhere, by the type of its mount', () => {
    const mounts = [
      '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
      '42 27 7:0 / /media/stick rw,relatime - fuseblk /dev/loop0 rw,user_id=0,group_id=0,allow_other,blksize=4096',
      '43 27 259:1048575 / /media/disk rw,nosuid shared:7 - fuseblk /dev/nvme0n1p9 rw,user_id=0',
      '44 27 0:53 / /home/user/server rw,nosuid - fuse.sshfs server:/home rw,user_id=0',
      '45 27 0:54 / /run/user/0/doc rw,nosuid - fuse.portal portal rw,user_id=0',
    ].join('\n');
    expect(isFuseDisk(0x700n, mounts)).toBe(true);
    // 259:1048575, as stat packs it.
    expect(isFuseDisk(0xfff1_03ffn, mounts)).toBe(true);
    expect(isFuseDisk(53n, mounts)).toBe(false);
    expect(isFuseDisk(54n, mounts)).toBe(false);
    expect(isFuseDisk(99n, mounts)).toBe(false);
    expect(isFuseDisk(0x700n, '')).toBe(false);
  });
});
