import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { databaseName, openDatabase } from './database/database.ts';
import { migrations } from './database/schema.ts';

const known = migrations.at(-1)?.version ?? 0;

/** What a later Timbre may add. */
const laterSql = `
  CREATE TABLE mood (name TEXT PRIMARY KEY) STRICT;
  ALTER TABLE job ADD COLUMN mood TEXT;
  CREATE VIEW moods AS SELECT later_function(mood) AS mood FROM job;
`;

/** Migrates the data of this Timbre, as a later one does when it is opened. Close the database. */
export const openAsLater = (folder: string, sql: string = laterSql): Promise<DatabaseSync> =>
  openDatabase(folder, [...migrations, { version: known + 1, sql }]);

const files = [databaseName, `${databaseName}-wal`];

/** Copies the database with its log to another folder, as a kill leaves them. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of files) await copyFile(join(from, name), join(to, name));
}

/** The bytes of the database and of its log. */
export const databaseBytes = (folder: string): Promise<readonly Buffer[]> =>
  Promise.all(files.map((name) => readFile(join(folder, name))));
