/**
 * Where rows of one height stand under the heads of their days, in a list of any length. A browser clamps the height of an element
 * (Chromium near 33,554,428 physical pixels), so a list has two measures: a `place` is a distance from its top in CSS pixels, as if
 * nothing were clamped; a `scrollTop` is what the element knows, at most `maxSpacer`. Nothing here grows with the number of rows.
 */
export interface VirtualRows {
  readonly rows: number;
  /** Index of the first row of each day, rising from 0. Without days there are no heads. */
  readonly days: ArrayLike<number>;
  /** From the top to the end of the last row and the space below it. */
  readonly height: number;
  /** Height of the element that scrolls. */
  readonly spacer: number;
}

/** What a reader sees of a list, and where its element stands. */
export interface TallView {
  readonly place: number;
  readonly scrollTop: number;
}

export const rowHeight = 36;
export const dayHeight = 32;
const endSpace = 24;
/** Below the browser's clamp also at eight physical pixels to a CSS pixel. */
export const maxSpacer = 4_000_000;
/** So near to its ends a list moves pixel by pixel with its bar, so that a wheel can always reach them. */
const endZone = 50_000;
/** A longer way in one step was no wheel and no key: somebody drags the bar, a pixel of which is longer than this. */
const maxPixelStep = 2000;

export function virtualRows(rows: number, days: ArrayLike<number>): VirtualRows {
  const height = rows === 0 ? 0 : rows * rowHeight + days.length * dayHeight + endSpace;
  return { rows, days, height, spacer: Math.min(height, maxSpacer) };
}

/** The day that a row belongs to; -1 where there are no days. */
export function dayOfRow({ days }: VirtualRows, row: number): number {
  return lastWhere(days.length, (day) => (days[day] ?? 0) <= row);
}

/** The upper edge of a day's head. */
export const placeOfDay = ({ days }: VirtualRows, day: number): number =>
  (days[day] ?? 0) * rowHeight + day * dayHeight;

/** The upper edge of a row, below the heads of its day and of those before. */
export const rowOffset = (list: VirtualRows, row: number): number =>
  row * rowHeight + (dayOfRow(list, row) + 1) * dayHeight;

/** The day that covers a place with its head or a row; the first or last one for places outside, -1 without days. */
export function dayAt(list: VirtualRows, place: number): number {
  return Math.max(
    list.days.length > 0 ? 0 : -1,
    lastWhere(list.days.length, (day) => placeOfDay(list, day) <= place),
  );
}

/** The row that covers a place, or the first one below it where the head of a day does; the first or last for places outside. */
export function rowAt(list: VirtualRows, place: number): number {
  const day = dayAt(list, place);
  const from = list.days[day] ?? 0;
  const start = day < 0 ? 0 : placeOfDay(list, day) + dayHeight;
  const row = from + Math.max(0, Math.floor((place - start) / rowHeight));
  return Math.max(0, Math.min(list.rows - 1, row));
}

/** The rows that can be seen, and `more` on both sides. */
export function rowsIn(list: VirtualRows, place: number, viewHeight: number, more: number): readonly [number, number] {
  if (list.rows === 0) return [0, 0];
  return [Math.max(0, rowAt(list, place) - more), Math.min(list.rows, rowAt(list, place + viewHeight) + 1 + more)];
}

/** The furthest that a list can be scrolled. */
export const lastPlace = ({ height }: VirtualRows, viewHeight: number): number => Math.max(0, height - viewHeight);

const within = (list: VirtualRows, viewHeight: number, place: number): number =>
  Math.min(lastPlace(list, viewHeight), Math.max(0, place));

const lastScrollTop = ({ spacer }: VirtualRows, viewHeight: number): number => Math.max(0, spacer - viewHeight);

/** Goes to a place, with the bar where it belongs. */
export function viewAt(list: VirtualRows, viewHeight: number, place: number): TallView {
  const to = within(list, viewHeight, place);
  return { place: to, scrollTop: rescale(to, lastPlace(list, viewHeight), lastScrollTop(list, viewHeight)) };
}

/** From 0..`far` to 0..`end`: as it is near both ends, stretched between them. */
function rescale(at: number, far: number, end: number): number {
  if (far === end || at <= endZone) return at;
  if (far - at <= endZone) return end - (far - at);
  return endZone + ((at - endZone) / (far - 2 * endZone)) * (end - 2 * endZone);
}

/**
 * What is seen once the element was scrolled to `scrollTop`. Wheel and touch move the list by the pixels that they say, so between
 * their steps the bar stands a little off; a drag of the bar goes to where the bar is.
 */
export function followScroll(list: VirtualRows, viewHeight: number, before: TallView, scrollTop: number): TallView {
  const step = scrollTop - before.scrollTop;
  if (list.height === list.spacer) return { place: within(list, viewHeight, scrollTop), scrollTop };
  if (Math.abs(step) <= maxPixelStep) return { place: within(list, viewHeight, before.place + step), scrollTop };
  const place = rescale(scrollTop, lastScrollTop(list, viewHeight), lastPlace(list, viewHeight));
  return { place: within(list, viewHeight, place), scrollTop };
}

/** Where to go so that a row is whole in view below the head that sticks, moving as little as possible. */
export function placeToShow(list: VirtualRows, viewHeight: number, place: number, row: number): number {
  const top = rowOffset(list, row);
  const head = list.days.length > 0 ? dayHeight : 0;
  if (top - head < place) return top - head;
  return top + rowHeight > place + viewHeight ? within(list, viewHeight, top + rowHeight - viewHeight) : place;
}

/** The greatest index for which something holds that holds up to some index; -1 where it never does. */
function lastWhere(count: number, holds: (index: number) => boolean): number {
  let low = -1;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What a reader sees of a tall list; the element that scrolls follows it, and tells when it was scrolled itself. */
export class VirtualScroll {
  #view = $state.raw<TallView>({ place: 0, scrollTop: 0 });
  viewHeight = $state(0);

  /** What is at the upper edge, in pixels from the top of the list. */
  readonly place: number = $derived(this.#view.place);
  readonly scrollTop: number = $derived(this.#view.scrollTop);
  /** From places to where things stand within the element. */
  readonly shift: number = $derived(this.#view.scrollTop - this.#view.place);

  /** The element stands at `scrollTop` now. */
  follow(list: VirtualRows, scrollTop: number): void {
    if (scrollTop !== this.#view.scrollTop) this.#view = followScroll(list, this.viewHeight, this.#view, scrollTop);
  }

  /** The element could not stand quite where it was put. */
  settle(scrollTop: number): void {
    this.#view = { place: this.#view.place, scrollTop };
  }

  goTo(list: VirtualRows, place: number): void {
    this.#view = viewAt(list, this.viewHeight, place);
  }

  /** Brings the bar to where the place is, once nobody turns the wheel any more. */
  rest(list: VirtualRows): void {
    const view = viewAt(list, this.viewHeight, this.place);
    if (Math.abs(view.scrollTop - this.scrollTop) >= 1) this.#view = view;
  }

  show(list: VirtualRows, row: number): void {
    const place = placeToShow(list, this.viewHeight, this.place, row);
    if (place !== this.place) this.goTo(list, place);
  }
}
