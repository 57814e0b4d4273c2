import { expect, test } from 'vitest';
import { systemLanguages } from './locale.mts';

test.each([
  [{ LANGUAGE: 'de_AT:en_GB:de_AT', LANG: 'fr_FR.UTF-8' }, ['de-AT', 'en-GB']],
  [{ LANG: 'de_DE.UTF-8@euro' }, ['de-DE']],
  [{ LC_ALL: 'pt_BR.UTF-8', LANG: 'de_DE.UTF-8' }, ['pt-BR']],
  [{ LANG: 'C.UTF-8' }, ['en-US']],
  [{ LANGUAGE: 'not a language', LANG: 'de' }, ['en-US']],
  [{}, ['en-US']],
])('%o is resolved to %o', (env, languages) => {
  expect(systemLanguages(env)).toEqual(languages);
});
