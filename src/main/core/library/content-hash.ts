import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

// Windows has neither flag.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants as Readonly<Record<string, number | undefined>>;
const unfollowed = (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK;
const chunkBytes = 1024 * 1024;

/**
 * SHA-256 of a file, as hex; null where it is no plain file of `sizeBytes`, or did not stay one while it was read. A link is not
 * followed, and a pipe keeps nobody waiting. Rejects as the system does (`ELOOP` for a link), and with the signal's reason.
 */
export async function contentHash(path: string, sizeBytes: number, signal: AbortSignal): Promise<string | null> {
  const file = await open(path, unfollowed);
  try {
    const before = await file.stat({ bigint: true });
    if (!before.isFile() || Number(before.size) !== sizeBytes) return null;
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, sizeBytes + 1));
    for (let position = 0; ;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) break;
      hash.update(chunk.subarray(0, bytesRead));
      position += bytesRead;
      await nextTurn();
    }
    const after = await file.stat({ bigint: true });
    return after.size === before.size && after.mtimeNs === before.mtimeNs ? hash.digest('hex') : null;
  } finally {
    await file.close();
  }
}
