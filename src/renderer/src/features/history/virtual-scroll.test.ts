import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dayAt,
  dayHeight,
  dayOfRow,
  followScroll,
  maxOffset,
  maxSpacer,
  dayOffset,
  rowOffset,
  offsetToShow,
  rowAt,
  rowHeight,
  placeRows,
  visibleRows,
  layoutDays,
  positionAt,
  type DayLayout,
} from './virtual-scroll.svelte.ts';

const viewHeight = 600;
/** A million rows, 500 a day. */
const million = layoutDays(
  1_000_000,
  Array.from({ length: 2000 }, (_, day) => day * 500),
);

const lists = fc
  .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.array(fc.integer({ min: 1, max: 999_999 }), { maxLength: 60 }))
  .map(([rows, cuts]): DayLayout => {
    const days = [...new Set([0, ...cuts.filter((cut) => cut < rows)])].sort((a, b) => a - b);
    return layoutDays(rows, days);
  });

describe('a virtual list', () => {
  test('has no height without rows', () => {
    const none = layoutDays(0, []);
    expect([
      none.height,
      visibleRows(none, 0, viewHeight, 4),
      dayAt(none, 0),
      positionAt(none, viewHeight, 10),
    ]).toEqual([0, [0, 0], -1, { offset: 0, scrollTop: 0 }]);
  });

  test('has the header of a day above its rows', () => {
    const list = layoutDays(5, [0, 2]);
    expect([0, 1, 2, 4].map((row) => rowOffset(list, row))).toEqual([32, 68, 136, 208]);
    expect([0, 1].map((day) => dayOffset(list, day))).toEqual([0, 104]);
    expect([0, 2, 4].map((row) => dayOfRow(list, row))).toEqual([0, 1, 1]);
  });

  test('finds the row and day at an offset', () => {
    fc.assert(
      fc.property(lists, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const row = Math.floor(share * (list.rows - 1));
        const offset = rowOffset(list, row);
        expect(rowAt(list, offset)).toBe(row);
        expect(rowAt(list, offset + rowHeight - 0.01)).toBe(row);
        expect(dayAt(list, offset)).toBe(dayOfRow(list, row));
        expect(dayAt(list, offset + rowHeight - 0.01)).toBe(dayOfRow(list, row));
      }),
    );
  });

  test('is never higher than Chromium allows', () => {
    expect(million.spacer).toBe(maxSpacer);
    expect(million.height).toBe(1_000_000 * rowHeight + 2000 * dayHeight + 24);
  });

  test('shows later rows the further it is scrolled', () => {
    fc.assert(
      fc.property(lists, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2 }), (list, shares) => {
        const end = list.spacer - viewHeight;
        const rows = shares
          .sort((a, b) => a - b)
          .map((share) => {
            const far = { offset: 0, scrollTop: -1e9 };
            return rowAt(list, followScroll(list, viewHeight, far, Math.max(0, share * end)).offset);
          });
        expect(rows).toEqual([...rows].sort((a, b) => a - b));
      }),
    );
  });

  test('shows its last row fully at the end of the scrollbar', () => {
    fc.assert(
      fc.property(lists, (list) => {
        const end = Math.max(0, list.spacer - viewHeight);
        const { offset } = followScroll(list, viewHeight, { offset: 0, scrollTop: -1e9 }, end);
        const bottom = rowOffset(list, list.rows - 1) + rowHeight;
        expect(bottom).toBeLessThanOrEqual(offset + Math.max(viewHeight, list.height));
        expect(visibleRows(list, offset, viewHeight, 0)[1]).toBe(list.rows);
        expect(offset).toBeCloseTo(maxOffset(list, viewHeight), 3);
      }),
    );
  });

  test('moves by the pixels of the wheel at any height', () => {
    const start = positionAt(million, viewHeight, 20_000_000);
    const down = followScroll(million, viewHeight, start, start.scrollTop + 100);
    expect(down.offset - start.offset).toBeCloseTo(100, 6);
    const up = followScroll(million, viewHeight, down, down.scrollTop - 53);
    expect(up.offset - start.offset).toBeCloseTo(47, 6);
  });

  test('moves as far as its scrollbar near both ends, so that a wheel reaches them', () => {
    const start = positionAt(million, viewHeight, 300);
    expect(start.scrollTop).toBe(300);
    const end = positionAt(million, viewHeight, maxOffset(million, viewHeight) - 300);
    expect(million.spacer - viewHeight - end.scrollTop).toBeCloseTo(300, 6);
  });

  test('jumps to where the scrollbar is dragged', () => {
    const start = positionAt(million, viewHeight, 0);
    const { offset } = followScroll(million, viewHeight, start, (maxSpacer - viewHeight) / 2);
    expect(offset).toBeCloseTo(maxOffset(million, viewHeight) / 2, 3);
  });

  test('maps an offset to a scrollbar position and back', () => {
    fc.assert(
      fc.property(lists, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const position = positionAt(list, viewHeight, share * maxOffset(list, viewHeight));
        const again = followScroll(list, viewHeight, { offset: 0, scrollTop: -1e9 }, position.scrollTop);
        expect(again.offset).toBeCloseTo(position.offset, 3);
      }),
    );
  });

  test('shows any row fully below the sticky header, moving no further than needed', () => {
    fc.assert(
      fc.property(
        lists,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, at, to) => {
          const offset = at * maxOffset(list, viewHeight);
          const row = Math.floor(to * (list.rows - 1));
          const shown = offsetToShow(list, viewHeight, offset, row);
          const top = rowOffset(list, row);
          expect(top - dayHeight).toBeGreaterThanOrEqual(shown);
          expect(top + rowHeight).toBeLessThanOrEqual(shown + Math.max(viewHeight, list.height));
          expect(offsetToShow(list, viewHeight, shown, row)).toBe(shown);
        },
      ),
    );
  });
});

describe('the elements of rows', () => {
  const slotOf = (placed: ReturnType<typeof placeRows>, row: number) => placed.find(({ index }) => index === row)?.slot;

  test('stay with a row while it is rendered, and are all used once', () => {
    const steps = fc.array(fc.integer({ min: -30, max: 30 }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 24 }), steps, (count, moves) => {
        let placed = placeRows([], 1000, count);
        for (const move of moves) {
          const before = placed;
          placed = placeRows(before, (before[0]?.index ?? 0) + move, count);
          expect(new Set(placed.map(({ slot }) => slot))).toEqual(new Set(Array.from({ length: count }, (_, k) => k)));
          for (const { index, slot } of placed) expect(slotOf(before, index) ?? slot).toBe(slot);
        }
      }),
    );
  });

  test('keep their order after a jump', () => {
    const before = placeRows(placeRows([], 0, 5), 3, 5);
    const after = placeRows(before, 70_001, 5);
    expect(after.map(({ slot }) => slot)).toEqual(before.map(({ slot }) => slot));
    expect(after.map(({ index }) => index)).toEqual([70_001, 70_002, 70_003, 70_004, 70_005]);
  });

  test('are as many as rows are rendered, however many were', () => {
    expect(placeRows([], 0, 0)).toEqual([]);
    expect(
      placeRows(placeRows([], 0, 9), 1, 2)
        .map(({ slot }) => slot)
        .sort(),
    ).toEqual([0, 1]);
    expect(placeRows([], 7, 2).map(({ index }) => index)).toEqual([7, 8]);
  });
});
