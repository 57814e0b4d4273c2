import { describe, expect, test } from 'vitest';
import { splitName } from './file-name.ts';

describe('a name', () => {
  test('keeps its end whole', () => {
    expect(splitName('interview Bergen, second tape.m4a')).toEqual(
      ['interview Bergen, second', ' tape.m4a'].map((t, k) => (k ? t.trim() : `${t} `)),
    );
    expect(splitName('a.wav')).toEqual(['', 'a.wav']);
    expect(splitName('').join('')).toBe('');
  });

  test('is not cut within a letter', () => {
    const [head, tail] = splitName('🎙️🎙️🎙️🎙️🎙️🎙️🎙️.wav');
    expect(head + tail).toBe('🎙️🎙️🎙️🎙️🎙️🎙️🎙️.wav');
    expect(tail.isWellFormed()).toBe(true);
  });
});
