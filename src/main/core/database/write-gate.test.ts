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
const released = () =>
  new Promise<void>((resolve) => {
    const end = gate.onChanged(() => {
      if (gate.heldSince() !== null) return;
      end();
      resolve();
    });
  });

describe('a write that waits', () => {
  it('is made in its order as soon as the database can be written, and ends the hold', async () => {
    lock();
    const all = Promise.all(['a', 'b', 'c'].map((text) => gate.commit(insert(text))));
    expect(gate.heldSince()).not.toBeNull();
    unlock();
    await all;
    expect([notes(), gate.heldSince()]).toEqual([['a', 'b', 'c'], null]);
  });

  it('is made before one that comes when the database can be written again', async () => {
    lock();
    const first = gate.commit(insert('first'));
    unlock();
    gate.write(insert('second'));
    await first;
    expect(notes()).toEqual(['first', 'second']);
  });

  it('rejects with an error of its own and lets the next one go', async () => {
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

  it('is tried once more when it is aborted, and rejects where it still cannot be made', async () => {
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

  it('is tried once more when the gate stops, and rejects where it still cannot be made', async () => {
    lock();
    const lost = gate.commit(insert('lost'));
    gate.stop();
    await expect(lost).rejects.toMatchObject({ code: 'data/not-writable' });
    unlock();
  });

  it('is not made twice where its own listeners abort it', async () => {
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

describe('a database that cannot be written', () => {
  it('is refused at once to whoever does not want to wait', () => {
    lock();
    expect(() => gate.write(insert('a'))).toThrow(expect.objectContaining({ code: 'data/not-writable' }));
    unlock();
    gate.write(insert('b'));
    expect([notes(), gate.heldSince()]).toEqual([['b'], null]);
  });

  it('is probed until it can be written, where no write waits', async () => {
    lock();
    expect(() => gate.write(insert('a'))).toThrow();
    unlock();
    await released();
    expect(notes()).toEqual([]);
  });

  it('is tried by one timer, more and more seldom, where what reads it at the end of a hold begins the next one', async () => {
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
    const end = other.onChanged(() => {
      if (other.heldSince() !== null) return;
      if (waits.length < 10) other.holdFor(broken);
      else resolve();
    });
    other.holdFor(broken);
    await promise;
    end();
    other.stop();
    expect([most, waits]).toEqual([1, [100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000, 2000]]);
  });

  it('is known by a lock that another process holds', async () => {
    const other = new DatabaseSync(join(folder, databaseName));
    other.exec('BEGIN IMMEDIATE');
    const write = gate.commit(insert('a'));
    expect(gate.heldSince()).not.toBeNull();
    other.exec('COMMIT');
    await write;
    other.close();
    expect(notes()).toEqual(['a']);
  });

  it('is not a constraint that a row broke', () => {
    database.exec('CREATE TABLE one (id INTEGER PRIMARY KEY); INSERT INTO one VALUES (1)');
    const fail = () => gate.write(() => database.exec('INSERT INTO one VALUES (1)'));
    expect(fail).toThrow('UNIQUE');
    expect([gate.heldSince(), isWriteBlocked(new Error('any'))]).toEqual([null, false]);
  });
});

describe('inside a transaction', () => {
  it('a write is a part of it, and nothing that waits is made with it and undone with it', async () => {
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

  it('what is to be done after the commit is done after the outermost one, and never where it fails', () => {
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
