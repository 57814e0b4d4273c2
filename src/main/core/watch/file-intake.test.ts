import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import { watchedEndings } from '../../../shared/schemas/watch.ts';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { testVoice } from '../jobs/job.fixture.ts';
import { createBatchWriter, createWriteQueue, type WriteQueue } from './batch-writer.ts';
import { createFileStore, type FileStore } from './file-store.ts';
import { createFolderStore } from './folder-store.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createRechecks, type Rechecks } from './file-intake.ts';

const signature = { device: '1', inode: '10', sizeBytes: 100, modifiedNs: '5', changedNs: '6' };
const minuteMs = 60_000;
/** Noon. */
const start = new Date(2026, 5, 1, 12).getTime();

let folder: string;
let database: DatabaseSync;
let lines: FileStore;
let ledger: Ledger;
let work: WriteQueue;
let writes: WriteGate;
let again: Rechecks;
let considered: string[];
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-look-again-'));
  database = await openDatabase(folder);
  now = start;
  const clock = { now: () => now };
  const onDefect = (error: unknown) => {
    throw error;
  };
  const folders = createFolderStore({ database, clock, processLock: { id: 'me', isAlive: () => true }, onDefect });
  folders.add({
    id: 'f',
    settings: {
      path: '/in',
      isRecursive: true,
      endings: watchedEndings,
      connectionId: 'test',
      conversion: defaultSettings.conversion,
      outputFolder: null,
      afterwards: 'keep',
      dailyMinutes: 2,
    },
    voice: testVoice,
    identity: { marker: null, device: '1', inode: '2' },
    listed: true,
    isPaused: false,
    existing: 'answered',
  });
  lines = createFileStore(database, clock);
  ledger = createLedger(database, clock);
  writes = createWriteGate({ database, clock: systemClock, onDefect });
  work = createWriteQueue(writes, onDefect);
  considered = [];
  const desk = createBatchWriter({ id: 'f', database, folders, lines, work, onFile: () => undefined });
  again = createRechecks({ desk, lines, ledger, consider: (paths) => considered.push(...paths) });
});
afterEach(async () => {
  work.stop();
  await work.empty();
  writes.stop();
  database.close();
  await rm(folder, { recursive: true });
});

const at = (minutes: number) => {
  considered = [];
  now = start + minutes * minuteMs;
  again.tick(now);
  return considered;
};

describe('a file that could not be read', () => {
  beforeEach(() => {
    const refused = { signature, verdict: 'refused', standing: 'rest' } as const;
    lines.put('f', 'unreadable', { ...refused, problem: { code: 'input/unreadable' } });
    lines.put('f', 'cut', { ...refused, problem: { code: 'input/cut' } });
  });

  const atGate = async () => {
    await work.empty();
    return [considered, lines.paths('f', 'waiting')];
  };

  it('is tried again at each start, and when its folder is back', async () => {
    again.atStart();
    expect(await atGate()).toEqual([['unreadable'], ['unreadable']]);
    considered = [];
    lines.put('f', 'unreadable', { verdict: 'refused', problem: { code: 'input/unreadable' } });
    again.whenBack();
    expect(await atGate()).toEqual([['unreadable'], ['unreadable']]);
  });

  it('is tried again every ten minutes', async () => {
    at(0);
    expect(await atGate()).toEqual([['unreadable'], ['unreadable']]);
    lines.put('f', 'unreadable', { verdict: 'refused', problem: { code: 'input/unreadable' } });
    at(9);
    expect(await atGate()).toEqual([[], []]);
    at(10);
    expect(await atGate()).toEqual([['unreadable'], ['unreadable']]);
  });
});

describe('a file that waits for another day', () => {
  const take = (durationSeconds: number) =>
    ledger.take('f', { sha256: 'aa', settingsHash: 's', jobId: 'j', path: 'first', durationSeconds });
  beforeEach(() => {
    for (const [name, durationSeconds] of [
      ['short', 20],
      ['long', 90],
    ] as const) {
      lines.put('f', name, { signature, verdict: 'budget', standing: 'open', durationSeconds });
    }
  });

  it('is read again only when there is room for it, and once a minute', () => {
    take(110);
    expect(at(0)).toEqual([]);
    ledger.giveBack('f', 'aa', 'j');
    take(60);
    expect(at(0.5)).toEqual([]);
    expect(at(1)).toEqual(['short']);
    expect(at(1.5)).toEqual([]);
    expect(at(24 * 60)).toEqual(['short', 'long']);
  });

  it('is not kept waiting by a clock that is set back', () => {
    expect(at(0)).toHaveLength(2);
    expect(at(-600)).toHaveLength(2);
    expect(at(-599.5)).toEqual([]);
  });
});
