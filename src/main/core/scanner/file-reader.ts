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

/** A file that is quiet, stable and, as far as can be seen, closed. */
interface ReadRequest {
  readonly candidate: Candidate;
  readonly root: GateRoot;
  readonly signature: Signature;
  /** An unseen writer may have it open. */
  readonly mayBeOpen: boolean;
  /** It was quiet for the maximum time. */
  readonly hasWaited: boolean;
}

export type ReadOutcome =
  | { readonly kind: 'settled'; readonly signature: Signature; readonly event: ScannerEvent }
  /** Back to the first layer. */
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'unfinished' };

/** The last layer of the gate: reads a few files at a time, and never two names of one file at once. */
export interface FileReader {
  add(request: ReadRequest): void;
  /** Drops the outcome as well. */
  cancel(candidate: Candidate): void;
  count(): number;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly platform: NodeJS.Platform;
  readonly onStart: (candidate: Candidate) => void;
  readonly onRead: (candidate: Candidate, outcome: ReadOutcome) => void;
}

const maxConcurrent = 2;
const recheckMs = 100;
const retryMs = 2000;
/** So many read errors in a row, over a minute, are treated as a problem of the file. */
const maxFailures = 6;

export function createFileReader({ platform, onStart, onRead }: Dependencies): FileReader {
  const queue: ReadRequest[] = [];
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
    const event: ScannerEvent =
      hashed.kind === 'ready'
        ? {
            kind: 'stable',
            id,
            file: { path, signature, sha256: hashed.sha256, durationSeconds: hashed.durationSeconds },
          }
        : { kind: 'rejected', id, path, signature, problem: hashed.problem };
    return { kind: 'settled', signature, event };
  }

  /** Running out of handles affects all files; only other errors count against this one. */
  function afterError({ candidate, signature }: ReadRequest, error: unknown): ReadOutcome {
    if (isNotFound(error)) return { kind: 'retry', afterMs: 0 };
    if (isOutOfHandles(error)) return { kind: 'retry', afterMs: retryMs };
    candidate.failures += 1;
    if (!isForbidden(error) && candidate.failures < maxFailures) {
      return { kind: 'retry', afterMs: retryMs * 2 ** (candidate.failures - 1) };
    }
    const { rootId: id, path } = candidate;
    const problem = { code: 'input/unreadable', facts: { name: basename(path) } } as const;
    return { kind: 'settled', signature, event: { kind: 'rejected', id, path, signature, problem } };
  }

  async function read(request: ReadRequest, signal: AbortSignal): Promise<ReadOutcome> {
    const { candidate, root, signature, mayBeOpen, hasWaited } = request;
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
      if (hashed.kind === 'changed') return { kind: 'retry', afterMs: recheckMs };
      if (hashed.kind === 'unfinished') return hashed;
      // Another folder with a file of this name may have replaced the root.
      return (await root.isPresent()) ? settled(request, hashed) : { kind: 'retry', afterMs: retryMs };
    } catch (error) {
      return afterError(request, error);
    }
  }

  function start(request: ReadRequest): void {
    const abort = new AbortController();
    const { candidate } = request;
    onStart(candidate);
    const end = read(request, abort.signal).then((outcome) => {
      running.delete(candidate);
      if (!abort.signal.aborted) onRead(candidate, outcome);
      startNext();
    });
    running.set(candidate, { abort, inode: inodeOf(request.signature), end });
  }

  function startNext(): void {
    while (!stopped && running.size < maxConcurrent) {
      const inodes = new Set([...running.values()].map(({ inode }) => inode));
      const at = queue.findIndex(({ signature }) => !inodes.has(inodeOf(signature)));
      const [request] = at < 0 ? [] : queue.splice(at, 1);
      if (!request) return;
      start(request);
    }
  }

  return {
    add(request) {
      queue.push(request);
      startNext();
    },
    cancel(candidate) {
      const at = queue.findIndex((request) => request.candidate === candidate);
      if (at >= 0) queue.splice(at, 1);
      running.get(candidate)?.abort.abort(new Error('removed from the gate'));
    },
    count: () => queue.length + running.size,
    async stop() {
      stopped = true;
      queue.length = 0;
      const ends = [...running.values()].map(({ abort, end }) => {
        abort.abort(new Error('stopped'));
        return end;
      });
      await Promise.all(ends);
    },
  };
}

export type HashedFile =
  | { readonly kind: 'ready'; readonly sha256: string; readonly durationSeconds: number | null }
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** It is not, or did not remain, the expected file. */
  | { readonly kind: 'changed' }
  /** Valid so far, but its writer may not be done: it ends in zeros, or its container leaves the end open. */
  | { readonly kind: 'unfinished' };

interface HashRequest {
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  /** Signature of the file when it passed the first layers. */
  readonly expected: Signature;
  /** An unseen writer may have it open: then a tail of zeros or a missing end mark means unfinished. */
  readonly mayBeOpen: boolean;
  /** It was quiet for the maximum time. Until then an open length in the header means unfinished. */
  readonly hasWaited: boolean;
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal;
}

/**
 * Reads a whole file: checks its container and computes its hash. The result is valid for the file `expected`, which is at the path
 * before and after; any other is `changed`. Rejects with system errors and the signal's reason.
 */
export async function hashFile(request: HashRequest): Promise<HashedFile> {
  const { root, path, expected, mayBeOpen, hasWaited, platform, signal } = request;
  const file = await openNoFollow(root, path, platform);
  if (!file) return { kind: 'changed' };
  try {
    if (!(await isExpectedFile(file, expected))) return { kind: 'changed' };
    const complete = await checkComplete(fileSource(file, expected.sizeBytes), path);
    if (complete.kind === 'complete' && !hasWaited) {
      // A recorder that is done writes the length into its header; finished files often lack the end mark.
      if (complete.open === 'length' || (complete.open === 'end' && mayBeOpen)) return { kind: 'unfinished' };
      if (mayBeOpen && (await hasZeroTail(file, expected.sizeBytes))) return { kind: 'unfinished' };
    }
    const sha256 = complete.kind === 'complete' ? await sha256Of(file, expected.sizeBytes, signal) : '';
    signal.throwIfAborted();
    const after = signatureOf(await lstat(join(root, path), { bigint: true }));
    const isSame = (await isExpectedFile(file, expected)) && isUnchanged(after, expected);
    if (!isSame || sha256 === null) return { kind: 'changed' };
    return complete.kind === 'complete'
      ? { kind: 'ready', sha256, durationSeconds: complete.durationSeconds }
      : complete;
  } finally {
    await file.close();
  }
}

type Completeness =
  | { readonly kind: 'complete'; readonly durationSeconds: number | null; readonly open: OpenEnd | null }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Checks that the file is valid audio and, as far as its container tells, complete. */
async function checkComplete(source: ByteSource, path: string): Promise<Completeness> {
  const name = basename(path);
  const found = await inspectSource(source);
  if (found.kind === 'problem') {
    return { kind: 'refused', problem: { code: found.code, facts: { name, ...found.facts } } };
  }
  return { kind: 'complete', durationSeconds: found.durationSeconds ?? null, open: found.open ?? null };
}

async function isExpectedFile(file: FileHandle, expected: Signature): Promise<boolean> {
  const stats = await file.stat({ bigint: true });
  const signature = signatureOf(stats);
  return stats.isFile() && signature.device === expected.device && isUnchanged(signature, expected);
}

const chunkBytes = 256 * 1024;

/** Returns the hash of the whole file as hex, or null if it has fewer or more bytes than expected. */
async function sha256Of(file: FileHandle, bytes: number, signal: AbortSignal): Promise<string | null> {
  const hash = createHash('sha256');
  // One byte more than expected reveals a longer file.
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

/** The tail is an eighth of the file, within these bounds: unwritten bytes are zero, but so is a moment of silence. */
const minTailBytes = 4096;
const maxTailBytes = 65_536;

async function hasZeroTail(file: FileHandle, bytes: number): Promise<boolean> {
  const tail = Buffer.alloc(Math.min(bytes, Math.max(minTailBytes, Math.min(Math.floor(bytes / 8), maxTailBytes))));
  await file.read(tail, 0, tail.length, bytes - tail.length);
  return tail.every((byte) => byte === 0);
}
