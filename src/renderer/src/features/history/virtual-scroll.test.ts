import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dayAt,
  dayHeight,
  dayOfRow,
  followScroll,
  lastPlace,
  maxSpacer,
  placeOfDay,
  rowOffset,
  placeToShow,
  rowAt,
  rowHeight,
  rowsIn,
  virtualRows,
  viewAt,
  type VirtualRows,
} from './virtual-scroll.svelte.ts';

const viewHeight = 600;
/** A million rows in days of 500. */
const million = virtualRows(
  1_000_000,
  Array.from({ length: 2000 }, (_, day) => day * 500),
);

const lists = fc
  .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.array(fc.integer({ min: 1, max: 999_999 }), { maxLength: 60 }))
  .map(([rows, cuts]): VirtualRows => {
    const days = [...new Set([0, ...cuts.filter((cut) => cut < rows)])].sort((a, b) => a - b);
    return virtualRows(rows, days);
  });

describe('a tall list', () => {
  test('is nothing without rows', () => {
    const none = virtualRows(0, []);
    expect([none.height, rowsIn(none, 0, viewHeight, 4), dayAt(none, 0), viewAt(none, viewHeight, 10)]).toEqual([
      0,
      [0, 0],
      -1,
      { place: 0, scrollTop: 0 },
    ]);
  });

  test('puts the head of a day above its rows', () => {
    const list = virtualRows(5, [0, 2]);
    expect([0, 1, 2, 4].map((row) => rowOffset(list, row))).toEqual([32, 68, 136, 208]);
    expect([0, 1].map((day) => placeOfDay(list, day))).toEqual([0, 104]);
    expect([0, 2, 4].map((row) => dayOfRow(list, row))).toEqual([0, 1, 1]);
  });

  test('finds at a place what was put there', () => {
    fc.assert(
      fc.property(lists, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const row = Math.floor(share * (list.rows - 1));
        const place = rowOffset(list, row);
        expect(rowAt(list, place)).toBe(row);
        expect(rowAt(list, place + rowHeight - 0.01)).toBe(row);
        expect(dayAt(list, place)).toBe(dayOfRow(list, row));
        expect(dayAt(list, place + rowHeight - 0.01)).toBe(dayOfRow(list, row));
      }),
    );
  });

  test('never gets higher than a browser can draw', () => {
    expect(million.spacer).toBe(maxSpacer);
    expect(million.height).toBe(1_000_000 * rowHeight + 2000 * dayHeight + 24);
  });

  test('shows rows further down the further it is scrolled', () => {
    fc.assert(
      fc.property(lists, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2 }), (list, shares) => {
        const end = list.spacer - viewHeight;
        const rows = shares
          .sort((a, b) => a - b)
          .map((share) => {
            const far = { place: 0, scrollTop: -1e9 };
            return rowAt(list, followScroll(list, viewHeight, far, Math.max(0, share * end)).place);
          });
        expect(rows).toEqual([...rows].sort((a, b) => a - b));
      }),
    );
  });

  test('ends with its last row, whole, when the bar is at its end', () => {
    fc.assert(
      fc.property(lists, (list) => {
        const end = Math.max(0, list.spacer - viewHeight);
        const { place } = followScroll(list, viewHeight, { place: 0, scrollTop: -1e9 }, end);
        const bottom = rowOffset(list, list.rows - 1) + rowHeight;
        expect(bottom).toBeLessThanOrEqual(place + Math.max(viewHeight, list.height));
        expect(rowsIn(list, place, viewHeight, 0)[1]).toBe(list.rows);
        expect(place).toBeCloseTo(lastPlace(list, viewHeight), 3);
      }),
    );
  });

  test('moves by the pixels of a wheel, however tall it is', () => {
    const start = viewAt(million, viewHeight, 20_000_000);
    const down = followScroll(million, viewHeight, start, start.scrollTop + 100);
    expect(down.place - start.place).toBeCloseTo(100, 6);
    const up = followScroll(million, viewHeight, down, down.scrollTop - 53);
    expect(up.place - start.place).toBeCloseTo(47, 6);
  });

  test('lets a wheel reach its ends, since there the bar moves as far as the list', () => {
    const start = viewAt(million, viewHeight, 300);
    expect(start.scrollTop).toBe(300);
    const end = viewAt(million, viewHeight, lastPlace(million, viewHeight) - 300);
    expect(million.spacer - viewHeight - end.scrollTop).toBeCloseTo(300, 6);
  });

  test('goes to where the bar is dragged to', () => {
    const start = viewAt(million, viewHeight, 0);
    const { place } = followScroll(million, viewHeight, start, (maxSpacer - viewHeight) / 2);
    expect(place).toBeCloseTo(lastPlace(million, viewHeight) / 2, 3);
  });

  test('puts the bar where the place is, and reads the place back from it', () => {
    fc.assert(
      fc.property(lists, fc.double({ min: 0, max: 1, noNaN: true }), (list, share) => {
        const view = viewAt(list, viewHeight, share * lastPlace(list, viewHeight));
        const again = followScroll(list, viewHeight, { place: 0, scrollTop: -1e9 }, view.scrollTop);
        expect(again.place).toBeCloseTo(view.place, 3);
      }),
    );
  });

  test('shows any row whole below the head that sticks, and moves no further than needed', () => {
    fc.assert(
      fc.property(
        lists,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, at, to) => {
          const place = at * lastPlace(list, viewHeight);
          const row = Math.floor(to * (list.rows - 1));
          const shown = placeToShow(list, viewHeight, place, row);
          const top = rowOffset(list, row);
          expect(top - dayHeight).toBeGreaterThanOrEqual(shown);
          expect(top + rowHeight).toBeLessThanOrEqual(shown + Math.max(viewHeight, list.height));
          expect(placeToShow(list, viewHeight, shown, row)).toBe(shown);
        },
      ),
    );
  });
});
