import { loadMessages } from '../../../../shared/messages/index.ts';
import { expect, test } from 'vitest';
import type { Voice } from '../../../../shared/schemas/voice.ts';
import type { Api } from '../../lib/api.ts';
import { I18n } from '../../lib/i18n.svelte.ts';
import { Shell } from '../../lib/shell.svelte.ts';
import { VoiceBrowser } from './voice-browser.svelte.ts';
import { createSilentPlayer, studio } from './preview-player.fixture.ts';
import { Voices } from './voices.svelte.ts';

const en = await loadMessages('en');

const voice = (id: string): Voice => ({
  id,
  name: `Voice ${id}`,
  language: 'en-GB',
  gender: 'female',
  category: 'natural',
});

async function setUp(all: readonly Voice[]) {
  const unused = () => Promise.reject(new Error('not requested'));
  const api: Api['voices'] = {
    list: ({ page, limit }) => {
      const voices = all.slice(page * limit, (page + 1) * limit);
      return Promise.resolve({ page, limit, total: all.length, voices, readAt: 7, problem: null });
    },
    get: unused,
    findLastUsed: unused,
    setFavourite: unused,
    preview: unused,
    listFavourites: () => Promise.resolve([]),
    listRecent: () => Promise.resolve(all.slice(-5).map(({ id }) => id)),
    listNotes: () => Promise.resolve({}),
    setNote: () => Promise.resolve(),
    cancelPreviews: () => Promise.resolve(),
    getExcerpt: () => Promise.resolve(null),
    chooseRecording: () => Promise.resolve(null),
    openRecording: () => Promise.reject(new Error('not requested')),
    cutExcerpt: () => Promise.reject(new Error('not requested')),
    removeExcerpt: () => Promise.resolve(),
    listFeatures: () => Promise.resolve({}),
  };
  const voices = new Voices({
    voices: api,
    models: { list: () => Promise.resolve({ page: 1, pages: 0, total: 0, models: [] }) },
  });
  const { previews } = createSilentPlayer();
  const reads = { count: 0 };
  const counted = {
    featuresOf(...args: Parameters<typeof previews.featuresOf>) {
      reads.count += 1;
      return previews.featuresOf(...args);
    },
    get loads() {
      return previews.loads;
    },
  };
  const browser = new VoiceBrowser(api, {
    all: voices,
    previews: counted,
    i18n: new I18n(en),
    shell: new Shell(),
    storage: sessionStorage,
  });
  await voices.load('studio');
  await browser.open('studio');
  return { browser, previews, reads, ids: () => browser.shown.map(({ id }) => id).join('') };
}

test('a voice stays in its place while it is heard, and is sorted by its pitch when the view opens again', async () => {
  const { browser, previews, ids } = await setUp(['a', 'b', 'c'].map(voice));
  browser.setOrder('pitch');
  expect(ids()).toBe('abc');
  await previews.toggle(studio, voice('c'));
  expect([previews.featuresOf(studio, 'c')?.f0Hz, ids()]).toEqual([120, 'abc']);
  await previews.loadFeatures(studio);
  expect(ids()).toBe('cab');
});

test('each key of a search finds its voices among 20,000 without sorting them again', async () => {
  const { browser, reads } = await setUp(Array.from({ length: 20_000 }, (_, k) => voice(`v${k}`)));
  browser.setOrder('pitch');
  expect([browser.shown.length, reads.count]).toEqual([20_000, 20_000]);
  browser.setText('voice v19');
  expect([browser.shown.length, reads.count]).toEqual([1111, 20_000]);
});
