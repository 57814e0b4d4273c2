import { loadMessages } from '../../../../shared/messages/index.ts';
import { describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { JobInfo } from '../../../../shared/schemas/job.ts';
import { type ConversionSettings, defaultSettings } from '../../../../shared/schemas/settings.ts';
import { jobsApi } from '../jobs/jobs-api.fixture.ts';
import { addedText, AddFiles } from './add-files.svelte.ts';

const en = await loadMessages('en');

const settings = { ...defaultSettings.conversion, voiceId: 'clear-fjord' };

interface Situation {
  readonly paths?: readonly string[];
  readonly conversion?: ConversionSettings | null;
  readonly service?: () => { readonly id: string; readonly name: string } | undefined;
  /** Length of each recording, in seconds. */
  readonly seconds?: number;
  readonly isMeasured?: boolean;
  readonly onPreview?: () => void;
}

function setUp({
  paths = [],
  conversion = settings,
  service,
  seconds = 1,
  isMeasured = true,
  onPreview,
}: Situation = {}) {
  const chunks: number[] = [];
  const voices: string[] = [];
  const states = new Map<string, JobInfo['state']>([['sample', 'queued']]);
  const connections: string[] = [];
  const undone: number[] = [];
  const returned: string[] = [];
  const problems = new Map<string, JobInfo['problem']>();
  const timeLimits: number[] = [];
  /** What the next previews find; by default each path is one file. */
  const foundCounts: number[] = [];
  const limits: (number | null)[] = [];
  let orders = 0;
  /** Of the next calls that add or undo; null is none. */
  const faults: (AppError | null)[] = [];
  const api = {
    app: {
      chooseFiles: () => Promise.resolve(paths),
      chooseFolder: () => Promise.resolve(null),
    },
    jobs: jobsApi({
      preview: ({ paths: seen, timeLimitMs }) => {
        timeLimits.push(timeLimitMs);
        onPreview?.();
        const longestSeconds = seen.length * seconds;
        const found = foundCounts.shift() ?? seen.length;
        return Promise.resolve({
          found,
          recordings: found,
          seconds: isMeasured ? longestSeconds : 0,
          unmeasured: isMeasured ? 0 : seen.length,
          longestSeconds,
          tooLong: 0,
        });
      },
      add: ({ paths: added, connectionId, settings: { voiceId }, atMost }) => {
        limits.push(atMost);
        const fault = faults.shift();
        if (fault) return Promise.reject(fault);
        chunks.push(added.length);
        voices.push(voiceId);
        connections.push(connectionId);
        const withoutPath = added.filter((path) => path === '').length;
        const counts = { added: added.length - withoutPath, refused: 0, ignored: 1, withoutPath };
        const createdIds = added.filter((path) => path !== '').map((path) => `${chunks.length} ${path}`);
        for (const id of createdIds) states.set(id, 'queued');
        return Promise.resolve({ ...counts, addition: counts.added > 0 ? chunks.length : null, createdIds });
      },
      addSample: () =>
        Promise.resolve({ added: 1, refused: 0, ignored: 0, withoutPath: 0, addition: 9, createdIds: ['sample'] }),
      undoAdd: ({ addition }) => {
        const fault = faults.shift();
        if (fault) return Promise.reject(fault);
        undone.push(addition);
        return Promise.resolve({ removed: 2, kept: 1 });
      },
      retry: ({ ids }) => {
        const fault = faults.shift();
        if (fault) return Promise.reject(fault);
        returned.push(...ids);
        for (const id of ids) states.set(id, 'queued');
        return Promise.resolve();
      },
    }),
  };
  return {
    adding: new AddFiles(api, {
      pathForFile: ({ name }) => (name === 'no path' ? '' : name),
      order: () => {
        orders++;
        const { id, name } = service?.() ?? { id: 'local', name: null };
        return Promise.resolve(conversion && { connectionId: id, service: name, settings: conversion });
      },
      findJob: (id) => {
        const state = states.get(id);
        return state && { state, problem: problems.get(id) ?? null };
      },
    }),
    chunks,
    voices,
    connections,
    undone,
    returned,
    problems,
    states,
    timeLimits,
    foundCounts,
    limits,
    faults,
    orders: () => orders,
  };
}
const studio = { id: 'studio', name: 'Studio' };
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, k) => `${k}.wav`);
const files = (...names: readonly string[]): readonly File[] => names.map((name) => new File([], name));

describe('adding recordings', () => {
  test('sends at most 1,000 paths per call and adds up the replies', async () => {
    const { adding, chunks } = setUp({ paths: many(2001) });
    await adding.chooseFiles();
    expect(chunks).toEqual([1000, 1000, 1]);
    expect(adding.report).toEqual({ added: 2001, refused: 0, ignored: 3, withoutPath: 0, addition: 3 });
    expect(adding.pending).toBe(0);
  });

  test('counts items without a path', async () => {
    const { adding, chunks } = setUp();
    await adding.addFiles(files('a.wav', 'no path'));
    expect(chunks).toEqual([2]);
    expect(adding.report).toMatchObject({ added: 1, withoutPath: 1 });
  });

  test('does nothing when the user cancels the dialog', async () => {
    const { adding, chunks, orders } = setUp();
    await adding.chooseFiles();
    await adding.chooseFolder();
    expect([chunks, adding.report, orders()]).toEqual([[], null, 0]);
  });

  test('shows why it failed, and can be repeated', async () => {
    const { adding, faults } = setUp({ paths: ['a.wav'] });
    faults.push(new AppError('engine/not-started', 'no'));
    await adding.chooseFiles();
    expect([adding.problem?.code, adding.pending]).toEqual(['engine/not-started', 0]);
    await adding.chooseFiles();
    expect([adding.problem, adding.report?.added]).toEqual([null, 1]);
  });
});

describe('many recordings', () => {
  test.each([
    [21, 1, true],
    [1, 1801, true],
    [1, 1801, false],
  ])(
    'are sent to a service only if the user wants it: %i of %i seconds, measured: %s',
    async (count, seconds, isMeasured) => {
      const { adding, chunks } = setUp({ service: () => studio, seconds, isMeasured });
      const paths = many(count);
      const refused = adding.addPaths(paths);
      await expect.poll(() => adding.question?.preview.recordings).toBe(count);
      expect(adding.question?.service).toBe('Studio');
      adding.question?.answer(false);
      await refused;
      expect([chunks, adding.question, adding.report, adding.pending]).toEqual([[], null, null, 0]);

      const wanted = adding.addPaths(paths);
      await expect.poll(() => adding.question).not.toBeNull();
      adding.question?.answer(true);
      await wanted;
      expect(chunks).toEqual([count]);
    },
  );

  test.each<[string, Situation, number]>([
    ['few are sent', { service: () => studio, seconds: 60 }, 20],
    ['they stay on this computer', { seconds: 3600 }, 500],
  ])('are added without a question if %s', async (_why, situation, count) => {
    const { adding, chunks } = setUp(situation);
    await adding.addPaths(many(count));
    expect([adding.question, chunks]).toEqual([null, [count]]);
  });

  test('are sent to the service that was asked about, in every call, whatever is selected meanwhile', async () => {
    const selected = [studio, { id: 'north', name: 'North' }];
    const { adding, connections } = setUp({ service: () => selected.shift() });
    const added = adding.addPaths(many(1001));
    await expect.poll(() => adding.question?.service).toBe('Studio');
    adding.question?.answer(true);
    await added;
    expect(connections).toEqual(['studio', 'studio']);
  });

  test('are asked about again if a folder has more of them than were confirmed, and only the rest is', async () => {
    const { adding, chunks, foundCounts, limits, faults } = setUp({ service: () => studio });
    foundCounts.push(1000, 4);
    const added = adding.addPaths(many(1001));
    await expect.poll(() => adding.question?.preview.recordings).toBe(1004);
    foundCounts.push(200);
    faults.push(null, new AppError('input/more-found', 'more'));
    adding.question?.answer(true);
    await expect.poll(() => adding.question?.preview.recordings).toBe(200);
    adding.question?.answer(true);
    await added;
    expect([chunks, limits, adding.problem]).toEqual([[1000, 1], [1000, 4, 200], null]);
  });

  test('are asked about if a folder had few of them at first', async () => {
    const { adding, chunks, foundCounts, faults } = setUp({ service: () => studio });
    foundCounts.push(5, 200);
    faults.push(new AppError('input/more-found', 'more'));
    const added = adding.addPaths(['folder']);
    await expect.poll(() => adding.question?.preview.recordings).toBe(200);
    adding.question?.answer(false);
    await added;
    expect([chunks, adding.report, adding.problem]).toEqual([[], null, null]);
  });

  test('are asked about one drop after another', async () => {
    const { adding, chunks } = setUp({ service: () => studio });
    const first = adding.addPaths(many(30));
    const second = adding.addPaths(many(40));
    await expect.poll(() => adding.question?.preview.recordings).toBe(30);
    adding.question?.answer(true);
    await first;
    await expect.poll(() => adding.question?.preview.recordings).toBe(40);
    adding.question?.answer(false);
    await second;
    expect(chunks).toEqual([30]);
  });

  test('are measured for five seconds in all', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { adding, timeLimits } = setUp({ service: () => studio, onPreview: () => vi.advanceTimersByTime(3000) });
    const added = adding.addPaths(many(2001));
    await expect.poll(() => adding.question).not.toBeNull();
    adding.question?.answer(false);
    await added;
    expect(timeLimits).toEqual([5000, 2000, 0]);
  });
});

describe('what was added last', () => {
  test('is what was dropped last, although it was dropped while the other was added', async () => {
    const { adding, chunks, undone } = setUp();
    await Promise.all([adding.addPaths(many(1500)), adding.addPaths(many(3))]);
    expect(chunks).toEqual([1000, 500, 3]);
    expect(adding.report?.added).toBe(3);
    await adding.undo();
    expect(undone).toEqual([3]);
  });

  test('can be taken back again after that failed', async () => {
    const { adding, faults, undone } = setUp();
    await adding.addPaths(many(2));
    faults.push(new AppError('data/not-writable', 'no'));
    await adding.undo();
    expect([adding.problem?.code, adding.canUndo, undone]).toEqual(['data/not-writable', true, []]);
    await adding.undo();
    expect([adding.problem, adding.canUndo, undone]).toEqual([null, false, [1]]);
  });

  test('is taken back once by two presses', async () => {
    const { adding, undone } = setUp();
    await adding.addPaths(many(2));
    await adding.addPaths(many(2));
    await Promise.all([adding.undo(), adding.undo()]);
    expect(undone).toEqual([2]);
  });

  test('is taken back also if that was asked for while it was added, and only that', async () => {
    const { adding, undone } = setUp();
    await adding.addPaths(many(1));
    await Promise.all([adding.addPaths(many(1500)), adding.undo(), adding.undo()]);
    expect(undone).toEqual([2, 3]);
    await Promise.all([adding.addPaths(['']), adding.undo()]);
    expect(undone).toEqual([2, 3]);
  });

  test('is taken back first, then what was added before it', async () => {
    const { adding, undone } = setUp();
    await adding.addPaths(many(1500));
    await adding.addSample();
    await adding.addPaths(many(1));
    for (let k = 0; k < 3; k += 1) {
      expect(adding.canUndo).toBe(true);
      await adding.undo();
    }
    expect([undone, adding.canUndo]).toEqual([[3, 9, 1, 2], false]);
  });

  test('is one of twenty that can be taken back', async () => {
    const { adding, undone } = setUp();
    for (let k = 0; k < 21; k += 1) await adding.addPaths(many(1));
    while (adding.canUndo) await adding.undo();
    expect(undone).toEqual(Array.from({ length: 20 }, (_, k) => 21 - k));
  });

  test('can be taken back after something of which nothing was added', async () => {
    const { adding, undone } = setUp();
    await adding.addPaths(many(1));
    await adding.addPaths(['']);
    await adding.undo();
    expect(undone).toEqual([1]);
  });

  test('can be taken back only while something of it waits', async () => {
    const { adding, states, undone } = setUp();
    await adding.addPaths(['a.wav', 'b.wav']);
    states.set('1 a.wav', 'done');
    expect(adding.canUndo).toBe(true);
    states.set('1 b.wav', 'converting');
    await adding.undo();
    expect([adding.canUndo, undone]).toEqual([false, []]);
  });

  test('cannot be taken back after it was forgotten, nor what was added before it', async () => {
    const { adding, undone } = setUp();
    await adding.addPaths(many(1));
    await adding.addPaths(many(1));
    adding.forget();
    await adding.undo();
    expect([adding.canUndo, undone]).toEqual([false, []]);
    await adding.addPaths(many(1));
    await adding.undo();
    expect(undone).toEqual([3]);
  });

  test('stays forgotten while the rest of it is added', async () => {
    const { adding, chunks } = setUp();
    const added = adding.addPaths(many(1500));
    await expect.poll(() => chunks.length).toBeGreaterThan(0);
    await expect.poll(() => adding.report).not.toBeNull();
    adding.forget();
    await added;
    expect([chunks, adding.canUndo]).toEqual([[1000, 500], false]);
  });

  test('can be taken back once, all of it', async () => {
    const { adding, undone } = setUp();
    expect(adding.canUndo).toBe(false);
    await adding.addPaths(many(1500));
    expect(adding.canUndo).toBe(true);
    await adding.undo();
    await adding.undo();
    expect(undone).toEqual([1, 2]);
    expect([adding.canUndo, adding.undone]).toEqual([false, { removed: 4, kept: 2 }]);
    expect(addedText(adding, en)).toBe('Removed 4 recordings. 2 have already been converted or sent.');
  });

  test('is no longer reported once the user leaves, or does something else to the queue', async () => {
    const { adding } = setUp();
    for (const dismiss of [() => adding.dismissReport(), () => adding.forget()]) {
      await adding.addPaths(many(1));
      expect(addedText(adding, en)).not.toBe('');
      dismiss();
      expect(addedText(adding, en)).toBe('');
    }
    await adding.addPaths(many(1));
    await adding.undo();
    expect(addedText(adding, en)).not.toBe('');
    adding.dismissReport();
    expect(addedText(adding, en)).toBe('');
  });

  test('has the voice on which it was dropped', async () => {
    const { adding, voices } = setUp();
    await adding.addFiles(files('a.wav'), 'low-bronze');
    await adding.addFiles(files('b.wav'));
    expect(voices).toEqual(['low-bronze', 'clear-fjord']);
  });
});

describe('what was cancelled last', () => {
  test('returns to the queue, then what was added before it is taken back', async () => {
    const { adding, states, returned, undone } = setUp();
    await adding.addPaths(['a.wav', 'b.wav']);
    adding.forget(['1 a.wav']);
    states.set('1 a.wav', 'cancelled');
    expect([adding.undoes, adding.canUndo, addedText(adding, en)]).toEqual(['cancelled', true, '']);
    await adding.undo();
    expect([returned, undone, addedText(adding, en)]).toEqual([['1 a.wav'], [], 'Back in the queue.']);
    expect(adding.undoes).toBe('added');
    await adding.undo();
    expect(undone).toEqual([1]);
  });

  test('returns once by two presses, and the one before it by a third', async () => {
    const { adding, states, returned } = setUp();
    await adding.addPaths(['a.wav', 'b.wav']);
    for (const id of ['1 a.wav', '1 b.wav']) {
      adding.forget([id]);
      states.set(id, 'cancelled');
    }
    await Promise.all([adding.undo(), adding.undo()]);
    expect(returned).toEqual(['1 b.wav']);
    await adding.undo();
    expect(returned).toEqual(['1 b.wav', '1 a.wav']);
  });

  test.each<[string, JobInfo['state'], JobInfo['problem']]>([
    ['it was sent, and may be charged again', 'cancelled', { code: 'service/may-charge' }],
    ['it is done', 'done', null],
    ['the user returned it already', 'converting', null],
  ])('stays as it is if %s', async (_why, state, problem) => {
    const { adding, states, problems, returned } = setUp();
    adding.forget(['a']);
    states.set('a', state);
    problems.set('a', problem);
    expect(adding.canUndo).toBe(false);
    await adding.undo();
    expect(returned).toEqual([]);
  });

  test('can return again after that failed', async () => {
    const { adding, states, faults, returned } = setUp();
    adding.forget(['a']);
    states.set('a', 'cancelled');
    faults.push(new AppError('data/not-writable', 'no'));
    await adding.undo();
    expect([adding.problem?.code, adding.canUndo, returned]).toEqual(['data/not-writable', true, []]);
    await adding.undo();
    expect([adding.problem, returned]).toEqual([null, ['a']]);
  });
});

describe('the text of a report', () => {
  const nothing = { added: 0, refused: 0, ignored: 0, withoutPath: 0, addition: null };

  test('says what was added and what was not', () => {
    const text = (report: AddFiles['report'], pending = 0) => addedText({ report, pending, undone: null }, en);
    expect(text(null)).toBe('');
    expect(text(null, 3)).toBe('Adding 3 items');
    expect(text({ ...nothing, added: 12, ignored: 3 })).toBe(
      'Added 12 recordings. 3 other files were skipped: they aren’t audio, are links, or were made by Timbre.',
    );
    expect(text({ ...nothing, withoutPath: 1 })).toBe(
      '1 item isn’t a file on this computer. Save it first, then add it.',
    );
  });
});
