import type { Problem } from '../../../shared/errors.ts';
import { type Clock, createWakeTimer } from '../clock.ts';
import { freeBytes, isMounted, missingFolder, nearestFolder } from '../files/folders.ts';
import { canWriteBytes } from '../files/publish.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';

/** Free space that justifies a retry when the required size is unknown. */
const usualResultBytes = 32 * 1024 ** 2;
const recheckMs = 2000;
/** A disk quota shows only when writing, so it is checked less often. */
const quotaRecheckMs = 30_000;

interface DiskWatchDependencies {
  readonly breaker: CircuitBreaker;
  readonly clock: Clock;
  onDefect(error: unknown): void;
}

/**
 * Ends the pause for a disk that is full, read-only or taken away, as soon as it has space, can be written or is back. Has its own
 * timer, as another pause may hold the queue when the disk is due for a check.
 */
export function createDiskWatch({ breaker, clock, onDefect }: DiskWatchDependencies): { start(): void; stop(): void } {
  const timer = createWakeTimer(clock, () => void checkDisk().catch(onDefect));
  /** Folders whose disk has not answered yet. Another may be due for a check meanwhile. */
  const checking = new Set<unknown>();
  let isRunning = false;
  let unsubscribe = () => undefined as void;

  const setTimer = () => timer.set(breaker.find(null, 'disk')?.resumesAt ?? null);

  async function isUsable({ code, facts = {} }: Problem): Promise<boolean> {
    const { folder, neededBytes, reason, mountPoint } = facts;
    if (typeof folder !== 'string') return true;
    if (code === 'output/folder-missing') {
      const mounted = typeof mountPoint === 'string' ? mountPoint : null;
      const missing = await missingFolder(folder, mounted);
      // A disk that did not answer may never have had the folder, which is made then.
      return !missing || (reason === 'ETIMEDOUT' && (mounted === null || (await isMounted(mounted))));
    }
    if (code === 'output/not-writable') return canWriteBytes(await nearestFolder(folder), 1);
    const needed = typeof neededBytes === 'number' ? neededBytes : usualResultBytes;
    if ((await freeBytes(folder).catch(() => 0)) < needed) return false;
    return reason !== 'EDQUOT' || canWriteBytes(folder, needed);
  }

  async function checkDisk(): Promise<void> {
    const pause = breaker.find(null, 'disk');
    if (!pause) return;
    const { problem } = pause;
    const { folder, reason } = problem?.facts ?? {};
    if (checking.has(folder)) return;
    checking.add(folder);
    const isOver = await (problem ? isUsable(problem) : Promise.resolve(true)).finally(() => checking.delete(folder));
    const now = breaker.find(null, 'disk');
    if (!isRunning || !now) return;
    // Another disk may have filled up meanwhile: check that one next.
    if (now.problem?.facts?.['folder'] !== folder) timer.set(clock.now() + recheckMs);
    else if (isOver) breaker.resume(null, ['disk']);
    else breaker.pause({ ...now, resumesAt: clock.now() + (reason === 'EDQUOT' ? quotaRecheckMs : recheckMs) });
  }

  return {
    start() {
      isRunning = true;
      unsubscribe = breaker.onChanged(setTimer);
      setTimer();
    },
    stop() {
      isRunning = false;
      unsubscribe();
      timer.set(null);
    },
  };
}
