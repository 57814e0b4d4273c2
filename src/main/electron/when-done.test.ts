import type { PowerMonitor } from 'electron';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { WhenDoneAction } from '../../shared/schemas/app.ts';
import { createListeners } from '../core/events.ts';
import { conversionJob } from '../core/jobs/job.fixture.ts';
import type { JobEvent } from '../core/jobs/job-store.ts';
import type { WhenDoneControl } from '../core/when-done.ts';
import { createDesktopWhenDone } from './when-done.ts';

let told: string[];
let isRefused: boolean;
let control: WhenDoneControl;
let powerMonitor: EventEmitter;
let tick: () => Promise<void>;
let end: (state: 'done' | 'failed') => void;

beforeEach(() => {
  told = [];
  isRefused = false;
  powerMonitor = new EventEmitter();
  const jobs = createListeners<JobEvent>(() => undefined);
  let wake = () => undefined as void;
  end = (state) => {
    const output = { path: '/out/a.wav', method: 'link' } as const;
    jobs.emit({ kind: 'upserted', jobs: [{ ...conversionJob({ id: state, state }), output }] });
  };
  control = createDesktopWhenDone({
    clock: { now: () => 0, sleep: () => new Promise<void>((resolve) => (wake = resolve)) },
    store: { onEvent: jobs.add, owns: () => true, hasUnfinished: () => false },
    activity: () => ({ open: 0, incoming: 0, isPausedByUser: false }),
    isAdding: () => false,
    isBusy: () => false,
    onChanged: ({ secondsLeft }) => void (secondsLeft !== null && secondsLeft > 28 && told.push(`${secondsLeft} s`)),
    onError: (error) => expect.unreachable(String(error)),
    platform: 'linux',
    shell: { showItemInFolder: (path) => told.push(`show ${path}`) },
    powerMonitor: powerMonitor as PowerMonitor,
    notifications: {
      workEnded: ({ done }) => told.push(`ended ${done}`),
      countsDown: (action, seconds) => told.push(`${action} in ${seconds}`),
      batchEnded: ({ needAttention }) => told.push(`failed ${needAttention}`),
    },
    run(program, args) {
      told.push([program, ...args].join(' '));
      return isRefused ? Promise.reject(new Error('no')) : Promise.resolve();
    },
  });
  tick = async () => {
    wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
});
afterEach(() => control.stop());

async function finish(action: WhenDoneAction, state: 'done' | 'failed' = 'done'): Promise<readonly string[]> {
  control.choose(action);
  end(state);
  for (let k = 0; k <= 31; k += 1) await tick();
  return told;
}

it('shows the last result in its folder, if there is one', async () => {
  expect(await finish('open-folder')).toEqual(['show /out/a.wav']);
  told = [];
  expect(await finish('open-folder', 'failed')).toEqual([]);
});

it('notifies, whatever has the focus', async () => {
  expect(await finish('notify')).toEqual(['ended 1']);
});

it('announces sleep, puts the computer to sleep, and reports what failed after it woke up, once', async () => {
  const asleep = ['sleep in 30', '30 s', '29 s', 'systemctl suspend'];
  expect(await finish('sleep', 'failed')).toEqual(asleep);
  powerMonitor.emit('resume');
  powerMonitor.emit('resume');
  expect(told).toEqual([...asleep, 'failed 1']);
});

it('reports nothing later if the system refuses', async () => {
  isRefused = true;
  await finish('shut-down', 'failed');
  powerMonitor.emit('resume');
  expect(told).toEqual(['shut-down in 30', '30 s', '29 s', 'systemctl poweroff']);
  expect(control.get().problem).toEqual({ code: 'system/power-refused', facts: { action: 'shut-down' } });
});
