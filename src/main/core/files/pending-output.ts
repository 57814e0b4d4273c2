import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isWhole } from './content.ts';
import { inFolder } from './errno.ts';
import { makeFolder } from './folders.ts';
import { type FileIdentity, hasInode, fileIdentityOf, isSameFile, standingAt } from './identity.ts';
import { makeTemporary, type NameReservation, publishTemporary, removeName, temporaryPathOf } from './publish.ts';

export type { FileIdentity } from './identity.ts';
export type { NameReservation } from './publish.ts';

/** A result that is whole and on the disk, under its temporary name or its own. */
export interface FinishedOutput {
  /** Hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly identity: FileIdentity;
}

/**
 * A result on its way to its final name: written, then finished, then published. Exactly one of `publish` and `discard` ends it;
 * `discard` after `publish` does nothing. After any failure, that of `publish` included, nothing stands at a final name, and
 * `discard` removes the rest. Everything but `discard` throws `output/…` and `system/too-many-files`.
 */
export interface PendingOutput {
  /** For a check of what arrived, before it counts. */
  readonly temporaryPath: string;
  /** One after the other. */
  write(chunk: Buffer): Promise<void>;
  /** Returns once the bytes are on the disk. */
  finish(): Promise<FinishedOutput>;
  /** Gives the file the first free name that the claim offers, and returns its path. Never replaces anything. */
  publish(claim: NameReservation): Promise<string>;
  /** Never rejects: what cannot be removed now is left to `discardTemporary` of the next start. */
  discard(): Promise<void>;
}

/** Chunks of the network are small; each write of its own is a walk through the thread pool. */
const writeBytes = 512 * 1024;

/**
 * Opens a new temporary file in the folder that the result belongs to, made if need be. A job has one at a time: what an earlier run
 * of the same job left there is replaced.
 */
export function openOutput(folderPath: string, jobId: string): Promise<PendingOutput> {
  const folder = resolve(folderPath);
  return inFolder(folder, async () => {
    const temporaryPath = temporaryPathOf(folder, jobId);
    await makeFolder(folder);
    const file: FileHandle = await makeTemporary(temporaryPath);
    const hash = createHash('sha256');
    let held: Buffer[] = [];
    let heldBytes = 0;
    let state: 'writing' | 'finished' | 'published' | 'failed' | 'discarded' = 'writing';
    let finished: FinishedOutput | undefined;
    let isOpen = true;
    let atWork: Promise<unknown> = Promise.resolve();

    const closeFile = async () => {
      if (!isOpen) return;
      isOpen = false;
      await file.close();
    };

    const writeHeld = async () => {
      const chunks = held;
      const wanted = heldBytes;
      held = [];
      heldBytes = 0;
      if (chunks.length === 0) return;
      const { bytesWritten } = await file.writev(chunks);
      // A disk that is nearly full takes a part, and says why with the rest.
      if (bytesWritten < wanted) await file.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
    };

    /** A file that failed once stays failed: the system may tell of lost bytes only once, and take the next attempt for a success. */
    const step = <T>(needed: typeof state, work: () => Promise<T>): Promise<T> => {
      const done = inFolder(folder, () => {
        if (state !== needed) throw new Error(`an output that is ${state}, not ${needed}`);
        return work().catch((error: unknown) => {
          if (state !== 'discarded') state = 'failed';
          throw error;
        });
      });
      atWork = done.catch(() => undefined);
      return done;
    };

    return {
      temporaryPath,
      write: (chunk) =>
        step('writing', async () => {
          hash.update(chunk);
          held.push(chunk);
          heldBytes += chunk.length;
          if (heldBytes >= writeBytes) await writeHeld();
        }),
      finish: () =>
        step('writing', async () => {
          await writeHeld();
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
        await atWork;
        if (state === 'published' || state === 'discarded') return;
        state = 'discarded';
        const ours = finished?.identity ?? (await file.stat({ bigint: true }).then(fileIdentityOf, () => undefined));
        await closeFile().catch(() => undefined);
        // Another process that tries the same job again may have put its own file there, with the inode of one that is closed.
        const standing = await standingAt(temporaryPath).catch(() => undefined);
        if (!standing || !ours || (hasInode(ours) && !isSameFile(standing.identity, ours))) return;
        if (finished && standing.sizeBytes !== finished.sizeBytes) return;
        await removeName(temporaryPath).catch(() => undefined);
      },
    };
  });
}

/** A result that was finished before and waits for its name. */
export interface UnfinishedOutput {
  publish(claim: NameReservation): Promise<string>;
}

/**
 * Finds a job's finished temporary file again; undefined where it is gone or is no longer what was finished. `publish` throws
 * `output/…` and leaves the file where it is.
 */
export function reopenOutput(
  folderPath: string,
  jobId: string,
  finished: FinishedOutput,
): Promise<UnfinishedOutput | undefined> {
  const folder = resolve(folderPath);
  return inFolder(folder, async () => {
    const temporaryPath = temporaryPathOf(folder, jobId);
    const standing = await standingAt(temporaryPath);
    if (!standing || !(await isWhole(temporaryPath, standing, finished))) return undefined;
    const { identity } = standing;
    return { publish: (claim) => inFolder(folder, () => publishTemporary({ folder, temporaryPath, identity }, claim)) };
  });
}
