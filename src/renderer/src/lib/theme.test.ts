import { expect, test } from 'vitest';
import { parseTheme } from './theme.svelte.ts';

const system = { theme: 'system', contrast: 'system' };

test.each([
  null,
  '',
  'null',
  '7',
  '"dark"',
  '[]',
  '{}',
  '{"theme":7}',
  '{"theme":null,"contrast":{}}',
  '{',
  'undefined',
])('a remembered look of %j starts the page with the system’s (U3)', (text) => {
  expect(parseTheme(text)).toEqual(system);
});

test('a remembered look is taken value by value', () => {
  expect(parseTheme('{"theme":"dark","contrast":"more"}')).toEqual({ theme: 'dark', contrast: 'more' });
  expect(parseTheme('{"theme":"purple","contrast":"more"}')).toEqual({ theme: 'system', contrast: 'more' });
});
