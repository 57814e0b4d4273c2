import { basename } from 'node:path';
import type { Candidate } from './candidate.ts';
import type { EyesNews, Signature } from './eyes.ts';
import type { GateRoot } from './gate-root.ts';
import { hashFile, type HashedFile } from './hash-file.ts';
import { isForbidden, isMissing, isOutOfHandles } from './system-code.ts';

/** A file that is quiet, stable and closed, as far as can be seen. */
export interface Fit {
  readonly candidate: Candidate;
  readonly root: GateRoot;
  readonly signature: Signature;
  /** A writer that nobody sees may have it open. */
  readonly mayBeOpen: boolean;
  /** It was quiet for as long as anybody can wait. */
  readonly hasWaited: boolean;
}

export type ReadOutcome =
  | { readonly kind: 'settled'; readonly signature: Signature; readonly news: EyesNews }
  /** To the first layer again. */
  | { readonly kind: 'again'; readonly afterMs: number }
  | { readonly kind: 'hollow' };

/** The last layer: reads files, a few at a time, and no two names of one file at once. */
export interface Reading {
  add(fit: Fit): void;
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

export function createReading({ platform, onStart, onRead }: Dependencies): Reading {
  const line: Fit[] = [];
  const running = new Map<
    Candidate,
    { readonly abort: AbortController; readonly inode: string; readonly end: Promise<void> }
  >();
  let stopped = false;

  const inodeOf = ({ device, inode }: Signature) => `${device}:${inode}`;

  function settled(
    { candidate, signature }: Fit,
    hashed: Extract<HashedFile, { kind: 'ready' | 'refused' }>,
  ): ReadOutcome {
    const { rootId: id, path } = candidate;
    const news: EyesNews =
      hashed.kind === 'ready'
        ? {
            kind: 'ready',
            id,
            file: { path, signature, sha256: hashed.sha256, durationSeconds: hashed.durationSeconds },
          }
        : { kind: 'refused', id, path, signature, problem: hashed.problem };
    return { kind: 'settled', signature, news };
  }

  /** Out of handles passes for everybody at once; what a disk says of one file may be true. */
  function afterError({ candidate, signature }: Fit, error: unknown): ReadOutcome {
    if (isMissing(error)) return { kind: 'again', afterMs: 0 };
    if (isOutOfHandles(error)) return { kind: 'again', afterMs: retryMs };
    candidate.failures += 1;
    if (!isForbidden(error) && candidate.failures < mostFailures) {
      return { kind: 'again', afterMs: retryMs * 2 ** (candidate.failures - 1) };
    }
    const { rootId: id, path } = candidate;
    const problem = { code: 'input/unreadable', facts: { name: basename(path) } } as const;
    return { kind: 'settled', signature, news: { kind: 'refused', id, path, signature, problem } };
  }

  async function read(fit: Fit, signal: AbortSignal): Promise<ReadOutcome> {
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

  function begin(fit: Fit): void {
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
