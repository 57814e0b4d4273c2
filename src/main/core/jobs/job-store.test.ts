import { describe, expect, it } from 'vitest';
import { transaction } from '../database/sqlite.ts';
import { conversionJob, speechJob } from './job.fixture.ts';
import type { Job } from './job.ts';
import type { NewJob } from './job-store.ts';
import { newConversion, idsOf, useJobStores, dueQuery } from './job-store.fixture.ts';

const stores = useJobStores();

it('rejects a job that it could not read back', async () => {
  const { store } = await stores.open();
  const { settings } = speechJob();
  const unreadable = speechJob({ settings: { ...settings, language: 'x'.repeat(65) } });
  expect(() => store.add([newConversion('a'), unreadable])).toThrow(
    expect.objectContaining({ code: 'request/invalid' }),
  );
  expect(store.page(null, -1)).toEqual([]);
});

describe('a change', () => {
  it('inside a transaction of the caller is emitted after the commit, never after a rollback', async () => {
    const { store, database, events } = await stores.open();
    const fail = () =>
      transaction(database, () => {
        store.add([newConversion('a')]);
        throw new Error('rolled back');
      });
    expect(fail).toThrow('rolled back');
    expect([events, store.get('a')]).toEqual([[], undefined]);
    transaction(database, () => {
      store.add([newConversion('b')]);
      store.change('b', { state: 'creating' });
      expect(events).toEqual([]);
    });
    expect(events.map((event) => event.kind === 'upserted' && event.jobs[0]?.state)).toEqual(['queued', 'creating']);
  });
});

describe('a batch', () => {
  it('emits all its changes as one event after the commit, and none after a rollback', async () => {
    const { store, events } = await stores.open();
    store.add(['a', 'b', 'c'].map((id) => newConversion(id)));
    events.length = 0;
    const fail = () =>
      store.batch(() => {
        store.cancel('a');
        throw new Error('rolled back');
      });
    expect(fail).toThrow('rolled back');
    expect([events, store.get('a')?.state]).toEqual([[], 'queued']);
    store.batch(() => {
      store.cancel('a');
      store.cancel('b');
      expect(events).toEqual([]);
    });
    expect(events.map((event) => event.kind === 'upserted' && idsOf(event.jobs))).toEqual([['a', 'b']]);
    store.cancel('c');
    expect(events).toHaveLength(2);
  });
});

it('finds all listed jobs that failed for the same folder, and no others', async () => {
  const { store } = await stores.open();
  store.add(['a', 'b', 'c', 'd', 'e'].map((id) => newConversion(id)));
  const fail = (id: string, folder: string) =>
    store.change(id, {
      state: 'failed',
      problem: { code: 'output/not-writable', facts: { folder, reason: 'EROFS' } },
    });
  for (const id of ['a', 'd', 'e']) fail(id, '/disk');
  fail('b', '/other');
  store.remove(['e']);
  expect([store.failedAlike('a'), store.failedAlike('b'), store.failedAlike('c')]).toEqual([['a', 'd'], ['b'], []]);
});

describe('a job that is cancelled while it converts', () => {
  it.each([
    ['studio', 'service/may-charge'],
    ['local', undefined],
  ])('on %s has the problem %s', async (connectionId, code) => {
    const { store } = await stores.open();
    const job = newConversion('a');
    store.add([{ ...job, connection: { ...job.connection, id: connectionId } }]);
    store.change('a', { state: 'converting' });
    expect(store.cancel('a')?.problem?.code).toBe(code);
  });
});

describe('a job', () => {
  it.each<[string, NewJob]>([
    ['conversion', conversionJob()],
    ['speech job', speechJob()],
  ])('that is a %s is read back unchanged, also in another process', async (_name, job) => {
    const { store } = await stores.open();
    const [added] = store.add([job]);
    const { store: other } = await stores.open();
    expect(other.get(job.id)).toEqual(added);
    expect(added).toMatchObject({ ...job, position: 1, revision: 1, createdAt: 1000, stateChangedAt: 1000 });
  });

  it('keeps every changed field', async () => {
    const { store } = await stores.open();
    store.add([newConversion('a')]);
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
      consecutiveFailures: 2,
      problem: { code: 'network/cut', facts: { host: 'a.test', n: 1 }, words: 'no' },
      finished: {
        sha256: 'cd',
        sizeBytes: 9_007_199_254_740_991,
        identity: { device: '1', inode: '18446744073709551615' },
      },
      output: { path: '/out/a.mp3', method: 'placeholder' },
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

  it('records the time in each state, and when it started and ended', async () => {
    const { store } = await stores.open();
    store.add([newConversion('a')]);
    for (const state of ['creating', 'created', 'uploading', 'created', 'uploading', 'uploaded'] as const) {
      stores.now += 10;
      store.change('a', { state });
    }
    stores.now += 5;
    expect(store.change('a', { state: 'done' })).toMatchObject({
      timings: { queued: 10, creating: 10, created: 20, uploading: 20, uploaded: 5 },
      startedAt: 1010,
      endedAt: 1065,
    });
  });

  it('counts failures until a step succeeds, not until it restarts', async () => {
    const { store } = await stores.open();
    store.add([newConversion('a')]);
    store.change('a', { state: 'uploading' });
    store.change('a', { state: 'created', consecutiveFailures: 1, nextTryAt: 2000, problem: { code: 'network/cut' } });
    expect(store.change('a', { state: 'uploading' })).toMatchObject({
      consecutiveFailures: 1,
      nextTryAt: null,
      problem: null,
    });
    expect(store.change('a', { state: 'uploaded' })).toMatchObject({ consecutiveFailures: 0 });
  });

  it('keeps its failure count while its result is made again, until the file is published', async () => {
    const { store } = await stores.open();
    store.add([newConversion('a')]);
    store.change('a', { state: 'uploaded', consecutiveFailures: 1, problem: { code: 'service/result-gone' } });
    store.change('a', { state: 'converting' });
    expect(store.change('a', { state: 'converted' })).toMatchObject({ consecutiveFailures: 1, problem: null });
    store.change('a', { state: 'publishing' });
    expect(store.change('a', { state: 'done' })).toMatchObject({ consecutiveFailures: 0 });
  });

  it('that has ended changes only when it is reopened', async () => {
    const { store } = await stores.open();
    store.add([newConversion('a')]);
    store.change('a', { state: 'cancelled' });
    expect(() => store.change('a', { state: 'created' })).toThrow(/cancelled already/);
    expect(store.reopen('a', { state: 'queued' })).toMatchObject({ state: 'queued', endedAt: null });
  });

  it('that is unreadable is reported, left unchanged and does not hide the others', async () => {
    const { store, database } = await stores.open();
    store.add([newConversion('a'), newConversion('b')]);
    database.exec(`UPDATE job SET voice = '{"id": 1}' WHERE id = 'a'`);
    expect(idsOf(store.page(null, 10))).toEqual(['b']);
    expect(stores.defects.splice(0)).toHaveLength(1);
    expect(database.prepare('SELECT count(*) AS n FROM job').get()).toEqual({ n: 2 });
  });

  it('that is removed from the list stays in history', async () => {
    const { store, events } = await stores.open();
    store.add([newConversion('a'), newConversion('b')]);
    store.change('a', { state: 'done' });
    store.remove(['a', 'b']);
    expect(idsOf(store.page(null, 10))).toEqual(['b']);
    expect(store.get('a')).toMatchObject({ state: 'done', isListed: false });
    expect(events.at(-1)).toEqual({ kind: 'removed', ids: ['a'] });
  });
});

describe('due jobs', () => {
  it('are results first, then uploaded audio, then uploads, then new tasks', async () => {
    const { store } = await stores.open();
    store.add(['new', 'task', 'sound', 'result', 'new2'].map((id) => newConversion(id)));
    store.change('task', { state: 'created' });
    store.change('sound', { state: 'uploaded' });
    store.change('result', { state: 'converted' });
    expect(idsOf(store.due('studio', dueQuery))).toEqual(['result', 'sound', 'task', 'new', 'new2']);
    expect(idsOf(store.due('studio', { ...dueQuery, onlyResults: true }))).toEqual(['result']);
    expect(idsOf(store.due('studio', { ...dueQuery, except: ['result', 'task'], limit: 2 }))).toEqual(['sound', 'new']);
  });

  it('exclude jobs that wait for a retry or a preflight, and those of other processes', async () => {
    const { store } = await stores.open();
    store.add([newConversion('waits'), newConversion('unseen', { outputFormat: null }), newConversion('ready')]);
    store.change('waits', { nextTryAt: 1500 });
    const { store: other } = await stores.open();
    other.add([newConversion('other')]);
    expect(idsOf(store.due('studio', dueQuery))).toEqual(['ready']);
    expect(idsOf(store.due('studio', { ...dueQuery, now: 1500 }))).toEqual(['waits', 'ready']);
    // The clock was set back by more than anything waits.
    expect(idsOf(store.due('studio', { ...dueQuery, now: -100 * 3_600_000 }))).toEqual(['waits', 'ready']);
    expect(idsOf(store.jobsToPreflight('studio', { now: 0, limit: 10, except: [] }))).toEqual(['unseen']);
    expect(store.nextTryAt()).toBe(1500);
    expect(other.nextTryAt()).toBeNull();
  });

  it('are listed by connection', async () => {
    const { store } = await stores.open();
    const { connection } = conversionJob();
    store.add([newConversion('a'), newConversion('b', { connection: { ...connection, id: 'alpha' } })]);
    expect(store.busyConnections()).toEqual(['alpha', 'studio']);
    store.change('b', { state: 'done' });
    expect(store.busyConnections()).toEqual(['studio']);
  });
});

it('knows whether a text is being spoken by any process', async () => {
  const { store } = await stores.open();
  const { store: other } = await stores.open();
  store.add([newConversion('a')]);
  expect(store.hasUnfinishedSpeech()).toBe(false);
  other.add([{ ...speechJob(), id: 'b' }]);
  expect(store.hasUnfinishedSpeech()).toBe(true);
  other.change('b', { state: 'done' });
  expect(store.hasUnfinishedSpeech()).toBe(false);
});

it('lists jobs in the order in which they were added, over all processes', async () => {
  const { store } = await stores.open();
  const { store: other } = await stores.open();
  store.add([newConversion('a'), newConversion('b')]);
  other.add([newConversion('c')]);
  store.add([newConversion('d')]);
  expect(idsOf(store.page(null, 1000)).join('')).toBe('abcd');
  expect(store.page(null, 2).map(({ position }) => position)).toEqual([1, 2]);
  expect(idsOf(store.page(2, 2))).toEqual(['c', 'd']);
});

it('reads the text of a book once, however often its job changes, until it has ended', async () => {
  const { store, database } = await stores.open();
  const text = 'The lamp went out. '.repeat(10_000);
  const isKept = (job: Job | undefined) => job?.kind === 'speech' && job.text === text;
  store.add([speechJob({ id: 'book', text }), speechJob({ id: 'note', text: 'short' })]);
  expect([store.get('book'), store.get('note')].map(isKept)).toEqual([true, false]);
  database.prepare('UPDATE job SET text = ?').run('other');
  const changed = store.change('book', { state: 'converting' });
  expect([isKept(changed), isKept(store.get('book')), store.get('book')?.state]).toEqual([true, true, 'converting']);
  expect(store.get('note')).toMatchObject({ text: 'other' });
  store.change('book', { state: 'done' });
  expect(isKept(store.get('book'))).toBe(false);
});

describe('a name', () => {
  it('that differs from another result’s only in case or accents is not reserved', async () => {
    const { store } = await stores.open();
    store.add('a b c'.split(' ').map((id) => newConversion(id)));
    expect(store.reserveName('a', '/out/Caf\u00e9.wav')).toBe(true);
    expect(store.reserveName('b', '/out/CAFE\u0301.wav')).toBe(false);
    expect(store.reserveName('b', '/out/CAFE\u0301 (2).wav')).toBe(true);
    store.change('a', { state: 'done', output: { path: '/out/Caf\u00e9.wav', method: 'link' } });
    expect(store.reserveName('c', '/out/caf\u00e9.wav')).toBe(false);
  });

  it('is free again after its job fails, and may be reserved again by the same job', async () => {
    const { store } = await stores.open();
    store.add([newConversion('a'), newConversion('b')]);
    expect([store.reserveName('a', '/out/x.wav'), store.reserveName('a', '/out/x.wav')]).toEqual([true, true]);
    store.change('a', { state: 'failed' });
    expect(store.reserveName('b', '/out/X.wav')).toBe(true);
  });

  it('that equals an earlier result’s is allowed, because that file may be gone', async () => {
    const { store } = await stores.open();
    store.add([newConversion('a'), newConversion('b')]);
    store.reserveName('a', '/out/x.wav');
    store.change('a', { state: 'done', output: { path: '/out/x.wav', method: 'link' } });
    expect(store.reserveName('b', '/out/x.wav')).toBe(true);
  });
});

describe('the processing speed', () => {
  it('is the recent time per second of audio on a connection, unknown before five jobs are done', async () => {
    const { store } = await stores.open();
    for (const [k, seconds] of [100, 2, 4, 6, 8].entries()) {
      store.add([newConversion(`job${k}`, { durationSeconds: 2 })]);
      store.change(`job${k}`, { state: 'creating' });
      expect(store.processingSpeed('studio')).toBeNull();
      stores.now += seconds * 1000;
      store.change(`job${k}`, { state: 'done' });
    }
    expect(store.processingSpeed('studio')).toBe(3);
    expect(store.processingSpeed('local')).toBeNull();
  });

  it('does not count spoken texts, whose length is that of the result', async () => {
    const { store } = await stores.open();
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      store.add([speechJob({ id })]);
      store.change(id, { state: 'converting' });
      stores.now += 1000;
      store.change(id, { state: 'done', durationSeconds: 2 });
    }
    expect(store.get('e')?.durationSeconds).toBe(2);
    expect(store.processingSpeed('studio')).toBeNull();
  });
});

it('emits another process’s changes and removals once', async () => {
  const one = await stores.open();
  const other = await stores.open();
  one.store.add([newConversion('a')]);
  one.store.change('a', { state: 'cancelled' });
  other.store.poll();
  expect(other.events).toMatchObject([{ kind: 'upserted', jobs: [{ id: 'a', state: 'cancelled' }] }]);
  other.store.poll();
  expect(other.events).toHaveLength(1);
  one.store.remove(['a']);
  other.store.poll();
  expect(other.events.slice(1)).toEqual([
    { kind: 'removed', ids: ['a'] },
    { kind: 'unlisted', ids: ['a'] },
  ]);
});

it('emits another process’s changes to unlisted jobs without a removal', async () => {
  const one = await stores.open();
  one.store.add([newConversion('a')]);
  one.store.change('a', { state: 'cancelled' });
  one.store.remove(['a']);
  const other = await stores.open();
  one.database.exec('UPDATE job SET change_number = change_number + 1');
  other.store.poll();
  expect(other.events).toEqual([{ kind: 'unlisted', ids: ['a'] }]);
});

it('does not emit its own changes again when another process writes after them', async () => {
  const one = await stores.open();
  const other = await stores.open();
  other.store.add([newConversion('a'), newConversion('b')]);
  other.store.poll();
  one.store.add([newConversion('c')]);
  other.store.poll();
  expect(other.events.slice(1)).toMatchObject([{ kind: 'upserted', jobs: [{ id: 'c' }] }]);
});

it('finds a voice as a connection last used it for a result, and none that it never used', async () => {
  const { store } = await stores.open();
  const finish = (id: string, name: string, state: 'done' | 'failed', connectionId = 'north') => {
    const job = newConversion(id);
    const connection = { ...job.connection, id: connectionId };
    store.add([{ ...job, connection, voice: { ...job.voice, id: 'anna', name } }]);
    store.change(id, { state });
  };
  finish('a', 'Anna', 'done');
  finish('b', 'Anna, warm', 'done');
  finish('c', 'Anna, failed', 'failed');
  finish('d', 'Another Anna', 'done', 'south');
  expect(store.findLastVoice('north', 'anna')?.name).toBe('Anna, warm');
  expect(store.findLastVoice('north', 'bert')).toBeUndefined();
  expect(store.findLastVoice('west', 'anna')).toBeUndefined();
  expect(store.recentVoices('north', 5)).toEqual(['anna']);
  expect(store.recentVoices('west', 5)).toEqual([]);
});
