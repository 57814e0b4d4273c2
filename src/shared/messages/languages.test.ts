import { describe, expect, test } from 'vitest';
import { formatLocale, spokenLanguage } from './languages.ts';

describe('the language', () => {
  test.each([
    ['de-AT', 'de'],
    [['xx', 'de', 'en'], 'de'],
    [['tlh', 'DE-ch'], 'de'],
    [['not a tag', 'de'], 'de'],
    ['C', 'en'],
    ['', 'en'],
    [[], 'en'],
  ])('of %j is %s', (tags, language) => {
    expect(spokenLanguage(tags)).toBe(language);
  });
});

describe('the locale of formats', () => {
  test.each([
    ['de', 'de-CH', 'de-CH'],
    ['en', 'de-DE', 'en-DE'],
    ['en', 'en', 'en'],
    ['en', 'C', 'en'],
    ['de', undefined, 'de'],
  ] as const)('of %s in %s is %s', (language, regional, locale) => {
    expect(formatLocale(language, regional)).toBe(locale);
  });
});
