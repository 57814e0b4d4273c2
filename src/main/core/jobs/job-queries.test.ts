import { describe, expect, it } from 'vitest';
import { newConversion, idsOf, useJobStores, dueQuery } from './job-store.fixture.ts';
import type { JobStore } from './job-store.ts';
import { conversionJob } from './job.fixture.ts';

describe('job owners', () => {
  const { connection, voice } = conversionJob();
  const left = ({ store }: { readonly store: JobStore }) =>
    [...store.leftConversions({ connectionId: connection.id, voiceId: voice.id })].flat().map(({ id }) => id);
  const stores = useJobStores();

  it('reads the thousands that a dead process has left in parts, between which the window works', async () => {
    const dead = await stores.open();
    dead.store.add(Array.from({ length: 450 }, (_, k) => newConversion(String(k))));
    dead.kill();
    const { store } = await stores.open();
    const parts = [...store.leftConversions({ connectionId: connection.id, voiceId: voice.id })];
    expect(parts.map(({ length }) => length)).toEqual([200, 200, 50]);
  });

  it('claims no jobs of a running process', async () => {
    const one = await stores.open();
    const other = await stores.open();
    one.store.add([newConversion('a')]);
    expect(other.store.claim({ connectionIds: ['studio'], limit: 10 })).toEqual([]);
  });

  it('claims each unfinished job of a dead process once, and only on the given connections', async () => {
    const dead = await stores.open();
    dead.store.add([
      newConversion('a'),
      newConversion('b'),
      newConversion('done'),
      newConversion('x', { connection: { ...connection, id: 'other' } }),
    ]);
    dead.store.change('done', { state: 'done' });
    dead.kill();
    const [one, other] = [await stores.open(), await stores.open()];
    const claimed = one.store.claim({ connectionIds: ['studio'], limit: 10 });
    expect(idsOf(claimed).toSorted()).toEqual(['a', 'b']);
    expect(other.store.claim({ connectionIds: ['studio'], limit: 10 })).toEqual([]);
    expect(idsOf(other.store.claim({ ids: ['x', 'a'] }))).toEqual(['x']);
    expect(idsOf(one.store.due('studio', dueQuery)).toSorted()).toEqual(['a', 'b']);
  });

  it('claims the others if a row goes away, or is unreadable', async () => {
    const dead = await stores.open();
    dead.store.add(['a', 'gone', 'unreadable', 'b'].map((id) => newConversion(id)));
    dead.database.exec(`UPDATE job SET settings = '{}' WHERE id = 'unreadable';
      CREATE TRIGGER vanish AFTER UPDATE OF owner ON job WHEN new.id = 'gone' BEGIN DELETE FROM job WHERE id = 'gone'; END`);
    dead.kill();
    const one = await stores.open();
    expect(idsOf(one.store.claim({ connectionIds: ['studio'], limit: 10 }))).toEqual(['a', 'b']);
    expect(one.events).toMatchObject([{ kind: 'upserted', jobs: [{ id: 'a' }, { id: 'b' }] }]);
    expect(stores.defects.splice(0)).toHaveLength(1);
  });

  it('claims no more jobs than asked for, the first of the queue first', async () => {
    const dead = await stores.open();
    dead.store.add(['z', 'y', 'x', 'w', 'v'].map((id) => newConversion(id)));
    dead.store.reorder(['v'], 'z');
    dead.kill();
    const one = await stores.open();
    const claim = () => idsOf(one.store.claim({ connectionIds: ['studio'], limit: 2 }));
    expect([claim(), claim(), claim(), claim()]).toEqual([['v', 'z'], ['y', 'x'], ['w'], []]);
  });

  it('finds jobs whose command died before it learned their outcome, until another acknowledges them', async () => {
    const command = await stores.open(true);
    const app = await stores.open();
    command.store.add([newConversion('a'), newConversion('b'), newConversion('c')]);
    command.store.change('a', { state: 'done' });
    const next = await stores.open(true);
    expect(left(next)).toEqual([]);
    command.kill();
    app.store.claim({ connectionIds: ['studio'], limit: 10 });
    app.store.change('b', { state: 'done' });
    expect(left(next)).toEqual(['a', 'b', 'c']);
    next.store.requestJobs(['a', 'b']);
    expect(left(next)).toEqual(['c']);
    next.store.acknowledge(['a']);
    next.kill();
    expect(left(app)).toEqual(['b', 'c']);
  });

  it('finds failed and cancelled jobs whose result is paid for but not saved, once no command waits for them', async () => {
    const command = await stores.open(true);
    const ids = ['failed', 'cancelled', 'unpaid', 'done', 'uncertain'];
    command.store.add(ids.map((id) => newConversion(id)));
    for (const id of ids.filter((each) => each !== 'unpaid')) {
      command.store.change(id, { state: 'converted', audioUrl: 'https://a.test/r' });
    }
    for (const id of ['failed', 'unpaid']) command.store.change(id, { state: 'failed' });
    for (const id of ['cancelled', 'done', 'uncertain'] as const) command.store.change(id, { state: id });
    const next = await stores.open(true);
    expect(left(next)).toEqual([]);
    command.store.acknowledge(ids.filter((id) => id !== 'cancelled'));
    expect(left(next)).toEqual(['failed']);
    command.kill();
    expect(left(next)).toEqual(['failed', 'cancelled']);
  });

  it('finds them although the row of another one is damaged', async () => {
    const dead = await stores.open();
    dead.store.add([newConversion('a'), newConversion('b')]);
    dead.database.exec("UPDATE job SET voice = '{' WHERE id = 'a'");
    dead.kill();
    expect(left(await stores.open())).toEqual(['b']);
  });
});

describe('reordering', () => {
  const stores = useJobStores();
  const order = (store: JobStore) => idsOf(store.page(null, 1000)).join('');

  it('moves jobs before another, in the given order', async () => {
    const { store } = await stores.open();
    store.add('a b c d e f'.split(' ').map((id) => newConversion(id)));
    store.reorder(['e', 'd'], 'b');
    expect(order(store)).toBe('aedbcf');
    store.reorder(['a'], null);
    expect(order(store)).toBe('edbcfa');
    store.reorder(['c'], 'e');
    expect(order(store)).toBe('cedbfa');
  });

  it('moves only queued jobs, and only before an existing one', async () => {
    const { store } = await stores.open();
    store.add('a b c'.split(' ').map((id) => newConversion(id)));
    store.change('c', { state: 'creating' });
    store.reorder(['c'], 'a');
    store.reorder(['b'], 'nobody');
    expect(order(store)).toBe('abc');
  });

  it('keeps the order when two jobs are moved between the same neighbours many times', async () => {
    const { store } = await stores.open();
    store.add('a b c d'.split(' ').map((id) => newConversion(id)));
    for (let k = 0; k < 200; k += 1) {
      store.reorder(['c'], 'b');
      expect(order(store)).toBe('acbd');
      store.reorder(['b'], 'c');
      expect(order(store)).toBe('abcd');
    }
  });
});
