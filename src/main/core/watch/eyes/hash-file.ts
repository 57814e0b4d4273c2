import { createHash } from 'node:crypto';
import { lstat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../../../../shared/problem.ts';
import { fileSource } from '../../../../sound/container-check.ts';
import { checkComplete } from './complete.ts';
import type { Signature } from './eyes.ts';
import { openUnfollowed } from './open-unfollowed.ts';
import { isSameSignature, signatureOf } from './signature.ts';

export type HashedFile =
  | { readonly kind: 'ready'; readonly sha256: string; readonly durationSeconds: number | null }
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** It is not, or did not stay, the file that was expected. */
  | { readonly kind: 'changed' }
  /** Whole so far, and nothing says that its writer is done: it ends in nothing, or its container leaves its end open. */
  | { readonly kind: 'hollow' };

interface Order {
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  /** What the file was when it was found fit. */
  readonly expected: Signature;
  /** Somebody may be writing to it: then one that is hollow is not taken, nor one without the mark of its end. */
  readonly mayBeOpen: boolean;
  /** It was quiet for as long as anybody can wait. Until then one is not taken whose header still leaves its length open. */
  readonly hasWaited: boolean;
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal;
}

const chunkBytes = 256 * 1024;
/** An eighth of the file, between these: what was not written is zero, and so is a moment of silence. */
const leastEndBytes = 4096;
const mostEndBytes = 65_536;

const isSameFile = async (file: FileHandle, expected: Signature) => {
  const stats = await file.stat({ bigint: true });
  const signature = signatureOf(stats);
  return stats.isFile() && signature.device === expected.device && isSameSignature(signature, expected);
};

/** Of all bytes as hex; null where there are fewer or more than expected. */
async function sha256Of(file: FileHandle, bytes: number, signal: AbortSignal): Promise<string | null> {
  const hash = createHash('sha256');
  // One byte more than expected shows that there is more.
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, bytes + 1));
  let position = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
  return position === bytes ? hash.digest('hex') : null;
}

async function isHollow(file: FileHandle, bytes: number): Promise<boolean> {
  const end = Buffer.alloc(Math.min(bytes, Math.max(leastEndBytes, Math.min(Math.floor(bytes / 8), mostEndBytes))));
  await file.read(end, 0, end.length, bytes - end.length);
  return end.every((byte) => byte === 0);
}

/**
 * Reads a file to its end: is it complete sound, and what is its hash? What is told is true of the file `expected`, which stands at the
 * path before and after; anything else is `changed`. Rejects as the system does, and with the signal's reason.
 */
export async function hashFile(order: Order): Promise<HashedFile> {
  const { root, path, expected, mayBeOpen, hasWaited, platform, signal } = order;
  const file = await openUnfollowed(root, path, platform);
  if (!file) return { kind: 'changed' };
  try {
    if (!(await isSameFile(file, expected))) return { kind: 'changed' };
    const complete = await checkComplete(fileSource(file, expected.sizeBytes), path);
    if (complete.kind === 'complete' && !hasWaited) {
      // A recorder that is done writes the length into its header; a missing mark of the end is common in files that are done.
      if (complete.open === 'length' || (complete.open === 'end' && mayBeOpen)) return { kind: 'hollow' };
      if (mayBeOpen && (await isHollow(file, expected.sizeBytes))) return { kind: 'hollow' };
    }
    const sha256 = complete.kind === 'complete' ? await sha256Of(file, expected.sizeBytes, signal) : '';
    signal.throwIfAborted();
    const after = signatureOf(await lstat(join(root, path), { bigint: true }));
    const isUnchanged = (await isSameFile(file, expected)) && isSameSignature(after, expected);
    if (!isUnchanged || sha256 === null) return { kind: 'changed' };
    return complete.kind === 'complete'
      ? { kind: 'ready', sha256, durationSeconds: complete.durationSeconds }
      : complete;
  } finally {
    await file.close();
  }
}
