import { createHash } from 'node:crypto';
import { type FileHandle, lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '../../../shared/errors.ts';
import { type ByteSource, fileSource, type OpenEnd } from '../../../sound/container-check.ts';
import { inspectSource } from '../../../sound/inspect-sound.ts';
import { openNoFollow } from '../files/content.ts';
import { isForbidden, isNotFound, isOutOfHandles } from '../files/errno.ts';
import { isUnchanged, signatureOf, type Signature } from '../files/identity.ts';
import type { ScannerEvent } from './scanner.ts';
import type { Candidate, GateRoot } from './stability.ts';

export type Completeness =
  | { readonly kind: 'complete'; readonly durationSeconds: number | null; readonly open: OpenEnd | null }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Is it sound, and all of it, as far as its container tells? */
export async function checkComplete(source: ByteSource, path: string): Promise<Completeness> {
  const name = basename(path);
  const found = await inspectSource(source);
  if (found.kind === 'problem') {
    return { kind: 'refused', problem: { code: found.code, facts: { name, ...found.facts } } };
  }
  return { kind: 'complete', durationSeconds: found.durationSeconds ?? null, open: found.open ?? null };
}

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
  return stats.isFile() && signature.device === expected.device && isUnchanged(signature, expected);
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
  const file = await openNoFollow(root, path, platform);
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
    const isWhole = (await isSameFile(file, expected)) && isUnchanged(after, expected);
    if (!isWhole || sha256 === null) return { kind: 'changed' };
    return complete.kind === 'complete'
      ? { kind: 'ready', sha256, durationSeconds: complete.durationSeconds }
      : complete;
  } finally {
    await file.close();
  }
}

/** A file that is quiet, stable and closed, as far as can be seen. */
export interface ReadRequest {
  readonly candidate: Candidate;
  readonly root: GateRoot;
  readonly signature: Signature;
  /** A writer that nobody sees may have it open. */
  readonly mayBeOpen: boolean;
  /** It was quiet for as long as anybody can wait. */
  readonly hasWaited: boolean;
}

export type ReadOutcome =
  | { readonly kind: 'settled'; readonly signature: Signature; readonly news: ScannerEvent }
  /** To the first layer again. */
  | { readonly kind: 'again'; readonly afterMs: number }
  | { readonly kind: 'hollow' };

/** The last layer: reads files, a few at a time, and no two names of one file at once. */
export interface FileReader {
  add(fit: ReadRequest): void;
  /** Whatever comes of it is not told. */
  cancel(candidate: Candidate): void;
  count(): number;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly platform: NodeJS.Platform;
  readonly onStart: (candidate: Candidate) => void;
  readonly onRead: (candidate: Candidate, outcome: ReadOutcome) => void;
}

const atOnce = 2;
const soonMs = 100;
const retryMs = 2000;
/** A disk that fails so often in a row, over a minute, fails for this file. */
const mostFailures = 6;

export function createFileReader({ platform, onStart, onRead }: Dependencies): FileReader {
  const line: ReadRequest[] = [];
  const running = new Map<
    Candidate,
    { readonly abort: AbortController; readonly inode: string; readonly end: Promise<void> }
  >();
  let stopped = false;

  const inodeOf = ({ device, inode }: Signature) => `${device}:${inode}`;

  function settled(
    { candidate, signature }: ReadRequest,
    hashed: Extract<HashedFile, { kind: 'ready' | 'refused' }>,
  ): ReadOutcome {
    const { rootId: id, path } = candidate;
    const news: ScannerEvent =
      hashed.kind === 'ready'
        ? {
            kind: 'stable',
            id,
            file: { path, signature, sha256: hashed.sha256, durationSeconds: hashed.durationSeconds },
          }
        : { kind: 'rejected', id, path, signature, problem: hashed.problem };
    return { kind: 'settled', signature, news };
  }

  /** Out of handles passes for everybody at once; what a disk says of one file may be true. */
  function afterError({ candidate, signature }: ReadRequest, error: unknown): ReadOutcome {
    if (isNotFound(error)) return { kind: 'again', afterMs: 0 };
    if (isOutOfHandles(error)) return { kind: 'again', afterMs: retryMs };
    candidate.failures += 1;
    if (!isForbidden(error) && candidate.failures < mostFailures) {
      return { kind: 'again', afterMs: retryMs * 2 ** (candidate.failures - 1) };
    }
    const { rootId: id, path } = candidate;
    const problem = { code: 'input/unreadable', facts: { name: basename(path) } } as const;
    return { kind: 'settled', signature, news: { kind: 'rejected', id, path, signature, problem } };
  }

  async function read(fit: ReadRequest, signal: AbortSignal): Promise<ReadOutcome> {
    const { candidate, root, signature, mayBeOpen, hasWaited } = fit;
    const { path } = candidate;
    try {
      const hashed = await hashFile({
        root: root.path,
        path,
        expected: signature,
        mayBeOpen,
        hasWaited,
        platform,
        signal,
      });
      if (hashed.kind === 'changed') return { kind: 'again', afterMs: soonMs };
      if (hashed.kind === 'hollow') return hashed;
      // Another folder may have taken the place of this one, with a file of this name.
      return (await root.isThere()) ? settled(fit, hashed) : { kind: 'again', afterMs: retryMs };
    } catch (error) {
      return afterError(fit, error);
    }
  }

  function begin(fit: ReadRequest): void {
    const abort = new AbortController();
    const { candidate } = fit;
    onStart(candidate);
    const end = read(fit, abort.signal).then((outcome) => {
      running.delete(candidate);
      if (!abort.signal.aborted) onRead(candidate, outcome);
      goOn();
    });
    running.set(candidate, { abort, inode: inodeOf(fit.signature), end });
  }

  function goOn(): void {
    while (!stopped && running.size < atOnce) {
      const inodes = new Set([...running.values()].map(({ inode }) => inode));
      const at = line.findIndex(({ signature }) => !inodes.has(inodeOf(signature)));
      const [fit] = at < 0 ? [] : line.splice(at, 1);
      if (!fit) return;
      begin(fit);
    }
  }

  return {
    add(fit) {
      line.push(fit);
      goOn();
    },
    cancel(candidate) {
      const at = line.findIndex((fit) => fit.candidate === candidate);
      if (at >= 0) line.splice(at, 1);
      running.get(candidate)?.abort.abort(new Error('taken away from the gate'));
    },
    count: () => line.length + running.size,
    async stop() {
      stopped = true;
      line.length = 0;
      const ends = [...running.values()].map(({ abort, end }) => {
        abort.abort(new Error('stopped'));
        return end;
      });
      await Promise.all(ends);
    },
  };
}
