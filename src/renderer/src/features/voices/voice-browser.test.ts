import { loadMessages } from '../../../../shared/messages/index.ts';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { CatalogueQuery, Voice } from '../../../../shared/schemas/voice.ts';
import type { Api } from '../../lib/api.ts';
import { VoiceBrowser } from './voice-browser.svelte.ts';
import { Voices } from './voices.svelte.ts';
import { I18n } from '../../lib/i18n.svelte.ts';
import { Shell } from '../../lib/shell.svelte.ts';

const en = await loadMessages('en');

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

function createStorage(): Pick<Storage, 'getItem' | 'setItem'> {
  const items = new Map<string, string>();
  return { getItem: (key) => items.get(key) ?? null, setItem: (key, value) => void items.set(key, value) };
}

/** A service with these voices. */
async function setUp(storage = createStorage()) {
  const requests: CatalogueQuery[] = [];
  let favourites: readonly string[] = [];
  const api: Api['voices'] = {
    list: (query) => {
      requests.push(query);
      const { page, limit } = query;
      const voices = all.slice(page * limit, (page + 1) * limit);
      return Promise.resolve({ page, limit, total: all.length, voices, readAt: 7, problem: null });
    },
    get: () => Promise.reject(new AppError('internal', 'not requested')),
    findLastUsed: () => Promise.reject(new AppError('internal', 'not requested')),
    listFavourites: () => Promise.resolve(favourites),
    listRecent: () => Promise.resolve(['e', 'c']),
    listNotes: () => Promise.resolve({}),
    setNote: () => Promise.resolve(),
    setFavourite: ({ voiceId, isFavourite }) => {
      favourites = isFavourite ? [...favourites, voiceId] : favourites.filter((id) => id !== voiceId);
      return Promise.resolve(favourites);
    },
    preview: () => Promise.reject(new AppError('internal', 'not requested')),
    cancelPreviews: () => Promise.resolve(),
    getExcerpt: () => Promise.resolve(null),
    chooseRecording: () => Promise.resolve(null),
    openRecording: () => Promise.reject(new AppError('internal', 'not requested')),
    cutExcerpt: () => Promise.reject(new AppError('internal', 'not requested')),
    removeExcerpt: () => Promise.resolve(),
    listFeatures: () => Promise.resolve({}),
  };
  const models = { list: () => Promise.resolve({ page: 1, pages: 0, total: 0, models: [] }) };
  const voices = new Voices({ voices: api, models });
  const featuresOf = (_connection: unknown, id: string) =>
    id in pitches ? { f0Hz: pitches[id] ?? null, brightness: 0.5, levelDb: null } : undefined;
  const browser = new VoiceBrowser(api, {
    all: voices,
    previews: { featuresOf, loads: 0 },
    i18n: new I18n(en),
    shell: new Shell(),
    storage,
  });
  await browser.open('c');
  return { browser, voices, requests, ids: () => browser.shown.map(({ id }) => id).join('') };
}

describe('the voice browser', () => {
  test('loads the catalogue once, and filters and searches it without a request', async () => {
    const { browser, requests, ids } = await setUp();
    expect([requests.length, ids()]).toEqual([1, 'abcde']);
    await browser.open('c');
    browser.setText('german');
    expect(ids()).toBe('cd');
    browser.setFilter('category', ['singing']);
    expect(ids()).toBe('c');
    browser.setText('');
    expect([ids(), requests.length]).toEqual(['c', 1]);
  });

  test('shows voices with any of the selected values of a filter, and with one of each filter', async () => {
    const { browser, ids } = await setUp();
    browser.setFilter('language', ['de-DE', 'ja-JP']);
    expect(ids()).toBe('cde');
    browser.setFilter('category', ['natural', 'singing']);
    expect(ids()).toBe('cde');
    browser.setFilter('gender', ['male']);
    expect(ids()).toBe('e');
    browser.clearFilter('language');
    expect(ids()).toBe('be');
    browser.clearFilters();
    expect(ids()).toBe('abcde');
  });

  test('counts for each value what it would show beside the other filters', async () => {
    const { browser } = await setUp();
    browser.setFilter('language', ['de-DE']);
    browser.setFilter('gender', ['female']);
    expect(Object.fromEntries(browser.countsOf('language'))).toEqual({ 'en-GB': 1, 'de-DE': 2, 'ja-JP': 0 });
    expect(Object.fromEntries(browser.countsOf('category'))).toEqual({ natural: 1, singing: 1 });
  });

  test('keeps the filters of each connection, also after a restart', async () => {
    const storage = createStorage();
    const { browser, ids } = await setUp(storage);
    browser.setFilter('language', ['de-DE', 'ja-JP']);
    browser.setText('x');
    await browser.open('other');
    expect([browser.active, ids()]).toEqual([[], 'abcde']);
    browser.setFilter('gender', ['male']);
    await browser.open('c');
    expect([browser.active, ids()]).toEqual([['language'], 'cde']);
    const later = await setUp(storage);
    expect(later.ids()).toBe('cde');
  });

  test('opens without filters if the stored ones are damaged', async () => {
    for (const text of ['{', '[]', '{"c":{"language":"de-DE","gender":[5]}}']) {
      const { ids } = await setUp({ getItem: () => text, setItem: () => undefined });
      expect(ids()).toBe('abcde');
    }
  });

  test('selects the first match while the user types, and keeps what was found when the search is cleared', async () => {
    const { browser } = await setUp();
    browser.selectedId = 'd';
    browser.setText('voice');
    expect(browser.selected?.id).toBe('a');
    browser.selectedId = 'c';
    browser.setText('');
    expect(browser.selected?.id).toBe('c');
    browser.setFilter('gender', ['male']);
    expect(browser.selected?.id).toBe('b');
  });

  test('orders all voices: by name, from low to high with unheard ones last, or by last use', async () => {
    const { browser, requests, ids } = await setUp();
    const { length } = requests;
    browser.setOrder('pitch');
    expect(ids()).toBe('dbace');
    browser.setOrder('recent');
    await expect.poll(ids).toBe('ecabd');
    browser.setText('english');
    expect([ids(), requests.length]).toEqual(['ab', length]);
    browser.setText('');
    browser.setOrder('name');
    expect(ids()).toBe('abcde');
    browser.setOrder('service');
    expect(ids()).toBe('abcde');
  });

  test('shows only favourites, and removes one that is no longer a favourite', async () => {
    const { browser, ids } = await setUp();
    await browser.favourites.toggle('d');
    await browser.favourites.toggle('a');
    browser.setOnly('favourites');
    expect(ids()).toBe('ad');
    await browser.favourites.toggle('a');
    expect(ids()).toBe('d');
  });
});

describe('without a match, the voice browser', () => {
  test('suggests removing the filter that excludes the most voices', async () => {
    const { browser, ids } = await setUp();
    browser.setFilter('language', ['ja-JP']);
    browser.setFilter('gender', ['female']);
    browser.setFilter('category', ['natural']);
    expect(browser.suggestion).toEqual({ filter: 'language', matches: 2 });
    browser.clearFilter('language');
    expect([browser.suggestion, ids()]).toEqual([undefined, 'ad']);
  });

  test('treats text and favourites as filters', async () => {
    const { browser, ids } = await setUp();
    browser.setText('singing');
    browser.setFilter('language', ['en-GB']);
    expect(browser.suggestion).toEqual({ filter: 'text', matches: 2 });
    browser.setOnly('favourites');
    expect(browser.suggestion).toBeUndefined();
    browser.clearFilters();
    expect(ids()).toBe('abcde');
  });
});
