import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { createLedger, type Ledger } from './ledger.ts';

const dayMs = 86_400_000;
const addFolder = `INSERT INTO watch_folder (id, settings, voice, device, inode, is_listed, is_paused, baseline_stage, created_at)
  VALUES ('f', '{}', '{}', '1', '2', 1, 0, 'answered', 0)`;

let folder: string;
let database: DatabaseSync;
let ledger: Ledger;
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-ledger-'));
  database = await openDatabase(folder);
  database.exec(addFolder);
  now = 10 * dayMs;
  ledger = createLedger(database, { now: () => now });
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

/** Ten minutes of sound. */
const add = (jobId: string, settingsHash = 's') =>
  ledger.add('f', { sha256: 'aa', settingsHash, jobId, path: 'a.wav', isUnfinished: false, durationSeconds: 600 });
const jobs = () => ledger.find('f', 'aa').map(({ jobId }) => jobId);

describe('a recording in the ledger', () => {
  it('belongs to the last job that submitted it, and lists all before', () => {
    add('first');
    now += 1;
    add('other', 't');
    now += 1;
    add('second');
    expect(jobs()).toEqual(['second', 'other', 'first']);
  });

  it('that a second job forgets still belongs to the first, which was paid for', () => {
    add('first');
    now += dayMs;
    add('second');
    ledger.forget('f', 'aa', 'second');
    expect(jobs()).toEqual(['first']);
    expect(ledger.minutesSince('f', now)).toBe(0);
    ledger.forget('f', 'aa', 'first');
    expect(jobs()).toEqual([]);
  });

  it('counts on the day of each conversion', () => {
    add('first');
    now += dayMs;
    add('second');
    expect(ledger.minutesSince('f', now)).toBe(10);
    expect(ledger.minutesSince('f', 0)).toBe(20);
  });

  it('is under its new name for every job', () => {
    add('first');
    add('second', 't');
    ledger.rename('f', 'aa', 'b.wav');
    expect(ledger.find('f', 'aa').map(({ path }) => path)).toEqual(['b.wav', 'b.wav']);
  });
});
