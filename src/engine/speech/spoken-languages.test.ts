import { expect, it } from 'vitest';
import { catalogue } from '../catalogue.ts';
import { loadEspeak } from './load-espeak.ts';
import { languageFileFor, languageFiles } from './spoken-languages.ts';

it('lists exactly the files of eSpeak NG', async () => {
  const listed = (await loadEspeak()).list_voices().map(({ identifier }) => identifier.split('/').pop());
  expect([...languageFiles].sort()).toEqual(listed.sort());
});

it.each([
  ['en-US', 'en-US'],
  ['en-gb', 'en'],
  ['EN_au', 'en'],
  ['pt-BR', 'pt-BR'],
  ['pt-PT', 'pt'],
  ['zh-CN', 'cmn'],
  ['zh-Hant-TW', 'cmn'],
  ['zh-HK', 'yue'],
  ['nb-NO', 'nb'],
  ['no', 'nb'],
  ['es-MX', 'es-419'],
  ['xx', undefined],
  ['', undefined],
  ['-', undefined],
])('%j is spoken as %s', (tag, file) => {
  expect(languageFileFor(tag)).toBe(file);
});

it('covers the language of every voice of the catalogue', () => {
  expect(catalogue.filter(({ language }) => languageFileFor(language) === undefined)).toEqual([]);
});
