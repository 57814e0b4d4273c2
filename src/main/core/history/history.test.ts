import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conversionJob, speechJob } from '../jobs/job.fixture.ts';
import type { NewJob } from '../jobs/job-store.ts';
import { openHistory, temporaryFolder, type OpenHistory } from './open-history.fixture.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let open: OpenHistory;
let now: number;

beforeEach(async () => {
  folder = await temporaryFolder();
  now = new Date(2026, 2, 15, 12).getTime();
  open = await openHistory(folder.folder, { now: () => now });
});
afterEach(async () => {
  await open.close();
  await folder.remove();
});

const take = (id: string, change: Parameters<typeof conversionJob>[0] = {}): NewJob =>
  conversionJob({ id, state: 'done', source: { path: `/takes/${id}.wav`, subfolder: '', snapshot: null }, ...change });
/** Adds jobs that end at once, one a second. */
function end(...jobs: readonly NewJob[]): void {
  for (const job of jobs) {
    now += 1000;
    open.store.add([job]);
  }
}
const idsOf = (entries: readonly { readonly id: string }[]) => entries.map(({ id }) => id);
const ids = (text: string) => idsOf(open.history.search(text).entries);

describe('a list', () => {
  it('is counted beyond the first page, and any range is read by index', async () => {
    const count = 250;
    end(...Array.from({ length: count }, (_, k) => take(`take${k}`)));
    const { list, entries, isWhole } = open.history.search('take');
    expect([entries.length, isWhole, entries[0]?.id]).toEqual([100, false, 'take249']);
    const counted = await open.listed('take');
    expect(counted).toMatchObject({ list: list + 1, matches: count, entries: count });
    expect(idsOf(open.history.rows(counted.list, 120, 3))).toEqual(['take129', 'take128', 'take127']);
    expect(idsOf(open.history.rows(counted.list, 249, 5))).toEqual(['take0']);
  });

  it('has days and months in local time, with the exact seconds of audio in each day', async () => {
    const at = (day: Date, id: string, durationSeconds: number | null) => {
      now = day.getTime();
      open.store.add([take(id, { durationSeconds })]);
    };
    at(new Date(2025, 10, 30, 23, 59), 'november', 10);
    at(new Date(2026, 1, 1), 'first', 1.4);
    at(new Date(2026, 1, 1, 23, 59), 'last', 1.4);
    at(new Date(2026, 1, 2), 'other', null);
    const { days, months } = await open.listed('');
    expect(days).toEqual([
      [0, new Date(2026, 1, 2).getTime(), 0],
      [1, new Date(2026, 1, 1).getTime(), 2.8],
      [3, new Date(2025, 10, 30).getTime(), 10],
    ]);
    expect(months).toEqual([
      [new Date(2026, 1, 1).getTime(), 3, 3, 0],
      [new Date(2025, 10, 1).getTime(), 1, 1, 3],
    ]);
    expect((await open.listed('november')).months).toEqual([
      [new Date(2026, 1, 1).getTime(), 3, 0, 0],
      [new Date(2025, 10, 1).getTime(), 1, 1, 0],
    ]);
  });

  it('can be read until the next search is counted', async () => {
    end(take('a'), take('b'));
    const { list } = await open.listed('');
    const next = open.listed('a');
    expect(idsOf(open.history.rows(list, 0, 2))).toEqual(['b', 'a']);
    await next;
    expect(() => open.history.rows(list, 0, 2)).toThrow(expect.objectContaining({ code: 'history/list-ended' }));
  });

  it('cannot be read before it is counted', async () => {
    end(take('a'), take('b'));
    const received: number[] = [];
    open.history.onListed(({ list }) => received.push(list));
    const first = open.history.search('');
    expect(() => open.history.rows(first.list, 0, 1)).toThrow('not the latest');
    const { list } = await open.listed('a');
    expect(received).toEqual([list]);
    expect(() => open.history.rows(first.list, 0, 1)).toThrow(expect.objectContaining({ code: 'history/list-ended' }));
    expect(idsOf(open.history.rows(list, 0, 1))).toEqual(['a']);
  });

  it('leaves out entries that were removed since', async () => {
    end(take('a'), take('b'), take('c'));
    const { list } = await open.listed('');
    open.store.reopen('b', { state: 'queued' });
    expect(idsOf(open.history.rows(list, 0, 3))).toEqual(['c', 'a']);
  });
});

describe('finding everything', () => {
  it('reads in parts, newest first, and leaves the current list unchanged', async () => {
    const each = Array.from({ length: 2100 }, (_, k) => take(`take${k}`, k % 2 === 0 ? {} : { state: 'failed' }));
    for (let from = 0; from < each.length; from += 700) {
      now += 1000;
      open.store.add(each.slice(from, from + 700));
    }
    const { list } = await open.listed('take7');
    const { ids: found, errors } = await open.history.find('status:done');
    expect([found.length, found[0], found.at(-1), errors]).toEqual([1050, 'take2098', 'take0', []]);
    expect((await open.history.find('')).ids).toHaveLength(2100);
    expect((await open.history.find('', 2001)).ids.at(-1)).toBe('take99');
    expect(idsOf(open.history.rows(list, 0, 1))).toEqual(['take799']);
  });

  it('returns nothing if the query is invalid', async () => {
    end(take('a'));
    expect(await open.history.find('voice: a')).toMatchObject({ ids: [], errors: [{ kind: 'empty', word: 'voice:' }] });
  });
});

describe('an id prefix', () => {
  it('matches entries only, in any case, and is no pattern', () => {
    end(take('ab-1'), take('ab-2'), take('ac'), take('ab-3', { state: 'queued' }));
    expect(open.history.findIdsByPrefix('AB', 9)).toEqual(['ab-1', 'ab-2']);
    expect(open.history.findIdsByPrefix('ab', 1)).toEqual(['ab-1']);
    expect(open.history.findIdsByPrefix('a%', 9)).toEqual([]);
    expect(open.history.findIdsByPrefix('ac', 9)).toEqual(['ac']);
  });
});

describe('an entry', () => {
  it('has the values of its job', () => {
    end(
      take('a', {
        state: 'failed',
        durationSeconds: 3.5,
        problem: { code: 'network/cut', words: 'reset' },
        audioUrl: 'https://a.test/r?signature=secret',
      }),
    );
    const { entries } = open.history.search('');
    expect(entries).toMatchObject([
      {
        id: 'a',
        kind: 'conversion',
        state: 'failed',
        endedAt: now,
        name: 'a.wav',
        durationSeconds: 3.5,
        isWatched: false,
      },
    ]);
    expect(entries[0]?.problem).toEqual({ code: 'network/cut', words: 'reset' });
    expect(JSON.stringify(entries)).not.toContain('secret');
  });

  it('of a text has the length of what was spoken, if that is known', () => {
    open.store.add([
      speechJob({ id: 'a', state: 'done', durationSeconds: 12.5 }),
      speechJob({ id: 'b', state: 'done' }),
    ]);
    const lengths = open.history.search('').entries.map(({ id, durationSeconds }) => [id, durationSeconds]);
    expect(Object.fromEntries(lengths)).toEqual({ a: 12.5, b: null });
  });

  it('names a text by its title, or else by its first words', () => {
    const titled = speechJob({ id: 's', state: 'done', text: 'One.' });
    end({ ...titled, settings: { ...titled.settings, title: '01 The beginning' } });
    end(speechJob({ id: 't', state: 'done', text: 'Two.' }));
    expect(open.history.search('').entries.map(({ name }) => name)).toEqual(['Two.', '01 The beginning']);
  });

  it('lists other entries with the same audio or text, newest first', () => {
    end(take('a', { sourceSha256: 'x' }), take('b', { sourceSha256: 'y' }), take('c', { sourceSha256: 'x' }));
    end(take('d', { sourceSha256: 'x' }));
    end(...['s', 't', 'u'].map((id) => speechJob({ id, state: 'done', text: id === 'u' ? 'Other' : 'Same' })));
    expect(idsOf(open.history.detail('a').others)).toEqual(['d', 'c']);
    expect(idsOf(open.history.detail('s').others)).toEqual(['t']);
    expect(open.history.detail('b').others).toEqual([]);
    expect(() => open.history.detail('nobody')).toThrow(expect.objectContaining({ code: 'job/not-found' }));
  });
});

describe('a selection', () => {
  it('consists of entries or ranges of the list', async () => {
    end(take('a'), take('b'), take('c'), take('d'));
    const { list } = await open.listed('');
    expect(await open.history.resolveSelection({ ids: ['b', 'nobody', 'c'] })).toEqual(['c', 'b']);
    expect(
      await open.history.resolveSelection({
        list,
        ranges: [
          [0, 1],
          [2, 4],
        ],
      }),
    ).toEqual(['d', 'b', 'a']);
    await open.listed('');
    await expect(open.history.resolveSelection({ list, ranges: [[0, 1]] })).rejects.toThrow('not the latest');
  });

  it('can be annotated, and its annotations can be searched', async () => {
    end(...Array.from({ length: 120 }, (_, k) => take(`take${k}`)));
    const { list } = await open.listed('');
    await open.history.update({ list, ranges: [[0, 110]] }, { isFavourite: true, addTags: ['Später', 'client'] });
    expect(await open.listed('is:favourite tag:client')).toMatchObject({ matches: 110 });
    await open.history.update(
      { ids: ['take119'] },
      { isFavourite: false, removeTags: ['client'], addTags: ['SPATER'] },
    );
    expect(open.history.get('take119')).toMatchObject({ isFavourite: false, tags: ['Später'] });
    expect(open.history.tags()).toEqual(['client', 'Später']);
  });
});

it('annotating fails with the reason and changes nothing while the database is not writable', async () => {
  end(take('a'));
  open.database.exec('PRAGMA query_only = ON');
  const refused = { code: 'data/not-writable' };
  await expect(open.history.update({ ids: ['a'] }, { isFavourite: true })).rejects.toMatchObject(refused);
  expect(() => open.history.hide(['a'])).toThrow(expect.objectContaining(refused));
  open.database.exec('PRAGMA query_only = OFF');
  await open.history.update({ ids: ['a'] }, { isFavourite: true });
  expect(open.history.get('a')).toMatchObject({ isFavourite: true });
});

describe('a removed entry', () => {
  it('leaves no word in the index, also if it was annotated before', async () => {
    end(take('a'));
    await open.history.update({ ids: ['a'] }, { isFavourite: true, addTags: ['client', 'later'] });
    await open.history.update({ ids: ['a'] }, { removeTags: ['later'] });
    const rowsWith = (match: string) =>
      open.database.prepare('SELECT rowid FROM history_text WHERE history_text MATCH ?').all(match).length;
    expect(rowsWith('later')).toBe(0);
    expect(rowsWith('takes')).toBe(1);
    open.history.hide(['a']);
    expect(rowsWith('takes OR client OR later OR "§is§favourite"')).toBe(0);
  });

  it('is in no list or search, and is restored as it was', async () => {
    end(take('a'), take('b'), take('c'));
    await open.history.update({ ids: ['b'] }, { isFavourite: true, addTags: ['client'] });
    const before = open.history.search('').entries;
    open.history.hide(['b', 'a']);
    expect(ids('')).toEqual(['c']);
    expect(ids('takes')).toEqual(['c']);
    expect(ids('tag:client')).toEqual([]);
    expect(open.history.get('b')).toBeUndefined();
    expect(await open.listed('')).toMatchObject({ matches: 1, entries: 1 });
    open.history.show(['a', 'b']);
    expect(open.history.search('').entries).toEqual(before);
    expect(ids('tag:client')).toEqual(['b']);
  });
});

describe('change events', () => {
  it('combine jobs that ended and jobs that were reopened', async () => {
    const change = open.nextChange();
    open.store.add([take('open', { state: 'queued' })]);
    end(take('a'), take('b'));
    expect(await change).toEqual({ ids: ['a', 'b'], isStale: true });
    const later = open.nextChange();
    open.store.reopen('a', { state: 'queued' });
    expect(await later).toEqual({ ids: [], isStale: true });
  });

  it('are emitted at once on flush, and only once', async () => {
    end(take('a'), take('b'));
    await open.nextChange();
    const received: unknown[] = [];
    open.history.onChanged((change) => received.push(change));
    open.history.notifyChanged(['a']);
    expect(received).toEqual([]);
    open.history.flush();
    open.history.flush();
    expect(received).toEqual([{ ids: ['a'], isStale: false }]);
    const next = open.nextChange();
    open.history.notifyChanged(['b']);
    expect(await next).toEqual({ ids: ['b'], isStale: false });
    expect(received).toHaveLength(2);
  });

  it('name the entries whose annotations changed', async () => {
    end(take('a'), take('b'));
    await open.nextChange();
    const change = open.nextChange();
    await open.history.update({ ids: ['a'] }, { isFavourite: true });
    expect(await change).toEqual({ ids: ['a'], isStale: false });
  });

  it('report removed and restored entries', async () => {
    end(take('a'));
    await open.nextChange();
    const removed = open.nextChange();
    open.history.hide(['a']);
    expect(await removed).toEqual({ ids: [], isStale: true });
    const back = open.nextChange();
    open.history.show(['a']);
    expect(await back).toEqual({ ids: [], isStale: true });
  });

  it('report changes made by another process', async () => {
    const other = await openHistory(folder.folder, { now: () => now });
    const change = open.nextChange();
    other.store.add([take('theirs')]);
    open.store.poll();
    expect(await change).toEqual({ ids: ['theirs'], isStale: true });
    await other.close();
  });

  it('report entries that another process adds to no list, as an import does', async () => {
    const other = await openHistory(folder.folder, { now: () => now });
    const change = open.nextChange();
    other.store.add([take('theirs')]);
    other.store.remove(['theirs']);
    open.store.poll();
    expect(await change).toEqual({ ids: ['theirs'], isStale: true });
    await other.close();
  });

  it('end when history is stopped, even if writes follow', async () => {
    const received: unknown[] = [];
    open.history.onChanged((change) => received.push(change));
    end(take('a'));
    const stopped = open.history.stop();
    end(take('b'));
    await Promise.all([stopped, open.history.stop()]);
    // Longer than changes are collected: another history has emitted by then.
    const other = await openHistory(folder.folder, { now: () => now });
    const nextOfOther = other.nextChange();
    other.store.add([take('c')]);
    await nextOfOther;
    await other.close();
    expect(received).toEqual([]);
  });
});
