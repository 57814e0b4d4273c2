import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { inputSchemas } from '../../../../shared/ipc/inputs.ts';
import type { SelectionRef } from '../../../../shared/schemas/history.ts';
import { rowOf, rowsOf } from './history-api.fixture.ts';
import { addRange, countOf, hasIndex, type IndexRanges, toggleIndex } from './selection.svelte.ts';
import { setUpHistory } from './set-up-history.fixture.ts';

describe('history choice', () => {
  describe('a choice', () => {
    test('of all names what is here, and else the parts of the list', async () => {
      const { history, count } = setUpHistory(rowsOf(250));
      await history.search();
      history.chosen.all();
      expect(history.chosen.wire()).toBeNull();
      count();
      history.chosen.all();
      expect([history.chosen.count, history.chosen.wire()]).toEqual([250, { list: 1, ranges: [[0, 250]] }]);
      history.chosen.toggle(7);
      expect(history.chosen.wire()).toEqual({
        list: 1,
        ranges: [
          [0, 7],
          [8, 250],
        ],
      });
      expect([history.chosen.has(7), history.chosen.has(8), history.chosen.seconds]).toEqual([false, true, null]);
    });

    test('is drawn from where it began, both ways', async () => {
      const { history } = setUpHistory(rowsOf(10));
      await history.search();
      history.chosen.choose(5);
      history.chosen.extend(7);
      history.chosen.extend(4);
      expect([3, 4, 5, 6].map((index) => history.chosen.has(index))).toEqual([false, true, true, false]);
      expect(history.chosen.seconds).toBe(120);
    });

    test('stays with its entries, by their names, when the list is another', async () => {
      const rows = rowsOf(50);
      const { history, open, count, change } = setUpHistory(rows);
      await open();
      count();
      history.chosen.choose(3);
      history.chosen.toggle(5);
      change([rowOf('new', -5), ...rows]);
      await Promise.resolve();
      count();
      await expect.poll(() => history.listing?.rows).toBe(51);
      expect([3, 4, 5, 6].map((index) => history.chosen.has(index))).toEqual([false, true, false, true]);
      expect([history.chosen.active, history.chosen.wire()]).toEqual([6, { ids: ['r46', 'r44'] }]);
    });

    test('is marked whole, and loses its marks only where all of it is marked', async () => {
      const { history, put, marks } = setUpHistory(rowsOf(3));
      await history.search();
      put({ ...rowOf('r2', 0), isFavourite: true });
      history.chosen.choose(0);
      history.chosen.extend(1);
      history.markChosen();
      expect(marks).toEqual([{ choice: { ids: ['r2', 'r1'] }, isFavourite: true }]);
      history.chosen.choose(0);
      history.markChosen();
      expect(marks[1]).toEqual({ choice: { ids: ['r2'] }, isFavourite: false });
      history.chosen.clear();
      expect(history.markChosen()).toBe(false);
    });
  });

  describe('a choice of any length is taken by every action (U4)', () => {
    const uuid = (k: number) => `00000000-0000-4000-8000-${String(k).padStart(12, '0')}`;
    const long = Array.from({ length: 100_000 }, (_, k) => rowOf(uuid(k), k));
    const lengthOf = (choice: SelectionRef | null) =>
      choice === null ? 0 : 'ids' in choice ? choice.ids.length : countOf(choice.ranges);
    const { update, remove, repeat, export: exportEntries } = inputSchemas.history;
    const actions: readonly (readonly [string, v.GenericSchema, object])[] = [
      ['favourite', update, { isFavourite: true }],
      ['tag', update, { addTags: ['x'] }],
      ['remove', remove, { withFiles: true }],
      ['again', repeat, {}],
      ['export of a list', exportEntries, { what: 'list' }],
      ['export with sound', exportEntries, { what: 'sound' }],
    ];

    async function chosenOf(from: number, to: number, toggled: readonly number[]) {
      const { history, count } = setUpHistory(long);
      await history.search();
      count();
      // The rows that somebody sees while they select.
      for (let index = 0; index < 3000; index += 100) await history.listing?.load(index);
      history.chosen.choose(from);
      history.chosen.extend(to - 1);
      for (const index of toggled) history.chosen.toggle(index);
      return { choice: history.chosen.wire(), count: history.chosen.count };
    }

    test.each([
      ['1', 0, 1, []],
      ['1,000', 0, 1000, []],
      ['1,000 with Shift and one with Ctrl', 0, 1000, [1500]],
      ['1,001', 0, 1001, []],
      ['100,000', 0, 100_000, []],
      ['100,000 without 1,200 in between', 0, 100_000, Array.from({ length: 1200 }, (_, k) => 1 + k * 2)],
      ['10 with Shift and 1,200 with Ctrl', 0, 10, Array.from({ length: 1200 }, (_, k) => 20 + k * 2)],
    ])('%s', async (_name, from, to, toggled) => {
      const { choice, count } = await chosenOf(from, to, toggled);
      expect(lengthOf(choice)).toBe(count);
      const refused = actions.filter(([, schema, input]) => !v.is(schema, { choice, ...input })).map(([name]) => name);
      expect(refused).toEqual([]);
    });
  });
});

describe('index ranges', () => {
  test('ranges hold what a set would hold, in order and apart', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ add: fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 9 })) }),
        fc.record({ toggle: fc.nat(40) }),
      ),
    );
    fc.assert(
      fc.property(steps, (all) => {
        let ranges: IndexRanges = [];
        const set = new Set<number>();
        for (const step of all) {
          if ('add' in step) {
            const [from, length] = step.add;
            ranges = addRange(ranges, from, from + length);
            for (let k = from; k < from + length; k++) set.add(k);
          } else {
            ranges = toggleIndex(ranges, step.toggle);
            if (!set.delete(step.toggle)) set.add(step.toggle);
          }
        }
        expect(countOf(ranges)).toBe(set.size);
        for (let k = 0; k < 45; k++) expect(hasIndex(ranges, k)).toBe(set.has(k));
        expect(ranges.every(([from, to], k) => from < to && from > (ranges[k - 1]?.[1] ?? -1))).toBe(true);
      }),
    );
  });

  test('ranges that touch become one', () => {
    expect(addRange([[0, 3]], 3, 5)).toEqual([[0, 5]]);
    expect(toggleIndex([[0, 5]], 2)).toEqual([
      [0, 2],
      [3, 5],
    ]);
  });
});
