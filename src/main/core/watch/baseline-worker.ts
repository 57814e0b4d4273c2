import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { servePool } from '../../../sound/serve-pool.ts';
import { busyTimeoutMs, hasResultCode, relaxedCommit, transaction } from '../database/sqlite.ts';
import { isWriteBlocked } from '../database/write-gate.ts';
import type { BaselineReply, BaselineTask } from './baseline-thread.ts';
import { createBaselineInsert } from './file-store.ts';

/** SQLITE_CONSTRAINT: https://www.sqlite.org/rescode.html. The folder was removed meanwhile. */
const removedCodes = [19] as const;

/** Adds all files or none. */
function add({ databasePath, folderId, files, at }: BaselineTask): BaselineReply {
  const url = pathToFileURL(databasePath);
  // Never creates it: a repair may have moved it away.
  url.searchParams.set('mode', 'rw');
  let database: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(url, { timeout: busyTimeoutMs });
    database = opened;
    const insert = createBaselineInsert(opened);
    const addAll = () => files.flatMap(({ path, signature }) => (insert(folderId, path, signature, at) ? [] : path));
    return relaxedCommit(opened, () => transaction(opened, addAll));
  } catch (error) {
    if (isWriteBlocked(error) || hasResultCode(error, removedCodes)) return null;
    throw error;
  } finally {
    database?.close();
  }
}

/** Entry of the thread that adds the files of a first scan. */
servePool((task: BaselineTask) => Promise.resolve(add(task)));
