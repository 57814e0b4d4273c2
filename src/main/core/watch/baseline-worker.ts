import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { servePool } from '../../../sound/serve-pool.ts';
import { busyTimeoutMs, databaseUrl, hasResultCode, relaxedCommit, transaction } from '../database/sqlite.ts';
import { isWriteBlocked } from '../database/write-gate.ts';
import type { BaselineReply, BaselineTask } from './baseline-writer.ts';
import { createBaselineInsert } from './file-store.ts';

/** SQLITE_CONSTRAINT: https://www.sqlite.org/rescode.html. The folder was removed meanwhile. */
const removedCodes = [19] as const;

interface Connection {
  readonly database: DatabaseSync;
  readonly insert: ReturnType<typeof createBaselineInsert>;
}

function connect(path: string): Connection {
  // Never creates it: a repair may have moved it away.
  const database = new DatabaseSync(databaseUrl(pathToFileURL(path), 'mode=rw'), { timeout: busyTimeoutMs });
  try {
    // Holds the index of inodes, which the rows of each batch are spread over, for a hundred thousand files.
    database.exec('PRAGMA cache_size = -16000');
    return { database, insert: createBaselineInsert(database) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Open until the thread ends. */
let connection: Connection | undefined;

/** Adds all files or none. */
function add({ databasePath, folderId, files, at }: BaselineTask): BaselineReply {
  try {
    const { database, insert } = (connection ??= connect(databasePath));
    const addAll = () => files.flatMap(({ path, signature }) => (insert(folderId, path, signature, at) ? [] : path));
    return relaxedCommit(database, () => transaction(database, addAll));
  } catch (error) {
    if (isWriteBlocked(error) || hasResultCode(error, removedCodes)) return null;
    throw error;
  }
}

/** Entry of the thread that adds the files of a first scan. */
servePool((task: BaselineTask) => Promise.resolve(add(task)));
