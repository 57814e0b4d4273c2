import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textPieces } from './text-pieces.ts';

it('splits after sentences if possible', () => {
  const sentence = `${'Word '.repeat(150)}end. `;
  expect(textPieces(sentence.repeat(5), 'en')).toEqual([sentence.repeat(2), sentence.repeat(2), sentence]);
});

it('omits nothing, adds nothing, and makes no piece longer than 2,000 characters', () => {
  const part = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('a. ', '日本。', 'x'.repeat(3000), '😀'.repeat(1500), ' '),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const text = parts.join('');
      const pieces = textPieces(text, 'en-US');
      expect(pieces.join('')).toBe(text);
      expect(pieces.every((piece) => piece.length > 0 && piece.length <= 2000 && piece.isWellFormed())).toBe(true);
    }),
  );
});
