import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { databaseName, openDatabase } from './database.ts';
import type { Migration } from './schema.ts';

describe('migrate', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'timbre-migrate-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const first: Migration = { version: 1, sql: "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('kept')" };
  const second: Migration = {
    version: 2,
    sql: 'ALTER TABLE note ADD COLUMN length INTEGER; UPDATE note SET length = 4',
  };
  const version = (database: DatabaseSync) => database.prepare('PRAGMA user_version').get()?.['user_version'];
  const notes = (database: DatabaseSync) => database.prepare('SELECT * FROM note').all();

  describe('the database', () => {
    it('survives a power cut: it uses WAL and syncs each commit', async () => {
      const database = await openDatabase(folder);
      expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
      expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
      database.close();
    });

    it('migrates older data and keeps a backup', async () => {
      (await openDatabase(folder, [first])).close();
      const database = await openDatabase(folder, [first, second]);
      expect(version(database)).toBe(2);
      expect(notes(database)).toEqual([{ text: 'kept', length: 4 }]);
      database.close();
      const copy = new DatabaseSync(join(folder, `${databaseName}.before-2`), { readOnly: true });
      expect(version(copy)).toBe(1);
      expect(notes(copy)).toEqual([{ text: 'kept' }]);
      copy.close();
    });

    it('makes no backup of a new database, or if nothing changes', async () => {
      (await openDatabase(folder, [first, second])).close();
      (await openDatabase(folder, [first, second])).close();
      expect((await readdir(folder)).filter((name) => name.includes('before'))).toEqual([]);
    });

    it('stays as it was when a migration fails', async () => {
      (await openDatabase(folder, [first])).close();
      const broken: Migration = { version: 2, sql: 'ALTER TABLE note ADD COLUMN length INTEGER; SELECT nonsense' };
      await expect(openDatabase(folder, [first, broken])).rejects.toMatchObject({ code: 'data/unreadable' });
      const database = await openDatabase(folder, [first]);
      expect(notes(database)).toEqual([{ text: 'kept' }]);
      database.close();
    });

    it('is never left inside a migration when the process is killed during it', async () => {
      (await openDatabase(folder, [first])).close();
      // Reports when it is inside the migration, which never ends by itself, so the kill always hits it.
      const script = `
      import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, 'database.ts'))};
      import { writeSync } from 'node:fs';
      const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) INSERT INTO note SELECT i, i FROM n';
      const sql = 'ALTER TABLE note ADD COLUMN length INTEGER; UPDATE note SET length = 9; ' + endless;
      const second = { version: 2, get sql() { writeSync(1, 'inside'); return sql; } };
      await openDatabase(${JSON.stringify(folder)}, [${JSON.stringify(first)}, second]);`;
      const path = join(folder, 'migrating.mts');
      await writeFile(path, script);
      const child = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await once(child, 'exit');

      const database = await openDatabase(folder, [first, second]);
      expect(version(database)).toBe(2);
      expect(notes(database)).toEqual([{ text: 'kept', length: 4 }]);
      expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      database.close();
    });

    it('is migrated once when two processes open it at the same time', async () => {
      (await openDatabase(folder, [first])).close();
      const both = await Promise.all([openDatabase(folder, [first, second]), openDatabase(folder, [first, second])]);
      for (const database of both) {
        expect(notes(database)).toEqual([{ text: 'kept', length: 4 }]);
        database.close();
      }
    });

    it('is opened once another process lets go of the new file, for which SQLite itself does not wait', async () => {
      const other = new DatabaseSync(join(folder, databaseName));
      other.exec('BEGIN IMMEDIATE');
      const released = setTimeout(200).then(() => other.close());
      const database = await openDatabase(folder, [first]);
      await released;
      expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
      expect(notes(database)).toEqual([{ text: 'kept' }]);
      database.close();
    });

    it('of a newer Timbre is refused with both versions, and neither it nor its log changes', async () => {
      const running = await openDatabase(folder, [first, second]);
      running.exec("INSERT INTO note VALUES ('in the log', 10)");
      const killed = await mkdtemp(join(folder, 'killed-'));
      const files = [databaseName, `${databaseName}-wal`];
      for (const name of files) await copyFile(join(folder, name), join(killed, name));
      running.close();
      const contents = () => Promise.all(files.map((name) => readFile(join(killed, name))));
      const before = await contents();
      await expect(openDatabase(killed, [first])).rejects.toMatchObject({
        problem: { code: 'data/newer', facts: { name: join(killed, databaseName), found: 2, known: 1 } },
      });
      expect(await contents()).toEqual(before);
    });

    it('of a newer Timbre is refused with the latest backup that this one can open', async () => {
      const third: Migration = { version: 3, sql: 'ALTER TABLE note ADD COLUMN language TEXT' };
      const backupFor = (known: readonly Migration[]) =>
        openDatabase(folder, known).then(
          () => 'none needed',
          (error: unknown) => error instanceof AppError && error.problem.facts?.['backup'],
        );
      for (const known of [[first], [first, second], [first, second, third]])
        (await openDatabase(folder, known)).close();
      expect(await backupFor([first])).toBe(join(folder, `${databaseName}.before-2`));
      expect(await backupFor([first, second])).toBe(join(folder, `${databaseName}.before-3`));
      await rm(join(folder, `${databaseName}.before-2`));
      expect(await backupFor([first])).toBeUndefined();
    });

    it('of a development version is not changed', async () => {
      const path = join(folder, databaseName);
      const other = new DatabaseSync(path);
      other.exec('CREATE TABLE note (text TEXT); PRAGMA user_version = 1');
      other.close();
      const before = await readFile(path);
      await expect(openDatabase(folder)).rejects.toMatchObject({
        problem: { code: 'data/unreleased', facts: { name: path } },
      });
      expect(await readFile(path)).toEqual(before);
      expect(await readdir(folder)).toEqual([databaseName]);
    });

    it('that is another kind of file is left unchanged and named in the error', async () => {
      await writeFile(join(folder, databaseName), 'not a database, but somebody’s file all the same');
      await expect(openDatabase(folder)).rejects.toMatchObject({
        code: 'data/damaged',
        message: expect.stringContaining(join(folder, databaseName)) as string,
      });
      expect(await readFile(join(folder, databaseName), 'utf8')).toContain('somebody’s file');
    });
  });
});

it.skipIf(process.platform === 'win32')(
  'a new database can be read by its user alone, also in a folder that others can read',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-database-'));
    try {
      await chmod(folder, 0o755);
      const database = await openDatabase(folder);
      for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
      database.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
