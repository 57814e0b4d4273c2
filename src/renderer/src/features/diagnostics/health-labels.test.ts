import { loadMessages } from '../../../../shared/messages/index.ts';
import { describe, expect, test } from 'vitest';
import type { CheckResult, Finding } from '../../../../shared/schemas/diagnostics.ts';
import { checkFact, checkName, checkText, reportText } from './health-labels.ts';

const en = await loadMessages('en');
const de = await loadMessages('de');

const rejectedToken: Finding = {
  kind: 'fails',
  connection: 'Studio',
  problem: { code: 'auth/refused', words: 'No •••.' },
};
const findings: readonly Finding[] = [
  { kind: 'answers', connection: null },
  rejectedToken,
  { kind: 'opens' },
  { kind: 'not-open', problem: { code: 'data/newer' } },
  { kind: 'keychain' },
  { kind: 'no-keychain', why: 'no bus' },
  { kind: 'writable', folder: '/d' },
  { kind: 'not-writable', folder: '/d' },
  { kind: 'told', folder: '/d' },
  { kind: 'not-told', folder: '/d' },
  { kind: 'free', folder: '/d', bytes: 2e9 },
  { kind: 'full', folder: '/d', bytes: 3e6 },
  { kind: 'clock', connection: 'Studio', seconds: 1 },
  { kind: 'clock-off', connection: 'Studio', seconds: 600 },
  { kind: 'no-clock' },
];
const checkOf = (subject: string, finding: Finding) => ({
  subject,
  result: { ok: true, finding } satisfies CheckResult,
});

describe('the text of a check', () => {
  test.each([en, de])('exists for each finding, in short and as a sentence', (t) => {
    for (const finding of findings) {
      expect(checkFact(finding, t).length, finding.kind).toBeGreaterThan(3);
      expect(checkText(finding, t), finding.kind).toMatch(/\.$/);
      expect(checkFact(finding, t) + checkText(finding, t)).not.toMatch(/undefined|NaN|\[object/);
    }
  });

  test('names a connection as the user does, and translates the name of this computer', () => {
    expect(checkName(checkOf('connection/This computer', { kind: 'answers', connection: null }), de)).toBe(
      'Dieser Computer',
    );
    expect(checkName(checkOf('connection/disk', { kind: 'answers', connection: 'disk' }), en)).toBe('disk');
    expect(checkName(checkOf('toString', rejectedToken), en)).toBe('toString');
    expect(checkName(checkOf('disk', { kind: 'opens' }), en)).toBe('Results disk');
  });

  test('makes a report: version, system, time, each check and the log', () => {
    const entry = {
      id: 'a:0',
      time: '2026-11-22T14:03:11.204Z',
      level: 'error',
      area: 'job',
      message: 'failed',
      detail: 'at parse\nat run',
    } as const;
    const checks = [
      checkOf('data', { kind: 'opens' }),
      { subject: 'connection/Studio', result: { ok: false, finding: rejectedToken } },
    ];
    const report = reportText({ at: 0, version: '1.2', system: 'Linux 6 x64', checks }, [entry], en);
    expect(report).toBe(
      [
        'Timbre 1.2',
        'Linux 6 x64',
        '1970-01-01T00:00:00.000Z',
        '',
        'data: ok. History and queue are readable and writable.',
        'connection/Studio: problem. The service rejected the token. Enter a new one, then try again. No •••.',
        '',
        'Log',
        '2026-11-22T14:03:11.204Z error job: failed',
        '    at parse',
        '    at run',
        '',
      ].join('\n'),
    );
  });
  test('limits the log in a report to its newest entries', () => {
    const time = '2026-11-22T14:03:11.204Z';
    const rows = Array.from({ length: 500 }, (_, k) => ({
      id: `a:${k}`,
      time,
      level: 'info' as const,
      area: 'job',
      message: `entry ${k}`,
      detail: 'x'.repeat(1000),
    }));
    const report = reportText({ at: 0, version: '1.2', system: 'Linux', checks: [] }, rows, en);
    expect(report.length).toBeLessThan(61_000);
    expect(report).toContain('entry 499');
    expect(report).not.toContain('entry 400\n');
  });
});
