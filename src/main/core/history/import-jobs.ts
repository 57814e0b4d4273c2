import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import * as v from 'valibot';
import { type ConnectionDocument, connectionSchema } from '../../../shared/schemas/connection.ts';
import { transaction } from '../database/sqlite.ts';
import { changingColumns, fixedColumns, nextChange } from '../jobs/job-row.ts';
import { nameKey } from '../files/names.ts';
import { fromHistoryLine, type HistoryLine } from './archive-format.ts';
import { createAnnotationWriter } from './entries.ts';

/** What became of a line. */
export interface ImportedLine {
  /** Of the entry that is here now: the line's own, or that of one which is the same task of the same connection. */
  readonly id: string;
  readonly isNew: boolean;
}

/** Jobs of another computer, or of this one in another time. */
export interface ImportedJobs {
  /**
   * Keeps entries that are not here yet as jobs that have ended, with what a person has written on them; nobody owns them. All or none
   * are kept. Answers in the order of the lines.
   */
  takeUp(lines: readonly HistoryLine[]): readonly ImportedLine[];
  /** True of a path that is written down for another result. */
  isClaimed(path: string): boolean;
}

interface Dependencies {
  readonly database: DatabaseSync;
  /** The connection of this name, if there is one here. */
  connectionId(name: string): string | undefined;
  /** Where imported sounds go. */
  readonly folder: string;
}

/** A connection that is not on this computer: the name of one, which nobody can have as an id. */
export const foreignConnection = (name: string): string => `imported:${name}`;

interface KnownConnection {
  readonly id: string;
  readonly document: ConnectionDocument;
  readonly hash: string;
}

/**
 * Writes rows of jobs, oldest first. They are laid down aside and taken over by one statement: the index of words writes itself out at
 * the beginning of each statement that may fail in the middle, and whenever it is given an entry that is older than the last.
 */
function createWriter(database: DatabaseSync, columns: readonly string[]) {
  const names = columns.join(', ');
  database.exec(
    `DROP TABLE IF EXISTS temp.imported_job; CREATE TEMP TABLE imported_job AS SELECT ${names} FROM job WHERE 0`,
  );
  const layDown = database.prepare(`INSERT INTO temp.imported_job VALUES (${columns.map(() => '?').join(', ')})`);
  const takeOver = database.prepare(
    `INSERT INTO job (${names}, change) SELECT *, ${nextChange} FROM temp.imported_job ORDER BY rowid`,
  );
  const clear = database.prepare('DELETE FROM temp.imported_job');
  return (rows: readonly (readonly SQLInputValue[])[]): void => {
    for (const row of rows) layDown.run(...row);
    takeOver.run();
    clear.run();
  };
}

export function createImportedJobs({ database, connectionId, folder }: Dependencies): ImportedJobs {
  const marks = createAnnotationWriter(database);
  const selectId = database.prepare('SELECT id FROM job WHERE id = ?');
  const selectTask = database.prepare('SELECT id FROM job WHERE task_id = ? AND connection_name = ?');
  const selectKey = database.prepare('SELECT 1 FROM job WHERE output_key = ?');
  const insertDocument = database.prepare(
    'INSERT INTO connection_document (hash, document) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  let write: ReturnType<typeof createWriter> | undefined;
  const connections = new Map<string, KnownConnection>();

  function connectionOf(name: string): KnownConnection {
    const known = connections.get(name);
    if (known) return known;
    // What a connection is beyond its name does not travel; a new job takes the one that is here.
    const document = v.parse(connectionSchema, { name, hosts: { voice: '', upload: '' } });
    const text = JSON.stringify(document);
    const hash = createHash('sha256').update(text).digest('hex');
    insertDocument.run(hash, text);
    const connection = { id: connectionId(name) ?? foreignConnection(name), document, hash };
    connections.set(name, connection);
    return connection;
  }

  function rowOf(line: HistoryLine) {
    const { id: connection, document, hash } = connectionOf(line.connection.name);
    const job = fromHistoryLine(line, { folder, connectionId: connection, document });
    return {
      ...fixedColumns(job, hash),
      ...changingColumns(job),
      runner: '',
      output_key: job.output && nameKey(job.output.path),
    };
  }

  function insert(lines: readonly HistoryLine[]): void {
    // An export has the newest first, also of those that ended in one millisecond.
    const rows = lines
      .toReversed()
      .toSorted((a, b) => a.endedAt - b.endedAt)
      .map(rowOf);
    if (!rows[0]) return;
    write ??= createWriter(database, Object.keys(rows[0]));
    write(rows.map((row) => Object.values(row)));
  }

  function mark(lines: readonly HistoryLine[]): void {
    const idsOf = (some: readonly HistoryLine[]) => some.map(({ id }) => id);
    const favourites = lines.filter(({ isFavourite }) => isFavourite);
    if (favourites.length > 0) marks(idsOf(favourites), { isFavourite: true });
    for (const tag of new Set(lines.flatMap(({ tags }) => tags))) {
      marks(idsOf(lines.filter(({ tags }) => tags.includes(tag))), { addTags: [tag] });
    }
  }

  return {
    takeUp: (lines) =>
      transaction(database, () => {
        const fresh = new Map<string, HistoryLine>();
        const freshTasks = new Map<string, string>();
        const taken = lines.map((line): ImportedLine => {
          const { id, connection } = line;
          const taskId = line.kind === 'conversion' ? line.taskId : null;
          const task = JSON.stringify([taskId, connection.name]);
          const sameTask = () =>
            taskId === null ? undefined : (freshTasks.get(task) ?? selectTask.get(taskId, connection.name)?.['id']);
          const known = fresh.get(id)?.id ?? selectId.get(id)?.['id'] ?? sameTask();
          if (known !== undefined) return { id: String(known), isNew: false };
          fresh.set(id, line);
          if (taskId !== null) freshTasks.set(task, id);
          return { id, isNew: true };
        });
        const news = [...fresh.values()];
        insert(news);
        mark(news);
        return taken;
      }),
    isClaimed: (path) => selectKey.get(nameKey(path)) !== undefined,
  };
}
