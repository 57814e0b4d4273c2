import { expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { type WhenDone, whenNothingIsDone } from '../../../../shared/schemas/app.ts';
import { WhenDoneState } from './when-done.svelte.ts';

function setUp({ current = whenNothingIsDone, refuses = false } = {}) {
  const calls: string[] = [];
  const dialogs = { isOpen: false };
  let tell: (state: WhenDone) => void = () => undefined;
  const state = new WhenDoneState(
    {
      whenDone: () => Promise.resolve(current),
      chooseWhenDone({ action }) {
        calls.push(action);
        return refuses ? Promise.reject(new AppError('data/unreadable', 'no')) : Promise.resolve();
      },
      postponeWhenDone: () => Promise.resolve(void calls.push('postpone')),
      onWhenDoneChanged(listener) {
        tell = listener;
        return () => undefined;
      },
    },
    () => dialogs.isOpen,
  );
  state.subscribe();
  return { state, calls, dialogs, tell: (change: Partial<WhenDone>) => tell({ ...whenNothingIsDone, ...change }) };
}

test('shows a countdown, also one that began before the page was loaded', async () => {
  const { state, tell } = setUp({ current: { action: 'sleep', secondsLeft: 12, problem: null } });
  await state.load();
  expect(state.countdown).toEqual({ action: 'sleep', seconds: 12 });
  tell({ action: 'sleep', secondsLeft: 11 });
  expect(state.countdown?.seconds).toBe(11);
  tell({ action: 'sleep' });
  expect([state.action, state.countdown]).toEqual(['sleep', null]);
});

test('postpones a countdown behind another dialog, and shows none', () => {
  const { state, calls, dialogs, tell } = setUp();
  dialogs.isOpen = true;
  tell({ action: 'shut-down', secondsLeft: 30 });
  expect([state.countdown, calls]).toEqual([null, ['postpone']]);
  dialogs.isOpen = false;
  tell({ action: 'shut-down', secondsLeft: 30 });
  // Its own dialog is no reason to postpone it.
  dialogs.isOpen = true;
  tell({ action: 'shut-down', secondsLeft: 29 });
  expect([state.countdown?.seconds, calls]).toEqual([29, ['postpone']]);
});

test('keeps a problem until it is closed or something is chosen', async () => {
  const { state, tell, calls } = setUp();
  tell({ problem: { code: 'system/power-refused' } });
  tell({});
  expect(state.problem?.code).toBe('system/power-refused');
  await state.choose('sleep');
  expect([state.problem, calls]).toEqual([null, ['sleep']]);
});

test('says why nothing could be chosen', async () => {
  const { state } = setUp({ refuses: true });
  await state.choose('sleep');
  expect(state.problem?.code).toBe('data/unreadable');
});
