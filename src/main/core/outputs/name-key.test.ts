import { describe, expect, it } from 'vitest';
import { nameKey } from './name-key.ts';

describe('the key of a name', () => {
  it.each([
    ['Straße.WAV', 'STRASSE.wav'],
    ['ẞ', 'ß'],
    ['é', 'E\u0301'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['\u212b', 'å'],
    ['\u2126', 'ω'],
    ['\u212a', 'k'],
    ['ǅ', 'ǆ'],
    ['\u017f', 's'],
    ['İ', 'i\u0307'],
  ])('is one for %s and %s', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it('is one for every letter and its upper, lower and decomposed form', () => {
    for (let code = 1; code < 0x20000; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const letter = String.fromCodePoint(code);
      const key = nameKey(letter);
      for (const form of [letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFD')]) {
        expect(nameKey(form) === key, `U+${code.toString(16)} ${form}`).toBe(true);
      }
    }
  });

  it('differs where names do', () => {
    expect(nameKey('a (2).wav')).not.toBe(nameKey('a (3).wav'));
    expect(nameKey('e')).not.toBe(nameKey('é'));
  });
});
