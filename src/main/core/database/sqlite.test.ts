import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { cachedUntilWrite, databaseUrl } from './sqlite.ts';

it('caches values until they are forgotten or another process writes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-until-'));
  const known = [{ version: 1, sql: 'CREATE TABLE note (text TEXT)' }];
  const [one, other] = [await openDatabase(folder, known), await openDatabase(folder, known)];
  const computed: string[] = [];
  const notes = cachedUntilWrite(one, (key) => {
    computed.push(key);
    return one.prepare('SELECT * FROM note WHERE text = ?').all(key).length;
  });
  expect([notes.get('a'), notes.get('a'), notes.get('b')]).toEqual([0, 0, 0]);
  expect(computed).toEqual(['a', 'b']);
  one.exec("INSERT INTO note VALUES ('a')");
  notes.forget('a');
  expect([notes.get('a'), notes.get('b')]).toEqual([1, 0]);
  expect(computed).toEqual(['a', 'b', 'a']);
  other.exec("INSERT INTO note VALUES ('b')");
  expect([notes.get('a'), notes.get('b')]).toEqual([1, 1]);
  one.close();
  other.close();
  await rm(folder, { recursive: true });
});

it('an address names the same file as its path, whatever that is called, and makes none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'timbre-sqlite-'));
  const path = join(folder, 'a b?c#d%20é.db');
  const open = () => new DatabaseSync(databaseUrl(pathToFileURL(path), 'mode=rw'));
  expect(open).toThrow('unable to open database file');
  new DatabaseSync(path).close();
  const database = open();
  expect(database.location()).toBe(path);
  database.close();
  await rm(folder, { recursive: true });
});

it.each([
  ['\\\\server\\share\\a b.db', 'file:////server/share/a%20b.db?mode=rw'],
  ['C:\\data\\a.db', 'file:///C:/data/a.db?mode=rw'],
])('the address of %s has no server, which SQLite refuses', (path, address) => {
  expect(databaseUrl(pathToFileURL(path, { windows: true }), 'mode=rw').href).toBe(address);
});
