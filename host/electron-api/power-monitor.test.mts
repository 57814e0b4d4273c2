import { expect, test } from 'vitest';
import { powerEvent } from './power-monitor.mts';

const line = (member: string, value: string) =>
  `/org/freedesktop/login1: org.freedesktop.login1.Manager.${member} (${value},)`;

test.each([
  [line('PrepareForSleep', 'true'), 'suspend'],
  [line('PrepareForSleep', 'false'), 'resume'],
  [line('PrepareForShutdown', 'true'), 'shutdown'],
  [line('PrepareForShutdown', 'false'), null],
  [line('SessionNew', "'2', objectpath '/org/freedesktop/login1/session/_32'"), null],
  ['The name org.freedesktop.login1 is owned by :1.3', null],
  ['', null],
])('the logind signal %s becomes %s', (announced, event) => {
  expect(powerEvent(announced)).toBe(event);
});
