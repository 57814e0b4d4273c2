import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type FinishedOutput, isFinishedFile } from './content.ts';
import { inFolder } from './errno.ts';
import { hasInode, fileIdentityOf, isSameFile, fileStampAt } from './identity.ts';
import { makeTemporary, type NameReservation, publishTemporary, removeName, temporaryPathOf } from './publish.ts';

/**
 * A result that is written, then finished, then published. Exactly one of `publish` and `discard`
 * ends it; `discard` after `publish` does nothing. After any failure, including that of `publish`,
 * no final name exists, and `discard` removes the rest. All but `discard` throw `output/…` and
 * `system/too-many-files`.
 */
export interface PendingOutput {
  /** For checking the result before it is published. */
  readonly temporaryPath: string;
  /** Calls run one after the other. */
  write(chunk: Buffer): Promise<void>;
  /** Resolves once the bytes can be read at `temporaryPath`. They may not be on disk yet. */
  flush(): Promise<void>;
  /** Resolves once the bytes are on disk. */
  finish(): Promise<FinishedOutput>;
  /**
   * Publishes the file under the first free name that `claim` offers, and returns its path. Never
   * replaces a file.
   */
  publish(claim: NameReservation): Promise<string>;
  /** Never rejects. `discardTemporary` removes at the next start what could not be removed now. */
  discard(): Promise<void>;
}

/** Network chunks are small; each write costs a trip through the thread pool. */
const flushBytes = 512 * 1024;

/**
 * Opens a temporary file in the result's folder, which must exist: a folder that is made again where its disk
 * was mounted is on another disk. A job has one at a time; it replaces one left by an earlier run of the job.
 * `onWritten` is called each time the system took some of it.
 */
export function openOutput(folderPath: string, jobId: string, onWritten?: () => void): Promise<PendingOutput> {
  const folder = resolve(folderPath);
  return inFolder(folder, async () => {
    const temporaryPath = temporaryPathOf(folder, jobId);
    const file: FileHandle = await makeTemporary(temporaryPath);
    const hash = createHash('sha256');
    let buffered: Buffer[] = [];
    let bufferedBytes = 0;
    let state: 'writing' | 'finished' | 'published' | 'failed' | 'discarded' = 'writing';
    let finished: FinishedOutput | undefined;
    let isOpen = true;
    let lastStep: Promise<unknown> = Promise.resolve();

    const closeFile = async () => {
      if (!isOpen) return;
      isOpen = false;
      await file.close();
    };

    const flush = async () => {
      const chunks = buffered;
      const byteCount = bufferedBytes;
      buffered = [];
      bufferedBytes = 0;
      if (chunks.length === 0) return;
      const { bytesWritten } = await file.writev(chunks);
      // A nearly full disk accepts a part; writing the rest reports the error.
      if (bytesWritten < byteCount) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
      onWritten?.();
    };

    /**
     * Keeps a failed file failed: the system may report lost bytes only once, so that a retry would
     * seem to succeed.
     */
    const step = <T>(expected: typeof state, work: () => Promise<T>): Promise<T> => {
      const done = inFolder(folder, () => {
        if (state !== expected) throw new Error(`an output that is ${state}, not ${expected}`);
        return work().catch((error: unknown) => {
          if (state !== 'discarded') state = 'failed';
          throw error;
        });
      });
      lastStep = done.catch(() => undefined);
      return done;
    };

    return {
      temporaryPath,
      write: (chunk) =>
        step('writing', async () => {
          hash.update(chunk);
          buffered.push(chunk);
          bufferedBytes += chunk.length;
          if (bufferedBytes >= flushBytes) await flush();
        }),
      flush: () => step('writing', flush),
      finish: () =>
        step('writing', async () => {
          await flush();
          await file.sync();
          const stats = await file.stat({ bigint: true });
          await closeFile();
          finished = { sha256: hash.digest('hex'), sizeBytes: Number(stats.size), identity: fileIdentityOf(stats) };
          state = 'finished';
          return finished;
        }),
      publish: (claim) =>
        step('finished', async () => {
          if (!finished) throw new Error('a finished output without its identity');
          const path = await publishTemporary({ folder, temporaryPath, identity: finished.identity }, claim);
          state = 'published';
          return path;
        }),
      async discard() {
        await lastStep;
        if (state === 'published' || state === 'discarded') return;
        state = 'discarded';
        const ours = finished?.identity ?? (await file.stat({ bigint: true }).then(fileIdentityOf, () => undefined));
        await closeFile().catch(() => undefined);
        // Another process that retries the job may have put its file there, with the inode of a closed
        // one.
        const stamp = await fileStampAt(temporaryPath).catch(() => undefined);
        if (!stamp || !ours || (hasInode(ours) && !isSameFile(stamp.identity, ours))) return;
        if (finished && stamp.sizeBytes !== finished.sizeBytes) return;
        await removeName(temporaryPath).catch(() => undefined);
      },
    };
  });
}

/** A result that an earlier run finished but did not publish. */
export interface UnfinishedOutput {
  publish(claim: NameReservation): Promise<string>;
}

/**
 * Reopens a job's finished temporary file. Returns undefined if it is gone or has changed. `publish`
 * throws `output/…` and leaves the file in place.
 */
export function reopenOutput(
  folderPath: string,
  jobId: string,
  finished: FinishedOutput,
): Promise<UnfinishedOutput | undefined> {
  const folder = resolve(folderPath);
  return inFolder(folder, async () => {
    const temporaryPath = temporaryPathOf(folder, jobId);
    const stamp = await fileStampAt(temporaryPath);
    if (!stamp || !(await isFinishedFile(temporaryPath, stamp, finished))) return undefined;
    const { identity } = stamp;
    return { publish: (claim) => inFolder(folder, () => publishTemporary({ folder, temporaryPath, identity }, claim)) };
  });
}
