import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Problem } from '../../../shared/errors.ts';
import type { WatchWait } from '../../../shared/schemas/watch.ts';
import { createClockJumpDetector, type MonotonicClock } from '../clock.ts';
import { isNotFound } from '../files/errno.ts';
import { isUnchanged, signatureOf, type Signature } from '../files/identity.ts';
import { createFileReader } from './file-reader.ts';
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

export interface StabilityGate {
  /** Must be called before files of the root are added. Replaces a root with the same id and keeps its files. */
  addRoot(root: GateRoot): void;
  removeRoot(id: string): void;
  add(id: string, paths: readonly string[]): void;
  remove(id: string, paths: readonly string[]): void;
  has(id: string, path: string): boolean;
  /** Checks a file soon, because it was just found with this signature: no other version of it may leave the gate. */
  recheckSoon(id: string, path: string, found: Signature): void;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly clock: MonotonicClock;
  readonly findWriters: FindWriters;
  readonly emit: (event: ScannerEvent) => void;
  readonly platform: NodeJS.Platform;
}

/** A candidate that passed layers 1 and 2. */
interface QuietCandidate {
  readonly candidate: Candidate;
  readonly root: GateRoot;
  readonly signature: Signature;
  /** It was quiet for long enough while it was at the gate. */
  readonly wasQuiet: boolean;
  /** It passed only because of its times, so `findWriters` must agree. */
  readonly wasFinished: boolean;
}

const maxConcurrent = 64;
const checkEveryMs = 250;
/** Added per file at the gate: 10,000 growing files are checked every five seconds, not four times a second. */
const checkDelayPerFileMs = 0.5;
const openEveryMs = 500;
const retryMs = 1000;
const minRoundGapMs = 10;
/** Files of one root that are looked at at once: those on a disk that hangs each hold a thread. */
const maxPerRoot = 4;
/** The other roots wait no longer for one whose disk is slow to answer. */
const answersWithinMs = 2000;
/** A timer may fire a little early. */
const timerSlackMs = 2;

/**
 * Lets a file through that is, in this order, quiet, stable, closed and complete, and unchanged while it is read. One timer, one round at
 * a time: each checks the files that waited longest, with one sweep over open files for all that got that far.
 */
export function createStabilityGate({ clock, findWriters, emit, platform }: Dependencies): StabilityGate {
  const roots = new Map<string, GateRoot>();
  /** Ordered by the last check, oldest first. */
  const candidates = new Map<string, Candidate>();
  const writeGaps = createWriteGaps();
  const reportWait = createWaitReporter({ monotonic: clock.monotonic, emit });
  const isClockSteady = createClockJumpDetector(clock);
  /** Roots whose disk has yet to answer an earlier round. Their files wait. */
  const unanswered = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Infinity;
  let round: Promise<void> | null = null;
  let stopped = false;

  const keyOf = ({ rootId, path }: Candidate) => candidateKey(rootId, path);
  const isAtGate = (candidate: Candidate) => !stopped && candidates.get(keyOf(candidate)) === candidate;

  const reader = createFileReader({
    platform,
    onStart: (candidate) => wait(candidate, { kind: 'reading' }),
    onStalled: () => schedule(0),
    onRead: (candidate, outcome) => {
      if (!isAtGate(candidate)) return;
      candidate.isReading = false;
      if (outcome.kind === 'retry') checkAfter(candidate, outcome.afterMs);
      else if (outcome.kind === 'unfinished') setWriterUnknown(candidate, 'unfinished');
      else leave(candidate, outcome.signature, outcome.event);
    },
  });

  const wait = (candidate: Candidate, waiting: WatchWait) => {
    if (isAtGate(candidate)) reportWait(candidate, waiting);
  };

  function drop(candidate: Candidate): void {
    candidates.delete(keyOf(candidate));
    reader.cancel(candidate);
    schedule(0);
  }

  function leave(candidate: Candidate, signature: Signature, event: ScannerEvent): void {
    // It changed after this version was read, and no other event tells of that.
    if (candidate.found && !isUnchanged(candidate.found, signature)) {
      checkAfter(candidate, minRoundGapMs);
      return;
    }
    drop(candidate);
    const { quiet } = candidate;
    // It may be half a file whose writer continues in a moment.
    if (quiet && (event.kind === 'rejected' || quiet.writerUnknown !== 'none')) writeGaps.save(keyOf(candidate), quiet);
    roots.get(candidate.rootId)?.onLeft(candidate.path, signature);
    emit(event);
  }

  function reject(candidate: Candidate, signature: Signature, problem: Problem): void {
    leave(candidate, signature, { kind: 'rejected', id: candidate.rootId, path: candidate.path, signature, problem });
  }

  function checkAfter(candidate: Candidate, ms: number): void {
    candidate.dueAt = clock.monotonic() + ms;
    schedule(ms);
  }

  function schedule(ms: number): void {
    const at = clock.monotonic() + ms;
    if (stopped || round || at >= timerAt || !hasCapacity()) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(startRound, ms);
  }

  function startRound(): void {
    timer = undefined;
    timerAt = Infinity;
    round = checkDue().finally(() => {
      round = null;
      if (stopped) return;
      let next = Infinity;
      for (const candidate of candidates.values()) if (!isBusy(candidate)) next = Math.min(next, candidate.dueAt);
      // While the reader is busy, the end of a read starts the next round.
      if (next < Infinity && hasCapacity()) schedule(Math.max(next - clock.monotonic(), minRoundGapMs));
    });
  }

  const isBusy = ({ isReading, rootId }: Candidate) => isReading || unanswered.has(rootId);

  const capacity = () => maxConcurrent - reader.count();
  /** A sweep costs the same for one file as for many, so small rounds are avoided. */
  const hasCapacity = () => capacity() >= maxConcurrent / 2;

  /** Moves the due candidates to the end of the order, and reports to some others that they have to wait. */
  function takeDue(): readonly Candidate[] {
    const now = clock.monotonic();
    const due: Candidate[] = [];
    const unreported: Candidate[] = [];
    for (const candidate of candidates.values()) {
      if (isBusy(candidate) || candidate.dueAt > now) continue;
      if (due.length < capacity()) due.push(candidate);
      else if (candidate.reportedKind === null) unreported.push(candidate);
      if (unreported.length >= maxConcurrent) break;
    }
    for (const candidate of due) {
      candidates.delete(keyOf(candidate));
      candidates.set(keyOf(candidate), candidate);
    }
    for (const candidate of unreported) wait(candidate, { kind: 'turn' });
    return due;
  }

  async function checkDue(): Promise<void> {
    const isSteady = isClockSteady();
    const byRoot = Map.groupBy(takeDue(), ({ rootId }) => rootId);
    const checked = await Promise.all([...byRoot].map(([id, due]) => checkInTime(id, due, isSteady)));
    const quiet = checked.flat();
    if (quiet.length === 0 || stopped) return;
    const answers = await findWriters(
      quiet.map(({ candidate, root, signature }) => ({ path: join(root.path, candidate.path), signature })),
    );
    quiet.forEach((one, at) => readIfClosed(one, answers[at] ?? { kind: 'unknown' }));
  }

  /** Returns the files that passed layers 1 and 2; none if the disk does not answer in time. */
  async function checkInTime(
    id: string,
    due: readonly Candidate[],
    isSteady: boolean,
  ): Promise<readonly QuietCandidate[]> {
    const passed: QuietCandidate[] = [];
    const rest = due.values();
    const checkRest = async () => {
      for (const candidate of rest) {
        const quiet = await check(candidate, isSteady);
        if (quiet) passed.push(quiet);
      }
    };
    const late = Promise.withResolvers<readonly QuietCandidate[]>();
    unanswered.add(id);
    const giveUp = setTimeout(() => late.resolve([]), answersWithinMs);
    const checking = Promise.all(Array.from({ length: maxPerRoot }, checkRest)).then(() => {
      clearTimeout(giveUp);
      unanswered.delete(id);
      schedule(0);
      return passed;
    });
    return Promise.race([checking, late.promise]);
  }

  /** Layers 1 and 2. Returns null unless the file passed them. */
  async function check(candidate: Candidate, isSteady: boolean): Promise<QuietCandidate | null> {
    const root = roots.get(candidate.rootId);
    if (!root) return null;
    candidate.dueAt = clock.monotonic() + retryMs;
    if (!root.isWatched()) return null;
    candidate.found = null;
    try {
      const stats = await lstat(join(root.path, candidate.path), { bigint: true });
      if (!isAtGate(candidate)) return null;
      const signature = signatureOf(stats);
      if (!stats.isFile()) {
        reject(candidate, signature, { code: 'input/not-a-file', facts: { name: basename(candidate.path) } });
        return null;
      }
      const now = clock.monotonic();
      candidate.quiet ??= writeGaps.take(keyOf(candidate), now);
      const { quiet, stable } = recordSample(candidate, signature, now);
      const wasQuiet = isQuiet(quiet, now);
      const isUnfinished = quiet.writerUnknown === 'unfinished';
      const wasFinished =
        !isUnfinished && isSteady && root.hasOwnEvents() && wasFinishedBeforeArrival(quiet, now, clock.wallNow());
      const mayPass = wasQuiet || wasFinished;
      if (mayPass && isStable(stable)) return { candidate, root, signature, wasQuiet, wasFinished };
      if (!mayPass) reportQuiet(candidate);
      const remainingMs = Math.max(neededQuietMs(quiet) - (now - quiet.changedAt), 0);
      checkAfter(
        candidate,
        mayPass
          ? sampleGapMs + timerSlackMs
          : Math.min(Math.max(checkEveryMs, candidates.size * checkDelayPerFileMs), remainingMs + timerSlackMs),
      );
    } catch (error) {
      if (!isAtGate(candidate)) return null;
      if (isNotFound(error)) root.onMissing(candidate.path);
      checkAfter(candidate, retryMs);
    }
    return null;
  }

  const reportQuiet = (candidate: Candidate) => {
    if (candidate.quiet) wait(candidate, quietWait(candidate.quiet, clock.monotonic()));
  };

  /** The file must be quiet for longer. */
  function setWriterUnknown(candidate: Candidate, writerUnknown: WriterUnknown): void {
    if (candidate.quiet && candidate.quiet.writerUnknown !== 'unfinished')
      candidate.quiet = { ...candidate.quiet, writerUnknown };
    reportQuiet(candidate);
    checkAfter(candidate, checkEveryMs);
  }

  function isClosed({ candidate, root, wasFinished }: QuietCandidate, answer: WriterAnswer): boolean {
    if (root.isNetworkDrive()) return false;
    return answer.kind === 'none' || (answer.kind === 'unseen' && (candidate.hadWriter || wasFinished));
  }

  /** Layer 3; the reader is layer 4. */
  function readIfClosed(quietCandidate: QuietCandidate, answer: WriterAnswer): void {
    const { candidate, root, signature, wasQuiet } = quietCandidate;
    if (!isAtGate(candidate)) return;
    if (answer.kind === 'writer') {
      candidate.hadWriter = true;
      if (candidate.quiet) candidate.quiet = { ...candidate.quiet, openAt: clock.monotonic() };
      wait(candidate, { kind: 'writer', sizeBytes: signature.sizeBytes, program: answer.program });
      checkAfter(candidate, openEveryMs);
      return;
    }
    const { quiet } = candidate;
    const mayBeOpen = !isClosed(quietCandidate, answer);
    if (mayBeOpen && (quiet?.writerUnknown === 'none' || !wasQuiet)) {
      setWriterUnknown(candidate, 'unseen');
      return;
    }
    candidate.isReading = true;
    const hasWaited = quiet?.writerUnknown === 'unfinished' && wasQuiet;
    reader.add({ candidate, root, signature, mayBeOpen, hasWaited });
  }

  return {
    addRoot: (root) => void roots.set(root.id, root),
    removeRoot(id) {
      roots.delete(id);
      for (const candidate of [...candidates.values()]) if (candidate.rootId === id) drop(candidate);
    },
    add(id, paths) {
      if (stopped || !roots.has(id)) return;
      const now = clock.monotonic();
      for (const path of paths) {
        const key = candidateKey(id, path);
        if (!candidates.has(key)) candidates.set(key, newCandidate(id, path, now));
      }
      schedule(0);
    },
    remove(id, paths) {
      for (const path of paths) {
        const candidate = candidates.get(candidateKey(id, path));
        if (candidate) drop(candidate);
      }
    },
    has: (id, path) => candidates.has(candidateKey(id, path)),
    recheckSoon(id, path, found) {
      const candidate = candidates.get(candidateKey(id, path));
      if (!candidate) return;
      candidate.found = found;
      // One that is checked often anyway, or is being read, needs no extra check.
      if (candidate.isReading || candidate.dueAt - clock.monotonic() < checkEveryMs) return;
      checkAfter(candidate, minRoundGapMs);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      candidates.clear();
      await reader.stop();
      await round;
    },
  };
}

/** Twice a second per file is as often as the user can read a changing number. */
const reportEveryMs = 500;

/** Reports what a file waits for: at once if the reason changes, otherwise at most twice a second. */
const createWaitReporter =
  ({ monotonic, emit }: { readonly monotonic: () => number; readonly emit: (event: ScannerEvent) => void }) =>
  (candidate: Candidate, wait: WatchWait): void => {
    const now = monotonic();
    const isSame = candidate.reportedKind === wait.kind;
    if (isSame && (wait.kind === 'turn' || now - candidate.reportedAt < reportEveryMs)) return;
    candidate.reportedKind = wait.kind;
    candidate.reportedAt = now;
    emit({ kind: 'waiting', id: candidate.rootId, path: candidate.path, wait });
  };

const quietWait = (quiet: QuietPeriod, now: number): WatchWait => ({
  kind: 'quiet',
  sizeBytes: quiet.signature.sizeBytes,
  quietSeconds: (now - quiet.changedAt) / 1000,
  neededSeconds: neededQuietMs(quiet) / 1000,
});
