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

/** Of the voices that were heard; a null could not be measured. */
const pitches: Readonly<Record<string, number | null>> = { b: 180, d: 110, e: null };

/** A service with these voices; `intercept` may answer instead. */
async function setUp(intercept?: (query: CatalogueQuery) => Promise<CataloguePage> | undefined) {
  const requests: CatalogueQuery[] = [];
  let favourites: readonly string[] = [];
  const api: Api['voices'] = {
    list: (query) => {
      requests.push(query);
      const { page, limit, category, gender, language } = query;
      const found = all.filter(
        (one) =>
          (category === '' || one.category === category) &&
          (gender === '' || one.gender === gender) &&
          (language === '' || one.language === language),
      );
      const voices = found.slice(page * limit, (page + 1) * limit);
      return (
        intercept?.(query) ?? Promise.resolve({ page, limit, total: found.length, voices, readAt: 7, problem: null })
      );
    },
    get: () => Promise.reject(new AppError('internal', 'not requested')),
    findLastUsed: () => Promise.reject(new AppError('internal', 'not requested')),
    listFavourites: () => Promise.resolve(favourites),
    listRecent: () => Promise.resolve(['e', 'c']),
    setFavourite: ({ voiceId, isFavourite }) => {
      favourites = isFavourite ? [...favourites, voiceId] : favourites.filter((id) => id !== voiceId);
      return Promise.resolve(favourites);
    },
    preview: () => Promise.reject(new AppError('internal', 'not requested')),
    listFeatures: () => Promise.resolve({}),
  };
  const models = { list: () => Promise.resolve({ page: 1, pages: 0, total: 0, models: [] }) };
  const voices = new Voices({ voices: api, models });
  const featuresOf = (_connection: unknown, id: string) =>
    id in pitches ? { f0Hz: pitches[id] ?? null, brightness: 0.5, levelDb: null } : undefined;
  const browser = new VoiceBrowser(api, {
    all: voices,
    previews: { featuresOf, observeLoads: () => undefined },
    i18n: new I18n(en),
    shell: new Shell(),
  });
  await voices.load('c');
  requests.length = 0;
  await browser.open('c');
  return { browser, voices, requests, ids: () => browser.shown.map(({ id }) => id).join('') };
}

describe('the voice browser', () => {
  test('requests a page once while its query stays the same', async () => {
    const { browser, requests, ids } = await setUp();
    expect(requests).toEqual([{ connectionId: 'c', page: 0, limit: 50, category: '', gender: '', language: '' }]);
    await browser.open('c');
    expect([requests.length, ids(), browser.total, browser.pages]).toEqual([1, 'abcde', 5, 1]);
  });

  test('requests filtered voices from the first page', async () => {
    const { browser, requests, ids } = await setUp();
    await browser.setLimit(2);
    await browser.showPage(1);
    expect([ids(), browser.pages]).toEqual(['cd', 3]);
    await browser.setFilter('language', 'de-DE');
    expect(requests.at(-1)).toMatchObject({ page: 0, language: 'de-DE' });
    expect([ids(), browser.page, browser.total]).toEqual(['cd', 0, 2]);
  });

  test('searches text in all loaded voices without a request', async () => {
    const { browser, requests, ids } = await setUp();
    await browser.setLimit(2);
    const { length } = requests;
    await browser.setText('german');
    expect([ids(), requests.length]).toEqual(['cd', length]);
    await browser.setFilter('category', 'singing');
    expect([ids(), requests.length]).toEqual(['c', length]);
    await browser.setText('');
    expect([ids(), requests.at(-1)?.category]).toEqual(['c', 'singing']);
  });

  test('pages through search results', async () => {
    const { browser, ids } = await setUp();
    await browser.setLimit(2);
    await browser.setText('voice');
    await browser.showPage(2);
    expect([ids(), browser.total, browser.pages]).toEqual(['e', 5, 3]);
  });

  test('orders all loaded voices: by name, from low to high with unheard ones last, or by last use', async () => {
    const { browser, requests, ids } = await setUp();
    const { length } = requests;
    await browser.setOrder('pitch');
    expect(ids()).toBe('dbace');
    await browser.setOrder('recent');
    await expect.poll(ids).toBe('ecabd');
    await browser.setText('english');
    expect([ids(), requests.length]).toEqual(['ab', length]);
    await browser.setText('');
    await browser.setOrder('name');
    expect(ids()).toBe('abcde');
    await browser.setOrder('service');
    expect([ids(), browser.isLocal]).toEqual(['abcde', false]);
  });

  test('shows only favourites, and removes one that is no longer a favourite', async () => {
    const { browser, ids } = await setUp();
    await browser.favourites.toggle('d');
    await browser.favourites.toggle('a');
    await browser.setOnly('favourites');
    expect(ids()).toBe('ad');
    await browser.favourites.toggle('a');
    expect(ids()).toBe('d');
  });

  test('shows the response to the latest request, not the latest response', async () => {
    const slow = Promise.withResolvers<CataloguePage>();
    const { browser, ids } = await setUp(({ language }) => (language === 'ja-JP' ? slow.promise : undefined));
    const first = browser.setFilter('language', 'ja-JP');
    await browser.setFilter('language', 'de-DE');
    slow.resolve({ page: 0, limit: 50, total: 1, voices: all.slice(4), readAt: 0, problem: null });
    await first;
    expect([ids(), browser.isLoading]).toEqual(['cd', false]);
  });

  test('reports why a request failed, and can retry it', async () => {
    const faults = [new AppError('service/unavailable', 'no')];
    const { browser, ids } = await setUp(({ gender }) => {
      const fault = gender === 'male' ? faults.shift() : undefined;
      return fault && Promise.reject(fault);
    });
    await browser.setFilter('gender', 'male');
    expect([browser.problem?.code, ids()]).toEqual(['service/unavailable', '']);
    await browser.reload();
    expect([browser.problem, ids()]).toEqual([null, 'be']);
  });

  test('requests voices again only when the service of the connection has changed', async () => {
    const { browser, requests } = await setUp();
    const { length } = requests;
    browser.forget('another');
    await browser.open('c');
    expect(requests.length).toBe(length);
    browser.forget('c');
    await browser.open('c');
    expect(requests.length).toBe(length + 1);
  });

  test('requests voices again that came from the offline copy', async () => {
    const { browser, requests } = await setUp((query) =>
      Promise.resolve({ ...query, total: 1, voices: all.slice(0, 1), readAt: 1, problem: { code: 'network/cut' } }),
    );
    const { length } = requests;
    await browser.open('c');
    expect(requests.length).toBe(length + 1);
  });

  test('shows the last page of a catalogue that has become shorter', async () => {
    const { browser, ids } = await setUp();
    await browser.setLimit(2);
    await browser.showPage(9);
    expect([browser.page, ids()]).toEqual([2, 'e']);
  });

  test('clears filters and text when the connection changes', async () => {
    const { browser, ids } = await setUp();
    await browser.setFilter('language', 'de-DE');
    await browser.setText('x');
    await browser.open('other');
    expect([browser.active, ids()]).toEqual([[], 'abcde']);
  });
});

describe('without a match, the voice browser', () => {
  test('suggests removing the filter that excludes the most voices of the service', async () => {
    const { browser } = await setUp();
    await browser.setFilter('language', 'ja-JP');
    await browser.setFilter('gender', 'female');
    await browser.setFilter('category', 'natural');
    expect(browser.suggestion).toEqual({ filter: 'language', matches: 2 });
    await browser.clearFilter('language');
    expect([browser.suggestion, browser.total]).toEqual([undefined, 2]);
  });

  test('treats text and favourites as filters', async () => {
    const { browser } = await setUp();
    await browser.setText('singing');
    await browser.setFilter('language', 'en-GB');
    expect(browser.suggestion).toEqual({ filter: 'text', matches: 2 });
    await browser.setOnly('favourites');
    expect(browser.suggestion).toBeUndefined();
    await browser.clearFilters();
    expect(browser.total).toBe(5);
  });
});
