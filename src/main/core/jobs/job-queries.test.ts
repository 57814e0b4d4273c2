import { describe, expect, it } from 'vitest';
import { asked, idsOf, useJournals, workQuery } from './job-store.fixture.ts';
import type { JobStore } from './job-store.ts';
import { conversionJob } from './job.fixture.ts';

describe('job owners', () => {
  const journals = useJournals();

  it('takes over nothing of a process that lives', async () => {
    const one = await journals.open();
    const other = await journals.open();
    one.store.add([asked('a')]);
    expect(other.store.claim({ connectionIds: ['studio'] })).toEqual([]);
  });

  it('takes over what a dead one left unfinished, each job once, and only of connections that it knows', async () => {
    const dead = await journals.open();
    const { connection } = conversionJob();
    dead.store.add([asked('a'), asked('b'), asked('done'), asked('x', { connection: { ...connection, id: 'other' } })]);
    dead.store.change('done', { state: 'done' });
    dead.die();
    const [one, other] = [await journals.open(), await journals.open()];
    const taken = one.store.claim({ connectionIds: ['studio'] });
    expect(idsOf(taken).toSorted()).toEqual(['a', 'b']);
    expect(other.store.claim({ connectionIds: ['studio'] })).toEqual([]);
    expect(idsOf(other.store.claim({ ids: ['x', 'a'] }))).toEqual(['x']);
    expect(idsOf(one.store.due('studio', workQuery)).toSorted()).toEqual(['a', 'b']);
  });

  it('knows what a dead command was never told, whoever finished it, until somebody is told', async () => {
    const command = await journals.open(true);
    const app = await journals.open();
    command.store.add([asked('a'), asked('b'), asked('c')]);
    command.store.change('a', { state: 'done' });
    const again = await journals.open(true);
    expect(again.store.unacknowledged(['/in/a.wav'])).toEqual([]);
    command.die();
    app.store.claim({ connectionIds: ['studio'] });
    app.store.change('b', { state: 'done' });
    expect(idsOf(again.store.unacknowledged(['/in/a.wav', '/in/b.wav', '/in/other.wav']))).toEqual(['a', 'b']);
    again.store.requestJobs(['a', 'b']);
    expect(idsOf(again.store.unacknowledged(['/in/a.wav', '/in/c.wav']))).toEqual(['c']);
    again.store.acknowledge(['a']);
    again.die();
    expect(idsOf(app.store.unacknowledged(['/in/a.wav', '/in/b.wav']))).toEqual(['b']);
  });
});

describe('move places', () => {
  const journals = useJournals();
  const order = (store: JobStore) => idsOf(store.page(null, 1000)).join('');

  it('moves some before another, in the order in which they are named', async () => {
    const { store } = await journals.open();
    store.add('a b c d e f'.split(' ').map((id) => asked(id)));
    store.reorder(['e', 'd'], 'b');
    expect(order(store)).toBe('aedbcf');
    store.reorder(['a'], null);
    expect(order(store)).toBe('edbcfa');
    store.reorder(['c'], 'e');
    expect(order(store)).toBe('cedbfa');
  });

  it('moves only what waits, and before nothing that is not there', async () => {
    const { store } = await journals.open();
    store.add('a b c'.split(' ').map((id) => asked(id)));
    store.change('c', { state: 'creating' });
    store.reorder(['c'], 'a');
    store.reorder(['b'], 'nobody');
    expect(order(store)).toBe('abc');
  });

  it('keeps the order when two jobs are moved between the same neighbours for ever', async () => {
    const { store } = await journals.open();
    store.add('a b c d'.split(' ').map((id) => asked(id)));
    for (let k = 0; k < 200; k += 1) {
      store.reorder(['c'], 'b');
      expect(order(store)).toBe('acbd');
      store.reorder(['b'], 'c');
      expect(order(store)).toBe('abcd');
    }
  });
});
