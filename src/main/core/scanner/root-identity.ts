import { randomUUID } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { access, readFile, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { isForbidden, isNotFound, isOutOfHandles, systemCode } from '../files/errno.ts';
import type { RootIdentity } from './scanner.ts';

/** Lies in every watched folder and goes where the folder goes: paths, devices and inodes may all be given to another one. */
export const markerName = '.timbre-folder';

const markerSchema = v.object({ id: v.pipe(v.string(), v.uuid()) });

/** Null for none, and for one that is not ours. Rejects where the system did not answer: that says nothing of the marker. */
async function readMarker(root: string): Promise<string | null> {
  try {
    const parsed = v.safeParse(markerSchema, JSON.parse(await readFile(join(root, markerName), 'utf8')) as unknown);
    return parsed.success ? parsed.output.id : null;
  } catch (error) {
    if (isNotFound(error) || isForbidden(error) || error instanceof SyntaxError || systemCode(error) === 'EISDIR') {
      return null;
    }
    throw error;
  }
}

/** A marker that another program writes at this moment is half there: `wx` leaves it alone, and the second look reads it. */
async function writeMarker(root: string): Promise<string | null> {
  const id = randomUUID();
  try {
    await writeFile(join(root, markerName), `${JSON.stringify({ id })}\n`, { flag: 'wx' });
    return id;
  } catch (error) {
    return systemCode(error) === 'EEXIST' ? readMarker(root) : null;
  }
}

const identityOf = (marker: string | null, { dev, ino }: BigIntStats): RootIdentity => ({
  marker,
  device: String(dev),
  inode: String(ino),
});

/**
 * Gives a folder its marker, or takes the one that it has. Throws `watch/missing`, `watch/not-a-folder` or `watch/unreadable`.
 */
export const placeMarker = (root: string): Promise<RootIdentity> => identify(root, writeMarker);

async function identify(root: string, mark: (root: string) => Promise<string | null>): Promise<RootIdentity> {
  const facts = { folder: root };
  try {
    const stats = await stat(root, { bigint: true });
    if (!stats.isDirectory()) throw new AppError('watch/not-a-folder', 'the path is no folder', { facts });
    await access(root, constants.R_OK | constants.X_OK);
    return identityOf((await readMarker(root)) ?? (await mark(root)), stats);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = isNotFound(error) ? 'watch/missing' : 'watch/unreadable';
    throw new AppError(code, 'the folder can’t be looked into', { cause: error, facts });
  }
}

const hasSameInode = ({ dev, ino }: BigIntStats, { device, inode }: RootIdentity) =>
  String(dev) === device && String(ino) === inode;

/** As `placeMarker`, but writes nothing: for a look at a folder that may never be watched. */
export async function rootIdentity(root: string): Promise<RootIdentity> {
  return identify(root, () => Promise.resolve(null));
}

/** What stands at a root's path. Never rejects: a drive that answers with an error is `unreadable`. */
export async function checkRoot(
  root: string,
  identity: RootIdentity,
): Promise<'there' | 'missing' | 'another' | 'unreadable'> {
  let stats: BigIntStats | null = null;
  try {
    stats = await stat(root, { bigint: true });
    if (!stats.isDirectory()) return 'another';
    await access(root, constants.R_OK | constants.X_OK);
    const isSame =
      identity.marker === null ? hasSameInode(stats, identity) : (await readMarker(root)) === identity.marker;
    return isSame ? 'there' : 'another';
  } catch (error) {
    if (isNotFound(error)) return 'missing';
    // No handle is left to read the marker with, which says nothing of the folder.
    return isOutOfHandles(error) && stats && hasSameInode(stats, identity) ? 'there' : 'unreadable';
  }
}

/**
 * File systems that other machines write to, or programs (`statfs(2)`, linux/magic.h). A file of our own making makes an event there
 * like anywhere; what others do makes none.
 */
const distantTypes: ReadonlySet<number> = new Set([
  0x69_69, // NFS
  0x51_7b, // SMB
  0xff_53_4d_42, // CIFS
  0xfe_53_4d_42, // SMB 2
  0x65_73_55_46, // FUSE: sshfs, rclone, cloud drives
  0x01_02_19_97, // 9P
  0x00_c3_64_00, // Ceph
  0x53_46_41_4f, // AFS
]);

export type DriveKind =
  /** In this machine: all that happens there makes events, and the disk answers at once. */
  | 'local'
  | 'network'
  /** Systems other than Linux number the types as they like. */
  | 'unknown';

/** Where a folder lies. Never rejects. */
export async function driveKind(folder: string, platform: NodeJS.Platform): Promise<DriveKind> {
  if (platform !== 'linux') return 'unknown';
  try {
    const { type } = await statfs(folder);
    // Some systems give the number as a negative one.
    return distantTypes.has(type >>> 0) ? 'network' : 'local';
  } catch {
    return 'unknown';
  }
}
