import { statfs } from 'node:fs/promises';

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
