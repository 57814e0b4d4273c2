import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { HealthReport } from '../../../../shared/schemas/diagnostics.ts';
import type { Api } from '../../lib/api.ts';
import { HealthChecks } from './health.svelte.ts';

const disk = { ok: false, finding: { kind: 'full', folder: '/d', bytes: 1 } } as const;
const round = (checks: HealthReport['checks']): HealthReport => ({ at: 1, version: '1', system: 'Linux', checks });
const done = round([
  { subject: 'keychain', result: { ok: true, finding: { kind: 'keychain' } } },
  { subject: 'disk', result: disk },
]);

function setUp(answer: () => Promise<HealthReport>) {
  let asked = 0;
  let tell: (round: HealthReport) => void = () => undefined;
  const checks = new HealthChecks({
    runChecks: () => {
      asked += 1;
      return answer();
    },
    onCheckChanged: (listener: (round: HealthReport) => void) => {
      tell = listener;
      return () => undefined;
    },
  } as Api['diagnostics']);
  checks.subscribe();
  return { checks, asked: () => asked, tell: (news: HealthReport) => tell(news) };
}

describe('the checks', () => {
  test('show each line as it comes, and are taken once until somebody wants them again', async () => {
    const answer = Promise.withResolvers<HealthReport>();
    const { checks, asked, tell } = setUp(() => answer.promise);
    const looking = checks.look();
    tell(
      round([
        { subject: 'keychain', result: null },
        { subject: 'disk', result: disk },
      ]),
    );
    expect([checks.isRunning, checks.bad.length]).toEqual([true, 1]);
    await checks.again();
    answer.resolve(done);
    await looking;
    await checks.look();
    expect([checks.round, checks.isRunning, asked()]).toEqual([done, false, 1]);
    await checks.again();
    expect(asked()).toBe(2);
  });

  test('that come to no end say why', async () => {
    const { checks } = setUp(() => Promise.reject(new AppError('settings/unreadable', 'no')));
    await checks.look();
    expect([checks.problem?.code, checks.isRunning]).toEqual(['settings/unreadable', false]);
  });
});
