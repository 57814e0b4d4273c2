import { loadMessages } from '../../../../shared/messages/index.ts';
import { expect, test } from 'vitest';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import { languageName, voiceSummary } from './voice-labels.ts';

const de = await loadMessages('de');

const voice = (id: string, name = id, language = 'en-GB'): Voice => ({
  id,
  name,
  language,
  gender: 'female',
  category: 'natural',
});

test('a voice has a language name, with the region if it matters', () => {
  expect(languageName('en-GB', 'en')).toBe('English, UK');
  expect(languageName('de-DE', 'en')).toBe('German');
  expect(languageName('pt-BR', 'en')).toBe('Portuguese, Brazil');
  expect(languageName('ja-JP', 'de')).toBe('Japanisch');
  expect(['fr', 'ru'].map((language) => languageName('de-DE', language))).toEqual(['Allemand', 'Немецкий']);
  expect(languageName('not a tag', 'en')).toBe('not a tag');
  expect(voiceSummary(voice('a'), de)).toBe('Englisch, UK, weiblich');
});
