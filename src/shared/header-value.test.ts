import { describe, expect, it } from 'vitest';
import { isHeaderValue, isToken } from './header-value.ts';

describe('a token', () => {
  it.each([1, 1024, 2561, 16_383, 16_384, 65_536])('of %i characters can be sent', (length) => {
    expect(isToken('x'.repeat(length))).toBe(true);
  });

  it.each(['', ' a', 'a ', 'a\nb', 'a\r\nb', 'a\0b', 'é', '😀', '\ud800', 'x'.repeat(65_537)])(
    'is refused where it is entered: %#',
    (token) => {
      expect(isToken(token)).toBe(false);
    },
  );

  it('may hold every printable sign', () => {
    expect(isToken('!"#$%&\'()*+,-./0 9:;<=>?@[\\]^_`{|}~')).toBe(true);
  });
});

it('a header holds no line break, NUL or sign beyond its own', () => {
  expect(['a b', '', 'é', '\t'].map(isHeaderValue)).toEqual([true, true, true, true]);
  expect(['a\r\nb', '\0', '😀', '\ud800'].map(isHeaderValue)).toEqual([false, false, false, false]);
});
