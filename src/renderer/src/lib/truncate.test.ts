import { describe, expect, test } from 'vitest';
import { truncateMiddle, splitMiddle } from './truncate.ts';

describe('a split name', () => {
  test('keeps its end', () => {
    expect(splitMiddle('interview Bergen, second tape.m4a')).toEqual(
      ['interview Bergen, second', ' tape.m4a'].map((t, k) => (k ? t.trim() : `${t} `)),
    );
    expect(splitMiddle('a.wav')).toEqual(['', 'a.wav']);
    expect(splitMiddle('').join('')).toBe('');
  });

  test('is not cut within a grapheme', () => {
    const [head, tail] = splitMiddle('🎙️🎙️🎙️🎙️🎙️🎙️🎙️.wav');
    expect(head + tail).toBe('🎙️🎙️🎙️🎙️🎙️🎙️🎙️.wav');
    expect(tail.isWellFormed()).toBe(true);
  });
});

describe('truncation (U7)', () => {
  const graphemes = (text: string) => [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)];
  const family = '👩‍👩‍👧‍👦';

  test.each([
    ['letters with accents of their own', 'Å'.normalize('NFD').repeat(90)],
    ['families', family.repeat(90)],
    ['flags', '🇩🇪'.repeat(90)],
    ['tinted hands', '👍🏽'.repeat(90)],
    ['Hangul in parts', '한'.normalize('NFD').repeat(90)],
    ['Devanagari', 'क्षि'.repeat(90)],
    ['ASCII', 'a'.repeat(90)],
  ])('cuts between graphemes of %s at every length', (_name, text) => {
    const whole = new Set(graphemes(text).map(({ segment }) => segment));
    for (const length of [5, 8, 9, 10, 33, 64]) {
      const [head, tail] = splitMiddle(text, length);
      expect(head + tail).toBe(text);
      expect(graphemes(tail)).toHaveLength(length);
      const clipped = truncateMiddle(text, length);
      expect(graphemes(clipped)).toHaveLength(length);
      for (const { segment } of graphemes(clipped.replace('…', ''))) expect(whole).toContain(segment);
    }
  });
});
