import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import type { CataloguePage, Model, Voice } from '../../../../shared/schemas/voice.ts';
import type { Api } from '../../lib/api.ts';
import { Voices } from './voices.svelte.ts';

const voice = (id: string, name = id, language = 'en-GB'): Voice => ({
  id,
  name,
  language,
  gender: 'female',
  category: 'natural',
});
const pageOf = (page: number, total: number, voices: readonly Voice[]): CataloguePage => ({
  page,
  limit: 2,
  total,
  voices,
  readAt: 0,
  problem: null,
});
const model = (id: string): Model => ({
  id: `model ${id}`,
  name: id,
  voiceId: id,
  languageCode: 'de-DE',
  gender: 'male',
  creationDate: '2026-11-20T00:00:00Z',
});
type List = Api['voices']['list'];
const noModels: Api['models']['list'] = () => Promise.resolve({ page: 1, pages: 0, total: 0, models: [] });
const neverUsed: Api['voices']['findLastUsed'] = () => Promise.resolve(null);
const voicesOf = (list: List, models = noModels, findLastUsed = neverUsed) =>
  new Voices({
    voices: {
      list,
      findLastUsed,
      listRecent: () => Promise.resolve(['e', 'gone', 'b']),
      listNotes: () => Promise.resolve({}),
      setNote: () => Promise.resolve(),
      listFavourites: () => Promise.resolve(['c', 'b']),
    },
    models: { list: models },
  });

describe('the catalogue', () => {
  test('is loaded page by page up to its total', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((id) => voice(id));
    const pages: number[] = [];
    const voices = voicesOf(({ page }) => {
      pages.push(page);
      return Promise.resolve(pageOf(page, all.length, all.slice(page * 2, page * 2 + 2)));
    });
    await voices.load('local');
    expect(voices.list.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(pages).toEqual([0, 1, 2]);
    expect(voices.isLoading).toBe(false);
  });

  test('has the voices that were used last at its top, then the favourites, once they are loaded', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((id) => voice(id));
    const voices = voicesOf(({ page }) => Promise.resolve(pageOf(page, all.length, all)));
    await voices.load('local');
    expect(voices.preferredFirst.map(({ id }) => id).join('')).toBe('abcde');
    await voices.loadPreferred();
    expect(voices.preferredFirst.map(({ id }) => id).join('')).toBe('ebcad');
    await voices.load('another');
    expect(voices.preferredFirst.map(({ id }) => id).join('')).toBe('abcde');
  });

  test('ends at a page without new voices, regardless of the total', async () => {
    let calls = 0;
    const voices = voicesOf(({ page }) => {
      calls++;
      return Promise.resolve(pageOf(page, 99, [voice('a'), voice('b')]));
    });
    await voices.load('local');
    expect([voices.list.length, calls]).toEqual([2, 2]);
    expect([voices.hasMore, voices.isWhole]).toEqual([true, false]);
  });

  test('is cut off at 200 pages, has more, and counts no voice as missing (NET-1)', async () => {
    const voices = voicesOf(({ page }) => Promise.resolve(pageOf(page, 1000, [voice(`${page}`)])));
    await voices.load('local');
    expect([voices.list.length, voices.hasMore, voices.isWhole]).toEqual([200, true, false]);
  });

  test('is complete once the service returns all voices', async () => {
    let total = 9;
    const voices = voicesOf(({ page }) => Promise.resolve(pageOf(page, total, [voice('a')])));
    await voices.load('local');
    total = 1;
    await voices.reload('local');
    expect([voices.hasMore, voices.isWhole]).toEqual([false, true]);
  });

  test('counts no voice as missing when own voices are cut off (NET-1)', async () => {
    const list: List = ({ page }) => Promise.resolve(pageOf(page, 1, [voice('a')]));
    const voices = voicesOf(list, ({ page }) =>
      Promise.resolve({ page, pages: 1000, total: 1000, models: [model(`${page}`)] }),
    );
    await voices.load('local');
    expect([voices.own.length, voices.isWhole]).toEqual([200, false]);
  });

  test('reports why it could not be loaded, and is loaded again on request', async () => {
    const faults = [new AppError('network/unreachable', 'no')];
    const voices = voicesOf(() => {
      const fault = faults.shift();
      if (fault) return Promise.reject(fault);
      return Promise.resolve(pageOf(0, 1, [voice('a')]));
    });
    await voices.load('far');
    expect(voices.problem?.code).toBe('network/unreachable');
    const again = voices.load('far');
    // Its button has the focus until the answer is there.
    expect([voices.problem?.code, voices.isLoading, voices.load('far') === again]).toEqual([
      'network/unreachable',
      true,
      true,
    ]);
    await again;
    expect([voices.problem, voices.list.length]).toEqual([null, 1]);
  });

  test('ignores voices of a previous connection', async () => {
    const gate = Promise.withResolvers<CataloguePage>();
    const voices = voicesOf(({ connectionId }) =>
      connectionId === 'slow' ? gate.promise : Promise.resolve(pageOf(0, 1, [voice('fast')])),
    );
    const slow = voices.load('slow');
    await voices.load('fast');
    gate.resolve(pageOf(0, 1, [voice('slow')]));
    await slow;
    expect(voices.list.map(({ id }) => id)).toEqual(['fast']);
  });

  test('is requested in the largest pages and without filters', async () => {
    let request: unknown;
    const voices = voicesOf((query) => {
      request = query;
      return Promise.resolve(pageOf(0, 0, []));
    });
    await voices.load('local');
    expect(request).toEqual({ connectionId: 'local', page: 0, limit: 100, category: '', gender: '', language: '' });
  });

  test('shows the offline copy with its reason, and keeps it while it is loaded again', async () => {
    const answers = [
      { ...pageOf(0, 1, [voice('a')]), problem: { code: 'network/unreachable' as const } },
      pageOf(0, 2, [voice('a'), voice('b')]),
    ];
    const seen: number[] = [];
    const voices: Voices = voicesOf(() => {
      seen.push(voices.list.length);
      return Promise.resolve(answers.shift() ?? pageOf(0, 0, []));
    });
    await voices.load('far');
    expect([voices.offline?.code, voices.problem, voices.list.length]).toEqual(['network/unreachable', null, 1]);
    await voices.load('far');
    expect([voices.offline, voices.list.length, seen]).toEqual([null, 2, [0, 1]]);
    await voices.load('far');
    expect(seen).toHaveLength(2);
  });
});

describe('own voices', () => {
  const some = pageOf(0, 1, [voice('a')]);

  test('are loaded completely and listed before the catalogue', async () => {
    const voices = voicesOf(
      () => Promise.resolve(some),
      ({ page }) => Promise.resolve({ page, pages: 2, total: 2, models: [model(`m${page}`)] }),
    );
    await voices.load('local');
    expect(voices.all.map(({ id }) => id)).toEqual(['m1', 'm2', 'a']);
    expect(voices.list.map(({ id }) => id)).toEqual(['a']);
    expect(voices.find('m2')).toEqual({ ...voice('m2'), language: 'de-DE', gender: 'male', category: 'model' });
    expect(voices.isWhole).toBe(true);
  });

  test('do not fail the catalogue when they cannot be loaded, but leave it incomplete', async () => {
    const voices = voicesOf(
      () => Promise.resolve(some),
      () => Promise.reject(new AppError('service/not-found', 'no')),
    );
    await voices.load('far');
    expect([voices.problem, voices.isWhole, voices.list.length]).toEqual([null, false, 1]);
  });

  test('are loaded again when one was created or deleted', async () => {
    const made: Model[] = [];
    const voices = voicesOf(
      () => Promise.resolve(some),
      () => Promise.resolve({ page: 1, pages: 1, total: made.length, models: made }),
    );
    await voices.load('local');
    made.push(model('m'));
    await voices.loadOwn();
    expect(voices.find('m')?.name).toBe('m');
  });
});

describe('a voice that is gone', () => {
  const withOne: List = () => Promise.resolve(pageOf(0, 1, [voice('a')]));

  test('is replaced by the one that is most like it as it was last used, looked up once', async () => {
    const asked: string[] = [];
    const voices = voicesOf(withOne, noModels, ({ voiceId }) => {
      asked.push(voiceId);
      return Promise.resolve(voice(voiceId));
    });
    await voices.load('local');
    expect(voices.findSimilar('gone')).toBeNull();
    await voices.loadLastUsed('gone');
    await voices.loadLastUsed('gone');
    expect([voices.findSimilar('gone')?.id, asked]).toEqual(['a', ['gone']]);
  });

  test('is replaced although no result was made with it, if it is known otherwise', async () => {
    const voices = voicesOf(withOne, noModels, () => Promise.resolve(null));
    await voices.load('local');
    await voices.loadLastUsed('gone');
    expect(voices.findSimilar('gone', voice('gone'))?.id).toBe('a');
    expect(voices.findSimilar('a', voice('a'))).toBeNull();
  });

  test('is not looked up while it may still be there', async () => {
    const offline: List = () =>
      Promise.resolve({ ...pageOf(0, 1, [voice('a')]), problem: { code: 'network/unreachable' } });
    const cutOff: List = () => Promise.resolve(pageOf(0, 99, [voice('a')]));
    for (const list of [offline, cutOff]) {
      const voices = voicesOf(list, noModels, () => expect.unreachable('looked up'));
      await voices.load('local');
      await voices.loadLastUsed('gone');
      expect(voices.findSimilar('gone')).toBeNull();
    }
    const voices = voicesOf(withOne, noModels, () => expect.unreachable('looked up'));
    await voices.load('local');
    await voices.loadLastUsed('a');
    await voices.loadLastUsed('');
  });

  test('of which nothing is known has no replacement', async () => {
    const voices = voicesOf(withOne, noModels, () => Promise.reject(new AppError('data/unreadable', 'no')));
    await voices.load('local');
    await voices.loadLastUsed('gone');
    expect(voices.findSimilar('gone')).toBeNull();
  });
});

describe('notes', () => {
  async function setUp(setNote: Api['voices']['setNote']) {
    const stored: Record<string, string> = { a: 'The narrator' };
    const voices = new Voices({
      voices: {
        list: ({ page }) => Promise.resolve(pageOf(page, 1, [voice('a')])),
        findLastUsed: neverUsed,
        listRecent: () => Promise.resolve([]),
        listFavourites: () => Promise.resolve([]),
        listNotes: () => Promise.resolve({ ...stored }),
        async setNote(note) {
          await setNote(note);
          stored[note.voiceId] = note.text;
        },
      },
      models: { list: noModels },
    });
    await voices.load('local');
    await expect.poll(() => voices.notes).not.toBeNull();
    return { voices, stored };
  }

  test('are shown at once, and saved when the page ends at the latest', async () => {
    const { voices, stored } = await setUp(() => Promise.resolve());
    expect(voices.notes).toEqual({ a: 'The narrator' });
    voices.setNote('b', 'Th');
    voices.setNote('b', 'The crowd');
    expect([voices.notes, stored]).toEqual([{ a: 'The narrator', b: 'The crowd' }, { a: 'The narrator' }]);
    await voices.saveNotes();
    expect(stored).toEqual({ a: 'The narrator', b: 'The crowd' });
  });

  test('that could not be saved stay on screen, and are saved with the next', async () => {
    const faults = [new AppError('data/unreadable', 'no')];
    const { voices, stored } = await setUp(() => {
      const fault = faults.shift();
      return fault ? Promise.reject(fault) : Promise.resolve();
    });
    voices.setNote('a', 'Nobody');
    await voices.saveNotes();
    expect([voices.notes, voices.noteProblem?.code, stored]).toEqual([
      { a: 'Nobody' },
      'data/unreadable',
      { a: 'The narrator' },
    ]);
    voices.setNote('b', 'Crowd');
    await voices.saveNotes();
    expect([stored, voices.noteProblem]).toEqual([{ a: 'Nobody', b: 'Crowd' }, null]);
  });

  test('that could not be saved are on screen again after another connection was shown', async () => {
    const { voices } = await setUp(() => Promise.reject(new AppError('data/unreadable', 'no')));
    voices.setNote('a', 'Nobody');
    voices.setNote('b', 'Crowd');
    voices.setNote('b', '');
    await voices.load('other');
    await voices.load('local');
    await expect.poll(() => voices.notes).toEqual({ a: 'Nobody' });
  });

  test('that are typed while the list is read again stay', async () => {
    const { voices } = await setUp(() => Promise.resolve());
    const reloaded = voices.reload('local');
    voices.setNote('a', 'Nobody');
    await reloaded;
    await expect.poll(() => voices.notes).toEqual({ a: 'Nobody' });
  });
});
