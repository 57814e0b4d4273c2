import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StatisticsQuery } from '../../../shared/schemas/statistics.ts';
import { openDatabase } from '../database/database.ts';
import { conversionJob, speechJob, testVoice } from '../jobs/job.fixture.ts';
import { createJobStore, type JobStore } from '../jobs/job-store.ts';
import type { ConversionJob, Job, SpeechJob } from '../jobs/job.ts';
import { acquireProcessLock, type ProcessLock } from '../jobs/process-lock.ts';
import { computeStatistics, readSlice, type SliceReader, type SliceRequest } from './compute-statistics.ts';
import { temporaryFolder } from './open-history.fixture.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: DatabaseSync;
let processLock: ProcessLock;
let store: JobStore;
let zone: string | undefined;
let now: number;

beforeEach(async () => {
  zone = process.env['TZ'];
  process.env['TZ'] = 'Europe/Berlin';
  folder = await temporaryFolder();
  database = await openDatabase(folder.folder);
  processLock = acquireProcessLock(folder.folder);
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const onDefect = (error: unknown) => {
    throw error;
  };
  store = createJobStore({ database, clock, processLock, isCommand: false, onDefect });
});
afterEach(async () => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
  database.close();
  processLock.release();
  await folder.remove();
});

/** Adds jobs at the times of their ends, as the store sets these. */
const add = (...jobs: readonly Job[]): readonly Job[] =>
  [...Map.groupBy(jobs, ({ endedAt }) => endedAt ?? 0)].flatMap(([endedAt, some]) => {
    now = endedAt;
    return store.add(some);
  });
const at = (text: string): number => new Date(text).getTime();
const ended = (endedAt: string) => ({ state: 'done', endedAt: at(endedAt) }) as const;
let count = 0;
const id = (): string => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;
const recording = (endedAt: string, change: Partial<ConversionJob> = {}): Job =>
  conversionJob({ id: id(), durationSeconds: 60, ...ended(endedAt), ...change });
const speech = (endedAt: string, text: string, change: Partial<SpeechJob> = {}): Job =>
  speechJob({ id: id(), text, ...ended(endedAt), ...change });

/** Reads one slice after the other. */
const slices = {
  maxSlices: 1,
  minEntries: 1,
  read: (requests: readonly SliceRequest[], signal: AbortSignal) =>
    Promise.all(requests.map((request) => readSlice(database, request, signal))),
};

/** The statistics at noon of 15 November 2026, unless another time is given. */
const compute = (query: Partial<StatisticsQuery> = {}, today = '2026-11-15T12:00', hasAllVoices = false) =>
  computeStatistics(
    database,
    { period: '12m', kind: 'all', ...query, now: at(today), hasAllVoices },
    slices,
    new AbortController().signal,
  );

/** The steps of time that have results: their local start, and the number of results. */
async function results(query: Partial<StatisticsQuery> = {}, today?: string) {
  const { time } = await compute(query, today);
  return time
    .filter((step) => step.results > 0)
    .map((step) => [new Date(step.startsAt).toString().slice(4, 24), step.results]);
}

const sameVoice = (n: number, k: number) => ({
  ...testVoice,
  id: `voice-${n}`,
  name: `Voice ${n}`,
  category: String(k),
});

describe('statistics', () => {
  it('of an empty history have every month and nothing in it', async () => {
    const { total, time, voices, connections, years, unit } = await compute();
    expect(unit).toBe('month');
    expect(time.map(({ startsAt }) => new Date(startsAt).getMonth())).toEqual([11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect([total.results, voices, connections, years]).toEqual([0, [], [], []]);
    expect((await compute({ period: 'all' })).time).toHaveLength(1);
  });

  it('count an entry in the month of its end in local time', async () => {
    add(
      recording('2026-02-28T23:59:59.999'),
      recording('2026-03-01T00:00'),
      recording('2026-03-31T23:59:59.999'),
      recording('2026-04-01T00:00'),
    );
    const inBerlin = [
      ['Feb 01 2026 00:00:00', 1],
      ['Mar 01 2026 00:00:00', 2],
      ['Apr 01 2026 00:00:00', 1],
    ];
    expect(await results()).toEqual(inBerlin);
    process.env['TZ'] = 'America/New_York';
    expect(await results()).toEqual([
      ['Feb 01 2026 00:00:00', 2],
      ['Mar 01 2026 00:00:00', 2],
    ]);
  });

  it('count days as they are when the clocks change, whatever their length', async () => {
    add(
      recording('2026-10-24T23:59'),
      recording('2026-10-25T00:00'),
      recording('2026-10-25T23:59'),
      recording('2026-10-26T00:00'),
    );
    expect(await results({ period: '30d' })).toEqual([
      ['Oct 24 2026 00:00:00', 1],
      ['Oct 25 2026 00:00:00', 2],
      ['Oct 26 2026 00:00:00', 1],
    ]);
    // There, this day began at one o'clock.
    process.env['TZ'] = 'America/Sao_Paulo';
    add(recording('2018-11-03T23:59'), recording('2018-11-04T01:00'));
    expect(await results({ period: '30d' }, '2018-11-15T12:00')).toEqual([
      ['Nov 03 2018 00:00:00', 1],
      ['Nov 04 2018 01:00:00', 1],
    ]);
  });

  it('are of the last 30 days with today, of twelve months with this one, of a year, or of all', async () => {
    add(
      recording('2026-11-15T08:00'),
      recording('2026-10-17T00:00'),
      recording('2026-10-16T23:59'),
      recording('2025-12-01T00:00'),
      recording('2025-11-30T23:59'),
      recording('2023-06-05T12:00'),
    );
    const numbers = async (period: string) => {
      const { total, time, unit } = await compute({ period });
      return [total.results, time.length, unit];
    };
    expect(await numbers('30d')).toEqual([2, 30, 'day']);
    expect(await numbers('12m')).toEqual([4, 12, 'month']);
    expect(await numbers('2025')).toEqual([2, 12, 'month']);
    expect(await numbers('1999')).toEqual([0, 12, 'month']);
    expect(await numbers('all')).toEqual([6, 42, 'month']);
    expect((await compute()).years).toEqual([2026, 2025, 2023]);
  });

  it('of all history reach to entries that a wrong clock put into the future', async () => {
    add(recording('2027-01-02T00:00'));
    const { total, time } = await compute({ period: 'all' });
    expect([total.results, time.length, time.at(-1)?.results]).toEqual([1, 3, 1]);
  });

  it('sum up recordings by their length, and texts by their characters and the length of what was spoken', async () => {
    add(
      recording('2026-11-01T00:00', { durationSeconds: 90.5 }),
      recording('2026-11-01T00:00', { durationSeconds: null }),
      speech('2026-11-01T00:00', 'Ahoi 👩‍🚀', { durationSeconds: 2.5 }),
      speech('2026-11-02T00:00', '東京'),
      speech('2026-11-03T00:00', '東', { durationSeconds: 1 }),
    );
    expect((await compute()).total).toEqual({
      results: 5,
      failed: 0,
      cancelled: 0,
      uncertain: 0,
      seconds: 90.5,
      unmeasured: 1,
      characters: 11,
      spokenSeconds: 3.5,
      unmeasuredTexts: 1,
    });
    expect((await compute({ kind: 'conversion' })).total).toMatchObject({
      ...{ results: 2, seconds: 90.5, unmeasured: 1 },
      ...{ characters: 0, spokenSeconds: 0, unmeasuredTexts: 0 },
    });
    expect((await compute({ kind: 'speech' })).total).toMatchObject({
      ...{ results: 3, seconds: 0, unmeasured: 0 },
      ...{ characters: 11, spokenSeconds: 3.5, unmeasuredTexts: 1 },
    });
  });

  it('count what failed, was cancelled or is uncertain as that, and not as made', async () => {
    const problem = { code: 'network/cut' } as const;
    add(
      recording('2026-11-01T00:00', { state: 'failed', problem }),
      recording('2026-11-01T00:00', { state: 'failed', problem }),
      recording('2026-11-01T00:00', { state: 'cancelled' }),
      speech('2026-11-01T00:00', 'text', { state: 'uncertain' }),
    );
    const expected = { results: 0, seconds: 0, characters: 0, failed: 2, cancelled: 1, uncertain: 1 };
    const { total, time, voices, connections } = await compute();
    for (const amounts of [total, time.at(-1), voices[0], connections[0]]) expect(amounts).toMatchObject(expected);
  });

  it('leave out removed entries until their removal is undone, and jobs that are still open', async () => {
    const [first] = add(recording('2026-11-01T00:00'), recording('2026-11-02T00:00'));
    add(conversionJob({ id: id() }));
    const job = database.prepare('SELECT number FROM job WHERE id = ?').get(first?.id ?? '')?.['number'] ?? null;
    const number = database.prepare('SELECT number FROM history_entry WHERE job = ?').get(job)?.['number'] ?? null;
    database.prepare('INSERT INTO history_removed (job, number, removed_at) VALUES (?, ?, 0)').run(job, number);
    expect((await compute()).total.results).toBe(1);
    database.prepare('DELETE FROM history_removed').run();
    expect((await compute()).total.results).toBe(2);
  });

  it('tell voices apart by their connection, and name each as its newest entry does', async () => {
    const other = { ...conversionJob().connection, id: 'other', name: 'Other' };
    const renamed = { ...testVoice, name: 'Deep bronze', category: 'studio' };
    add(
      recording('2026-10-01T00:00'),
      recording('2026-11-01T00:00', { voice: renamed }),
      recording('2026-11-02T00:00', { connection: other }),
    );
    const { voices, connections, voiceCount } = await compute();
    expect(voices.map(({ name, id: voice, connectionName, results: n }) => [name, voice, connectionName, n])).toEqual([
      ['Deep bronze', 'low-bronze', 'Studio', 2],
      ['Low bronze', 'low-bronze', 'Other', 1],
    ]);
    expect(connections.map(({ id: one, name, results: n }) => [one, name, n])).toEqual([
      ['studio', 'Studio', 2],
      ['other', 'Other', 1],
    ]);
    expect(voiceCount).toBe(2);
  });

  it('have the voices that lead by any measure, or all of them', async () => {
    const jobs = Array.from({ length: 40 }, (_, k) =>
      Array.from({ length: k < 20 ? 2 : 1 }, (_, n) =>
        recording('2026-11-01T00:00', { voice: sameVoice(k, n), durationSeconds: k }),
      ),
    ).flat();
    add(...jobs, speech('2026-11-02T00:00', 'the longest text', { voice: sameVoice(40, 0) }));
    const { voices, voiceCount } = await compute();
    expect(voiceCount).toBe(41);
    const names = new Set(voices.map(({ name }) => name));
    for (const name of ['Voice 0', 'Voice 39', 'Voice 40']) expect(names).toContain(name);
    expect(voices.length).toBeLessThanOrEqual(30);
    expect((await compute({}, undefined, true)).voices).toHaveLength(41);
  });

  it('are the same whether one thread reads them or several', async () => {
    const other = { ...conversionJob().connection, id: 'other', name: 'Other' };
    add(
      ...Array.from({ length: 30 }, (_, k) =>
        recording(`2026-${String(1 + (k % 11)).padStart(2, '0')}-01T00:00`, {
          voice: { ...sameVoice(k % 4, 0), name: `Voice ${k % 4} in ${k}` },
          durationSeconds: k,
          ...(k % 3 === 0 && { connection: other }),
        }),
      ),
      speech('2026-03-01T00:00', 'text'),
    );
    const options = { period: '12m', kind: 'all', now: at('2026-11-15T12:00'), hasAllVoices: true } as const;
    const { signal } = new AbortController();
    const whole = await compute({}, undefined, true);
    for (const maxSlices of [2, 3, 7, 100]) {
      let asked = 0;
      const several: SliceReader = {
        maxSlices,
        minEntries: 1,
        read(requests) {
          asked = requests.length;
          return slices.read(requests, signal);
        },
      };
      expect(await computeStatistics(database, options, several, signal), String(maxSlices)).toEqual(whole);
      expect(asked).toBe(Math.min(maxSlices, 31));
    }
  });

  it('count an imported entry at its own time, with a connection that is not here', async () => {
    const foreign = { ...conversionJob().connection, id: 'imported:Studio, "North"\n', name: 'Studio, "North"\n' };
    add(recording('2020-02-29T12:00', { connection: foreign }));
    const { connections, time } = await compute({ period: '2020' });
    expect(connections).toMatchObject([{ id: foreign.id, name: foreign.name, results: 1 }]);
    expect(time[1]?.results).toBe(1);
  });

  it('say what was made on this computer', async () => {
    const local = { ...conversionJob().connection, id: 'local', name: 'This computer' };
    add(
      recording('2026-11-01T00:00'),
      recording('2026-11-01T00:00', { connection: local, durationSeconds: 30 }),
      speech('2026-11-01T00:00', 'text', { connection: local }),
    );
    expect((await compute()).local).toMatchObject({ results: 2, seconds: 30, characters: 4 });
  });

  it('still count an entry whose voice cannot be read', async () => {
    add(recording('2026-11-01T00:00'));
    database.exec("UPDATE job SET voice = 'damaged'");
    expect((await compute()).voices).toMatchObject([{ name: '', results: 1 }]);
  });

  it('end when they are no longer wanted', async () => {
    add(...Array.from({ length: 2001 }, () => recording('2026-11-01T00:00')));
    const options = { period: 'all', kind: 'all', now: at('2026-11-15T12:00'), hasAllVoices: false } as const;
    const late = computeStatistics(database, options, slices, AbortSignal.abort(new Error('no longer wanted')));
    await expect(late).rejects.toThrow('no longer wanted');
    expect((await compute()).total.results).toBe(2001);
  });
});

describe('duplicates in watched folders', () => {
  function watched(path: string, change: Readonly<Record<string, string | number>> = {}): void {
    const row = {
      folder_id: 'f',
      path,
      change_number: 1,
      state_changed_at: at('2026-11-01T00:00'),
      is_present: 1,
      device: '1',
      inode: path,
      size_bytes: 1,
      modified_ns: '0',
      changed_ns: '0',
      sha256: 'aa',
      duration_seconds: 60,
      decision: 'same-sound',
      stage: 'rest',
      failures: 0,
      is_forced: 0,
      ...change,
    };
    const names = Object.keys(row);
    database
      .prepare(`INSERT INTO watched_file (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`)
      .run(row);
  }
  beforeEach(() => {
    database.exec(
      `INSERT INTO watch_folder (id, settings, voice, device, inode, is_listed, is_paused, baseline_stage, created_at)
       VALUES ('f', '{}', '{}', '1', '1', 1, 0, 'answered', 0)`,
    );
  });

  it('are the files whose content was converted already, in the period', async () => {
    watched('a.wav');
    watched('b.wav', { sha256: 'bb', duration_seconds: 30 });
    watched('long ago.wav', { state_changed_at: at('2020-01-01T00:00') });
    watched('converted.wav', { decision: 'job' });
    watched('other settings.wav', { decision: 'other-settings' });
    expect((await compute()).duplicates).toEqual({ recordings: 2, seconds: 90 });
    expect((await compute({ period: 'all' })).duplicates).toEqual({ recordings: 3, seconds: 150 });
    expect((await compute({ kind: 'speech' })).duplicates).toEqual({ recordings: 0, seconds: 0 });
  });

  it('count once when they were renamed, and stay when they are deleted', async () => {
    watched('former name.wav', { inode: '7', is_present: 0 });
    watched('new name.wav', { inode: '7' });
    watched('deleted.wav', { inode: '8', is_present: 0 });
    expect((await compute()).duplicates).toEqual({ recordings: 2, seconds: 120 });
  });
});
