import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { Problem } from '../../../shared/problem.ts';
import { pauseReasons, type Pause, type PauseReason } from '../../../shared/wire/pause.ts';
import type { Clock } from '../clock.ts';
import { afterCommit, transaction } from '../database/transaction.ts';
import { cannotWrite, type WriteGate } from '../database/write-gate.ts';
import { createListeners } from '../listeners.ts';
import { storedJson, storedProblem } from './job-row.ts';

/** A pause with what decides how long the next one of its kind is. */
export interface HeldPause extends Pause {
  /** How often it was tried in vain. */
  readonly tries: number;
}

export interface NewPause {
  readonly connectionId: string | null;
  readonly reason: PauseReason;
  readonly until: number | null;
  readonly problem: Problem | null;
}

/**
 * What of a connection may be worked on: everything, results that wait there, one job that finds out whether it goes again, or
 * nothing.
 */
export type Admission = 'all' | 'results' | 'probe' | 'none';

/**
 * What holds the queue up, on disk like the jobs, so that a pause that a service asked for outlives the program. A pause that cannot be
 * written holds all the same; while nothing can be written, that is a pause too, and only in memory.
 */
export interface Pauses {
  list(): readonly HeldPause[];
  find(connectionId: string | null, reason: PauseReason): HeldPause | undefined;
  admission(connectionId: string): Admission;
  /** One pause a reason: another of the same makes it longer, never shorter, and is no news of its own. */
  hold(pause: NewPause): void;
  release(connectionId: string | null, reasons: readonly PauseReason[]): void;
  /** Reads what other processes wrote. */
  look(): void;
  onChanged(listener: (pauses: readonly HeldPause[]) => void): () => void;
}

/** A pause as a page may know it. */
export const toPause = ({ connectionId, reason, since, until, problem }: HeldPause): Pause => ({
  connectionId,
  reason,
  since,
  until,
  problem,
});

const everything = '';
const rowSchema = v.object({
  connection_id: v.string(),
  reason: v.picklist(pauseReasons),
  since: v.number(),
  until: v.nullable(v.number()),
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
}

const keyOf = ({ connectionId, reason }: Pick<Pause, 'connectionId' | 'reason'>) =>
  `${reason} ${connectionId ?? everything}`;

/** `heeds` leaves out pauses that are not meant for this process: a command does not wait for a button in a window. */
export function createPauses({ database, clock, writes }: Dependencies, heeds: (pause: Pause) => boolean): Pauses {
  const listeners = createListeners<readonly HeldPause[]>();
  const select = database.prepare('SELECT * FROM pause ORDER BY since, connection_id, reason');
  const put = database.prepare(
    `INSERT INTO pause (connection_id, reason, since, until, tries, problem)
       VALUES (:connection, :reason, :since, :until, :tries, :problem)
     ON CONFLICT DO UPDATE SET until = :until, tries = :tries, problem = :problem`,
  );
  const remove = database.prepare('DELETE FROM pause WHERE connection_id = ? AND reason = ?');

  /** Pauses that were made or ended and could not be written yet, by key; null is one that ended. */
  const unwritten = new Map<string, HeldPause | null>();

  let lastStored: readonly HeldPause[] = [];
  function stored(): readonly HeldPause[] {
    try {
      lastStored = select
        .all()
        .map((row) => v.parse(rowSchema, row))
        .map(({ connection_id: id, ...pause }) => ({ ...pause, connectionId: id === everything ? null : id }))
        .filter(heeds);
    } catch (error) {
      // A disk that fails is told of as a pause: what was known before still holds.
      if (!cannotWrite(error)) throw error;
    }
    return lastStored;
  }

  function read(): readonly HeldPause[] {
    const since = writes.heldSince();
    const now = unwritten.size === 0 ? stored() : stored().filter((pause) => !unwritten.has(keyOf(pause)));
    const added = [...unwritten.values()].filter((pause) => pause !== null && heeds(pause)) as readonly HeldPause[];
    if (since === null) return [...now, ...added];
    const problem: Problem = { code: 'data/not-writable' };
    return [...now, ...added, { connectionId: null, reason: 'data', since, until: since, tries: 0, problem }];
  }
  let held = read();
  let told = JSON.stringify(held);

  function reread(): void {
    held = read();
    const now = JSON.stringify(held);
    if (now === told) return;
    told = now;
    listeners.tell(held);
  }
  writes.onChanged(reread);

  /** Takes effect at once, and on disk as soon as that can be. */
  function write(changed: ReadonlyMap<string, HeldPause | null>, work: () => void): void {
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
    held.find((pause) => pause.connectionId === connectionId && pause.reason === reason);

  return {
    list: () => held,
    find,
    admission(connectionId) {
      const now = clock.now();
      const mine = held.filter((pause) => pause.connectionId === null || pause.connectionId === connectionId);
      if (mine.length === 0) return 'all';
      // A job that tried whether a disk is still full would fetch a result in vain: `createDiskWatch` looks at it instead.
      const lasting = mine.filter(
        ({ until, reason }) => until === null || until > now || reason === 'disk' || reason === 'data',
      );
      if (lasting.length === 0) return 'probe';
      return lasting.every(({ reason }) => reason === 'quota') ? 'results' : 'none';
    },
    hold({ connectionId, reason, until, problem }) {
      const now = clock.now();
      held = read();
      const before = find(connectionId, reason);
      // Several jobs in flight meet the same wall: that is one try, not as many as they are.
      const isSameWall = before !== undefined && (before.until === null || before.until > now);
      const pause: HeldPause = {
        connectionId,
        reason,
        since: before?.since ?? now,
        until: isSameWall ? later(before.until, until) : until,
        tries: isSameWall ? before.tries : (before?.tries ?? -1) + 1,
        problem,
      };
      write(new Map([[keyOf(pause), pause]]), () => {
        put.run({
          connection: connectionId ?? everything,
          reason,
          since: pause.since,
          until: pause.until,
          tries: pause.tries,
          problem: problem && JSON.stringify(problem),
        });
      });
    },
    release(connectionId, reasons) {
      const over = reasons.filter((reason) => find(connectionId, reason));
      if (over.length === 0) return;
      write(new Map(over.map((reason) => [keyOf({ connectionId, reason }), null])), () =>
        over.forEach((reason) => remove.run(connectionId ?? everything, reason)),
      );
    },
    look: reread,
    onChanged: listeners.add,
  };
}
