import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { Pause, PauseReason } from '../../../../shared/schemas/job.ts';
import { jobOf } from './job.fixture.ts';
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
  let emit: (pauses: readonly Pause[]) => void = () => undefined;
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
        emit = listener;
        return () => undefined;
      },
    }),
  );
  pauses.subscribe();
  return { pauses, resumed, faults, emit: (...list: readonly Pause[]) => emit(list) };
}

describe('pauses', () => {
  test('are not overwritten by a snapshot that is older than an event', async () => {
    const gate = Promise.withResolvers<readonly Pause[]>();
    const { pauses, emit } = setUp(() => gate.promise);
    const loading = pauses.load();
    emit();
    gate.resolve([pauseOf('offline', 'north')]);
    await loading;
    expect(pauses.list).toEqual([]);
    await pauses.load();
    expect(pauses.list).toHaveLength(1);
  });

  test('are announced once, and again only after they ended', () => {
    const { pauses, emit } = setUp();
    emit(pauseOf('rate', 'north', 5));
    expect(pauses.unannounced).toHaveLength(1);
    pauses.markAnnounced();
    emit(pauseOf('rate', 'north', 9), pauseOf('rate', 'south', 9));
    expect(pauses.unannounced.map(({ connectionId }) => connectionId)).toEqual(['south']);
    emit();
    expect(pauses.unannounced).toEqual([]);
    emit(pauseOf('rate', 'north', 12));
    expect(pauses.unannounced).toHaveLength(1);
  });

  test('apply to jobs of their connection, or to all jobs if they have none', () => {
    const { pauses, emit } = setUp();
    emit(pauseOf('offline', 'north'));
    expect(pauses.findFor(jobOf('a', { connectionId: 'north' }))?.reason).toBe('offline');
    expect(pauses.findFor(jobOf('a', { connectionId: 'local' }))).toBeUndefined();
    emit(pauseOf('offline', 'north'), pauseOf('user'));
    expect(pauses.findFor(jobOf('a', { connectionId: 'north' }))?.reason).toBe('user');
    expect(pauses.findFor(jobOf('a', { connectionId: 'local' }))?.reason).toBe('user');
  });

  test('for missing credit do not apply to converted results', () => {
    const { pauses, emit } = setUp();
    emit(pauseOf('quota', 'north'));
    expect(pauses.findFor(jobOf('a', { connectionId: 'north', state: 'converted' }))).toBeUndefined();
    expect(pauses.findFor(jobOf('a', { connectionId: 'north', state: 'uploaded' }))?.reason).toBe('quota');
  });

  test('show why a command failed until the next one', async () => {
    const { pauses, faults, resumed } = setUp();
    faults.push(new AppError('data/unreadable', 'no'));
    await pauses.resume('north');
    expect(pauses.problem?.code).toBe('data/unreadable');
    await pauses.resume('north');
    expect([pauses.problem, resumed]).toEqual([null, ['north']]);
  });
});
