import { describe, expect, test } from 'vitest';
import { AppError } from '../../../shared/app-error.ts';
import type { Voice, VoicePage } from '../../../shared/wire/voice.ts';
import { Voices } from './voices.svelte.ts';

const voice = (id: string, name = id, language = 'en-GB'): Voice => ({
  id,
  name,
  language,
  gender: 'female',
  category: 'natural',
});
const pageOf = (page: number, total: number, voices: readonly Voice[]): VoicePage => ({
  page,
  limit: 2,
  total,
  voices,
});

describe('the catalogue', () => {
  test('is read page by page up to its total', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((id) => voice(id));
    const asked: number[] = [];
    const voices = new Voices({
      list: ({ page }) => {
        asked.push(page);
        return Promise.resolve(pageOf(page, all.length, all.slice(page * 2, page * 2 + 2)));
      },
    });
    await voices.load('local');
    expect(voices.list.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(asked).toEqual([0, 1, 2]);
    expect(voices.isLoading).toBe(false);
  });

  test('ends where a page brings nothing new, whatever the total says', async () => {
    let calls = 0;
    const voices = new Voices({
      list: ({ page }) => {
        calls++;
        return Promise.resolve(pageOf(page, 99, [voice('a'), voice('b')]));
      },
    });
    await voices.load('local');
    expect([voices.list.length, calls]).toEqual([2, 2]);
  });

  test('that could not be read says why and is read again when asked', async () => {
    const faults = [new AppError('network/unreachable', 'no')];
    const voices = new Voices({
      list: () => {
        const fault = faults.shift();
        if (fault) return Promise.reject(fault);
        return Promise.resolve(pageOf(0, 1, [voice('a')]));
      },
    });
    await voices.load('far');
    expect(voices.problem?.code).toBe('network/unreachable');
    await voices.load('far');
    expect([voices.problem, voices.list.length]).toEqual([null, 1]);
  });

  test('of a connection that was left does not mix into the new one', async () => {
    const gate = Promise.withResolvers<VoicePage>();
    const voices = new Voices({
      list: ({ connectionId }) =>
        connectionId === 'slow' ? gate.promise : Promise.resolve(pageOf(0, 1, [voice('fast')])),
    });
    const slow = voices.load('slow');
    await voices.load('fast');
    gate.resolve(pageOf(0, 1, [voice('slow')]));
    await slow;
    expect(voices.list.map(({ id }) => id)).toEqual(['fast']);
  });
});
