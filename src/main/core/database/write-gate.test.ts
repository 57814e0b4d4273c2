import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { databaseName, openDatabase } from './database.ts';
import { afterCommit, transaction } from './sqlite.ts';
import { isWriteBlocked, createWriteGate, type WriteGate } from './write-gate.ts';

let folder: string;
let database: DatabaseSync;
let gate: WriteGate;
let defects: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-gate-'));
  database = await openDatabase(folder);
  database.exec('CREATE TABLE note (text TEXT)');
  defects = [];
  gate = createWriteGate({ database, clock: systemClock, onDefect: (error) => defects.push(error) });
});
afterEach(async () => {
  gate.stop();
  database.close();
  await rm(folder, { recursive: true });
  expect(defects).toEqual([]);
});

const insert = (text: string) => () => void database.prepare('INSERT INTO note VALUES (?)').run(text);
const notes = () =>
  database
    .prepare('SELECT text FROM note ORDER BY rowid')
    .all()
    .map(({ text }) => text);
const lock = () => database.exec('PRAGMA query_only = ON');
const unlock = () => database.exec('PRAGMA query_only = OFF');
const holdEnded = () =>
  new Promise<void>((resolve) => {
    const unsubscribe = gate.onChanged(() => {
      if (gate.heldSince() !== null) return;
      unsubscribe();
      resolve();
    });
  });

describe('a queued write', () => {
  it('runs in order as soon as the database is writable, and ends the hold', async () => {
    lock();
    const all = Promise.all(['a', 'b', 'c'].map((text) => gate.commit(insert(text))));
    expect(gate.heldSince()).not.toBeNull();
    unlock();
    await all;
    expect([notes(), gate.heldSince()]).toEqual([['a', 'b', 'c'], null]);
  });

  it('runs before one that arrives after the database is writable again', async () => {
    lock();
    const first = gate.commit(insert('first'));
    unlock();
    gate.write(insert('second'));
    await first;
    expect(notes()).toEqual(['first', 'second']);
  });

  it('rejects with its own error and does not block the next one', async () => {
    lock();
    let isFaulty = false;
    const faulty = gate.commit(() => {
      insert('faulty')();
      isFaulty = true;
      throw new Error('a defect');
    });
    const next = gate.commit(insert('next'));
    unlock();
    await expect(faulty).rejects.toThrow('a defect');
    await next;
    expect([isFaulty, notes()]).toEqual([true, ['faulty', 'next']]);
  });

  it('is tried once more when aborted, and rejects if it still fails', async () => {
    lock();
    const [lost, kept] = [new AbortController(), new AbortController()];
    const [losing, keeping] = [gate.commit(insert('lost'), lost.signal), gate.commit(insert('kept'), kept.signal)];
    lost.abort(new Error('cancelled'));
    await expect(losing).rejects.toThrow('cancelled');
    unlock();
    kept.abort(new Error('cancelled'));
    await keeping;
    expect(notes()).toEqual(['kept']);
  });

  it('is tried once more when the gate stops, and rejects if it still fails', async () => {
    lock();
    const lost = gate.commit(insert('lost'));
    gate.stop();
    await expect(lost).rejects.toMatchObject({ code: 'data/not-writable' });
    unlock();
  });

  it('does not run twice if its own listener aborts it', async () => {
    lock();
    const ending = new AbortController();
    const write = gate.commit(() => {
      insert('once')();
      ending.abort(new Error('ended'));
    }, ending.signal);
    unlock();
    await write;
    expect(notes()).toEqual(['once']);
  });
});

describe('a database that is not writable', () => {
  it('makes `write` throw at once', () => {
    lock();
    expect(() => gate.write(insert('a'))).toThrow(expect.objectContaining({ code: 'data/not-writable' }));
    unlock();
    gate.write(insert('b'));
    expect([notes(), gate.heldSince()]).toEqual([['b'], null]);
  });

  it('is probed until it is writable if no write is queued', async () => {
    lock();
    expect(() => gate.write(insert('a'))).toThrow();
    unlock();
    await holdEnded();
    expect(notes()).toEqual([]);
  });

  it('is retried by one timer with backoff, even if a listener to the end of a hold begins the next one', async () => {
    const waits: number[] = [];
    const broken = Object.assign(new Error('database disk image is malformed'), { errcode: 11 });
    const { promise, resolve } = Promise.withResolvers<void>();
    let asleep = 0;
    let most = 0;
    const sleep = async (ms: number) => {
      waits.push(ms);
      most = Math.max(most, (asleep += 1));
      await new Promise(setImmediate);
      asleep -= 1;
    };
    const other = createWriteGate({ database, clock: { now: Date.now, sleep }, onDefect: expect.unreachable });
    const unsubscribe = other.onChanged(() => {
      if (other.heldSince() !== null) return;
      if (waits.length < 10) other.holdFor(broken);
      else resolve();
    });
    other.holdFor(broken);
    await promise;
    unsubscribe();
    other.stop();
    expect([most, waits]).toEqual([1, [100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000, 2000]]);
  });

  it('is detected when another process holds a lock', async () => {
    const other = new DatabaseSync(join(folder, databaseName));
    other.exec('BEGIN IMMEDIATE');
    const write = gate.commit(insert('a'));
    expect(gate.heldSince()).not.toBeNull();
    other.exec('COMMIT');
    await write;
    other.close();
    expect(notes()).toEqual(['a']);
  });

  it('is not detected from a violated constraint', () => {
    database.exec('CREATE TABLE one (id INTEGER PRIMARY KEY); INSERT INTO one VALUES (1)');
    const fail = () => gate.write(() => database.exec('INSERT INTO one VALUES (1)'));
    expect(fail).toThrow('UNIQUE');
    expect([gate.heldSince(), isWriteBlocked(new Error('any'))]).toEqual([null, false]);
  });
});

describe('inside a transaction', () => {
  it('a write is part of it, and queued writes are not rolled back with it', async () => {
    lock();
    const waiting = gate.commit(insert('waiting'));
    unlock();
    const broken = () =>
      transaction(database, () => {
        gate.write(insert('undone'));
        throw new Error('rolled back');
      });
    expect(broken).toThrow('rolled back');
    await waiting;
    expect(notes()).toEqual(['waiting']);
  });

  it('afterCommit runs after the outermost commit, never after a rollback', () => {
    const seen: unknown[] = [];
    const see = (what: string) => afterCommit(database, () => seen.push([what, database.isTransaction]));
    transaction(database, () => {
      transaction(database, () => see('inner'));
      see('outer');
      expect(seen).toEqual([]);
    });
    expect(() =>
      transaction(database, () => {
        see('failed');
        throw new Error('rolled back');
      }),
    ).toThrow();
    see('outside');
    expect(seen).toEqual([
      ['inner', false],
      ['outer', false],
      ['outside', false],
    ]);
  });
});
