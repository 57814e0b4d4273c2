import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '../../../shared/errors.ts';
import type { WatchWait } from '../../../shared/schemas/watch.ts';
import { createClockJumpDetector, type MonotonicClock } from '../clock.ts';
import { isNotFound } from '../files/errno.ts';
import { signatureOf, type Signature } from '../files/identity.ts';
import { createFileReader, type FileReader } from './file-reader.ts';
import type { FindWriters, WriterAnswer } from './open-writers.ts';
import type { ScannerEvent } from './scanner.ts';
import {
  wasFinishedBeforeArrival,
  type Candidate,
  candidateKey,
  createWriteGaps,
  type WriterUnknown,
  type GateRoot,
  isQuiet,
  isStable,
  neededQuietMs,
  newCandidate,
  recordSample,
  type QuietPeriod,
  sampleGapMs,
} from './stability.ts';

/** Two lines a second for each file are all that a person can read. */
const tellEveryMs = 500;

interface Dependencies {
  readonly monotonic: () => number;
  readonly tell: (news: ScannerEvent) => void;
}

/** Tells what a file waits for: at once where that is another thing than before, else twice a second at most. */
export const createWaitReporter =
  ({ monotonic, tell }: Dependencies) =>
  (candidate: Candidate, wait: WatchWait): void => {
    const now = monotonic();
    const isSame = candidate.toldKind === wait.kind;
    if (isSame && (wait.kind === 'turn' || now - candidate.toldAt < tellEveryMs)) return;
    candidate.toldKind = wait.kind;
    candidate.toldAt = now;
    tell({ kind: 'waiting', id: candidate.rootId, path: candidate.path, wait });
  };

export const quietWait = (quiet: QuietPeriod, now: number): WatchWait => ({
  kind: 'quiet',
  sizeBytes: quiet.signature.sizeBytes,
  quietSeconds: (now - quiet.changedAt) / 1000,
  neededSeconds: neededQuietMs(quiet) / 1000,
});

export interface StabilityGate {
  /** From now on its files can be considered. One with the same id takes the place of the other, and its files stay. */
  addRoot(root: GateRoot): void;
  removeRoot(id: string): void;
  consider(id: string, paths: readonly string[]): void;
  drop(id: string, paths: readonly string[]): void;
  has(id: string, path: string): boolean;
  /** A hint says that it changed: looks at it soon. */
  nudge(id: string, path: string): void;
  stop(): Promise<void>;
}

interface StabilityGateDependencies {
  readonly clock: MonotonicClock;
  readonly findWriters: FindWriters;
  readonly tell: (news: ScannerEvent) => void;
  readonly platform: NodeJS.Platform;
}

/** A candidate behind the second layer. */
interface Asked {
  readonly candidate: Candidate;
  readonly root: GateRoot;
  readonly signature: Signature;
  /** It was quiet for long enough while it was looked at. */
  readonly wasQuiet: boolean;
  /** Its times say so. If that is all, the writers have to agree. */
  readonly cameWritten: boolean;
}

/** So many are looked at, and asked about, in one go. */
const atOnce = 64;
const lookEveryMs = 250;
/** Ten thousand growing files are looked at every five seconds, not four times a second. */
const spreadMs = 0.5;
const busyEveryMs = 500;
const retryMs = 1000;
const turnMs = 10;
/** A timer may come a little early. */
const timerSlackMs = 2;

/**
 * Lets a file through that is quiet, stable, closed and complete, in this order, and read to its end without a change. One timer, one
 * round at a time: each looks at those that have waited longest, and one sweep over the open files serves all that got so far.
 */
export function createStabilityGate({ clock, findWriters, tell, platform }: StabilityGateDependencies): StabilityGate {
  const roots = new Map<string, GateRoot>();
  /** Longest not looked at first. */
  const candidates = new Map<string, Candidate>();
  const paces = createWriteGaps();
  const tellWait = createWaitReporter({ monotonic: clock.monotonic, tell });
  const clockIsSteady = createClockJumpDetector(clock);
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Infinity;
  let round: Promise<void> | null = null;
  let stopped = false;

  const keyOf = ({ rootId, path }: Candidate) => candidateKey(rootId, path);
  const isHere = (candidate: Candidate) => !stopped && candidates.get(keyOf(candidate)) === candidate;

  const reading: FileReader = createFileReader({
    platform,
    onStart: (candidate) => wait(candidate, { kind: 'reading' }),
    onRead: (candidate, outcome) => {
      if (!isHere(candidate)) return;
      candidate.isReading = false;
      if (outcome.kind === 'again') later(candidate, outcome.afterMs);
      else if (outcome.kind === 'hollow') doubt(candidate, 'hollow');
      else leave(candidate, outcome.signature, outcome.news);
    },
  });

  const wait = (candidate: Candidate, waiting: WatchWait) => {
    if (isHere(candidate)) tellWait(candidate, waiting);
  };

  /** Nothing is told of a file after this, until it is considered again. */
  function remove(candidate: Candidate): void {
    candidates.delete(keyOf(candidate));
    reading.cancel(candidate);
    schedule(0);
  }

  function leave(candidate: Candidate, signature: Signature, news: ScannerEvent): void {
    remove(candidate);
    const { quiet } = candidate;
    // It may be half a file, whose writer goes on in a moment.
    if (quiet && (news.kind === 'rejected' || quiet.doubt !== 'none')) paces.keep(keyOf(candidate), quiet);
    roots.get(candidate.rootId)?.onSettled(candidate.path, signature);
    tell(news);
  }

  function refuse(candidate: Candidate, signature: Signature, problem: Problem): void {
    leave(candidate, signature, { kind: 'rejected', id: candidate.rootId, path: candidate.path, signature, problem });
  }

  function later(candidate: Candidate, ms: number): void {
    candidate.dueAt = clock.monotonic() + ms;
    schedule(ms);
  }

  function schedule(ms: number): void {
    const at = clock.monotonic() + ms;
    if (stopped || round || at >= timerAt || !hasRoom()) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(begin, ms);
  }

  function begin(): void {
    timer = undefined;
    timerAt = Infinity;
    round = lookAround().finally(() => {
      round = null;
      if (stopped) return;
      let next = Infinity;
      for (const { dueAt, isReading } of candidates.values()) if (!isReading) next = Math.min(next, dueAt);
      // While the readers have enough to do, the end of one reading begins the next round.
      if (next < Infinity && hasRoom()) schedule(Math.max(next - clock.monotonic(), turnMs));
    });
  }

  const room = () => atOnce - reading.count();
  /** A sweep costs the same for one file as for many. */
  const hasRoom = () => room() >= atOnce / 2;

  /** Takes those that are due to the end of the line, and tells some of the others that they have to wait. */
  function takeDue(): readonly Candidate[] {
    const now = clock.monotonic();
    const due: Candidate[] = [];
    const unseen: Candidate[] = [];
    for (const candidate of candidates.values()) {
      if (candidate.isReading || candidate.dueAt > now) continue;
      if (due.length < room()) due.push(candidate);
      else if (candidate.toldKind === null) unseen.push(candidate);
      if (unseen.length >= atOnce) break;
    }
    for (const candidate of due) {
      candidates.delete(keyOf(candidate));
      candidates.set(keyOf(candidate), candidate);
    }
    for (const candidate of unseen) wait(candidate, { kind: 'turn' });
    return due;
  }

  async function lookAround(): Promise<void> {
    const isSteady = clockIsSteady();
    const looked = await Promise.all(takeDue().map((candidate) => look(candidate, isSteady)));
    const asked = looked.filter((one) => one !== null);
    if (asked.length === 0 || stopped) return;
    const answers = await findWriters(
      asked.map(({ candidate, root, signature }) => ({ path: join(root.path, candidate.path), signature })),
    );
    asked.forEach((one, at) => pass(one, answers[at] ?? { kind: 'unknown' }));
  }

  /** Layers 1 and 2. Null unless the file got through them. */
  async function look(candidate: Candidate, isSteady: boolean): Promise<Asked | null> {
    const root = roots.get(candidate.rootId);
    if (!root) return null;
    candidate.dueAt = clock.monotonic() + retryMs;
    try {
      const stats = await lstat(join(root.path, candidate.path), { bigint: true });
      if (!isHere(candidate)) return null;
      const signature = signatureOf(stats);
      if (!stats.isFile()) {
        refuse(candidate, signature, { code: 'input/not-a-file', facts: { name: basename(candidate.path) } });
        return null;
      }
      const now = clock.monotonic();
      candidate.quiet ??= paces.take(keyOf(candidate), now);
      const { quiet, stable } = recordSample(candidate, signature, now);
      const wasQuiet = isQuiet(quiet, now);
      const isDoubted = quiet.doubt === 'hollow';
      const wasWritten =
        !isDoubted && isSteady && root.isOurs() && wasFinishedBeforeArrival(quiet, now, clock.wallNow());
      const mayPass = wasQuiet || wasWritten;
      if (mayPass && isStable(stable)) return { candidate, root, signature, wasQuiet, cameWritten: wasWritten };
      if (!mayPass) tellQuiet(candidate);
      const leftMs = Math.max(neededQuietMs(quiet) - (now - quiet.changedAt), 0);
      later(
        candidate,
        mayPass
          ? sampleGapMs + timerSlackMs
          : Math.min(Math.max(lookEveryMs, candidates.size * spreadMs), leftMs + timerSlackMs),
      );
    } catch (error) {
      if (!isHere(candidate)) return null;
      if (isNotFound(error)) root.onMissing(candidate.path);
      later(candidate, retryMs);
    }
    return null;
  }

  const tellQuiet = (candidate: Candidate) => {
    if (candidate.quiet) wait(candidate, quietWait(candidate.quiet, clock.monotonic()));
  };

  /** It has to be quiet for longer. */
  function doubt(candidate: Candidate, why: WriterUnknown): void {
    if (candidate.quiet && candidate.quiet.doubt !== 'hollow') candidate.quiet = { ...candidate.quiet, doubt: why };
    tellQuiet(candidate);
    later(candidate, lookEveryMs);
  }

  function isClosed({ candidate, root, cameWritten }: Asked, answer: WriterAnswer): boolean {
    if (root.isShared()) return false;
    return answer.kind === 'none' || (answer.kind === 'unseen' && (candidate.hadWriter || cameWritten));
  }

  /** Layer 3; what follows is `reading`. */
  function pass(asked: Asked, answer: WriterAnswer): void {
    const { candidate, root, signature } = asked;
    if (!isHere(candidate)) return;
    if (answer.kind === 'writer') {
      candidate.hadWriter = true;
      if (candidate.quiet) candidate.quiet = { ...candidate.quiet, openAt: clock.monotonic() };
      wait(candidate, { kind: 'writer', sizeBytes: signature.sizeBytes, program: answer.program });
      later(candidate, busyEveryMs);
      return;
    }
    const { quiet } = candidate;
    const mayBeOpen = !isClosed(asked, answer);
    if (mayBeOpen && (quiet?.doubt === 'none' || !asked.wasQuiet)) {
      doubt(candidate, 'unseen');
      return;
    }
    candidate.isReading = true;
    const hasWaited = quiet?.doubt === 'hollow' && asked.wasQuiet;
    reading.add({ candidate, root, signature, mayBeOpen, hasWaited });
  }

  return {
    addRoot: (root) => void roots.set(root.id, root),
    removeRoot(id) {
      roots.delete(id);
      for (const candidate of [...candidates.values()]) if (candidate.rootId === id) remove(candidate);
    },
    consider(id, paths) {
      if (stopped || !roots.has(id)) return;
      const now = clock.monotonic();
      for (const path of paths) {
        const key = candidateKey(id, path);
        if (!candidates.has(key)) candidates.set(key, newCandidate(id, path, now));
      }
      schedule(0);
    },
    drop(id, paths) {
      for (const path of paths) {
        const candidate = candidates.get(candidateKey(id, path));
        if (candidate) remove(candidate);
      }
    },
    has: (id, path) => candidates.has(candidateKey(id, path)),
    nudge(id, path) {
      const candidate = candidates.get(candidateKey(id, path));
      // One that is looked at often anyway, or is being read, sees for itself.
      if (!candidate || candidate.isReading || candidate.dueAt - clock.monotonic() < lookEveryMs) return;
      later(candidate, turnMs);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      candidates.clear();
      await reading.stop();
      await round;
    },
  };
}
