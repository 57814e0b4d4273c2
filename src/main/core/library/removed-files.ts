import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { TakenName } from '../jobs/job.ts';
import { storedJson } from '../jobs/job-row.ts';
import type { FinishedOutput } from '../outputs/pending-output.ts';

/** A result that is being taken out of history, or brought back. */
export interface RemovedFile {
  /** Part of its hidden name. */
  readonly id: string;
  /** The deed it belongs to, which is undone as a whole. */
  readonly removal: string;
  /** What is to come of it: the trash, or its old name. */
  readonly wish: 'gone' | 'back';
  /** Entries that have it, also such as were taken out before. */
  readonly jobs: readonly string[];
  /** Its name, and how it got it. */
  readonly path: string;
  readonly how: TakenName['how'];
  readonly finished: FinishedOutput;
  /** The name that it was about to get back. */
  readonly taking: TakenName | null;
}

/** Written before a file is touched, and deleted when nothing is left to do for it. */
export interface RemovedFiles {
  add(file: RemovedFile): void;
  wish(removal: string, wish: RemovedFile['wish']): void;
  take(id: string, taking: TakenName): void;
  drop(id: string): void;
  /** Files that had this name. */
  at(path: string): readonly RemovedFile[];
  /** Up to `count` files whose ids come after this one. */
  after(id: string, count: number): readonly RemovedFile[];
  all(): readonly RemovedFile[];
}

const how = v.picklist(['link', 'placeholder']);
const stored = v.object({
  id: v.string(),
  removal: v.string(),
  wish: v.picklist(['gone', 'back']),
  jobs: storedJson(v.array(v.string())),
  path: v.string(),
  how,
  sha256: v.string(),
  size_bytes: v.number(),
  device: v.string(),
  inode: v.string(),
  taking: v.nullable(v.string()),
  taking_how: v.nullable(how),
});

function read(row: unknown): RemovedFile {
  const { sha256, size_bytes, device, inode, taking, taking_how, ...file } = v.parse(stored, row);
  return {
    ...file,
    finished: { sha256, sizeBytes: size_bytes, identity: { device, inode } },
    taking: taking === null || taking_how === null ? null : { path: taking, how: taking_how },
  };
}

export function createRemovedFiles(database: DatabaseSync): RemovedFiles {
  const insert = database.prepare(
    `INSERT INTO removed_file (id, removal, wish, jobs, path, how, sha256, size_bytes, device, inode)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setWish = database.prepare('UPDATE removed_file SET wish = ? WHERE removal = ?');
  const setTaking = database.prepare('UPDATE removed_file SET taking = ?, taking_how = ? WHERE id = ?');
  const drop = database.prepare('DELETE FROM removed_file WHERE id = ?');
  const selectAt = database.prepare('SELECT * FROM removed_file WHERE path = ?');
  const selectAfter = database.prepare('SELECT * FROM removed_file WHERE id > ? ORDER BY id LIMIT ?');
  const selectAll = database.prepare('SELECT * FROM removed_file');
  return {
    add({ id, removal, wish, jobs, path, how, finished: { sha256, sizeBytes, identity } }) {
      const { device, inode } = identity;
      insert.run(id, removal, wish, JSON.stringify(jobs), path, how, sha256, sizeBytes, device, inode);
    },
    wish: (removal, wish) => void setWish.run(wish, removal),
    take: (id, taking) => void setTaking.run(taking.path, taking.how, id),
    drop: (id) => void drop.run(id),
    at: (path) => selectAt.all(path).map(read),
    after: (id, count) => selectAfter.all(id, count).map(read),
    all: () => selectAll.all().map(read),
  };
}
