import { expect, test } from 'vitest';
import { createCommandLine } from './command-line.mts';

test('switches are read with and without a value', () => {
  const line = createCommandLine(['app', '--flag', '--name=a=b', '--names=c'], () => false);
  expect([line.hasSwitch('flag'), line.getSwitchValue('flag')]).toEqual([true, '']);
  expect(line.getSwitchValue('name')).toBe('a=b');
  expect([line.hasSwitch('nam'), line.getSwitchValue('nam')]).toEqual([false, '']);
});

test('remote-debugging-port can be appended before ready, and no other switch', () => {
  let ready = false;
  const line = createCommandLine([], () => ready);
  line.appendSwitch('remote-debugging-port', '9222');
  expect(line.getSwitchValue('remote-debugging-port')).toBe('9222');
  expect(() => line.appendSwitch('disable-gpu')).toThrow("host: app.commandLine.appendSwitch('disable-gpu') is not");
  ready = true;
  expect(() => line.appendSwitch('remote-debugging-port', '1')).toThrow('after ready');
});
