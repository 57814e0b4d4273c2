import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/errors.ts';
import { defaultSettings } from '../../shared/schemas/settings.ts';
import { systemClock } from './clock.ts';
import { createConnectionStore } from './connections/connection-store.ts';
import { createCore, type Core } from './core.ts';
import type { Data } from './data.ts';
import { damageDatabase, damageRootPage } from './database/damage.fixture.ts';
import { databaseName, openDatabase } from './database/database.ts';
import { testVoice } from './jobs/job.fixture.ts';
import { openPortableData, type PortableData } from './portable.ts';

const pageBytes = 4096;
const allThreads = {
  'inspection-worker': '../../sound/inspection-worker.ts',
  'sound-worker': '../../sound/sound-worker.ts',
  'baseline-worker': './watch/baseline-worker.ts',
  'checkpoint-worker': './database/checkpoint-worker.ts',
  'integrity-worker': './database/integrity-worker.ts',
  'list-worker': './history/list-worker.ts',
  'statistics-worker': './history/statistics-worker.ts',
};
let folder: string;
let path: string;
let core: Core;
let opened: Data[];
let sound: PromiseWithResolvers<Data>;
let problems: Problem[];
let onProblem: () => void;
let isPatient: boolean;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-core-'));
  path = join(folder, databaseName);
  opened = [];
  problems = [];
  onProblem = () => undefined;
  sound = Promise.withResolvers();
  isPatient = true;
  core = makeCore(allThreads);
});
afterEach(async () => {
  await core.stop();
  await rm(folder, { recursive: true });
});

const makeCore = (threads: typeof allThreads, portable: PortableData | null = null, isSafe = false): Core => {
  return createCore({
    // Without patience the time for the check is over at once.
    clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(isPatient || ms !== 5000 ? ms : 0, signal) },
    random: Math.random,
    dataFolder: folder,
    portable,
    isSafe,
    spawnService: () => {
      throw new Error('nothing is asked of a process');
    },
    threadUrl: (name) => new URL(threads[name], import.meta.url),
    role: 'app',
    settings: () => defaultSettings,
    onProgress: () => undefined,
    onDefect: () => undefined,
    onDamage(problem) {
      problems.push(problem);
      onProblem();
    },
    onData: (data) => opened.push(data),
    onVerified: sound.resolve,
    trash: () => Promise.reject(new Error('nothing is thrown away')),
  });
};

async function fill(): Promise<void> {
  const database = await openDatabase(folder);
  for (let k = 0; k < 50; k += 1) {
    database.prepare("INSERT INTO favourite_voice VALUES ('local', ?, ?)").run(`voice ${k}`, k);
  }
  database.close();
}

const favourites = async () => (await core.data()).favourites.list('local').length;

/** Leaves a job behind that a start would run. */
async function queueSpeech(): Promise<void> {
  const { queue } = await core.data();
  const { document } = core.connections.get('local');
  queue.submitJobs.addSpeech('Good evening.', {
    connection: { id: 'local', name: document.name, document },
    voice: testVoice,
    nameTemplate: '{name}',
    settings: { ...defaultSettings.speech, voiceId: testVoice.id },
    outputFolder: folder,
  });
  await core.stop();
}

describe('portable data that is new on a computer', () => {
  const openPortable = (computer: string) => openPortableData({ folder, computerFolder: join(folder, computer) });

  it('runs none of its jobs until the user resumes the queue, and says so once', async () => {
    core = makeCore(allThreads, openPortable('home'));
    await queueSpeech();
    core = makeCore(allThreads, openPortable('library'));
    const { queue } = await core.data();
    expect(queue.breaker.list()).toMatchObject([{ reason: 'user' }]);
    expect(problems).toEqual([{ code: 'data/new-here' }]);
    await core.stop();
    problems = [];
    core = makeCore(allThreads, openPortable('library'));
    await core.data();
    expect(problems).toEqual([]);
  });

  it('has no paused queue if nothing waits in it', async () => {
    await fill();
    core = makeCore(allThreads, openPortable('library'));
    const { queue } = await core.data();
    expect([queue.breaker.list(), problems]).toEqual([[], [{ code: 'data/new-here' }]]);
  });
});

describe('a safe start', () => {
  it('runs no job until the user resumes the queue, keeps everything, and says so', async () => {
    await queueSpeech();
    core = makeCore(allThreads, null, true);
    const { queue } = await core.data();
    expect(queue.breaker.list()).toMatchObject([{ reason: 'user' }]);
    expect(queue.store.hasUnfinished()).toBe(true);
    expect(problems).toEqual([{ code: 'data/safe-start' }]);
  });
});

describe('the data of the app', () => {
  it('is used once all of it was checked', async () => {
    await fill();
    const data = await core.data();
    expect(await sound.promise).toBe(data);
    expect([opened, problems]).toEqual([[data], []]);
  });

  it('is available at once if a page is damaged, is repaired before jobs resume, and reports it', async () => {
    await fill();
    // This page is not read at the start, and contains only derived data.
    await damageRootPage(path, 'watch_ledger_day');
    const first = await core.data();
    const mended = await sound.promise;
    expect(mended).not.toBe(first);
    expect(opened).toEqual([first, mended]);
    expect(problems).toMatchObject([{ code: 'data/damaged', facts: { count: 0, lost: 0 } }]);
    expect(await core.data()).toBe(mended);
    expect(await favourites()).toBe(50);
  });

  it('is repaired if it cannot be opened, and the damaged files are kept', async () => {
    await fill();
    await damageDatabase(path, 0);
    const data = await core.data();
    expect(await sound.promise).toBe(data);
    expect(problems).toMatchObject([{ code: 'data/damaged' }]);
    const kept = problems[0]?.facts?.['name'];
    expect((await stat(join(folder, String(kept)))).size).toBeGreaterThan(pageBytes);
  });

  it('is used although it cannot be checked, which is reported', async () => {
    core = makeCore({ ...allThreads, 'integrity-worker': './no-such-worker.ts' });
    const data = await core.data();
    expect(await sound.promise).toBe(data);
    expect(problems).toEqual([{ code: 'data/unchecked' }]);
  });

  it('is used during a long check, and repaired once damage was found', async () => {
    await fill();
    await damageRootPage(path, 'watch_ledger_day');
    isPatient = false;
    const first = await core.data();
    expect(await sound.promise).toBe(first);
    await expect.poll(() => problems).toMatchObject([{ code: 'data/damaged' }]);
    await expect.poll(() => opened).toHaveLength(2);
    expect(first.signal.aborted).toBe(true);
    expect(await favourites()).toBe(50);
  });

  it('is repaired if damage is found while it is in use, and reports it', async () => {
    await fill();
    const first = await core.data();
    await sound.promise;
    await damageRootPage(path, 'favourite_voice');
    expect(() => first.favourites.set('local', 'one more', true)).toThrow();
    await expect.poll(() => problems).toMatchObject([{ code: 'data/damaged' }]);
    await expect.poll(() => opened).toHaveLength(2);
    const mended = await core.data();
    mended.favourites.set('local', 'one more', true);
    expect(mended.favourites.list('local')).toContain('one more');
  });

  it('has the connections that a command adds and removes meanwhile', async () => {
    await core.data();
    const database = await openDatabase(folder);
    const stored = createConnectionStore({
      database,
      secrets: core.secrets,
      clock: systemClock,
      randomId: () => 'studio',
      reservedNames: [],
      onDefect: expect.unreachable,
    });
    stored.save(null, { name: 'Studio', hosts: { voice: 'https://voice.test', upload: 'https://voice.test' } });
    await expect.poll(() => core.connections.has('studio')).toBe(true);
    stored.remove('studio');
    await expect.poll(() => core.connections.has('studio')).toBe(false);
    database.close();
  });

  it('starts nothing after its repair if it was closed meanwhile', async () => {
    await fill();
    await damageRootPage(path, 'watch_ledger_day');
    const stopped = Promise.withResolvers<void>();
    onProblem = () => stopped.resolve(core.stop());
    let isStarted = false;
    void sound.promise.then(() => (isStarted = true));
    await core.data();
    await stopped.promise;
    expect([problems.map(({ code }) => code), isStarted]).toEqual([['data/damaged'], false]);
  });

  it('ends all subscriptions before it is closed, also when it is closed twice', async () => {
    const data = await core.data();
    let isOpen = false;
    data.signal.addEventListener('abort', () => (isOpen = data.queue.store.unfinished().length === 0));
    await Promise.all([core.stop(), core.stop()]);
    expect([isOpen, data.signal.aborted]).toEqual([true, true]);
  });

  it('is repaired if its first rows are damaged, and no owner counts as alive afterwards', async () => {
    await fill();
    await damageRootPage(path, 'job_change');
    const data = await core.data();
    expect(await sound.promise).toBe(data);
    expect(opened).toEqual([data]);
    expect(problems).toMatchObject([{ code: 'data/damaged' }]);
    expect(await favourites()).toBe(50);
    expect((await readdir(join(folder, 'runners'))).filter((name) => name.endsWith('.lock'))).toHaveLength(1);
  });

  it('is not touched while another process uses it, and the reason is reported', async () => {
    await fill();
    const other = await openDatabase(folder);
    await damageRootPage(path, 'watch_ledger_day');
    await core.data();
    await sound.promise;
    expect(problems).toMatchObject([{ code: 'data/in-use' }]);
    other.close();
  });
});
