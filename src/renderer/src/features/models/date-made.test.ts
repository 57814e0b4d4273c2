import { expect, test } from 'vitest';
import { dateMade } from './date-made.ts';

test('says the day in the person’s language, and what the service wrote where that is none', () => {
  expect(dateMade('2026-03-03T12:00:00.000Z', 'de')).toBe('03.03.2026');
  expect(dateMade('last spring', 'en')).toBe('last spring');
});
