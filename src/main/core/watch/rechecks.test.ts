import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { defaultSettings } from '../../../shared/schemas/settings.ts';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { watchedExtensions } from '../../../shared/schemas/watch.ts';
import { systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { createWriteGate, type WriteGate } from '../database/write-gate.ts';
import { conversionJob, testVoice } from '../jobs/job.fixture.ts';
import { createRecordWriter } from './record-writer.ts';
import { createWriteQueue, type WriteQueue } from './write-queue.ts';
import { createFileStore, type FileStore } from './file-store.ts';
import { createFolderStore, type FolderStore } from './folder-store.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createRechecks, type Rechecks } from './rechecks.ts';

const signature = { device: '1', inode: '10', sizeBytes: 100, modifiedNs: '5', changedNs: '6' };
const minuteMs = 60_000;
/** Noon. */
const start = new Date(2026, 5, 1, 12).getTime();

let folder: string;
let database: DatabaseSync;
let folders: FolderStore;
let records: FileStore;
let ledger: Ledger;
let writeQueue: WriteQueue;
let writes: WriteGate;
let rechecks: Rechecks;
let sentToGate: string[];
let retried: string[];
let ffmpeg: string | null;
const failedJobs = {
  spx: conversionJob({ state: 'failed', problem: { code: 'input/needs-ffmpeg' } }),
  bad: conversionJob({ state: 'failed', problem: { code: 'input/not-audio' } }),
};
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-rechecks-'));
  database = await openDatabase(folder);
  now = start;
  const clock = { now: () => now };
  const onDefect = (error: unknown) => {
    throw error;
  };
  folders = createFolderStore({ database, clock, processLock: { id: 'me', isAlive: () => true }, onDefect });
  folders.add({
    id: 'f',
    settings: {
      path: '/in',
      isRecursive: true,
      endings: watchedExtensions,
      connectionId: 'test',
      conversion: defaultSettings.conversion,
      outputFolder: null,
      afterwards: 'keep',
      dailyMinutes: 2,
      hours: null,
      hasSubfolderVoices: false,
      speech: null,
      runsHook: true,
    },
    voice: testVoice,
    identity: { marker: null, device: '1', inode: '2' },
    isListed: true,
    isPaused: false,
    baselineStage: 'answered',
  });
  records = createFileStore(database, clock);
  ledger = createLedger(database, clock);
  writes = createWriteGate({ database, clock: systemClock, onDefect });
  writeQueue = createWriteQueue(writes, onDefect);
  [sentToGate, retried, ffmpeg] = [[], [], null];
  const writer = createRecordWriter({ id: 'f', database, folders, records, writeQueue, onFile: () => undefined });
  rechecks = createRechecks({
    writer,
    records,
    ledger,
    voices: { find: (_connection, path) => findVoice(path) },
    ffmpeg: () => Promise.resolve(ffmpeg),
    jobs: { find: (id) => (id === 'spx' || id === 'bad' ? failedJobs[id] : undefined) },
    retryFailed: ({ path, jobId }) => retried.push(`${path} ${jobId}`),
    awaitStable: (paths) => sentToGate.push(...paths),
    whileRunning: (work) => work(),
    onDefect,
  });
});
afterEach(async () => {
  writeQueue.stop();
  await writeQueue.whenEmpty();
  writes.stop();
  database.close();
  await rm(folder, { recursive: true });
});

let findVoice: (path: string) => Promise<Voice | undefined> = () => Promise.resolve(undefined);

const tickAt = (minutes: number) => {
  sentToGate = [];
  now = start + minutes * minuteMs;
  rechecks.tick(now);
  return sentToGate;
};

describe('a file that could not be read', () => {
  beforeEach(() => {
    const refused = { signature, decision: 'refused', stage: 'rest' } as const;
    records.upsert('f', 'unreadable', { ...refused, problem: { code: 'input/unreadable' } });
    records.upsert('f', 'cut', { ...refused, problem: { code: 'input/cut' } });
  });

  const atGate = async () => {
    await writeQueue.whenEmpty();
    return [sentToGate, records.listPaths('f', 'waiting')];
  };

  it('is rechecked at each start, and when its folder is back', async () => {
    rechecks.atStart();
    expect(await atGate()).toEqual([['unreadable'], ['unreadable']]);
    sentToGate = [];
    records.upsert('f', 'unreadable', { decision: 'refused', problem: { code: 'input/unreadable' } });
    rechecks.onRootBack();
    expect(await atGate()).toEqual([['unreadable'], ['unreadable']]);
  });

  it('is rechecked every ten minutes', async () => {
    tickAt(0);
    expect(await atGate()).toEqual([['unreadable'], ['unreadable']]);
    records.upsert('f', 'unreadable', { decision: 'refused', problem: { code: 'input/unreadable' } });
    tickAt(9);
    expect(await atGate()).toEqual([[], []]);
    tickAt(10);
    expect(await atGate()).toEqual([['unreadable'], ['unreadable']]);
  });
});

describe('a file that waits for another day', () => {
  const submit = (durationSeconds: number) =>
    ledger.add('f', {
      sha256: 'aa',
      settingsHash: 's',
      jobId: 'j',
      path: 'first',
      isUnfinished: false,
      durationSeconds,
    });
  beforeEach(() => {
    for (const [name, durationSeconds] of [
      ['short', 20],
      ['long', 90],
    ] as const) {
      records.upsert('f', name, { signature, decision: 'budget', stage: 'open', durationSeconds });
    }
  });

  it('is rechecked only when it fits the budget, and once a minute', () => {
    submit(110);
    expect(tickAt(0)).toEqual([]);
    ledger.forget('f', 'aa', 'j');
    submit(60);
    expect(tickAt(0.5)).toEqual([]);
    expect(tickAt(1)).toEqual(['short']);
    expect(tickAt(1.5)).toEqual([]);
    expect(tickAt(24 * 60)).toEqual(['short', 'long']);
  });

  it('is not kept waiting by a clock that is set back', () => {
    expect(tickAt(0)).toHaveLength(2);
    expect(tickAt(-600)).toHaveLength(2);
    expect(tickAt(-599.5)).toEqual([]);
  });
});

describe('a file whose subfolder names no voice', () => {
  beforeEach(() => {
    const folder = folders.find('f');
    if (folder) folders.update('f', { settings: { ...folder.settings, hasSubfolderVoices: true } });
    for (const [path, code] of [
      ['Anna/a.wav', 'watch/no-voice'],
      ['Ben/b.wav', 'network/timeout'],
      ['Cora/c.wav', 'input/cut'],
    ] as const) {
      records.upsert('f', path, { signature, decision: 'refused', stage: 'attention', problem: { code } });
    }
  });

  it('is read again only if there is a voice for it now', async () => {
    const asked: string[] = [];
    findVoice = (path) => {
      asked.push(path);
      return path.startsWith('Ben') ? Promise.resolve(testVoice) : Promise.reject(new AppError('watch/no-voice', 'no'));
    };
    tickAt(0);
    await expect.poll(() => sentToGate).toEqual(['Ben/b.wav']);
    expect(asked.toSorted()).toEqual(['Anna/a.wav', 'Ben/b.wav']);
    expect(records.listPaths('f', 'waiting')).toEqual(['Ben/b.wav']);
    asked.length = 0;
    tickAt(9);
    tickAt(10);
    await expect.poll(() => asked).toEqual(['Anna/a.wav']);
  });
});

it('a table is read again every ten minutes while the voices of its rows cannot be listed', async () => {
  for (const [path, code] of [
    ['list.csv', 'service/unavailable'],
    ['bad.csv', 'table/bad-rows'],
    ['a.wav', 'service/unavailable'],
  ] as const)
    records.upsert('f', path, { signature, decision: 'refused', stage: 'attention', problem: { code } });
  tickAt(0);
  await writeQueue.whenEmpty();
  expect(sentToGate).toEqual(['list.csv']);
  expect(records.listPaths('f', 'waiting')).toEqual(['list.csv']);
});

it('files that only lack ffmpeg continue a few seconds after it is there, and no others', async () => {
  for (const [path, jobId] of [
    ['a.spx', 'spx'],
    ['b.txt', 'bad'],
  ] as const)
    records.upsert('f', path, { decision: 'job', stage: 'attention', isPresent: true, signature, jobId, failures: 1 });
  rechecks.tick(now);
  ffmpeg = '/usr/bin/ffmpeg';
  rechecks.tick((now += 1000));
  await Promise.resolve();
  expect(retried).toEqual([]);
  rechecks.tick((now += 5000));
  await expect.poll(() => retried).toEqual(['a.spx spx']);
});
