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
])('a stored theme of %j follows the system (U3)', (text) => {
  expect(parseTheme(text)).toEqual(system);
});

test('each stored value is parsed on its own', () => {
  expect(parseTheme('{"theme":"dark","contrast":"more"}')).toEqual({ theme: 'dark', contrast: 'more' });
  expect(parseTheme('{"theme":"purple","contrast":"more"}')).toEqual({ theme: 'system', contrast: 'more' });
});
