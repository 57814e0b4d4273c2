import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { codeOf } from './output-error.ts';

/** Which file it is, whatever its name. Decimal strings: inode numbers are longer than a JavaScript number is exact. */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
}

/** What stands at a name. */
export interface Standing {
  readonly identity: FileIdentity;
  /** False for folders, links, pipes and whatever else is no plain file. */
  readonly isFile: boolean;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export const identityOf = ({ dev, ino }: BigIntStats): FileIdentity => ({ device: String(dev), inode: String(ino) });

/** Some network drives, above all of Windows, give no inode numbers: all of their files have 0. */
export const hasInode = ({ inode }: FileIdentity): boolean => inode !== '0' && inode !== '';

/** Whether it is certainly the same file. */
export const isSame = (one: FileIdentity, other: FileIdentity): boolean =>
  hasInode(one) && one.device === other.device && one.inode === other.inode;

/** What stands at this name itself, a link not followed; null where nothing does. */
export async function standingAt(path: string): Promise<Standing | null> {
  try {
    const stats = await lstat(path, { bigint: true });
    return {
      identity: identityOf(stats),
      isFile: stats.isFile(),
      sizeBytes: Number(stats.size),
      modifiedMs: Number(stats.mtimeMs),
    };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
