/**
 * The layout of equally high rows below the headers of their days, in a list of any length. Chromium clamps elements near 33,554,428
 * physical pixels, so there are two measures: an `offset` in CSS pixels from the top of the list, unclamped, and the `scrollTop` of the
 * element, at most `maxSpacer`. Nothing here grows with the number of rows.
 */
export interface DayLayout {
  readonly rows: number;
  /** The index of each day's first row, ascending from 0. Without days there are no headers. */
  readonly days: ArrayLike<number>;
  /** The height of all rows, headers and the space below, unclamped. */
  readonly height: number;
  /** The height of the scrolled content, at most `maxSpacer`. */
  readonly spacer: number;
}

/** The scroll position of a list, and that of its element. */
export interface ScrollPosition {
  readonly offset: number;
  readonly scrollTop: number;
}

export const rowHeight = 36;
export const dayHeight = 32;
const endSpace = 24;
/** Below Chromium's clamp even at eight physical pixels per CSS pixel. */
export const maxSpacer = 4_000_000;
/** Within this distance of either end, the list moves pixel by pixel with its scrollbar, so that a wheel can reach the end. */
const endZone = 50_000;
/** A larger step is a drag of the scrollbar, not a wheel or a key. */
const maxWheelStep = 2000;

export function layoutDays(rows: number, days: ArrayLike<number>): DayLayout {
  const height = rows === 0 ? 0 : rows * rowHeight + days.length * dayHeight + endSpace;
  return { rows, days, height, spacer: Math.min(height, maxSpacer) };
}

/** The day of a row; -1 if there are no days. */
export function dayOfRow({ days }: DayLayout, row: number): number {
  return findLast(days.length, (day) => (days[day] ?? 0) <= row);
}

/** The offset of a day's header. */
export const dayOffset = ({ days }: DayLayout, day: number): number => (days[day] ?? 0) * rowHeight + day * dayHeight;

/** The offset of a row. */
export const rowOffset = (list: DayLayout, row: number): number =>
  row * rowHeight + (dayOfRow(list, row) + 1) * dayHeight;

/** The day at an offset, clamped to the list; -1 if there are no days. */
export function dayAt(list: DayLayout, offset: number): number {
  return Math.max(
    list.days.length > 0 ? 0 : -1,
    findLast(list.days.length, (day) => dayOffset(list, day) <= offset),
  );
}

/** The row at an offset, clamped to the list; at a header, the first row below it. */
export function rowAt(list: DayLayout, offset: number): number {
  const day = dayAt(list, offset);
  const from = list.days[day] ?? 0;
  const start = day < 0 ? 0 : dayOffset(list, day) + dayHeight;
  const row = from + Math.max(0, Math.floor((offset - start) / rowHeight));
  return Math.max(0, Math.min(list.rows - 1, row));
}

/** The visible rows and `margin` rows on either side; the end is exclusive. */
export function visibleRows(
  list: DayLayout,
  offset: number,
  viewHeight: number,
  margin: number,
): readonly [number, number] {
  if (list.rows === 0) return [0, 0];
  return [
    Math.max(0, rowAt(list, offset) - margin),
    Math.min(list.rows, rowAt(list, offset + viewHeight) + 1 + margin),
  ];
}

/** A rendered row, and which of the reused elements shows it. */
export interface PlacedRow {
  readonly index: number;
  readonly slot: number;
}

/**
 * Places `count` rows from `first` on in as many reused elements. Those that were rendered `before` keep their elements. If none was,
 * the elements keep their order: updating them is faster than moving them.
 */
export function placeRows(before: readonly PlacedRow[], first: number, count: number): readonly PlacedRow[] {
  const top = before[0] ?? { index: first, slot: 0 };
  const step = first - top.index;
  const firstSlot = Math.abs(step) < count ? top.slot + step + count : top.slot;
  return Array.from({ length: count }, (_, k) => ({ index: first + k, slot: (firstSlot + k) % count }));
}

export const maxOffset = ({ height }: DayLayout, viewHeight: number): number => Math.max(0, height - viewHeight);

const clampOffset = (list: DayLayout, viewHeight: number, offset: number): number =>
  Math.min(maxOffset(list, viewHeight), Math.max(0, offset));

const maxScrollTop = ({ spacer }: DayLayout, viewHeight: number): number => Math.max(0, spacer - viewHeight);

/** The position at an offset, with the scrollbar in the matching position. */
export function positionAt(list: DayLayout, viewHeight: number, offset: number): ScrollPosition {
  const to = clampOffset(list, viewHeight, offset);
  return { offset: to, scrollTop: rescale(to, maxOffset(list, viewHeight), maxScrollTop(list, viewHeight)) };
}

/** Maps 0..`from` to 0..`to`: unscaled within `endZone` of both ends, linear between them. */
function rescale(value: number, from: number, to: number): number {
  if (from === to || value <= endZone) return value;
  if (from - value <= endZone) return to - (from - value);
  return endZone + ((value - endZone) / (from - 2 * endZone)) * (to - 2 * endZone);
}

/**
 * The position after the element was scrolled to `scrollTop`. Wheel and touch move the list by the same number of pixels, so that the
 * scrollbar may be slightly off afterwards; a drag of the scrollbar moves the list to the matching offset.
 */
export function followScroll(
  list: DayLayout,
  viewHeight: number,
  before: ScrollPosition,
  scrollTop: number,
): ScrollPosition {
  const step = scrollTop - before.scrollTop;
  if (list.height === list.spacer) return { offset: clampOffset(list, viewHeight, scrollTop), scrollTop };
  if (Math.abs(step) <= maxWheelStep) return { offset: clampOffset(list, viewHeight, before.offset + step), scrollTop };
  const offset = rescale(scrollTop, maxScrollTop(list, viewHeight), maxOffset(list, viewHeight));
  return { offset: clampOffset(list, viewHeight, offset), scrollTop };
}

/** The nearest offset at which a row is fully visible below the sticky header. */
export function offsetToShow(list: DayLayout, viewHeight: number, offset: number, row: number): number {
  const top = rowOffset(list, row);
  const header = list.days.length > 0 ? dayHeight : 0;
  if (top - header < offset) return top - header;
  return top + rowHeight > offset + viewHeight ? clampOffset(list, viewHeight, top + rowHeight - viewHeight) : offset;
}

/** The last index of 0..`count` that fulfils a condition, by binary search: it must hold up to an index and not after; -1 if never. */
function findLast(count: number, matches: (index: number) => boolean): number {
  let low = -1;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (matches(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The scroll position of a list. The element follows it, and reports when the user scrolls. */
export class VirtualScroll {
  #position = $state.raw<ScrollPosition>({ offset: 0, scrollTop: 0 });
  viewHeight = $state(0);

  /** The offset at the top of the view. */
  readonly offset: number = $derived(this.#position.offset);
  readonly scrollTop: number = $derived(this.#position.scrollTop);
  /** What to add to an offset for the position within the element. */
  readonly delta: number = $derived(this.#position.scrollTop - this.#position.offset);

  /** Called when the element was scrolled. */
  follow(list: DayLayout, scrollTop: number): void {
    if (scrollTop !== this.#position.scrollTop)
      this.#position = followScroll(list, this.viewHeight, this.#position, scrollTop);
  }

  /** Called with the `scrollTop` that the element took, which it may have rounded. */
  commit(scrollTop: number): void {
    this.#position = { offset: this.#position.offset, scrollTop };
  }

  scrollTo(list: DayLayout, offset: number): void {
    this.#position = positionAt(list, this.viewHeight, offset);
  }

  /** Moves the scrollbar to the position that matches the offset; called when scrolling has ended. */
  alignScrollbar(list: DayLayout): void {
    const position = positionAt(list, this.viewHeight, this.offset);
    if (Math.abs(position.scrollTop - this.scrollTop) >= 1) this.#position = position;
  }

  showRow(list: DayLayout, row: number): void {
    const offset = offsetToShow(list, this.viewHeight, this.offset, row);
    if (offset !== this.offset) this.scrollTo(list, offset);
  }
}
