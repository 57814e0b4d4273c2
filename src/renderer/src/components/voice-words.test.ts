import { describe, expect, test } from 'vitest';
import { messagesFor } from '../../../shared/messages/index.ts';
import type { Voice } from '../../../shared/wire/voice.ts';
import { languageName, voiceLine, voiceMatches } from './voice-words.ts';

const voice = (id: string, name = id, language = 'en-GB'): Voice => ({
  id,
  name,
  language,
  gender: 'female',
  category: 'natural',
});

describe('a voice in words', () => {
  const en = messagesFor('en');

  test('names its language, and the region where it matters', () => {
    expect(languageName('en-GB', 'en')).toBe('English, UK');
    expect(languageName('de-DE', 'en')).toBe('German');
    expect(languageName('pt-BR', 'en')).toBe('Portuguese, Brazil');
    expect(languageName('ja-JP', 'de')).toBe('Japanisch');
    expect(languageName('not a tag', 'en')).toBe('not a tag');
    expect(voiceLine(voice('a'), messagesFor('de'))).toBe('Englisch, UK, weiblich');
  });

  test('is found by any of its words, with or without accents', () => {
    const ines = voice('i', 'Inês Caldeira', 'pt-PT');
    expect(voiceMatches(ines, 'ines portug', en)).toBe(true);
    expect(voiceMatches(ines, 'female', en)).toBe(true);
    expect(voiceMatches(ines, 'ines german', en)).toBe(false);
    expect(voiceMatches(ines, '  ', en)).toBe(true);
  });
});
