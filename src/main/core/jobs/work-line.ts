import type { DatabaseSync } from 'node:sqlite';
import type { JobRow } from './job-row.ts';
import { isIn, unfinished } from './job-sql.ts';
import type { WorkQuery } from './job-store.ts';

/** The line of one process's jobs, as the queue takes from it. Every question is answered from an index, however long the line is. */
export interface WorkLine {
  work(connectionId: string, query: WorkQuery): readonly JobRow[];
  busyConnections(): readonly string[];
  unexamined(limit: number, except: readonly string[]): readonly JobRow[];
  nextTryAt(): number | null;
  open(): readonly string[];
  countOpen(): number;
  owns(id: string): boolean;
}

const newTasks = 3;
const onlyResults = 0;

export function createWorkLine(database: DatabaseSync, runner: string): WorkLine {
  const selectWork = database.prepare(
    `SELECT * FROM job WHERE runner = :runner AND connection_id = :connection AND phase <= :phase AND ${unfinished}
       AND (next_try_at IS NULL OR next_try_at <= :now) AND NOT ${isIn('id', ':except')}
     ORDER BY phase, place LIMIT :limit`,
  );
  // Steps from one connection to the next in the index, instead of reading all that wait.
  const selectBusy = database.prepare(
    `WITH RECURSIVE busy (id) AS (
       SELECT min(connection_id) FROM job WHERE runner = :runner AND ${unfinished}
       UNION ALL
       SELECT (SELECT min(connection_id) FROM job WHERE runner = :runner AND ${unfinished} AND connection_id > busy.id)
       FROM busy WHERE busy.id IS NOT NULL
     ) SELECT id FROM busy WHERE id IS NOT NULL`,
  );
  const selectUnexamined = database.prepare(
    `SELECT * FROM job WHERE runner = :runner AND connection_id = :connection AND phase = 4 AND ${unfinished}
       AND NOT ${isIn('id', ':except')} ORDER BY place LIMIT :limit`,
  );
  const selectNextTry = database.prepare(
    'SELECT min(next_try_at) AS at FROM job WHERE runner = ? AND next_try_at IS NOT NULL',
  );
  const selectOpen = database.prepare(`SELECT id FROM job WHERE runner = ? AND ${unfinished}`);
  const countOpen = database.prepare(`SELECT count(*) AS open FROM job WHERE runner = ? AND ${unfinished}`);
  const selectOwn = database.prepare('SELECT 1 FROM job WHERE id = ? AND runner = ?');
  const busyConnections = () => selectBusy.all({ runner }).map(({ id }) => String(id));

  return {
    work: (connection, { now, limit, ...query }) =>
      selectWork.all({
        runner,
        connection,
        now,
        limit,
        phase: query.onlyResults ? onlyResults : newTasks,
        except: JSON.stringify(query.except),
      }),
    busyConnections,
    unexamined(limit, except) {
      const found: JobRow[] = [];
      for (const connection of busyConnections()) {
        const free = limit - found.length;
        found.push(...selectUnexamined.all({ runner, connection, except: JSON.stringify(except), limit: free }));
      }
      return found;
    },
    nextTryAt: () => selectNextTry.get(runner)?.['at'] as number | null,
    open: () => selectOpen.all(runner).map(({ id }) => String(id)),
    countOpen: () => Number(countOpen.get(runner)?.['open']),
    owns: (id) => selectOwn.get(id, runner) !== undefined,
  };
}
