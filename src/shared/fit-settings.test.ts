import { expect, test } from 'vitest';
import { fitSettings } from './fit-settings.ts';

const ratio = { min: 0.5, max: 2, default: 1 };
const service = { kind: 'remote', pitch: { min: -10, max: 10, default: 0 }, speed: ratio } as const;
const computer = { kind: 'local', pitch: ratio, speed: ratio } as const;

test('what was set for another connection becomes the nearest that this one takes, and the rest stays', () => {
  expect(fitSettings({ pitch: 24, speed: 0.25, voiceId: 'v' }, service)).toEqual({
    pitch: 10,
    speed: 0.5,
    voiceId: 'v',
  });
  expect(fitSettings({ pitch: -10, speed: 2 }, service)).toEqual({ pitch: -10, speed: 2 });
});

test.each([
  ['bright', ''],
  ['shift-formants', 'shift-formants'],
  ['', ''],
])('of the pitch control “%s” the engine of this computer is asked for “%s”', (written, asked) => {
  expect(fitSettings({ pitch: 1, speed: 1, pitchControl: written }, computer).pitchControl).toBe(asked);
});

test('a service gets the pitch control as it was written', () => {
  expect(fitSettings({ pitch: 1, speed: 1, pitchControl: 'bright' }, service).pitchControl).toBe('bright');
});
