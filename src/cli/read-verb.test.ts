import { describe, expect, it } from 'vitest';
import { messagesFor } from '../shared/messages/index.ts';
import { readVerb } from './read-verb.ts';

const usage = ['timbre voices list', 'timbre voices show ID'];
const read = (...words: string[]) =>
  readVerb({ words, messages: messagesFor('en') }, usage, { list: [0, 0], show: [1, 1] });

describe('a command with verbs', () => {
  it('takes a verb and as many words as belong to it', () => {
    expect(read('list')).toEqual(['list']);
    expect(read('show', 'low bronze')).toEqual(['show', 'low bronze']);
  });

  it.each([[[]], [['toString']], [['show']], [['list', 'more']], [['show', 'a', 'b']]])(
    'says how %j is written',
    (words) => {
      expect(() => read(...words)).toThrow(
        'This is not how it is written. Write "timbre voices list" or "timbre voices show ID"',
      );
    },
  );
});
