import { describe, expect, test } from 'vitest';
import { de } from '../../../shared/messages/de.ts';
import { en } from '../../../shared/messages/en.ts';
import type { Voice } from '../../../shared/wire/voice.ts';
import { languageName, voiceLine, voiceMatcher } from './voice-words.ts';

const voice = (id: string, name = id, language = 'en-GB'): Voice => ({
  id,
  name,
  language,
  gender: 'female',
  category: 'natural',
});

describe('a voice in words', () => {
  test('names its language, and the region where it matters', () => {
    expect(languageName('en-GB', 'en')).toBe('English, UK');
    expect(languageName('de-DE', 'en')).toBe('German');
    expect(languageName('pt-BR', 'en')).toBe('Portuguese, Brazil');
    expect(languageName('ja-JP', 'de')).toBe('Japanisch');
    expect(languageName('not a tag', 'en')).toBe('not a tag');
    expect(voiceLine(voice('a'), de)).toBe('Englisch, UK, weiblich');
  });

  test('is found by any of its words, with or without accents', () => {
    const ines = voice('i', 'Inês Caldeira', 'pt-PT');
    expect(voiceMatcher('ines portug', en)(ines)).toBe(true);
    expect(voiceMatcher('female', en)(ines)).toBe(true);
    expect(voiceMatcher('ines german', en)(ines)).toBe(false);
    expect(voiceMatcher('  ', en)(ines)).toBe(true);
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
    expect(voiceMatcher(query, en)(voice('v', name))).toBe(true);
    expect(voiceMatcher('x', en)(voice('v', name))).toBe(false);
  });

  test('is found by the words of the language that is shown now', () => {
    const german = voice('h', 'Hanna', 'de-DE');
    expect(voiceMatcher('deutsch', en)(german)).toBe(false);
    expect(voiceMatcher('deutsch', de)(german)).toBe(true);
    expect(voiceMatcher('deutsch', en)(german)).toBe(false);
  });
});
