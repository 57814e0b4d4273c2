import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { Pause, PauseReason } from '../../../../shared/schemas/job.ts';
import { jobOf } from './job-of.fixture.ts';
import { jobsApi } from './jobs-api.fixture.ts';
import { Pauses } from './pauses.svelte.ts';

const pauseOf = (reason: PauseReason, connectionId: string | null = null, resumesAt: number | null = null): Pause => ({
  connectionId,
  reason,
  since: 0,
  resumesAt,
  problem: null,
});

function setUp(snapshot: () => Promise<readonly Pause[]> = () => Promise.resolve([])) {
  let tell: (pauses: readonly Pause[]) => void = () => undefined;
  const resumed: (string | null)[] = [];
  const faults: AppError[] = [];
  const pauses = new Pauses(
    jobsApi({
      pauses: snapshot,
      resume: ({ connectionId }) => {
        const fault = faults.shift();
        if (fault) return Promise.reject(fault);
        resumed.push(connectionId);
        return Promise.resolve();
      },
      onPausesChanged: (listener) => {
        tell = listener;
        return () => undefined;
      },
    }),
  );
  pauses.subscribe();
  return { pauses, resumed, faults, tell: (...list: readonly Pause[]) => tell(list) };
}

describe('pauses', () => {
  test('are a snapshot, then changes; news that came meanwhile are not undone by the snapshot', async () => {
    const gate = Promise.withResolvers<readonly Pause[]>();
    const { pauses, tell } = setUp(() => gate.promise);
    const loading = pauses.load();
    tell();
    gate.resolve([pauseOf('offline', 'north')]);
    await loading;
    expect(pauses.list).toEqual([]);
    await pauses.load();
    expect(pauses.list).toHaveLength(1);
  });

  test('are new once, however much longer they become, and again after they ended', () => {
    const { pauses, tell } = setUp();
    tell(pauseOf('rate', 'north', 5));
    expect(pauses.fresh).toHaveLength(1);
    pauses.toldNew();
    tell(pauseOf('rate', 'north', 9), pauseOf('rate', 'south', 9));
    expect(pauses.fresh.map(({ connectionId }) => connectionId)).toEqual(['south']);
    tell();
    expect(pauses.fresh).toEqual([]);
    tell(pauseOf('rate', 'north', 12));
    expect(pauses.fresh).toHaveLength(1);
  });

  test('hold jobs of their connection, and those of all connections hold every job', () => {
    const { pauses, tell } = setUp();
    tell(pauseOf('offline', 'north'));
    expect(pauses.holding(jobOf('a', { connectionId: 'north' }))?.reason).toBe('offline');
    expect(pauses.holding(jobOf('a', { connectionId: 'local' }))).toBeUndefined();
    tell(pauseOf('offline', 'north'), pauseOf('person'));
    expect(pauses.holding(jobOf('a', { connectionId: 'north' }))?.reason).toBe('person');
    expect(pauses.holding(jobOf('a', { connectionId: 'local' }))?.reason).toBe('person');
  });

  test('of an empty account let results that are paid for come', () => {
    const { pauses, tell } = setUp();
    tell(pauseOf('quota', 'north'));
    expect(pauses.holding(jobOf('a', { connectionId: 'north', state: 'converted' }))).toBeUndefined();
    expect(pauses.holding(jobOf('a', { connectionId: 'north', state: 'uploaded' }))?.reason).toBe('quota');
  });

  test('say why a wish failed, until the next one', async () => {
    const { pauses, faults, resumed } = setUp();
    faults.push(new AppError('data/unreadable', 'no'));
    await pauses.resume('north');
    expect(pauses.problem?.code).toBe('data/unreadable');
    await pauses.resume('north');
    expect([pauses.problem, resumed]).toEqual([null, ['north']]);
  });
});
