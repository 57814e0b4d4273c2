import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { connectionSchema } from '../../../shared/schemas/connection.ts';
import { transaction } from '../database/transaction.ts';
import { changingColumns, fixedColumns } from '../jobs/job-row.ts';
import { nextChange } from '../jobs/job-sql.ts';
import { nameKey } from '../outputs/name-key.ts';
import { fromHistoryLine } from './from-history-line.ts';
import type { HistoryLine } from './history-line.ts';

/** Jobs of another computer, or of this one in another time. */
export interface ImportedJobs {
  /** The entry that is here already: the same, or one of the same task of the same connection. */
  known(line: HistoryLine): string | null;
  /** Keeps an entry as a job that has ended; nobody owns it. */
  add(line: HistoryLine): void;
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

export function createImportedJobs({ database, connectionId, folder }: Dependencies): ImportedJobs {
  const selectId = database.prepare('SELECT id FROM job WHERE id = ?');
  const selectTask = database.prepare('SELECT id FROM job WHERE task_id = ? AND connection_name = ?');
  const selectKey = database.prepare('SELECT 1 FROM job WHERE output_key = ?');
  const insertDocument = database.prepare(
    'INSERT INTO connection_document (hash, document) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  let insert: ReturnType<DatabaseSync['prepare']> | undefined;

  return {
    known(line) {
      const taskId = line.kind === 'conversion' ? line.taskId : null;
      const found =
        selectId.get(line.id) ?? (taskId === null ? undefined : selectTask.get(taskId, line.connection.name));
      return found ? String(found['id']) : null;
    },
    add(line) {
      const { name } = line.connection;
      // What a connection is beyond its name does not travel; a new job takes the one that is here.
      const document = v.parse(connectionSchema, { name, hosts: { voice: '', upload: '' } });
      const text = JSON.stringify(document);
      const hash = createHash('sha256').update(text).digest('hex');
      const job = fromHistoryLine(line, {
        folder,
        connectionId: connectionId(name) ?? foreignConnection(name),
        document,
      });
      const values = {
        ...fixedColumns(job, hash),
        ...changingColumns(job),
        runner: '',
        output_key: job.output && nameKey(job.output.path),
      };
      const keys = Object.keys(values);
      insert ??= database.prepare(
        `INSERT INTO job (${keys.join(', ')}, change) VALUES (${keys.map((key) => `:${key}`).join(', ')}, ${nextChange})`,
      );
      transaction(database, () => {
        insertDocument.run(hash, text);
        insert?.run(values);
      });
    },
    isClaimed: (path) => selectKey.get(nameKey(path)) !== undefined,
  };
}
