import { expect, it } from 'vitest';
import { isWithinHours, parseHours, timeOfDay } from './hours.ts';

const at = (hour: number, minute: number) => new Date(2026, 10, 25, hour, minute, 59);

it.each([
  ['09:00-17:30', 540, 1050],
  ['22:00-06:00', 1320, 360],
  [' 0:00 – 23:59 ', 0, 1439],
])('hours are read from %j', (text, from, to) => {
  expect(parseHours(text)).toEqual({ from, to });
});

it.each([
  '',
  '-',
  '9-17',
  '24:00-06:00',
  '22:60-06:00',
  '22:00',
  '22:00-',
  '06:00-06:00',
  '-1:00-2:00',
  '22:00-06:00-07:00',
])('hours are not %j', (text) => {
  expect(parseHours(text)).toBeUndefined();
});

it('a time of the day is written with two digits each, and is read again', () => {
  expect([timeOfDay(0), timeOfDay(61), timeOfDay(1439)]).toEqual(['00:00', '01:01', '23:59']);
  expect(parseHours(`${timeOfDay(5)}-${timeOfDay(4)}`)).toEqual({ from: 5, to: 4 });
});

it('hours include their first minute, not their last, and may contain midnight', () => {
  const within = ([hour, minute]: readonly [number, number], text: string) => {
    const hours = parseHours(text);
    return hours && isWithinHours(hours, at(hour, minute));
  };
  const day = '09:00-17:30';
  expect([within([8, 59], day), within([9, 0], day), within([17, 29], day), within([17, 30], day)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  const night = '22:00-06:00';
  expect([within([21, 59], night), within([22, 0], night), within([0, 0], night), within([6, 0], night)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
