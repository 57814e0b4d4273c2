import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { createWriteQueue, type WriteQueue } from './batch-writer.ts';

let database: DatabaseSync;
let defects: unknown[];
let held: PromiseWithResolvers<void>;
let line: WriteQueue;
let writes: WriteGate;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE file (name TEXT)');
  defects = [];
  held = Promise.withResolvers();
  const onDefect = (error: unknown) => void defects.push(error);
  writes = createWriteGate({ database, clock: systemClock, onDefect });
  writes.onChanged(() => held.resolve());
  line = createWriteQueue(writes, onDefect);
});
afterEach(async () => {
  line.stop();
  await line.empty();
  writes.stop();
  database.close();
});

const fill = () =>
  database.exec(`PRAGMA max_page_count = ${String(database.prepare('PRAGMA page_count').get()?.['page_count'])}`);
const makeRoom = () => database.exec('PRAGMA max_page_count = 100000');
const put = (name: string) => () => {
  database.prepare('INSERT INTO file VALUES (?)').run(name.padEnd(3000));
};
const names = () =>
  database
    .prepare('SELECT trim(name) AS name FROM file ORDER BY rowid')
    .all()
    .map(({ name }) => name);

it('forgets nothing while the database is full, and goes on in order when there is room', async () => {
  const all = ['a', 'b', 'c', 'd', 'e'];
  fill();
  for (const name of all) line.add(put(name));
  await held.promise;
  expect(writes.heldSince()).not.toBeNull();
  expect(line.isEmpty()).toBe(false);
  makeRoom();
  await line.empty();
  expect(names()).toEqual(all);
  expect(writes.heldSince()).toBeNull();
  expect(defects).toEqual([]);
});

it('goes on with the rest where a work itself is at fault', async () => {
  line.add(() => {
    throw new Error('a defect');
  });
  line.add(put('a'));
  await line.empty();
  expect(names()).toEqual(['a']);
  expect(defects).toEqual([new Error('a defect')]);
});

it('ends when it is stopped, also while it waits', async () => {
  fill();
  for (const name of ['a', 'b', 'c', 'd', 'e']) line.add(put(name));
  await held.promise;
  line.stop();
  await line.empty();
  makeRoom();
  line.add(put('late'));
  await line.empty();
  expect(names()).not.toContain('late');
});
