import { createHash } from 'node:crypto';
import { type FileHandle, lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '../../../shared/errors.ts';
import { isTextPath } from '../../../shared/schemas/watch.ts';
import { fileSource } from '../../../sound/container-check.ts';
import { inspectSource } from '../../../sound/inspect-sound.ts';
import { openNoFollow } from '../files/content.ts';
import { isForbidden, isNotFound, isOutOfHandles } from '../files/errno.ts';
import { isUnchanged, signatureOf, type Signature } from '../files/identity.ts';
import type { ScannerEvent } from './scanner.ts';
import type { Candidate, GateRoot } from './stability.ts';
import { readSpokenText, textSizeProblem } from '../speech/text-file.ts';

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
  /** Files that are being read or will be, except of roots whose disk does not answer. */
  count(): number;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly platform: NodeJS.Platform;
  readonly onStart: (candidate: Candidate) => void;
  /** Called when a disk does not answer: other roots need not wait for it. */
  readonly onStalled: () => void;
  readonly onRead: (candidate: Candidate, outcome: ReadOutcome) => void;
}

const maxConcurrent = 2;
/** A disk that gives nothing for so long hangs. */
const stalledAfterMs = 20_000;
const recheckMs = 100;
const retryMs = 2000;
/** So many read errors in a row, over a minute, are treated as a problem of the file. */
const maxFailures = 6;

export function createFileReader({ platform, onStart, onStalled, onRead }: Dependencies): FileReader {
  const queue: ReadRequest[] = [];
  const running = new Map<
    Candidate,
    { readonly abort: AbortController; readonly inode: string; readonly end: Promise<void> }
  >();
  /** Of those, the ones whose disk does not answer. */
  const stalled = new Set<Candidate>();
  const isStalled = ({ candidate: { rootId } }: Pick<ReadRequest, 'candidate'>) =>
    [...stalled].some((other) => other.rootId === rootId);
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
            file: {
              path,
              signature,
              sha256: hashed.sha256,
              durationSeconds: hashed.durationSeconds,
              text: hashed.text,
            },
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

  async function read(request: ReadRequest, onBytes: () => void, signal: AbortSignal): Promise<ReadOutcome> {
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
        onBytes,
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
    const stalling = setTimeout(() => {
      stalled.add(candidate);
      startNext();
      onStalled();
    }, stalledAfterMs);
    const end = read(request, () => void stalling.refresh(), abort.signal).then((outcome) => {
      clearTimeout(stalling);
      stalled.delete(candidate);
      running.delete(candidate);
      if (!abort.signal.aborted) onRead(candidate, outcome);
      startNext();
    });
    running.set(candidate, { abort, inode: inodeOf(request.signature), end });
  }

  function startNext(): void {
    while (!stopped && running.size - stalled.size < maxConcurrent) {
      const inodes = new Set([...running.values()].map(({ inode }) => inode));
      const at = queue.findIndex((request) => !inodes.has(inodeOf(request.signature)) && !isStalled(request));
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
    count: () => queue.filter((request) => !isStalled(request)).length + running.size - stalled.size,
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
  | {
      readonly kind: 'ready';
      readonly sha256: string;
      readonly durationSeconds: number | null;
      /** What is spoken; null for a recording. */
      readonly text: string | null;
    }
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
  /** Called with each piece that is read. */
  readonly onBytes?: () => void;
  readonly signal: AbortSignal;
}

/**
 * Reads a whole file: checks its container or text and computes its hash. The result is valid for the file `expected`, which is at
 * the path before and after; any other is `changed`. Rejects with system errors and the signal's reason.
 */
export async function hashFile(request: HashRequest): Promise<HashedFile> {
  const { root, path, expected, platform, signal } = request;
  const file = await openNoFollow(root, path, platform);
  if (!file) return { kind: 'changed' };
  try {
    if (!(await isExpectedFile(file, expected))) return { kind: 'changed' };
    const read = await (isTextPath(path) ? readText : readRecording)(file, request);
    if (read.kind === 'unfinished') return read;
    signal.throwIfAborted();
    const after = signatureOf(await lstat(join(root, path), { bigint: true }));
    const isSame = (await isExpectedFile(file, expected)) && isUnchanged(after, expected);
    return isSame ? read : { kind: 'changed' };
  } finally {
    await file.close();
  }
}

/** Checks that the file is valid audio and, as far as its container tells, complete. */
async function readRecording(
  file: FileHandle,
  { path, expected: { sizeBytes }, mayBeOpen, hasWaited, onBytes, signal }: HashRequest,
): Promise<HashedFile> {
  const found = await inspectSource(fileSource(file, sizeBytes));
  if (found.kind === 'problem') {
    return { kind: 'refused', problem: { code: found.code, facts: { name: basename(path), ...found.facts } } };
  }
  if (!hasWaited) {
    // A recorder that is done writes the length into its header; finished files often lack the end mark.
    if (found.open === 'length' || (found.open === 'end' && mayBeOpen)) return { kind: 'unfinished' };
    if (mayBeOpen && (await hasZeroTail(file, sizeBytes))) return { kind: 'unfinished' };
  }
  const hash = createHash('sha256');
  const isWhole = await readChunks(file, sizeBytes, signal, (chunk) => {
    hash.update(chunk);
    onBytes?.();
  });
  if (!isWhole) return { kind: 'changed' };
  return { kind: 'ready', sha256: hash.digest('hex'), durationSeconds: found.durationSeconds ?? null, text: null };
}

/** Takes text and hash from the same bytes. */
async function readText(
  file: FileHandle,
  { path, expected: { sizeBytes }, mayBeOpen, hasWaited, signal }: HashRequest,
): Promise<HashedFile> {
  const tooLarge = textSizeProblem(path, sizeBytes);
  if (tooLarge) return { kind: 'refused', problem: tooLarge };
  if (mayBeOpen && !hasWaited && sizeBytes > 0 && (await hasZeroTail(file, sizeBytes))) return { kind: 'unfinished' };
  const chunks: Buffer[] = [];
  // Copied, because the buffer of the chunk is used again.
  if (!(await readChunks(file, sizeBytes, signal, (chunk) => void chunks.push(Buffer.from(chunk)))))
    return { kind: 'changed' };
  const bytes = Buffer.concat(chunks);
  const spoken = await readSpokenText(path, bytes);
  if (spoken.kind === 'refused') return spoken;
  const { text, seconds } = spoken;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { kind: 'ready', sha256, durationSeconds: seconds, text };
}

async function isExpectedFile(file: FileHandle, expected: Signature): Promise<boolean> {
  const stats = await file.stat({ bigint: true });
  const signature = signatureOf(stats);
  return stats.isFile() && signature.device === expected.device && isUnchanged(signature, expected);
}

const chunkBytes = 256 * 1024;

/** Passes on the file in chunks, which are valid during the call. Returns false if it has fewer or more bytes than expected. */
async function readChunks(
  file: FileHandle,
  bytes: number,
  signal: AbortSignal,
  onChunk: (chunk: Buffer) => void,
): Promise<boolean> {
  // One byte more than expected reveals a longer file.
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, bytes + 1));
  let position = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    onChunk(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
  return position === bytes;
}

/** The tail is an eighth of the file, within these bounds: unwritten bytes are zero, but so is a moment of silence. */
const minTailBytes = 4096;
const maxTailBytes = 65_536;

async function hasZeroTail(file: FileHandle, bytes: number): Promise<boolean> {
  const tail = Buffer.alloc(Math.min(bytes, Math.max(minTailBytes, Math.min(Math.floor(bytes / 8), maxTailBytes))));
  await file.read(tail, 0, tail.length, bytes - tail.length);
  return tail.every((byte) => byte === 0);
}
