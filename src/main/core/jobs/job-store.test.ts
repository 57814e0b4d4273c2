import { describe, expect, it } from 'vitest';
import { transaction } from '../database/sqlite.ts';
import { conversionJob, speechJob } from './job.fixture.ts';
import type { NewJob } from './job-store.ts';
import { asked, idsOf, useJournals, workQuery } from './job-store.fixture.ts';

const journals = useJournals();

it('takes no job that it could not read again', async () => {
  const { store } = await journals.open();
  const { settings } = speechJob();
  const unreadable = speechJob({ settings: { ...settings, language: 'x'.repeat(65) } });
  expect(() => store.add([asked('a'), unreadable])).toThrow(expect.objectContaining({ code: 'request/invalid' }));
  expect(store.page(null, -1)).toEqual([]);
});

describe('a change', () => {
  it('inside a transaction of the caller is told once that is committed, and never where it fails', async () => {
    const { store, database, news } = await journals.open();
    const fail = () =>
      transaction(database, () => {
        store.add([asked('a')]);
        throw new Error('rolled back');
      });
    expect(fail).toThrow('rolled back');
    expect([news, store.get('a')]).toEqual([[], undefined]);
    transaction(database, () => {
      store.add([asked('b')]);
      store.change('b', { state: 'creating' });
      expect(news).toEqual([]);
    });
    expect(news.map((one) => one.kind === 'upserted' && one.jobs[0]?.state)).toEqual(['queued', 'creating']);
  });
});

describe('a job', () => {
  it.each<[string, NewJob]>([
    ['conversion', conversionJob()],
    ['piece of speech', speechJob()],
  ])('that is a %s comes back as it went in, also in another process', async (_name, job) => {
    const { store } = await journals.open();
    const [added] = store.add([job]);
    const { store: other } = await journals.open();
    expect(other.get(job.id)).toEqual(added);
    expect(added).toMatchObject({ ...job, order: 1, revision: 1, createdAt: 1000, since: 1000 });
  });

  it('keeps every field that it is given on its way', async () => {
    const { store } = await journals.open();
    store.add([asked('a')]);
    const change = {
      state: 'publishing',
      taskId: 't',
      changerType: 'FVC',
      sourceSha256: 'ab',
      durationSeconds: 1.5,
      outputFormat: '.mp3',
      audioUrl: 'https://a.test/r?sig=1',
      processingTime: 12,
      nextTryAt: 5000,
      attempts: 3,
      tries: 2,
      problem: { code: 'network/cut', facts: { host: 'a.test', n: 1 }, words: 'no' },
      finished: {
        sha256: 'cd',
        sizeBytes: 9_007_199_254_740_991,
        identity: { device: '1', inode: '18446744073709551615' },
      },
      output: { path: '/out/a.mp3', how: 'placeholder' },
      source: {
        path: '/in/a.wav',
        subfolder: 'x',
        snapshot: { device: '1', inode: '2', sizeBytes: 3, modifiedNs: '1700000000000000001' },
      },
    } as const;
    const changed = store.change('a', change);
    expect(changed).toMatchObject(change);
    expect(store.get('a')).toEqual(changed);
  });

  it('tells how long it was in each state, and when it began and ended', async () => {
    const { store } = await journals.open();
    store.add([asked('a')]);
    for (const state of ['creating', 'created', 'uploading', 'created', 'uploading', 'uploaded'] as const) {
      journals.now += 10;
      store.change('a', { state });
    }
    journals.now += 5;
    expect(store.change('a', { state: 'done' })).toMatchObject({
      timings: { queued: 10, creating: 10, created: 20, uploading: 20, uploaded: 5 },
      startedAt: 1010,
      endedAt: 1065,
    });
  });

  it('counts its tries until a step succeeds, not only until the step begins again', async () => {
    const { store } = await journals.open();
    store.add([asked('a')]);
    store.change('a', { state: 'uploading' });
    store.change('a', { state: 'created', tries: 1, nextTryAt: 2000, problem: { code: 'network/cut' } });
    expect(store.change('a', { state: 'uploading' })).toMatchObject({ tries: 1, nextTryAt: null, problem: null });
    expect(store.change('a', { state: 'uploaded' })).toMatchObject({ tries: 0 });
  });

  it('goes on counting when its result is made again: only the file at its place ends that', async () => {
    const { store } = await journals.open();
    store.add([asked('a')]);
    store.change('a', { state: 'uploaded', tries: 1, problem: { code: 'service/result-gone' } });
    store.change('a', { state: 'converting' });
    expect(store.change('a', { state: 'converted' })).toMatchObject({ tries: 1, problem: null });
    store.change('a', { state: 'publishing' });
    expect(store.change('a', { state: 'done' })).toMatchObject({ tries: 0 });
  });

  it('that has ended is changed by nobody but a person', async () => {
    const { store } = await journals.open();
    store.add([asked('a')]);
    store.change('a', { state: 'cancelled' });
    expect(() => store.change('a', { state: 'created' })).toThrow(/cancelled already/);
    expect(store.reopen('a', { state: 'queued' })).toMatchObject({ state: 'queued', endedAt: null });
  });

  it('that cannot be read is left alone, reported, and does not hide the others', async () => {
    const { store, database } = await journals.open();
    store.add([asked('a'), asked('b')]);
    database.exec(`UPDATE job SET voice = '{"id": 1}' WHERE id = 'a'`);
    expect(idsOf(store.page(null, 10))).toEqual(['b']);
    expect(journals.defects.splice(0)).toHaveLength(1);
    expect(database.prepare('SELECT count(*) AS n FROM job').get()).toEqual({ n: 2 });
  });

  it('that is taken off the list stays in the history', async () => {
    const { store, news } = await journals.open();
    store.add([asked('a'), asked('b')]);
    store.change('a', { state: 'done' });
    store.remove(['a', 'b']);
    expect(idsOf(store.page(null, 10))).toEqual(['b']);
    expect(store.get('a')).toMatchObject({ state: 'done', listed: false });
    expect(news.at(-1)).toEqual({ kind: 'removed', ids: ['a'] });
  });
});

describe('the work', () => {
  it('is results before sound that is up there, that before uploads, those before new tasks', async () => {
    const { store } = await journals.open();
    store.add(['new', 'task', 'sound', 'result', 'new2'].map((id) => asked(id)));
    store.change('task', { state: 'created' });
    store.change('sound', { state: 'uploaded' });
    store.change('result', { state: 'converted' });
    expect(idsOf(store.due('studio', workQuery))).toEqual(['result', 'sound', 'task', 'new', 'new2']);
    expect(idsOf(store.due('studio', { ...workQuery, onlyResults: true }))).toEqual(['result']);
    expect(idsOf(store.due('studio', { ...workQuery, except: ['result', 'task'], limit: 2 }))).toEqual([
      'sound',
      'new',
    ]);
  });

  it('leaves out what waits for its time, what nobody has looked at, and what is another process’s', async () => {
    const { store } = await journals.open();
    store.add([asked('waits'), asked('unseen', { outputFormat: null }), asked('ready')]);
    store.change('waits', { nextTryAt: 1500 });
    const { store: other } = await journals.open();
    other.add([asked('other')]);
    expect(idsOf(store.due('studio', workQuery))).toEqual(['ready']);
    expect(idsOf(store.due('studio', { ...workQuery, now: 1500 }))).toEqual(['waits', 'ready']);
    expect(idsOf(store.jobsToPreflight(10, []))).toEqual(['unseen']);
    expect(store.nextTryAt()).toBe(1500);
    expect(other.nextTryAt()).toBeNull();
  });

  it('is asked for by connection', async () => {
    const { store } = await journals.open();
    const { connection } = conversionJob();
    store.add([asked('a'), asked('b', { connection: { ...connection, id: 'alpha' } })]);
    expect(store.busyConnections()).toEqual(['alpha', 'studio']);
    store.change('b', { state: 'done' });
    expect(store.busyConnections()).toEqual(['studio']);
  });
});

it('lists jobs in the order in which they were added, over all processes', async () => {
  const { store } = await journals.open();
  const { store: other } = await journals.open();
  store.add([asked('a'), asked('b')]);
  other.add([asked('c')]);
  store.add([asked('d')]);
  expect(idsOf(store.page(null, 1000)).join('')).toBe('abcd');
  expect(store.page(null, 2).map(({ order: place }) => place)).toEqual([1, 2]);
  expect(idsOf(store.page(2, 2))).toEqual(['c', 'd']);
});

describe('a name', () => {
  it('that another result has but for its case or accents is not given twice', async () => {
    const { store } = await journals.open();
    store.add('a b c'.split(' ').map((id) => asked(id)));
    expect(store.reserveName('a', '/out/Caf\u00e9.wav')).toBe(true);
    expect(store.reserveName('b', '/out/CAFE\u0301.wav')).toBe(false);
    expect(store.reserveName('b', '/out/CAFE\u0301 (2).wav')).toBe(true);
    store.change('a', { state: 'done', output: { path: '/out/Caf\u00e9.wav', how: 'link' } });
    expect(store.reserveName('c', '/out/caf\u00e9.wav')).toBe(false);
  });

  it('is free again once its job has come to nothing, and its own for the next try', async () => {
    const { store } = await journals.open();
    store.add([asked('a'), asked('b')]);
    expect([store.reserveName('a', '/out/x.wav'), store.reserveName('a', '/out/x.wav')]).toEqual([true, true]);
    store.change('a', { state: 'failed' });
    expect(store.reserveName('b', '/out/X.wav')).toBe(true);
  });

  it('that is exactly that of an earlier result is a matter of the folder: the file may be gone', async () => {
    const { store } = await journals.open();
    store.add([asked('a'), asked('b')]);
    store.reserveName('a', '/out/x.wav');
    store.change('a', { state: 'done', output: { path: '/out/x.wav', how: 'link' } });
    expect(store.reserveName('b', '/out/x.wav')).toBe(true);
  });
});

describe('the pace', () => {
  it('is what a second of sound has cost lately on this connection, and unknown before five were done', async () => {
    const { store } = await journals.open();
    for (const [k, seconds] of [100, 2, 4, 6, 8].entries()) {
      store.add([asked(`job${k}`, { durationSeconds: 2 })]);
      store.change(`job${k}`, { state: 'creating' });
      expect(store.processingSpeed('studio')).toBeNull();
      journals.now += seconds * 1000;
      store.change(`job${k}`, { state: 'done' });
    }
    expect(store.processingSpeed('studio')).toBe(3);
    expect(store.processingSpeed('local')).toBeNull();
  });
});

it('hears of another process’s changes, and of removals, once', async () => {
  const one = await journals.open();
  const other = await journals.open();
  one.store.add([asked('a')]);
  one.store.change('a', { state: 'cancelled' });
  other.store.poll();
  expect(other.news).toMatchObject([{ kind: 'upserted', jobs: [{ id: 'a', state: 'cancelled' }] }]);
  other.store.poll();
  expect(other.news).toHaveLength(1);
  one.store.remove(['a']);
  other.store.poll();
  expect(other.news.slice(1)).toEqual([
    { kind: 'removed', ids: ['a'] },
    { kind: 'unlisted', ids: ['a'] },
  ]);
});

it('hears of another process’s changes to what is in no list, which left none', async () => {
  const one = await journals.open();
  one.store.add([asked('a')]);
  one.store.change('a', { state: 'cancelled' });
  one.store.remove(['a']);
  const other = await journals.open();
  one.database.exec('UPDATE job SET change = change + 1');
  other.store.poll();
  expect(other.news).toEqual([{ kind: 'unlisted', ids: ['a'] }]);
});

it('takes its own changes for no one else’s, whenever another process writes after them', async () => {
  const one = await journals.open();
  const other = await journals.open();
  other.store.add([asked('a'), asked('b')]);
  other.store.poll();
  one.store.add([asked('c')]);
  other.store.poll();
  expect(other.news.slice(1)).toMatchObject([{ kind: 'upserted', jobs: [{ id: 'c' }] }]);
});
