import { execFile } from 'node:child_process';
import { accessSync, existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

function isTemporaryFolderCaseless(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'timbre-case-'));
  try {
    return existsSync(join(tmpdir(), folder.slice(tmpdir().length + 1).toUpperCase()));
  } finally {
    rmdirSync(folder);
  }
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    for (const path of ['/usr/sbin/mkfs.exfat', '/sbin/mount.exfat-fuse', '/dev/fuse', '/dev/loop-control'])
      accessSync(path);
    return true;
  } catch {
    return false;
  }
}

const isTemporaryCaseless = isTemporaryFolderCaseless();

/** True if a test can have a folder whose disk ignores case, as most of Windows, macOS and sticks do. */
export const hasCaselessDisk = isTemporaryCaseless || canMount();

const imageBytes = 64 * 1024 ** 2;

/** Mounts a disk of exFAT in the file `image` at the folder `at`. Returns what takes it away. */
async function mountExfat(image: string, at: string): Promise<() => Promise<void>> {
  await writeFile(image, '');
  await truncate(image, imageBytes);
  await run('mkfs.exfat', [image]);
  const device = (await run('losetup', ['--find', '--show', image])).stdout.trim();
  const detach = () => run('losetup', ['--detach', device]);
  try {
    await run('mount.exfat-fuse', [device, at]);
  } catch (error) {
    await detach();
    throw error;
  }
  return async () => {
    await run('umount', ['-l', at]);
    await detach();
  };
}

/** Calls `use` with an empty folder whose disk ignores case. */
export async function withCaselessDisk(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-caseless-'));
  const disk = join(folder, 'disk');
  await mkdir(disk);
  try {
    const unmount = isTemporaryCaseless ? null : await mountExfat(join(folder, 'image'), disk);
    try {
      await use(disk);
    } finally {
      await unmount?.();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}
