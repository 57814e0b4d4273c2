import { en } from '../../../../shared/messages/en.ts';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { CataloguePage, CatalogueQuery, Voice } from '../../../../shared/schemas/voice.ts';
import type { Api } from '../../lib/api.ts';
import { VoiceBrowser } from './voice-browser.svelte.ts';
import { Voices } from './voices.svelte.ts';
import { I18n } from '../../lib/i18n.svelte.ts';
import { Shell } from '../../lib/shell.svelte.ts';

const voice = (id: string, language: string, gender: Voice['gender'], category: string): Voice => ({
  id,
  name: `Voice ${id}`,
  language,
  gender,
  category,
});
const all = [
  voice('a', 'en-GB', 'female', 'natural'),
  voice('b', 'en-GB', 'male', 'natural'),
  voice('c', 'de-DE', 'female', 'singing'),
  voice('d', 'de-DE', 'female', 'natural'),
  voice('e', 'ja-JP', 'male', 'natural'),
];

/** A service with these voices; `before` may answer in its place. */
async function setUp(before?: (query: CatalogueQuery) => Promise<CataloguePage> | undefined) {
  const asked: CatalogueQuery[] = [];
  let marks: readonly string[] = [];
  const api: Api['voices'] = {
    list: (query) => {
      asked.push(query);
      const { page, limit, category, gender, language } = query;
      const found = all.filter(
        (one) =>
          (category === '' || one.category === category) &&
          (gender === '' || one.gender === gender) &&
          (language === '' || one.language === language),
      );
      const voices = found.slice(page * limit, (page + 1) * limit);
      return before?.(query) ?? Promise.resolve({ page, limit, total: found.length, voices, readAt: 7, problem: null });
    },
    get: () => Promise.reject(new AppError('internal', 'not asked')),
    listFavourites: () => Promise.resolve(marks),
    setFavourite: ({ voiceId, isFavourite }) => {
      marks = isFavourite ? [...marks, voiceId] : marks.filter((id) => id !== voiceId);
      return Promise.resolve(marks);
    },
  };
  const models = { list: () => Promise.resolve({ page: 1, pages: 0, total: 0, models: [] }) };
  const voices = new Voices({ voices: api, models });
  const browser = new VoiceBrowser(api, { all: voices, i18n: new I18n(en), shell: new Shell() });
  await voices.load('c');
  asked.length = 0;
  await browser.open('c');
  return { browser, voices, asked, ids: () => browser.shown.map(({ id }) => id).join('') };
}

describe('the catalogue on the screen', () => {
  test('asks the service for a page, and not again while nothing else is wanted', async () => {
    const { browser, asked, ids } = await setUp();
    expect(asked).toEqual([{ connectionId: 'c', page: 0, limit: 50, category: '', gender: '', language: '' }]);
    await browser.open('c');
    expect([asked.length, ids(), browser.total, browser.pages]).toEqual([1, 'abcde', 5, 1]);
  });

  test('asks the service for what is filtered, from the first page', async () => {
    const { browser, asked, ids } = await setUp();
    await browser.setLimit(2);
    await browser.goTo(1);
    expect([ids(), browser.pages]).toEqual(['cd', 3]);
    await browser.setFilter('language', 'de-DE');
    expect(asked.at(-1)).toMatchObject({ page: 0, language: 'de-DE' });
    expect([ids(), browser.page, browser.total]).toEqual(['cd', 0, 2]);
  });

  test('looks for words among what was loaded, whatever page is shown, and asks nobody', async () => {
    const { browser, asked, ids } = await setUp();
    await browser.setLimit(2);
    const { length } = asked;
    await browser.setText('german');
    expect([ids(), asked.length]).toEqual(['cd', length]);
    await browser.setFilter('category', 'singing');
    expect([ids(), asked.length]).toEqual(['c', length]);
    await browser.setText('');
    expect([ids(), asked.at(-1)?.category]).toEqual(['c', 'singing']);
  });

  test('pages through what was found as through what was asked for', async () => {
    const { browser, ids } = await setUp();
    await browser.setLimit(2);
    await browser.setText('voice');
    await browser.goTo(2);
    expect([ids(), browser.total, browser.pages]).toEqual(['e', 5, 3]);
  });

  test('shows favourites alone, and drops one that is no more', async () => {
    const { browser, ids } = await setUp();
    await browser.favourites.toggle('d');
    await browser.favourites.toggle('a');
    await browser.setOnly('favourites');
    expect(ids()).toBe('ad');
    await browser.favourites.toggle('a');
    expect(ids()).toBe('d');
  });

  test('shows the last wish, not the last answer', async () => {
    const slow = Promise.withResolvers<CataloguePage>();
    const { browser, ids } = await setUp(({ language }) => (language === 'ja-JP' ? slow.promise : undefined));
    const first = browser.setFilter('language', 'ja-JP');
    await browser.setFilter('language', 'de-DE');
    slow.resolve({ page: 0, limit: 50, total: 1, voices: all.slice(4), readAt: 0, problem: null });
    await first;
    expect([ids(), browser.isLoading]).toEqual(['cd', false]);
  });

  test('says why the service could not be asked, and asks again', async () => {
    const faults = [new AppError('service/unavailable', 'no')];
    const { browser, ids } = await setUp(({ gender }) => {
      const fault = gender === 'male' ? faults.shift() : undefined;
      return fault && Promise.reject(fault);
    });
    await browser.setFilter('gender', 'male');
    expect([browser.problem?.code, ids()]).toEqual(['service/unavailable', '']);
    await browser.readAgain();
    expect([browser.problem, ids()]).toEqual([null, 'be']);
  });

  test('asks again where the service behind the connection has changed, and only then', async () => {
    const { browser, asked } = await setUp();
    const { length } = asked;
    browser.forget('another');
    await browser.open('c');
    expect(asked.length).toBe(length);
    browser.forget('c');
    await browser.open('c');
    expect(asked.length).toBe(length + 1);
  });

  test('asks again at the next occasion where it came from the copy', async () => {
    const { browser, asked } = await setUp((query) =>
      Promise.resolve({ ...query, total: 1, voices: all.slice(0, 1), readAt: 1, problem: { code: 'network/cut' } }),
    );
    const { length } = asked;
    await browser.open('c');
    expect(asked.length).toBe(length + 1);
  });

  test('goes back to the last page of a catalogue that has shrunk', async () => {
    const { browser, ids } = await setUp();
    await browser.setLimit(2);
    await browser.goTo(9);
    expect([browser.page, ids()]).toEqual([2, 'e']);
  });

  test('forgets filters and words with the connection', async () => {
    const { browser, ids } = await setUp();
    await browser.setFilter('language', 'de-DE');
    await browser.setText('x');
    await browser.open('other');
    expect([browser.active, ids()]).toEqual([[], 'abcde']);
  });
});

describe('where nothing fits', () => {
  test('the filter that keeps most away is named with the service’s own number', async () => {
    const { browser } = await setUp();
    await browser.setFilter('language', 'ja-JP');
    await browser.setFilter('gender', 'female');
    await browser.setFilter('category', 'natural');
    expect(browser.drop).toEqual({ filter: 'language', fits: 2 });
    await browser.letGo('language');
    expect([browser.drop, browser.total]).toEqual([undefined, 2]);
  });

  test('words and favourites count as filters', async () => {
    const { browser } = await setUp();
    await browser.setText('singing');
    await browser.setFilter('language', 'en-GB');
    expect(browser.drop).toEqual({ filter: 'text', fits: 2 });
    await browser.setOnly('favourites');
    expect(browser.drop).toBeUndefined();
    await browser.letGoOfAll();
    expect(browser.total).toBe(5);
  });
});
