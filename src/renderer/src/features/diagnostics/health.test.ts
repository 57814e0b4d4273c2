import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { HealthReport } from '../../../../shared/schemas/diagnostics.ts';
import type { Api } from '../../lib/api.ts';
import { HealthChecks } from './health.svelte.ts';

const disk = { ok: false, finding: { kind: 'full', folder: '/d', bytes: 1 } } as const;
const reportOf = (checks: HealthReport['checks']): HealthReport => ({ at: 1, version: '1', system: 'Linux', checks });
const done = reportOf([
  { subject: 'keychain', result: { ok: true, finding: { kind: 'keychain' } } },
  { subject: 'disk', result: disk },
]);

function setUp(answer: () => Promise<HealthReport>) {
  let runs = 0;
  let emit: (report: HealthReport) => void = () => undefined;
  const checks = new HealthChecks({
    runChecks: () => {
      runs += 1;
      return answer();
    },
    onCheckChanged: (listener: (report: HealthReport) => void) => {
      emit = listener;
      return () => undefined;
    },
  } as Api['diagnostics']);
  checks.subscribe();
  return { checks, runs: () => runs, emit: (report: HealthReport) => emit(report) };
}

describe('health checks', () => {
  test('show each result as it arrives, and run once until they are run again', async () => {
    const answer = Promise.withResolvers<HealthReport>();
    const { checks, runs, emit } = setUp(() => answer.promise);
    const running = checks.runOnce();
    emit(
      reportOf([
        { subject: 'keychain', result: null },
        { subject: 'disk', result: disk },
      ]),
    );
    expect([checks.isRunning, checks.failedChecks.length]).toEqual([true, 1]);
    await checks.run();
    answer.resolve(done);
    await running;
    await checks.runOnce();
    expect([checks.report, checks.isRunning, runs()]).toEqual([done, false, 1]);
    await checks.run();
    expect(runs()).toBe(2);
  });

  test('report why a run failed', async () => {
    const { checks } = setUp(() => Promise.reject(new AppError('settings/unreadable', 'no')));
    await checks.runOnce();
    expect([checks.problem?.code, checks.isRunning]).toEqual(['settings/unreadable', false]);
  });
});
