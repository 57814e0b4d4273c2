import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import * as v from 'valibot';
import { type ConnectionDocument, connectionSchema } from '../../../shared/schemas/connection.ts';
import { transaction } from '../database/sqlite.ts';
import { createConnectionDocuments } from '../jobs/connection-documents.ts';
import { changingColumns, fixedColumns, nextChangeNumber } from '../jobs/job-row.ts';
import { nameKey } from '../files/names.ts';
import { parseArchiveLine, type ArchiveLine } from './archive-format.ts';
import { createAnnotationWriter } from './entries.ts';

/** The result of importing a line. */
export interface ImportedLine {
  /**
   * Id of the existing or new entry: the line's own, or that of an entry with the same task,
   * connection and end.
   */
  readonly id: string;
  readonly isNew: boolean;
}

/** Stores jobs of an exported history. */
export interface ImportedJobs {
  /**
   * Stores entries that do not exist yet as finished jobs without an owner, with their annotations.
   * All or none are stored. Results are in the order of the lines.
   */
  submit(lines: readonly ArchiveLine[]): readonly ImportedLine[];
  /** True if another result is recorded with this path. */
  isClaimed(path: string): boolean;
}

interface Dependencies {
  readonly database: DatabaseSync;
  /** Id of the connection with this name, if there is one. */
  connectionId(name: string): string | undefined;
  /** Folder for imported audio. */
  readonly folder: string;
}

/** Id of a connection that does not exist here, made from its name. No real id has this form. */
const foreignConnection = (name: string): string => `imported:${name}`;

interface KnownConnection {
  readonly id: string;
  readonly document: ConnectionDocument;
  readonly hash: string;
}

/**
 * Inserts job rows, oldest first. They are staged in a temporary table and copied by one statement:
 * the word index flushes at the start of each statement that may fail midway, and at each key that
 * is lower than the previous one.
 */
function createWriter(database: DatabaseSync, columns: readonly string[]) {
  const names = columns.join(', ');
  database.exec(
    `DROP TABLE IF EXISTS temp.imported_job; CREATE TEMP TABLE imported_job AS SELECT ${names} FROM job WHERE 0`,
  );
  const stage = database.prepare(`INSERT INTO temp.imported_job VALUES (${columns.map(() => '?').join(', ')})`);
  const insertStaged = database.prepare(
    `INSERT INTO job (${names}, change_number) SELECT *, ${nextChangeNumber} FROM temp.imported_job ORDER BY rowid`,
  );
  const clear = database.prepare('DELETE FROM temp.imported_job');
  return (rows: readonly (readonly SQLInputValue[])[]): void => {
    for (const row of rows) stage.run(...row);
    insertStaged.run();
    clear.run();
  };
}

export function createImportedJobs({ database, connectionId, folder }: Dependencies): ImportedJobs {
  const annotate = createAnnotationWriter(database);
  const selectId = database.prepare('SELECT id FROM job WHERE id = ?');
  const selectTask = database.prepare('SELECT id FROM job WHERE task_id = ? AND connection_name = ? AND ended_at = ?');
  const selectKey = database.prepare('SELECT 1 FROM job WHERE output_key = ?');
  const documents = createConnectionDocuments(database);
  let write: ReturnType<typeof createWriter> | undefined;
  const connections = new Map<string, KnownConnection>();

  function connectionOf(name: string): KnownConnection {
    const known = connections.get(name);
    if (known) return known;
    // Only the name of a connection is exported; a new job uses the local connection of that name.
    const document = v.parse(connectionSchema, { name, hosts: { voice: '', upload: '' } });
    const connection = {
      id: connectionId(name) ?? foreignConnection(name),
      document,
      hash: documents.save(document),
    };
    connections.set(name, connection);
    return connection;
  }

  function rowOf(line: ArchiveLine) {
    const { id: connection, document, hash } = connectionOf(line.connection.name);
    const job = parseArchiveLine(line, { folder, connectionId: connection, document });
    return {
      ...fixedColumns(job, hash),
      ...changingColumns(job),
      owner: '',
      output_key: job.output && nameKey(job.output.path),
    };
  }

  function insert(lines: readonly ArchiveLine[]): void {
    // An export lists the newest first, also among those that ended in the same millisecond.
    const rows = lines
      .toReversed()
      .toSorted((a, b) => a.endedAt - b.endedAt)
      .map(rowOf);
    if (!rows[0]) return;
    write ??= createWriter(database, Object.keys(rows[0]));
    write(rows.map((row) => Object.values(row)));
  }

  function mark(lines: readonly ArchiveLine[]): void {
    const idsOf = (some: readonly ArchiveLine[]) => some.map(({ id }) => id);
    const favourites = lines.filter(({ isFavourite }) => isFavourite);
    if (favourites.length > 0) annotate(idsOf(favourites), { isFavourite: true });
    for (const tag of new Set(lines.flatMap(({ tags }) => tags))) {
      annotate(idsOf(lines.filter(({ tags }) => tags.includes(tag))), { addTags: [tag] });
    }
  }

  return {
    submit: (lines) =>
      transaction(database, () => {
        const fresh = new Map<string, ArchiveLine>();
        const freshTasks = new Map<string, string>();
        const taken = lines.map((line): ImportedLine => {
          const { id, connection, endedAt } = line;
          const taskId = line.kind === 'conversion' ? line.taskId : null;
          // A service may use the id of a task again.
          const task = JSON.stringify([taskId, connection.name, endedAt]);
          const sameTask = () =>
            taskId === null
              ? undefined
              : (freshTasks.get(task) ?? selectTask.get(taskId, connection.name, endedAt)?.['id']);
          const known = fresh.get(id)?.id ?? selectId.get(id)?.['id'] ?? sameTask();
          if (known !== undefined) return { id: String(known), isNew: false };
          fresh.set(id, line);
          if (taskId !== null) freshTasks.set(task, id);
          return { id, isNew: true };
        });
        const added = [...fresh.values()];
        insert(added);
        mark(added);
        return taken;
      }),
    isClaimed: (path) => selectKey.get(nameKey(path)) !== undefined,
  };
}
