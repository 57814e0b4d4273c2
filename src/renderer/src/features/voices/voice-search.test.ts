import { loadMessages } from '../../../../shared/messages/index.ts';
import { describe, expect, test } from 'vitest';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { findVoices, foldVoices } from './voice-search.ts';

const en = await loadMessages('en');
const de = await loadMessages('de');

const voice = (id: string, name = id, language = 'en-GB'): Voice => ({
  id,
  name,
  language,
  gender: 'female',
  category: 'natural',
});

const finds = (query: string, one: Voice): boolean => findVoices([one], query, en).length === 1;

describe('a voice', () => {
  test('is found by any of its texts, with or without accents', () => {
    const ines = voice('i', 'Inês Caldeira', 'pt-PT');
    expect(finds('ines portug', ines)).toBe(true);
    expect(finds('female', ines)).toBe(true);
    expect(finds('ines german', ines)).toBe(false);
    expect(finds('  ', ines)).toBe(true);
  });

  test.each([
    ['Søren', 'soren'],
    ['Łukasz', 'lukasz'],
    ['Weiß', 'WEISS'],
    ['Þór', 'thor'],
    ['Zoë'.normalize('NFD'), 'zoe'],
    ['ｌａｍｐ', 'lamp'],
    ['Σίσυφος', 'σισυφοσ'],
    ['Inês', 'INÊS'.normalize('NFD')],
  ])('%s is found by %s, as history finds names', (name, query) => {
    expect(finds(query, voice('v', name))).toBe(true);
    expect(finds('x', voice('v', name))).toBe(false);
  });

  test('is found by texts in the current language', () => {
    const german = voice('h', 'Hanna', 'de-DE');
    const list = [german];
    expect(findVoices(list, 'deutsch', en)).toEqual([]);
    expect(findVoices(list, 'deutsch', de)).toEqual(list);
    expect(findVoices(list, 'deutsch', en)).toEqual([]);
  });

  test('is folded in slices while there is time, and found before all are folded', () => {
    const list = Array.from({ length: 250 }, (_, k) => voice(`${k}`, `Søren ${k}`));
    let parts = 1;
    const inOne = (): boolean => parts-- > 0;
    expect(foldVoices(list, en, inOne)).toBe(false);
    expect(findVoices(list, 'soren 249', en)).toEqual([list[249]]);
    expect(foldVoices(list, en, () => false)).toBe(true);
  });
});

test('finds a voice by the user’s note on it', () => {
  const two = [voice('a'), voice('b')];
  expect(findVoices(two, 'captain act', en, { b: 'The Captain, áct two' })).toEqual([two[1]]);
  expect(findVoices(two, 'captain act', en)).toEqual([]);
});
