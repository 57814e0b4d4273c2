import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { AppError } from '../../../shared/app-error.ts';
import { withFolder } from '../outputs/output-folder.ts';
import type { Migration } from './migrations.ts';
import { transaction } from './transaction.ts';

function versionOf(database: DatabaseSync): number {
  const row = database.prepare('PRAGMA user_version').get();
  return Number(row?.['user_version']);
}

/** A copy of the whole database as it is now, under a name that says its version. It appears at once or not at all. */
async function backUp(database: DatabaseSync, path: string, version: number): Promise<void> {
  const target = `${path}.before-${version + 1}`;
  const part = `${target}.${randomUUID()}.part`;
  try {
    await backup(database, part);
    const file = await open(part, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, target);
    await withFolder(dirname(path), (folder) => folder.sync());
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Runs what is missing, one transaction a migration together with its number, so that a kill leaves the database before or after a
 * step and never inside one. Data that exists is copied aside first. Several processes may do this at once: each step is decided
 * under the write lock.
 */
export async function migrate(database: DatabaseSync, path: string, known: readonly Migration[]): Promise<void> {
  const latest = known.at(-1)?.version ?? 0;
  const found = versionOf(database);
  if (found > latest) {
    throw new AppError('data/newer', `${path} has version ${found}, this Timbre knows ${latest}`, {
      facts: { name: path },
    });
  }
  if (found === latest) return;
  if (found > 0) await backUp(database, path, found);
  for (const { version, sql } of known) {
    transaction(database, () => {
      if (versionOf(database) >= version) return;
      database.exec(sql);
      database.exec(`PRAGMA user_version = ${version}`);
    });
  }
}
