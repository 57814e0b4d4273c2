/** Where rows of different heights stand, and which of them can be seen. Heights and places in CSS pixels. */
export interface RowLayout {
  /** Upper edge of each row; one more entry for the end of the last. */
  readonly tops: Float64Array;
  readonly total: number;
}

export function layoutRows(count: number, heightOf: (index: number) => number): RowLayout {
  const tops = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) tops[i + 1] = (tops[i] ?? 0) + heightOf(i);
  return { tops, total: tops[count] ?? 0 };
}

/** Index of the row that covers a place; the first or last one for places outside. */
export function rowAt({ tops }: RowLayout, place: number): number {
  let low = 0;
  let high = Math.max(0, tops.length - 2);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((tops[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The rows that can be seen, with some more on both sides so that a quick turn of the wheel finds them drawn. */
export function visibleRows(
  places: RowLayout,
  scrollTop: number,
  viewHeight: number,
  more = 4,
): { readonly first: number; readonly end: number } {
  const count = places.tops.length - 1;
  if (count === 0) return { first: 0, end: 0 };
  return {
    first: Math.max(0, rowAt(places, scrollTop) - more),
    end: Math.min(count, rowAt(places, scrollTop + viewHeight) + 1 + more),
  };
}

/** Where to scroll so that a row is whole in view, moving as little as possible. */
export function scrollTopFor(places: RowLayout, index: number, scrollTop: number, viewHeight: number): number {
  const top = places.tops[index] ?? 0;
  const end = places.tops[index + 1] ?? top;
  if (top < scrollTop) return top;
  return end > scrollTop + viewHeight ? end - viewHeight : scrollTop;
}

/** Heights of unusual rows that are kept before those that left the list are dropped. */
const maxMeasured = 500;

/** Drops the heights of rows that are not in the list any more, once there are many. */
export function dropGone(measured: Map<string, number>, listed: () => Iterable<string>): void {
  if (measured.size <= maxMeasured) return;
  const ids = new Set(listed());
  for (const id of [...measured.keys()]) if (!ids.has(id)) measured.delete(id);
}
