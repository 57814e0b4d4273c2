/** Offsets of rows of different heights, in CSS pixels. */
export interface RowLayout {
  /** Start of each row, and the end of the last one. */
  readonly tops: Float64Array;
  readonly total: number;
}

export function layoutRows(count: number, heightOf: (index: number) => number): RowLayout {
  const tops = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) tops[i + 1] = (tops[i] ?? 0) + heightOf(i);
  return { tops, total: tops[count] ?? 0 };
}

/** Index of the row at an offset, or of the nearest one for offsets outside the list. */
export function rowAt({ tops }: RowLayout, offset: number): number {
  let low = 0;
  let high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Rows in view, with some more on both sides so that fast scrolling finds them rendered. */
export function visibleRows(
  layout: RowLayout,
  scrollTop: number,
  viewHeight: number,
  more = 4,
): { readonly first: number; readonly end: number } {
  const count = layout.tops.length - 1;
  if (count === 0) return { first: 0, end: 0 };
  return {
    first: Math.max(0, rowAt(layout, scrollTop) - more),
    end: Math.min(count, rowAt(layout, scrollTop + viewHeight) + 1 + more),
  };
}

/** The scroll offset nearest to the current one at which the row is completely in view. */
export function scrollTopFor(layout: RowLayout, index: number, scrollTop: number, viewHeight: number): number {
  const top = layout.tops[index] ?? 0;
  const end = layout.tops[index + 1] ?? top;
  if (top < scrollTop) return top;
  return end > scrollTop + viewHeight ? end - viewHeight : scrollTop;
}

/** Number of measured heights above which those of removed rows are dropped. */
const maxMeasured = 500;

/** Drops the heights of rows that left the list, once there are many. */
export function removeUnlisted(measured: Map<string, number>, listed: () => Iterable<string>): void {
  if (measured.size <= maxMeasured) return;
  const ids = new Set(listed());
  for (const id of [...measured.keys()]) if (!ids.has(id)) measured.delete(id);
}
