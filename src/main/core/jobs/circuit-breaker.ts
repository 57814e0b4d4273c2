import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { Problem } from '../../../shared/errors.ts';
import { type Pause, type PauseReason, pauseReasons } from '../../../shared/schemas/job.ts';
import type { Clock } from '../clock.ts';
import { storedJson, storedProblem } from '../database/columns.ts';
import { afterCommit, transaction } from '../database/sqlite.ts';
import { isWriteBlocked, type WriteGate } from '../database/write-gate.ts';
import { createListeners } from '../events.ts';
import type { BatteryPause } from './battery-pause.ts';
import { type Job, maxAheadMs } from './job.ts';

/** A pause with the number that determines how long the next one of its kind lasts. */
export interface StoredPause extends Pause {
  /** Number of failed attempts to end it. */
  readonly tries: number;
}

interface NewPause {
  readonly connectionId: string | null;
  readonly reason: PauseReason;
  readonly resumesAt: number | null;
  readonly problem: Problem | null;
}

/**
 * Which of a connection's jobs may run: all, those whose result is ready, one probe that checks whether the
 * connection works again, or none.
 */
export type Admission = 'all' | 'results' | 'probe' | 'none';

/**
 * Opens and ends pauses of the queue. They are on disk, so a pause that a service asked for survives a
 * restart. A pause that cannot be written applies all the same. A database that is not writable, the
 * offline mode and battery power are pauses too, in memory only.
 */
export interface CircuitBreaker {
  list(): readonly StoredPause[];
  find(connectionId: string | null, reason: PauseReason): StoredPause | undefined;
  admission(connectionId: string): Admission;
  /** True while the user or battery power holds every job, also one that probes. */
  isHeld(): boolean;
  /** Opens a pause, one per reason. Another with the same reason can extend it, never shorten it. */
  pause(pause: NewPause): void;
  resume(connectionId: string | null, reasons: readonly PauseReason[]): void;
  /** Reads the pauses that other processes wrote, the offline mode and the pause on battery power. */
  poll(): void;
  onChanged(listener: (pauses: readonly StoredPause[]) => void): () => void;
}

const allConnections = '';
/** Word for `user` in the database, where earlier versions read and write it. */
const storedUser = 'person';
const offlineMode: Problem = { code: 'network/offline-mode' };
const rowSchema = v.object({
  connection_id: v.string(),
  reason: v.pipe(
    v.picklist([...pauseReasons, storedUser]),
    v.transform((reason) => (reason === storedUser ? 'user' : reason)),
  ),
  started_at: v.number(),
  resumes_at: v.nullable(v.number()),
  tries: v.number(),
  problem: v.nullable(storedJson(storedProblem)),
});

function later(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.max(one, other);
}

interface Dependencies {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  readonly writes: WriteGate;
  /** Connections that may not be called now, in the offline mode. */
  offlineConnections?(): readonly string[];
  readonly batteryPause?: Pick<BatteryPause, 'holds' | 'since'>;
}

/** True once a pause need not be waited for any more. */
const isOver = (resumesAt: number, now: number): boolean => resumesAt <= now || resumesAt > now + maxAheadMs;

const noBatteryPause = { holds: () => false, since: () => null };

const toStoredReason = (reason: PauseReason): string => (reason === 'user' ? storedUser : reason);

const keyOf = ({ connectionId, reason }: Pick<Pause, 'connectionId' | 'reason'>) =>
  `${reason} ${connectionId ?? allConnections}`;

/** `appliesHere` selects the pauses that apply to this process: a command does not wait for a button in the window. */
export function createCircuitBreaker(
  { database, clock, writes, offlineConnections = () => [], batteryPause = noBatteryPause }: Dependencies,
  appliesHere: (pause: Pause) => boolean,
): CircuitBreaker {
  const listeners = createListeners<readonly StoredPause[]>();
  const select = database.prepare('SELECT * FROM pause ORDER BY started_at, connection_id, reason');
  const upsert = database.prepare(
    `INSERT INTO pause (connection_id, reason, started_at, resumes_at, tries, problem)
       VALUES (:connection, :reason, :since, :resumesAt, :tries, :problem)
     ON CONFLICT DO UPDATE SET resumes_at = :resumesAt, tries = :tries, problem = :problem`,
  );
  const remove = database.prepare('DELETE FROM pause WHERE connection_id = ? AND reason = ?');

  /** Pauses opened or ended but not written yet, by key; null means ended. */
  const unwritten = new Map<string, StoredPause | null>();

  let offlineSince: number | null = null;
  function offlinePauses(): readonly StoredPause[] {
    const ids = offlineConnections();
    const since = ids.length === 0 ? null : (offlineSince ?? clock.now());
    offlineSince = since;
    if (since === null) return [];
    const pause = { reason: 'offline-mode', since, resumesAt: null, tries: 0, problem: offlineMode } as const;
    return ids.map((connectionId) => ({ ...pause, connectionId }));
  }

  function batteryPauses(): readonly StoredPause[] {
    const since = batteryPause.since();
    return since === null
      ? []
      : [{ connectionId: null, reason: 'battery', since, resumesAt: null, tries: 0, problem: null }];
  }

  let lastStored: readonly StoredPause[] = [];
  function stored(): readonly StoredPause[] {
    try {
      lastStored = select
        .all()
        .map((row) => v.safeParse(rowSchema, row))
        // A later version may know reasons that mean nothing here.
        .flatMap(({ success, output }) => (success ? [output] : []))
        .map(({ connection_id: id, started_at: since, resumes_at: resumesAt, ...pause }) => ({
          ...pause,
          since,
          resumesAt,
          connectionId: id === allConnections ? null : id,
        }))
        .filter(appliesHere);
    } catch (error) {
      // A failing disk shows as a pause of its own; the last known pauses still apply.
      if (!isWriteBlocked(error)) throw error;
    }
    return lastStored;
  }

  function read(): readonly StoredPause[] {
    const since = writes.heldSince();
    const now = unwritten.size === 0 ? stored() : stored().filter((pause) => !unwritten.has(keyOf(pause)));
    const added = [...unwritten.values()].filter(
      (pause) => pause !== null && appliesHere(pause),
    ) as readonly StoredPause[];
    const open = [...now, ...added, ...offlinePauses(), ...batteryPauses()];
    if (since === null) return open;
    const problem: Problem = { code: writes.isDamaged() ? 'data/damaged' : 'data/not-writable' };
    return [...open, { connectionId: null, reason: 'data', since, resumesAt: since, tries: 0, problem }];
  }
  let pauses = read();
  let lastEmitted = JSON.stringify(pauses);

  function reread(): void {
    pauses = read();
    const now = JSON.stringify(pauses);
    if (now === lastEmitted) return;
    lastEmitted = now;
    listeners.emit(pauses);
  }
  writes.onChanged(reread);

  /** Takes effect at once and is written as soon as possible. */
  function write(changed: ReadonlyMap<string, StoredPause | null>, work: () => void): void {
    for (const [key, pause] of changed) unwritten.set(key, pause);
    writes.defer(() => {
      transaction(database, () => {
        work();
        afterCommit(database, () => {
          for (const [key, pause] of changed) if (unwritten.get(key) === pause) unwritten.delete(key);
        });
      });
      reread();
    });
    reread();
  }

  const find = (connectionId: string | null, reason: PauseReason) =>
    pauses.find((pause) => pause.connectionId === connectionId && pause.reason === reason);

  return {
    list: () => pauses,
    find,
    admission(connectionId) {
      const now = clock.now();
      // Also before the next poll: nothing may start in between.
      if (batteryPause.holds() || offlineConnections().includes(connectionId)) return 'none';
      const mine = pauses.filter((pause) => pause.connectionId === null || pause.connectionId === connectionId);
      if (mine.length === 0) return 'all';
      // No job probes a full disk, as its download would be wasted: disk-watch.ts checks it instead.
      const lasting = mine.filter(
        ({ resumesAt, reason }) =>
          resumesAt === null || !isOver(resumesAt, now) || reason === 'disk' || reason === 'data',
      );
      if (lasting.length === 0) return 'probe';
      return lasting.every(({ reason }) => reason === 'quota') ? 'results' : 'none';
    },
    isHeld: () => batteryPause.holds() || find(null, 'user') !== undefined,
    pause({ connectionId, reason, resumesAt, problem }) {
      const now = clock.now();
      pauses = read();
      const before = find(connectionId, reason);
      // Concurrent failures count as one attempt.
      const isStillOpen = before !== undefined && (before.resumesAt === null || !isOver(before.resumesAt, now));
      const pause: StoredPause = {
        connectionId,
        reason,
        since: before?.since ?? now,
        resumesAt: isStillOpen ? later(before.resumesAt, resumesAt) : resumesAt,
        tries: isStillOpen ? before.tries : (before?.tries ?? -1) + 1,
        problem,
      };
      write(new Map([[keyOf(pause), pause]]), () => {
        upsert.run({
          connection: connectionId ?? allConnections,
          reason: toStoredReason(reason),
          since: pause.since,
          resumesAt: pause.resumesAt,
          tries: pause.tries,
          problem: problem && JSON.stringify(problem),
        });
      });
    },
    resume(connectionId, reasons) {
      const over = reasons.filter((reason) => find(connectionId, reason));
      if (over.length === 0) return;
      write(new Map(over.map((reason) => [keyOf({ connectionId, reason }), null])), () =>
        over.forEach((reason) => remove.run(connectionId ?? allConnections, toStoredReason(reason))),
      );
    },
    poll: reread,
    onChanged: listeners.add,
  };
}

/**
 * Half-open state of the breaker: when a pause expires, one job per connection probes for the others. Its
 * first answer ends the pause; its failure extends it.
 */
interface HalfOpenProbes {
  start(job: Job): void;
  /** Call when the probe sends a call. */
  sent(job: Job): void;
  has(connectionId: string): boolean;
  is(job: Job): boolean;
  /** Call when the service has answered a call of this job. */
  recordSuccess(job: Job): void;
  finish(id: string): void;
  /** Counts probes as answered once their call has lasted too long to have been refused. */
  assumeSuccess(find: (id: string) => Job | undefined): void;
  /** Times at which `assumeSuccess` has work, one per probe that sent its call. */
  times(): readonly number[];
}

/** Pauses that a successful call ends. */
const disprovedPauses: readonly PauseReason[] = ['offline', 'rate', 'quota'];
/** A service refuses a call sooner than this after the connection is open; a conversion may take an hour. */
const refusalMs = 3000;

export function createHalfOpenProbes({
  breaker,
  clock,
}: {
  readonly breaker: CircuitBreaker;
  readonly clock: Clock;
}): HalfOpenProbes {
  /** By connection. A probe that prepares its first call has no time yet: nothing of it can have been refused. */
  const probes = new Map<string, { readonly id: string; readonly assumedAt: number | null }>();
  const isProbe = ({ id, connection }: Job) => probes.get(connection.id)?.id === id;

  function recordSuccess(job: Job): void {
    const { id } = job.connection;
    // A call sent before the service asked for a pause says nothing about that pause.
    const disproved: readonly PauseReason[] = isProbe(job) ? disprovedPauses : ['offline'];
    if (isProbe(job)) probes.delete(id);
    breaker.resume(id, disproved);
  }

  return {
    start: ({ id, connection }) => void probes.set(connection.id, { id, assumedAt: null }),
    sent(job) {
      const { id, connection } = job;
      probes.set(connection.id, { id, assumedAt: clock.now() + connection.document.timeouts.connectMs + refusalMs });
    },
    has: (connectionId) => probes.has(connectionId),
    is: isProbe,
    recordSuccess,
    finish(id) {
      for (const [connectionId, probe] of probes) if (probe.id === id) probes.delete(connectionId);
    },
    assumeSuccess(find) {
      for (const { id, assumedAt } of [...probes.values()]) {
        const job = assumedAt !== null && clock.now() >= assumedAt ? find(id) : undefined;
        if (job) recordSuccess(job);
      }
    },
    times: () => [...probes.values()].map(({ assumedAt }) => assumedAt).filter((at) => at !== null),
  };
}
