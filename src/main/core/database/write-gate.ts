import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/errors.ts';
import type { Clock } from '../clock.ts';
import { createListeners } from '../events.ts';
import { busyTimeoutMs, hasResultCode, isDamage } from './sqlite.ts';

/** BUSY, LOCKED, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB: https://www.sqlite.org/rescode.html */
const transientCodes: readonly number[] = [5, 6, 7, 8, 10, 11, 13, 14, 15, 26];

const blockingCodes: ReadonlySet<string> = new Set(['data/not-writable', 'data/damaged', 'data/newer']);

/**
 * True if the database is not writable now: it is damaged, locked, only read, or its disk is full, failing or missing.
 */
export const isWriteBlocked = (error: unknown): boolean =>
  (error instanceof AppError && blockingCodes.has(error.code)) || isTransient(error);

const isTransient = (error: unknown): boolean => hasResultCode(error, transientCodes);

/**
 * Queues writes while the database is not writable. They stay in memory, in order, and are retried with
 * backoff; the first success ends the hold. Its owner opens the database, and stops the gate before closing it.
 */
export interface WriteGate {
  /** Milliseconds since 1970 when writing began to fail; null while the database is writable. */
  heldSince(): number | null;
  /** True while the reason is that the file is damaged, which no waiting ends. Queued writes stay in memory. */
  isDamaged(): boolean;
  /**
   * Runs `work` now, after all queued writes. Throws `data/not-writable` or `data/damaged` if it cannot. Inside a
   * transaction, `work` becomes part of it.
   */
  write<T>(work: () => T): T;
  /**
   * Runs `work` as soon as the database is writable, or at once if it is. Rejects with other errors of `work`. If
   * `signal` aborts, tries once more and then rejects with its reason.
   */
  commit<T>(work: () => T, signal?: AbortSignal): Promise<T>;
  /** Like `commit`, without waiting; `onDefect` receives the error. */
  defer(work: () => void): void;
  /** Begins a hold and returns true if `error` means that the database is not writable. */
  holdFor(error: unknown): boolean;
  /** Called when a hold begins and when it ends. */
  onChanged(listener: () => void): () => void;
  /** Called each time a write fails because the file is damaged. */
  onDamage(listener: () => void): () => void;
  /** Tries all queued writes once more and rejects those that still fail. */
  stop(): void;
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  onDefect(error: unknown): void;
}

interface QueuedWrite {
  /** Returns false if the database is still not writable; otherwise the promise is settled. */
  attempt(): boolean;
  reject(error: unknown): void;
}

const firstRetryMs = 100;
const maxRetryMs = 2000;

export function createWriteGate({ database, clock, onDefect }: Dependencies): WriteGate {
  const changes = createListeners<void>(onDefect);
  const damage = createListeners<void>(onDefect);
  const stopping = new AbortController();
  const queue: QueuedWrite[] = [];
  const readVersion = database.prepare('PRAGMA user_version');
  let heldSince: number | null = null;
  let isDamaged = false;
  let isFlushing = false;
  let isRetrying = false;
  let skipsBusyWait = false;

  /** Runs `work` without the busy timeout: after one wait for the lock, this thread must not block again. */
  function withoutBusyWait<T>(work: () => T): T {
    if (skipsBusyWait) return work();
    skipsBusyWait = true;
    database.exec('PRAGMA busy_timeout = 0');
    try {
      return work();
    } finally {
      skipsBusyWait = false;
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  }

  /** A commit that changes no data but must reach the disk. */
  function probe(): void {
    database.exec(`PRAGMA user_version = ${Number(readVersion.get()?.['user_version'])}`);
  }

  const remove = (entry: QueuedWrite) => {
    const place = queue.indexOf(entry);
    if (place >= 0) queue.splice(place, 1);
  };

  function flush(): void {
    // Inside a caller's transaction, a rollback would undo it.
    if (heldSince === null || isFlushing || database.isTransaction) return;
    isFlushing = true;
    try {
      withoutBusyWait(() => {
        if (queue.length === 0) probe();
        for (let [first] = queue; first; [first] = queue) {
          if (!first.attempt()) return;
          remove(first);
        }
      });
    } catch (error) {
      if (!isWriteBlocked(error)) throw error;
      noteDamage(error);
      return;
    } finally {
      isFlushing = false;
    }
    if (queue.length > 0) return;
    heldSince = null;
    isDamaged = false;
    changes.emit();
  }

  /** One timer for all holds, as a listener to the end of a hold may begin the next one. */
  async function retry(): Promise<void> {
    if (isRetrying) return;
    isRetrying = true;
    try {
      for (let waitMs = firstRetryMs; heldSince !== null; waitMs = Math.min(2 * waitMs, maxRetryMs)) {
        await clock.sleep(waitMs, stopping.signal);
        flush();
      }
    } finally {
      isRetrying = false;
    }
  }

  function hold(): void {
    if (heldSince !== null || stopping.signal.aborted) return;
    heldSince = clock.now();
    retry().catch((error: unknown) => {
      if (!stopping.signal.aborted) onDefect(error);
    });
    changes.emit();
  }

  /** Also tells of damage that shows only after another cause began the hold. */
  function noteDamage(error: unknown): void {
    if (!isDamage(error)) return;
    const isNews = !isDamaged && heldSince !== null;
    isDamaged = true;
    if (isNews) changes.emit();
    damage.emit();
  }

  function holdFor(error: unknown): boolean {
    if (!isWriteBlocked(error)) return false;
    isDamaged ||= isDamage(error);
    hold();
    noteDamage(error);
    return true;
  }

  function enqueue<T>(work: () => T, signal: AbortSignal | undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let isRunning = false;
    const entry: QueuedWrite = {
      attempt() {
        isRunning = true;
        try {
          resolve(work());
        } catch (error) {
          if (isWriteBlocked(error)) {
            noteDamage(error);
            return false;
          }
          reject(error);
        } finally {
          isRunning = false;
        }
        return true;
      },
      reject,
    };
    const onAbort = () => {
      if (isRunning) return;
      // Try once more: a result that is lost here would have to be paid for again.
      if (!withoutBusyWait(entry.attempt)) reject(signal?.reason);
      remove(entry);
    };
    queue.push(entry);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    return promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  async function commit<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    if (heldSince === null) {
      try {
        return work();
      } catch (error) {
        if (!holdFor(error) || stopping.signal.aborted) throw error;
      }
    }
    return enqueue(work, signal);
  }

  return {
    heldSince: () => heldSince,
    isDamaged: () => isDamaged,
    write(work) {
      const refused = (cause?: unknown) =>
        new AppError(isDamaged ? 'data/damaged' : 'data/not-writable', 'the database cannot be written', { cause });
      if (database.isTransaction) return work();
      flush();
      if (heldSince !== null && !isFlushing) throw refused();
      try {
        return work();
      } catch (error) {
        throw holdFor(error) ? refused(error) : error;
      }
    },
    commit,
    defer: (work) => void commit(work).catch(onDefect),
    holdFor,
    onChanged: changes.add,
    onDamage: damage.add,
    stop() {
      if (stopping.signal.aborted) return;
      flush();
      stopping.abort();
      const reason = new AppError('data/not-writable', 'closed while the database could not be written');
      for (const { reject } of queue.splice(0)) reject(reason);
      heldSince = null;
      isDamaged = false;
    },
  };
}

/** The gate of a database that is only read: refuses every write with `refusal`, and holds none. */
export function createReadOnlyGate(refusal: AppError): WriteGate {
  const unsubscribe = () => undefined;
  return {
    heldSince: () => null,
    isDamaged: () => false,
    write() {
      throw refusal;
    },
    commit: () => Promise.reject(refusal),
    // Nobody waits for these, such as an offline copy of a catalogue.
    defer: () => undefined,
    holdFor: () => false,
    onChanged: () => unsubscribe,
    onDamage: () => unsubscribe,
    stop: () => undefined,
  };
}
