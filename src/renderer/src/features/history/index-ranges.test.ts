import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addRange, countOf, hasIndex, type IndexRanges, toggleIndex } from './index-ranges.ts';

describe('index ranges', () => {
  test('contain what a set would, sorted and disjoint', () => {
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

  test('are merged when adjacent', () => {
    expect(addRange([[0, 3]], 3, 5)).toEqual([[0, 5]]);
    expect(toggleIndex([[0, 5]], 2)).toEqual([
      [0, 2],
      [3, 5],
    ]);
  });
});
