import { expect, test } from 'vitest';
import { en } from '../../../../shared/messages/en.ts';
import { addedWords } from './added-words.ts';

const nothing = { added: 0, refused: 0, leftOut: 0, withoutPath: 0 };

test('what was added is told, and what was not', () => {
  expect(addedWords(null, 0, en)).toBe('');
  expect(addedWords(null, 3, en)).toBe('Adding 3 items');
  expect(addedWords({ ...nothing, added: 12, leftOut: 3 }, 0, en)).toBe(
    'Added 12 recordings. 3 others are not sound and were left out.',
  );
  expect(addedWords({ ...nothing, withoutPath: 1 }, 0, en)).toBe(
    '1 item is not a file on this computer. Save it first, then add it.',
  );
});
