import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { createWriteQueue, type WriteQueue } from './write-queue.ts';

let database: DatabaseSync;
let defects: unknown[];
let held: PromiseWithResolvers<void>;
let queue: WriteQueue;
let writes: WriteGate;

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE file (name TEXT)');
  defects = [];
  held = Promise.withResolvers();
  const onDefect = (error: unknown) => void defects.push(error);
  writes = createWriteGate({ database, clock: systemClock, onDefect });
  writes.onChanged(() => held.resolve());
  queue = createWriteQueue(writes, onDefect);
});
afterEach(async () => {
  queue.stop();
  await queue.whenEmpty();
  writes.stop();
  database.close();
});

const fill = () =>
  database.exec(`PRAGMA max_page_count = ${String(database.prepare('PRAGMA page_count').get()?.['page_count'])}`);
const makeRoom = () => database.exec('PRAGMA max_page_count = 100000');
const insert = (name: string) => () => {
  database.prepare('INSERT INTO file VALUES (?)').run(name.padEnd(3000));
};
const names = () =>
  database
    .prepare('SELECT trim(name) AS name FROM file ORDER BY rowid')
    .all()
    .map(({ name }) => name);

it('keeps all work while the database is full, and continues in order when there is space', async () => {
  const all = ['a', 'b', 'c', 'd', 'e'];
  fill();
  for (const name of all) queue.add(insert(name));
  await held.promise;
  expect(writes.heldSince()).not.toBeNull();
  expect(queue.isEmpty()).toBe(false);
  makeRoom();
  await queue.whenEmpty();
  expect(names()).toEqual(all);
  expect(writes.heldSince()).toBeNull();
  expect(defects).toEqual([]);
});

it('continues with the rest after work that throws', async () => {
  queue.add(() => {
    throw new Error('a defect');
  });
  queue.add(insert('a'));
  await queue.whenEmpty();
  expect(names()).toEqual(['a']);
  expect(defects).toEqual([new Error('a defect')]);
});

it('ends when it is stopped, also while writes are blocked', async () => {
  fill();
  for (const name of ['a', 'b', 'c', 'd', 'e']) queue.add(insert(name));
  await held.promise;
  queue.stop();
  await queue.whenEmpty();
  makeRoom();
  queue.add(insert('late'));
  await queue.whenEmpty();
  expect(names()).not.toContain('late');
});

it('lets work that waits for a promise end before what comes after it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  queue.add(async () => {
    await promise;
    queue.addNext([insert('b')]);
  });
  queue.add(insert('c'));
  insert('a')();
  resolve();
  await queue.whenEmpty();
  expect(names()).toEqual(['a', 'b', 'c']);
});
