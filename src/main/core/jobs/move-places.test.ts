import { expect, it } from 'vitest';
import type { JobStore } from './job-store.ts';
import { asked, idsOf, useJournals } from './journal.fixture.ts';

const journals = useJournals();
const order = (store: JobStore) => idsOf(store.page(null, 1000)).join('');

it('moves some before another, in the order in which they are named', async () => {
  const { store } = await journals.open();
  store.add('a b c d e f'.split(' ').map((id) => asked(id)));
  store.move(['e', 'd'], 'b');
  expect(order(store)).toBe('aedbcf');
  store.move(['a'], null);
  expect(order(store)).toBe('edbcfa');
  store.move(['c'], 'e');
  expect(order(store)).toBe('cedbfa');
});

it('moves only what waits, and before nothing that is not there', async () => {
  const { store } = await journals.open();
  store.add('a b c'.split(' ').map((id) => asked(id)));
  store.change('c', { state: 'creating' });
  store.move(['c'], 'a');
  store.move(['b'], 'nobody');
  expect(order(store)).toBe('abc');
});

it('keeps the order when two jobs are moved between the same neighbours for ever', async () => {
  const { store } = await journals.open();
  store.add('a b c d'.split(' ').map((id) => asked(id)));
  for (let k = 0; k < 200; k += 1) {
    store.move(['c'], 'b');
    expect(order(store)).toBe('acbd');
    store.move(['b'], 'c');
    expect(order(store)).toBe('abcd');
  }
});
