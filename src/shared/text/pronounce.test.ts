import { describe, expect, it } from 'vitest';
import { appliesTo, createPronouncer, pronunciationKey } from './pronounce.ts';

const say = (text: string, words: Readonly<Record<string, string>>, language = 'en-GB') =>
  createPronouncer(
    Object.entries(words).map(([word, spoken]) => ({ language: '', word, spoken })),
    language,
  ).pronounce(text);

describe('a word of the list', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['Anna’s nginx, NGINX and Nginx.', { nginx: 'engine x' }, 'Anna’s engine x, engine x and engine x.'],
    ['The US told us.', { US: 'U. S.' }, 'The U. S. told us.'],
    ['Read the reading room.', { read: 'red' }, 'red the reading room.'],
    ['New York, York', { York: 'Jork', 'New York': 'NYC' }, 'NYC, Jork'],
    ['one two', { one: 'two', two: 'three' }, 'two three'],
    ['C++ and C, #1', { 'C++': 'see plus plus', '#1': 'number one' }, 'see plus plus and C, number one'],
    ['naïve naïvete', { naïve: 'nah-eve' }, 'nah-eve naïvete'],
    ['Amélie'.normalize('NFD'), { Amélie: 'Amelie' }, 'Amelie'],
    ['Ärger ÄRGER', { ärger: 'Erger' }, 'Erger Erger'],
    ['in İstanbul now', { İstanbul: 'Istanbul' }, 'in Istanbul now'],
    ['ΣΟΦΟΣ', { σοφος: 'sofos' }, 'sofos'],
    ["Don’t, don't", { "don't": 'do not' }, 'do not, do not'],
    ['x2 x 2x', { x: 'ex' }, 'x2 ex 2x'],
    ['𝒳a a𝒳', { a: 'A' }, '𝒳a a𝒳'],
    ['東京都と東京タワー', { 東京: 'とうきょう' }, 'とうきょう都ととうきょうタワー'],
    ['私のiPhoneは', { iPhone: 'アイフォーン' }, '私のアイフォーンは'],
    ['서울에서', { 서울: 'Seoul' }, 'Seoul에서'],
    ['$& a', { a: '$&$1' }, '$& $&$1'],
  ])('is replaced in %j', (text, words, spoken) => {
    expect(say(text, words)).toBe(spoken);
  });

  it('applies to its language, and the more exact one wins', () => {
    const entries = [
      { language: '', word: 'gif', spoken: 'jif' },
      { language: 'en', word: 'gif', spoken: 'ghif' },
      { language: 'de', word: 'chef', spoken: 'Scheff' },
    ];
    expect(createPronouncer(entries, 'en-GB').pronounce('gif chef')).toBe('ghif chef');
    expect(createPronouncer(entries, 'de-DE').pronounce('gif chef')).toBe('jif Scheff');
    expect([appliesTo('en', 'en_GB'), appliesTo('en-GB', 'en'), appliesTo('e', 'en')]).toEqual([true, false, false]);
  });

  it('is one entry with another that differs in case alone, unless it has capitals within', () => {
    const keys = ['nginx', 'Nginx', 'US', 'us'].map((word) => pronunciationKey({ language: 'EN', word }));
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toBe(keys[1]);
  });
});

it('a book is spoken with a long list at once', () => {
  const words = Object.fromEntries(Array.from({ length: 2000 }, (_, k) => [`word${k}`, `spoken ${k}`]));
  const text = 'It was word7, or word 8 perhaps. '.repeat(30_000);
  expect(say(text, words)).toBe(text.replaceAll('word7', 'spoken 7'));
});
