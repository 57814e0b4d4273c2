import { describe, expect, test } from 'vitest';
import { formatLocale, nativeName, spokenLanguage, textDirection } from './languages.ts';

describe('the language', () => {
  test.each([
    ['de-AT', 'de'],
    [['xx', 'de', 'en'], 'de'],
    ['pt-PT', 'pt-BR'],
    ['zh-CN', 'zh-Hans'],
    [['zh-TW', 'ja'], 'ja'],
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

test('the direction follows the script of the language, also where the tag names another one than the usual', () => {
  expect(['en', 'de-AT', 'zh-Hant', 'ja', 'ks-Deva'].map(textDirection)).toEqual(Array(5).fill('ltr'));
  expect(['ar', 'ar-EG', 'he', 'fa', 'ur', 'ckb', 'az-Arab'].map(textDirection)).toEqual(Array(7).fill('rtl'));
});

test('a language has the name that its speakers give it', () => {
  expect((['en', 'fr', 'pt-BR', 'zh-Hans', 'ar'] as const).map(nativeName)).toEqual([
    'English',
    'Français',
    'Português (Brasil)',
    '简体中文',
    'العربية',
  ]);
});
