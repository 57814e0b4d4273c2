import { expect, it } from 'vitest';
import { describeEnd } from './process-end.ts';

it.each([
  ['a process that the system kills', 'Utility', 'killed', 9, 'Timbre engine ended: killed (9)'],
  ['a process that crashes', 'Utility', 'crashed', 11, 'Timbre engine ended: crashed (11)'],
  ['a process that does not start', 'Utility', 'launch-failed', 1002, 'Timbre engine ended: launch-failed (1002)'],
  ['a process that we end', 'Utility', 'killed', 15, undefined],
  ['a process that ends by itself', 'Utility', 'clean-exit', 0, undefined],
] as const)(
  '%s leaves a line in the log only if nobody meant it to end: %s, %s, %i',
  (_what, type, reason, exitCode, expected) =>
    expect(describeEnd({ type, reason, exitCode, name: 'Timbre engine', serviceName: 'x' })).toBe(expected),
);

it('Chromium’s own process for graphics is logged, however it is killed, by its type', () =>
  expect(describeEnd({ type: 'GPU', reason: 'killed', exitCode: 15 })).toBe('GPU ended: killed (15)'));
