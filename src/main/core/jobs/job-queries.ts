import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { batchesOf } from '../../../shared/batches.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { isIn, storedJson, type StoredRow, storedVoice } from '../database/columns.ts';
import { realSourcePath, unfetched, unfinished } from '../database/schema.ts';
import { transaction } from '../database/sqlite.ts';
import { nameKey } from '../files/names.ts';
import { nextChangeNumber } from './job-row.ts';
import { maxAheadMs } from './job.ts';
import type { ProcessLock } from './process-lock.ts';

/** Which of a connection's jobs the queue may start next. */
export interface DueQuery {
  readonly now: number;
  /** Select only jobs whose result is ready at the service. */
  readonly onlyResults: boolean;
  readonly except: readonly string[];
  readonly limit: number;
}

/** Queries for one process's unfinished jobs. Each uses an index, so the cost does not grow with the queue. */
export interface DueJobs {
  due(connectionId: string, query: DueQuery): readonly StoredRow[];
  /** Connections for which this process has unfinished jobs. */
  busyConnections(): readonly string[];
  jobsToPreflight(connectionId: string, query: Omit<DueQuery, 'onlyResults'>): readonly StoredRow[];
  /** When the first of this process's waiting jobs may be retried; null if none is waiting. */
  nextTryAt(): number | null;
  /** Ids of this process's jobs that have not ended. */
  unfinished(): readonly string[];
  /** Of one connection, if it is given. */
  countUnfinished(connectionId?: string): number;
  /** True if any process has a job that has not ended. */
  hasUnfinished(): boolean;
  /** Of all processes. */
  hasUnfinishedSpeech(): boolean;
  /** True if the job belongs to this process, running or ended. */
  owns(id: string): boolean;
}

/** The clock may have been set back since. */
const isDue = `(next_try_at IS NULL OR next_try_at <= :now OR next_try_at > :now + ${maxAheadMs})`;

/** Values of the column `phase`. */
const phases = { result: 0, newTask: 3, unchecked: 4 } as const;

export function createDueJobs(database: DatabaseSync, owner: string): DueJobs {
  const selectDue = database.prepare(
    `SELECT * FROM job WHERE owner = :owner AND connection_id = :connection AND phase <= :phase AND ${unfinished}
       AND ${isDue} AND NOT ${isIn('id', ':except')}
     ORDER BY phase, position LIMIT :limit`,
  );
  // Skips through the index from one connection to the next instead of reading all waiting jobs.
  const selectBusy = database.prepare(
    `WITH RECURSIVE busy (id) AS (
       SELECT min(connection_id) FROM job WHERE owner = :owner AND ${unfinished}
       UNION ALL
       SELECT (SELECT min(connection_id) FROM job WHERE owner = :owner AND ${unfinished} AND connection_id > busy.id)
       FROM busy WHERE busy.id IS NOT NULL
     ) SELECT id FROM busy WHERE id IS NOT NULL`,
  );
  const selectToPreflight = database.prepare(
    `SELECT * FROM job WHERE owner = :owner AND connection_id = :connection AND phase = ${phases.unchecked} AND ${unfinished}
       AND ${isDue} AND NOT ${isIn('id', ':except')} ORDER BY position LIMIT :limit`,
  );
  const selectNextTry = database.prepare(
    'SELECT min(next_try_at) AS at FROM job WHERE owner = ? AND next_try_at IS NOT NULL',
  );
  const selectUnfinished = database.prepare(`SELECT id FROM job WHERE owner = ? AND ${unfinished}`);
  const selectAnyUnfinished = database.prepare(`SELECT 1 FROM job WHERE ${unfinished} LIMIT 1`);
  const selectUnfinishedSpeech = database.prepare(`SELECT 1 FROM job WHERE kind = 'speech' AND ${unfinished} LIMIT 1`);
  const selectUnfinishedCount = database.prepare(`SELECT count(*) AS open FROM job WHERE owner = ? AND ${unfinished}`);
  const selectUnfinishedOfConnection = database.prepare(
    `SELECT count(*) AS open FROM job WHERE owner = ? AND connection_id = ? AND ${unfinished}`,
  );
  const selectOwn = database.prepare('SELECT 1 FROM job WHERE id = ? AND owner = ?');

  return {
    due: (connection, { now, limit, ...query }) =>
      selectDue.all({
        owner,
        connection,
        now,
        limit,
        phase: query.onlyResults ? phases.result : phases.newTask,
        except: JSON.stringify(query.except),
      }),
    busyConnections: () => selectBusy.all({ owner }).map(({ id }) => String(id)),
    jobsToPreflight: (connection, { now, limit, except }) =>
      selectToPreflight.all({ owner, connection, now, limit, except: JSON.stringify(except) }),
    nextTryAt: () => selectNextTry.get(owner)?.['at'] as number | null,
    unfinished: () => selectUnfinished.all(owner).map(({ id }) => String(id)),
    countUnfinished: (connectionId) =>
      Number(
        (connectionId === undefined
          ? selectUnfinishedCount.get(owner)
          : selectUnfinishedOfConnection.get(owner, connectionId))?.['open'],
      ),
    hasUnfinished: () => selectAnyUnfinished.get() !== undefined,
    hasUnfinishedSpeech: () => selectUnfinishedSpeech.get() !== undefined,
    owns: (id) => selectOwn.get(id, owner) !== undefined,
  };
}

/** A voice that is used at all is among a connection's latest results. */
const maxResultsWithVoice = 2000;

/** Finds a voice as the latest of a connection's results that has it; undefined if none of the last ones does. */
export function createLastVoice(database: DatabaseSync): (connectionId: string, voiceId: string) => Voice | undefined {
  const select = database.prepare(
    `SELECT voice FROM (
       SELECT voice FROM job WHERE connection_id = ? AND state = 'done' ORDER BY ended_at DESC LIMIT ${maxResultsWithVoice}
     ) WHERE json_extract(voice, '$.id') = ? LIMIT 1`,
  );
  return (connectionId, voiceId) => {
    const { success, output } = v.safeParse(storedJson(storedVoice), select.get(connectionId, voiceId)?.['voice']);
    return success ? output : undefined;
  };
}

/** Ids of the voices of a connection's latest results, the latest first. */
export function createRecentVoices(database: DatabaseSync): (connectionId: string, most: number) => readonly string[] {
  const select = database.prepare(
    `SELECT id FROM (
       SELECT json_extract(voice, '$.id') AS id, ended_at FROM job
       WHERE connection_id = ? AND state = 'done' ORDER BY ended_at DESC LIMIT ${maxResultsWithVoice}
     ) WHERE id IS NOT NULL GROUP BY id ORDER BY max(ended_at) DESC LIMIT ?`,
  );
  return (connectionId, most) => select.all(connectionId, most).map(({ id }) => String(id));
}

/** Jobs of these connections, or those that this command waits for, at most `limit`; or these jobs. */
export type ClaimQuery =
  | { readonly connectionIds: readonly string[]; readonly limit: number }
  | { readonly areRequested: true; readonly limit: number }
  | { readonly ids: readonly string[] };

/** Conversions with a voice of a connection. */
export interface ConversionsQuery {
  readonly connectionId: string;
  readonly voiceId: string;
}

/** Those that nobody waits for, or those of them that any process has changed since, as `lastChange` numbers the changes. */
export type LeftConversionsQuery = ConversionsQuery & { readonly changedAfter?: number };

/**
 * Those of these recordings, by path, by the path that it leads to or by content, those whose results have these names, those
 * that other living processes have not ended, or those that any process has changed since.
 */
export type EarlierConversionsQuery = ConversionsQuery & {
  /** Milliseconds since 1970. What ended in doubt before is known to the user. */
  readonly endedSince: number;
} & (
    | { readonly paths: readonly string[] }
    /** Its hash. */
    | { readonly content: string }
    /** As `nameKey` makes them of paths. */
    | { readonly outputKeys: readonly string[] }
    | { readonly areElsewhere: true }
    /** As `lastChange` numbers them. */
    | { readonly changedAfter: number }
  );

/** Which process runs a job, and which command waits for its outcome. */
interface JobOwners {
  /** Claims unfinished jobs of dead processes and returns their ids in queue order. Only one process wins each job. */
  claim(which: ClaimQuery): readonly string[];
  unacknowledgedSpeech(text: string): readonly StoredRow[];
  unfetchedSpeech(text: string): readonly StoredRow[];
  earlierSpeech(text: string): readonly StoredRow[];
  /** Only what their recordings are found by, of these and the next. */
  earlierConversions(query: EarlierConversionsQuery): readonly StoredRow[];
  leftConversions(query: LeftConversionsQuery): Iterable<readonly StoredRow[]>;
  requestJobs(ids: readonly string[]): void;
  acknowledge(ids: readonly string[]): void;
  isElsewhere(id: string): boolean;
  isAwaitedElsewhere(id: string): boolean;
}

/** Reading these takes a millisecond or two. */
const leftPerPage = 200;

/** Bounds the search when many tables contain the same text. */
const maxEarlierJobs = 100;

export function createJobOwners(database: DatabaseSync, processLock: ProcessLock): JobOwners {
  const selectOwners = database.prepare(`SELECT DISTINCT owner AS owner FROM job WHERE ${unfinished} AND owner <> ?`);
  const selectRequesters = database.prepare(
    'SELECT DISTINCT requested_by AS owner FROM job WHERE requested_by IS NOT NULL AND requested_by <> ?',
  );
  const selectClaimable = database.prepare(
    `SELECT id FROM job WHERE ${unfinished} AND ${isIn('owner', ':dead')}
       AND (${isIn('connection_id', ':connections')} OR ${isIn('id', ':ids')} OR requested_by = :requester) ORDER BY position LIMIT :limit`,
  );
  const setOwner = database.prepare(
    `UPDATE job SET owner = ?, change_number = ${nextChangeNumber} WHERE ${isIn('id', '?')}`,
  );
  const selectUnacknowledgedSpeech = database.prepare(
    `SELECT * FROM job WHERE ${isIn('requested_by', '?')} AND kind = 'speech' AND text = ? ORDER BY position`,
  );
  const isUnfetched = `${unfetched} AND (requested_by IS NULL OR ${isIn('requested_by', ':dead')})
    AND NOT EXISTS (SELECT 1 FROM history_removed WHERE history_removed.job = job.number)`;
  const selectUnfetchedSpeech = database.prepare(
    `SELECT * FROM job WHERE substr(text, 1, 64) = substr(:text, 1, 64) AND text = :text AND ${isUnfetched} ORDER BY position`,
  );
  const selectEarlierSpeech = database.prepare(
    `SELECT * FROM job WHERE substr(text, 1, 64) = substr(:text, 1, 64) AND text = :text AND state <> 'failed'
      AND NOT EXISTS (SELECT 1 FROM history_removed WHERE history_removed.job = job.number)
    ORDER BY number DESC LIMIT ${maxEarlierJobs}`,
  );
  // An imported entry has no owner: its hashes, which anyone can write into an archive, keep no recording from being converted.
  const isConversion = `kind = 'conversion' AND owner <> '' AND connection_id = :connectionId
    AND iif(json_valid(voice), voice ->> '$.id', '') = :voiceId`;
  const selectEarlierConversions = database.prepare(
    `SELECT id, source, source_sha256, requested_by FROM job WHERE id IN (
       SELECT id FROM job WHERE ${isIn('source_path', ':paths')}
       UNION SELECT id FROM job WHERE ${isIn(realSourcePath, ':paths')} AND ${realSourcePath} IS NOT NULL
       UNION SELECT id FROM job WHERE source_sha256 = :content
       UNION SELECT id FROM job WHERE ${isIn('output_key', ':outputKeys')}
       UNION SELECT id FROM job WHERE ${isIn('owner', ':owners')} AND ${unfinished}
       UNION SELECT id FROM job WHERE change_number > :changedAfter)
     AND ${isConversion}
     AND (state = 'done' OR ${unfinished} OR (state IN ('uncertain', 'cancelled') AND state_changed_at >= :endedSince))
     AND (requested_by IS NULL OR NOT ${isIn('requested_by', ':dead')})
     AND NOT EXISTS (SELECT 1 FROM history_removed WHERE history_removed.job = job.number)
     ORDER BY number DESC`,
  );
  const isAbandoned = `${isIn('owner', ':deadOwners')} AND requested_by IS NULL AND ${unfinished}`;
  // Reads nothing but indexes: there may be tens of thousands.
  const selectMaybeLeft = database.prepare(
    `SELECT json_group_array(number) AS numbers FROM (
       SELECT number FROM job WHERE ${isIn('requested_by', ':dead')}
       UNION SELECT number FROM job WHERE ${isAbandoned}
       UNION SELECT number FROM job WHERE connection_id = :connectionId AND ${unfetched})`,
  );
  const selectChanged = database.prepare('SELECT json_group_array(number) AS numbers FROM job WHERE change_number > ?');
  const selectLeftConversions = database.prepare(
    `SELECT id, source, source_sha256, requested_by FROM job WHERE ${isIn('number', ':numbers')}
       AND (${isIn('requested_by', ':dead')} OR (${isAbandoned}) OR (${isUnfetched})) AND ${isConversion} ORDER BY number`,
  );
  const selectOwner = database.prepare('SELECT owner FROM job WHERE id = ?');
  const selectRequester = database.prepare('SELECT requested_by AS owner FROM job WHERE id = ?');
  // Of two processes that take up the same job, one sees that it has changed.
  const setRequester = database.prepare(
    `UPDATE job SET requested_by = ?, change_number = ${nextChangeNumber} WHERE ${isIn('id', '?')}`,
  );
  const selectRequestersOf = database.prepare(
    `SELECT DISTINCT requested_by AS owner FROM job WHERE requested_by IS NOT NULL AND ${isIn('id', '?')}`,
  );
  const removeRequester = database.prepare(
    `UPDATE job SET requested_by = NULL WHERE ${isIn('id', '?')} AND NOT ${isIn('requested_by', '?')}`,
  );

  const owners = (select: typeof selectOwners): readonly string[] =>
    select.all(processLock.id).map(({ owner }) => String(owner));
  const deadOwners = (select: typeof selectOwners): readonly string[] =>
    owners(select).filter((owner) => !processLock.isAlive(owner));

  const isOther = (owner: unknown): boolean =>
    typeof owner === 'string' && owner !== processLock.id && processLock.isAlive(owner);

  return {
    claim(which) {
      const dead = deadOwners(selectOwners);
      if (dead.length === 0) return [];
      const { connectionIds, ids, areRequested, limit } = {
        ...{ connectionIds: [], ids: [], areRequested: false, limit: -1 },
        ...which,
      };
      const values = {
        dead: JSON.stringify(dead),
        connections: JSON.stringify(connectionIds),
        ids: JSON.stringify(ids),
        requester: areRequested ? processLock.id : null,
        limit,
      };
      return transaction(database, () => {
        const claimed = selectClaimable.all(values).map(({ id }) => String(id));
        setOwner.run(processLock.id, JSON.stringify(claimed));
        return claimed;
      });
    },
    unacknowledgedSpeech(text) {
      const dead = deadOwners(selectRequesters);
      return dead.length === 0 ? [] : selectUnacknowledgedSpeech.all(JSON.stringify(dead), text);
    },
    unfetchedSpeech: (text) => selectUnfetchedSpeech.all({ text, dead: JSON.stringify(deadOwners(selectRequesters)) }),
    earlierSpeech: (text) => selectEarlierSpeech.all({ text }),
    earlierConversions({ connectionId, voiceId, endedSince, ...which }) {
      const { paths, content, outputKeys, areElsewhere, changedAfter } = {
        ...{ paths: [], content: null, outputKeys: [], areElsewhere: false, changedAfter: Number.MAX_SAFE_INTEGER },
        ...which,
      };
      return selectEarlierConversions.all({
        connectionId,
        voiceId,
        endedSince,
        paths: JSON.stringify(paths),
        content,
        outputKeys: JSON.stringify(outputKeys),
        changedAfter,
        owners: JSON.stringify(areElsewhere ? owners(selectOwners).filter(processLock.isAlive) : []),
        dead: JSON.stringify(deadOwners(selectRequesters)),
      });
    },
    *leftConversions({ connectionId, voiceId, changedAfter }) {
      const shared = {
        connectionId,
        dead: JSON.stringify(deadOwners(selectRequesters)),
        deadOwners: JSON.stringify(deadOwners(selectOwners)),
      };
      const found = changedAfter === undefined ? selectMaybeLeft.get(shared) : selectChanged.get(changedAfter);
      const numbers = JSON.parse(String(found?.['numbers'])) as readonly number[];
      for (const some of batchesOf(numbers, leftPerPage))
        yield selectLeftConversions.all({ ...shared, voiceId, numbers: JSON.stringify(some) });
    },
    isElsewhere: (id) => isOther(selectOwner.get(id)?.['owner']),
    isAwaitedElsewhere: (id) => isOther(selectRequester.get(id)?.['owner']),
    requestJobs: (ids) => void setRequester.run(processLock.id, JSON.stringify(ids)),
    acknowledge(ids) {
      const acknowledged = JSON.stringify(ids);
      const others = selectRequestersOf.all(acknowledged).flatMap(({ owner }) => (isOther(owner) ? String(owner) : []));
      removeRequester.run(acknowledged, JSON.stringify(others));
    },
  };
}

const maxSamples = 20;
/** Fewer samples are not meaningful. */
const minSamples = 5;

/** Processing seconds per second of audio on a connection, from past jobs; null if there are too few. */
export function processingSpeedOf(database: DatabaseSync, connectionId: string): number | null {
  const rows = database
    .prepare(
      `SELECT (ended_at - started_at) / 1000.0 / duration_seconds AS speed FROM job
         WHERE state = 'done' AND kind = 'conversion' AND connection_id = ? AND duration_seconds > 0 AND started_at IS NOT NULL
         ORDER BY ended_at DESC LIMIT ?`,
    )
    .all(connectionId, maxSamples);
  if (rows.length < minSamples) return null;
  const speeds = rows.map(({ speed }) => Number(speed)).sort((a, b) => a - b);
  const middle = speeds.length >> 1;
  const upper = speeds[middle] ?? 0;
  return speeds.length % 2 === 1 ? upper : (upper + (speeds[middle - 1] ?? 0)) / 2;
}

/**
 * The function reserves a name for a job's result, unless another result's name differs only in case or Unicode
 * form: two files here could become one on another file system. Finished results with exactly this name are
 * ignored; the folder decides, as the earlier file may be gone.
 */
export function createNameReserver(database: DatabaseSync): (id: string, path: string) => boolean {
  const reserve = database.prepare(
    `UPDATE job SET output_key = :key WHERE id = :id AND NOT EXISTS (
       SELECT 1 FROM job AS other WHERE other.output_key = :key AND other.id <> :id
         AND (other.${unfinished} OR (other.state = 'done' AND other.output_path <> :path)))`,
  );
  return (id, path) => reserve.run({ key: nameKey(path), id, path }).changes === 1;
}

/**
 * Moves jobs, in this order, before another job or to the end. A position is a number between those of its two
 * neighbours. When no number is left between them, after about fifty moves to one spot, all jobs are
 * renumbered and 'all' is returned. Call inside a transaction.
 */
export function reposition(database: DatabaseSync, ids: readonly string[], before: string | null): 'these' | 'all' {
  const selectPosition = database.prepare('SELECT position FROM job WHERE id = ?');
  const selectPrevious = database.prepare(
    `SELECT coalesce(max(position), 0) AS position FROM job WHERE position < ? AND NOT ${isIn('id', '?')}`,
  );
  const selectAll = database.prepare('SELECT id FROM job ORDER BY position');
  const update = database.prepare(
    `UPDATE job SET position = ?, revision = revision + 1, change_number = ${nextChangeNumber} WHERE id = ?`,
  );

  function gap(): { readonly start: number; readonly step: number } {
    const end = before === null ? Infinity : Number(selectPosition.get(before)?.['position']);
    const start = Number(selectPrevious.get(end, JSON.stringify(ids))?.['position']);
    return { start, step: end === Infinity ? 1 : (end - start) / (ids.length + 1) };
  }

  let { start, step } = gap();
  const isFull = start + step / 2 === start;
  if (isFull) {
    for (const [k, { id }] of selectAll.all().entries()) update.run(k + 1, String(id));
    ({ start, step } = gap());
  }
  ids.forEach((id, k) => update.run(start + step * (k + 1), id));
  return isFull ? 'all' : 'these';
}
