import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { countdownSeconds, type WhenDone, type WhenDoneAction } from '../../shared/schemas/app.ts';
import { createListeners } from './events.ts';
import { conversionJob } from './jobs/job.fixture.ts';
import type { JobEvent } from './jobs/job-store.ts';
import { createWhenDone, type EndedWork, type WhenDoneControl } from './when-done.ts';

let now: number;
let work: Record<'isPausedByUser' | 'isAdding' | 'isBusy' | 'others', boolean> & Record<'open' | 'incoming', number>;
const nothing = { open: 0, incoming: 0, isPausedByUser: false, isAdding: false, isBusy: false, others: false };
let performed: [WhenDoneAction, EndedWork][];
let refusal: Error | null;
let states: WhenDone[];
let errors: unknown[];
let jobs: ReturnType<typeof createListeners<JobEvent>>;
let control: WhenDoneControl;
/** Reads from the database whether any process has a job that has not ended. */
let readOthers: () => boolean;
/** Sleepers of the clock, each a second long. */
let sleepers: (() => void)[];

beforeEach(() => {
  now = 1_000_000;
  work = { ...nothing, open: 1 };
  performed = [];
  refusal = null;
  states = [];
  errors = [];
  sleepers = [];
  readOthers = () => work.others;
  jobs = createListeners<JobEvent>(() => undefined);
  control = createWhenDone({
    clock: {
      now: () => now,
      sleep: (_, signal) =>
        new Promise((resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
          sleepers.push(resolve);
        }),
    },
    store: { onEvent: jobs.add, owns: (id) => id !== 'other', hasUnfinished: () => readOthers() },
    activity: () => work,
    isAdding: () => work.isAdding,
    isBusy: () => work.isBusy,
    perform(action, ended) {
      performed.push([action, ended]);
      return refusal ? Promise.reject(refusal) : Promise.resolve();
    },
    onChanged: (state) => states.push(state),
    onError: (error) => errors.push(error),
  });
});
afterEach(() => {
  control.stop();
  expect(errors).toEqual([]);
});

/** Lets seconds pass, one after another. */
async function pass(seconds: number, realMs = 1000): Promise<void> {
  for (let k = 0; k < seconds; k += 1) {
    now += realMs;
    sleepers.splice(0).forEach((wake) => wake());
    await new Promise((resolve) => setImmediate(resolve));
  }
}
const end = (id: string, state: 'done' | 'failed' | 'cancelled', path = `/out/${id}.wav`) =>
  jobs.emit({
    kind: 'upserted',
    jobs: [
      {
        ...conversionJob({ id, state, stateChangedAt: now }),
        ...(state === 'done' && { output: { path, method: 'link' as const } }),
      },
    ],
  });
const actions = () => performed.map(([action]) => action);

describe('what happens when the work is done', () => {
  it.each(['open-folder', 'notify'] as const)(
    '%s happens at once, with what ended since it was chosen',
    async (action) => {
      end('before', 'done');
      now += 1;
      control.choose(action);
      await pass(3);
      expect(actions()).toEqual([]);
      end('a', 'done');
      end('a', 'done');
      end('b', 'failed');
      end('c', 'cancelled');
      end('other', 'done');
      work.open = 0;
      await pass(1);
      expect(performed).toEqual([[action, { done: 1, needAttention: 1, result: '/out/a.wav' }]]);
      expect(control.get().action).toBe('nothing');
    },
  );

  it.each(['sleep', 'shut-down'] as const)('%s happens once, after thirty seconds', async (action) => {
    control.choose(action);
    end('a', 'failed');
    work.open = 0;
    await pass(1);
    expect(control.get()).toEqual({ action, secondsLeft: countdownSeconds, problem: null });
    await pass(countdownSeconds - 1);
    expect([control.get().secondsLeft, actions()]).toEqual([1, []]);
    await pass(1);
    expect(performed).toEqual([[action, { done: 0, needAttention: 1, result: null }]]);
    expect(control.get()).toEqual({ action: 'nothing', secondsLeft: null, problem: null });
    await pass(100);
    expect(actions()).toHaveLength(1);
  });

  it('waits while the queue cannot be read, and happens later all the same', async () => {
    const failure = new Error('disk I/O error');
    control.choose('sleep');
    work.open = 0;
    await pass(10);
    readOthers = () => {
      throw failure;
    };
    await pass(1);
    expect([control.get().secondsLeft, errors.splice(0)]).toEqual([null, [failure]]);
    readOthers = () => work.others;
    await pass(1);
    expect(control.get().secondsLeft).toBe(countdownSeconds);
    await pass(countdownSeconds);
    expect(actions()).toEqual(['sleep']);
  });

  it('never happens once it is cancelled, at any second', async () => {
    for (let second = 0; second <= countdownSeconds; second += 1) {
      control.choose('shut-down');
      work.open = 0;
      await pass(second);
      control.choose('nothing');
      await pass(countdownSeconds + 1);
    }
    expect(actions()).toEqual([]);
  });

  it.each([
    ['a job is open', { open: 1 }],
    ['a job of another process is open', { others: true }],
    ['a watched file is under way', { incoming: 1 }],
    ['the user has paused the queue', { isPausedByUser: true }],
    ['recordings are being added, which may wait for the data', { isAdding: true }],
    ['an export runs or a dialog of the system is open', { isBusy: true }],
  ])('does not happen while %s, which also ends a countdown', async (_, obstacle) => {
    work.open = 0;
    Object.assign(work, obstacle);
    control.choose('sleep');
    await pass(100);
    expect([actions(), control.get().secondsLeft]).toEqual([[], null]);
    Object.assign(work, nothing);
    await pass(countdownSeconds);
    Object.assign(work, obstacle);
    await pass(1);
    expect([actions(), control.get()]).toEqual([[], { action: 'sleep', secondsLeft: null, problem: null }]);
    Object.assign(work, nothing);
    await pass(countdownSeconds + 1);
    expect(actions()).toEqual(['sleep']);
  });

  it('waits while the page asks the user something', async () => {
    control.choose('shut-down');
    work.open = 0;
    for (let time = 0; time < 5; time += 1) {
      await pass(1);
      while (control.get().secondsLeft === null) await pass(1);
      control.postpone();
      expect(control.get().secondsLeft).toBeNull();
    }
    expect(actions()).toEqual([]);
  });

  it('counts down again if the computer slept meanwhile', async () => {
    control.choose('shut-down');
    work.open = 0;
    await pass(20);
    await pass(1, 3_600_000);
    expect(control.get().secondsLeft).toBe(countdownSeconds);
    expect(actions()).toEqual([]);
  });

  it('counts down again if the computer slept in the last second', async () => {
    control.choose('shut-down');
    work.open = 0;
    await pass(countdownSeconds);
    await pass(1, 3_600_000);
    expect([control.get().secondsLeft, actions()]).toEqual([countdownSeconds, []]);
  });

  it('knows what ended since, although the clock was set back', async () => {
    end('before', 'done');
    now += 1;
    control.choose('notify');
    await pass(1);
    await pass(1, -3_600_000);
    end('a', 'done');
    now -= 3_600_000;
    end('b', 'failed');
    work.open = 0;
    await pass(1);
    expect(performed).toEqual([['notify', { done: 1, needAttention: 1, result: '/out/a.wav' }]]);
  });

  it('says why the system refused it, until something else is chosen', async () => {
    refusal = new AppError('system/power-refused', 'no', { facts: { action: 'sleep' } });
    control.choose('sleep');
    work.open = 0;
    await pass(countdownSeconds + 1);
    expect(control.get()).toEqual({
      action: 'nothing',
      secondsLeft: null,
      problem: { code: 'system/power-refused', facts: { action: 'sleep' } },
    });
    control.choose('nothing');
    expect(control.get().problem).toBeNull();
  });

  it('is told at each change, and never after it was stopped', async () => {
    control.choose('sleep');
    work.open = 0;
    await pass(2);
    expect(states.map(({ secondsLeft }) => secondsLeft)).toEqual([null, 30, 29]);
    control.stop();
    await pass(60);
    expect([actions(), states.length]).toEqual([[], 3]);
  });
});
