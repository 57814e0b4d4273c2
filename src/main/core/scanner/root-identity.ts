import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { access, readFile, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { openFile } from '../files/content.ts';
import { errnoOf, isForbidden, isNotFound, isOutOfHandles } from '../files/errno.ts';
import { signatureOf, signatureText } from '../files/identity.ts';
import type { RootIdentity } from './scanner.ts';

/** A file in every watched folder that moves with it: paths, devices and inodes may all be reused by another folder. */
export const markerName = '.timbre-folder';

/**
 * The file in every watched folder that its watcher keeps locked. It is never removed: another process may have just
 * locked it.
 */
export const lockName = '.timbre-folder.lock';

const markerSchema = v.object({ id: v.pipe(v.string(), v.uuid()) });

/** Returns null if there is no marker of ours. Rejects if it could not be read, because then it may exist. */
async function readMarker(root: string): Promise<string | null> {
  try {
    const file = await openFile(join(root, markerName));
    try {
      const parsed = v.safeParse(markerSchema, JSON.parse(await file.readFile('utf8')) as unknown);
      return parsed.success ? parsed.output.id : null;
    } finally {
      await file.close();
    }
  } catch (error) {
    const isForeign = error instanceof SyntaxError || (error instanceof AppError && error.code === 'input/not-a-file');
    if (isForeign || isNotFound(error) || isForbidden(error)) return null;
    throw error;
  }
}

/** Another process may write a marker at this moment: `wx` does not overwrite it, and it is read again. */
async function writeMarker(root: string): Promise<string | null> {
  const id = randomUUID();
  try {
    await writeFile(join(root, markerName), `${JSON.stringify({ id })}\n`, { flag: 'wx' });
    return id;
  } catch (error) {
    return errnoOf(error) === 'EEXIST' ? readMarker(root) : null;
  }
}

const identityOf = (marker: string | null, { dev, ino }: BigIntStats): RootIdentity => ({
  marker,
  device: String(dev),
  inode: String(ino),
});

/** Writes a marker into a folder unless it has one. Throws `watch/missing`, `watch/not-a-folder` or `watch/unreadable`. */
export const placeMarker = (root: string): Promise<RootIdentity> => identify(root, writeMarker);

async function identify(root: string, createMarker: (root: string) => Promise<string | null>): Promise<RootIdentity> {
  const facts = { folder: root };
  try {
    const stats = await stat(root, { bigint: true });
    if (!stats.isDirectory()) throw new AppError('watch/not-a-folder', 'the path is not a folder', { facts });
    await access(root, constants.R_OK | constants.X_OK);
    return identityOf((await readMarker(root)) ?? (await createMarker(root)), stats);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = isForbidden(error) || isOutOfHandles(error) ? 'watch/unreadable' : 'watch/missing';
    throw new AppError(code, 'the folder can’t be looked into', { cause: error, facts });
  }
}

const hasSameInode = ({ dev, ino }: BigIntStats, { device, inode }: RootIdentity) =>
  String(dev) === device && String(ino) === inode;

/** Like `placeMarker`, but writes nothing: for previews of a folder that may never be watched. */
export async function rootIdentity(root: string): Promise<RootIdentity> {
  return identify(root, () => Promise.resolve(null));
}

export type RootState = 'present' | 'missing' | 'another' | 'unreadable';

/** Checks what is at a root's path. Never rejects: a drive that fails, or is pulled out, is `missing` until it answers. */
export async function checkRoot(root: string, identity: RootIdentity): Promise<RootState> {
  let stats: BigIntStats | null = null;
  try {
    stats = await stat(root, { bigint: true });
    if (!stats.isDirectory()) return 'another';
    await access(root, constants.R_OK | constants.X_OK);
    const isSame =
      identity.marker === null ? hasSameInode(stats, identity) : (await readMarker(root)) === identity.marker;
    return isSame ? 'present' : 'another';
  } catch (error) {
    // The marker cannot be read without a free handle, so only device and inode are compared.
    if (isOutOfHandles(error)) return stats && hasSameInode(stats, identity) ? 'present' : 'unreadable';
    return isForbidden(error) ? 'unreadable' : 'missing';
  }
}

/** Stays the same only while the same folder is at the path, with the same permissions and marker; null if there is none. */
async function fingerprint(root: string): Promise<string | null> {
  try {
    const paths = [root, join(root, markerName)];
    const found = await Promise.all(paths.map((path) => stat(path, { bigint: true })));
    return found.map((stats) => `${stats.dev}:${signatureText(signatureOf(stats))}`).join(' ');
  } catch {
    return null;
  }
}

/** Returns a `checkRoot` to be called every few seconds, which reads the marker only if it may be another one. */
export function createRootCheck(root: string, identity: RootIdentity): () => Promise<RootState> {
  let present: string | null = null;
  return async () => {
    const found = await fingerprint(root);
    if (found !== null && found === present) return 'present';
    const state = await checkRoot(root, identity);
    present = state === 'present' ? found : null;
    return state;
  };
}

/**
 * File systems that other machines or programs write to (`statfs(2)`, linux/magic.h). Only our own changes make
 * events there.
 */
const remoteTypes: ReadonlySet<number> = new Set([
  0x69_69, // NFS
  0x51_7b, // SMB
  0xff_53_4d_42, // CIFS
  0xfe_53_4d_42, // SMB 2
  0x01_02_19_97, // 9P
  0x00_c3_64_00, // Ceph
  0x53_46_41_4f, // AFS
]);

/** File systems of programs: of sshfs, rclone and cloud drives, but also of disks with NTFS or exFAT. */
const fuseType = 0x65_73_55_46;

export type DriveKind =
  /** In this machine: every change makes an event, and the disk answers at once. */
  | 'local'
  /** In this machine, but served by a program, which may be slow and makes inode numbers up. */
  | 'local-fuse'
  | 'network'
  /** Only Linux numbers the types in a documented way. */
  | 'unknown';

/**
 * True if a device number (`dev` of stat) is that of a disk in this machine which FUSE serves.
 * @param mounts - text of `/proc/self/mountinfo` (proc_pid_mountinfo(5))
 */
export function isFuseDisk(dev: bigint, mounts: string): boolean {
  // How glibc packs the numbers (gnu_dev_major).
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xff_ff_ff_00n);
  const mount = mounts.split('\n').find((line) => line.split(' ')[2] === `${major}:${minor}`);
  return mount?.split(' - ')[1]?.startsWith('fuseblk ') ?? false;
}

/** Returns what kind of drive a folder is on. Never rejects. */
export async function driveKind(folder: string, platform: NodeJS.Platform): Promise<DriveKind> {
  if (platform !== 'linux') return 'unknown';
  try {
    // Some systems return a negative number.
    const type = (await statfs(folder)).type >>> 0;
    if (type !== fuseType) return remoteTypes.has(type) ? 'network' : 'local';
    const [{ dev }, mounts] = await Promise.all([
      stat(folder, { bigint: true }),
      readFile('/proc/self/mountinfo', 'utf8'),
    ]);
    return isFuseDisk(dev, mounts) ? 'local-fuse' : 'network';
  } catch {
    return 'unknown';
  }
}
