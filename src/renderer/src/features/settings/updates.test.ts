import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { UpdateStatus } from '../../../../shared/schemas/update.ts';
import { UpdatesState } from './updates.svelte.ts';

const none: UpdateStatus = {
  ...{ phase: 'idle', host: 'timbre.example', checkedAt: 0, available: null },
  ...{ canInstall: true, progress: 0, problem: null },
};
const found = (version: string, phase: UpdateStatus['phase'] = 'idle'): UpdateStatus => ({
  ...none,
  phase,
  available: { version, date: 0, notes: '' },
});

let stored: Map<string, string>;
let reply: UpdateStatus | AppError;
let emit: (status: UpdateStatus) => void;

beforeEach(() => {
  stored = new Map();
  reply = none;
});

function open(): UpdatesState {
  const answer = () => (reply instanceof AppError ? Promise.reject(reply) : Promise.resolve(reply));
  const state = new UpdatesState(
    {
      status: answer,
      check: answer,
      download: answer,
      install: () => answer().then(() => undefined),
      openPage: () => answer().then(() => undefined),
      onChanged(listener) {
        emit = listener;
        return () => undefined;
      },
    },
    {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
    },
  );
  state.subscribe();
  return state;
}

describe('the notice', () => {
  test('names a version until the user has seen it, also in other windows', async () => {
    reply = found('0.2.0');
    const state = open();
    await state.load();
    expect(state.notice).toBe('0.2.0');
    state.markSeen();
    expect(state.notice).toBeNull();
    const other = open();
    await other.load();
    expect(other.notice).toBeNull();
    emit(found('0.2.1'));
    expect(other.notice).toBe('0.2.1');
  });

  test('is back once the version is ready, until it is installed', async () => {
    reply = found('0.2.0');
    const state = open();
    await state.load();
    state.markSeen();
    emit(found('0.2.0', 'downloading'));
    expect(state.notice).toBeNull();
    emit(found('0.2.0', 'downloaded'));
    state.markSeen();
    expect(state.notice).toBe('0.2.0');
  });

  test('is none without a newer version, or while nothing is known', async () => {
    const state = open();
    expect(state.notice).toBeNull();
    state.markSeen();
    await state.load();
    expect([state.notice, stored.size]).toEqual([null, 0]);
  });
});

test('what fails is told, and what was known stays', async () => {
  reply = found('0.2.0', 'downloaded');
  const state = open();
  await state.load();
  reply = new AppError('update/jobs-open', 'jobs are open');
  await state.install();
  expect([state.problem?.code, state.status?.phase]).toEqual(['update/jobs-open', 'downloaded']);
  reply = found('0.2.1');
  await state.check();
  expect([state.problem, state.status?.available?.version]).toEqual([null, '0.2.1']);
});
