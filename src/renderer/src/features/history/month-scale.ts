import type { HistoryMonth } from '../../../../shared/schemas/history.ts';

/** Space above the first stroke and below the last, in CSS pixels. */
const margin = 8;
const yearGap = 16;
const shortest = 3;

interface SpineStroke {
  readonly y: number;
  /** Shares of the widest month, 0..1. */
  readonly entries: number;
  readonly matches: number;
}

interface SpineYear {
  readonly year: number;
  readonly y: number;
}

/** Months from the newest down, in the height that there is. */
export interface MonthScale {
  readonly step: number;
  readonly strokes: readonly SpineStroke[];
  readonly years: readonly SpineYear[];
}

export function layoutMonths(months: readonly HistoryMonth[], height: number): MonthScale {
  // Few months stay together at the top instead of being spread over the window.
  const step = Math.min(18, (height - 2 * margin) / Math.max(1, months.length));
  const most = Math.max(1, ...months.map(([, entries]) => entries));
  const strokes = months.map(([, entries, matches], k) => ({
    y: margin + (k + 0.5) * step,
    entries: entries / most,
    matches: matches / most,
  }));
  const years: SpineYear[] = [];
  months.forEach(([startsAt], k) => {
    const year = new Date(startsAt).getFullYear();
    const y = margin + (k + 0.5) * step;
    const last = years.at(-1);
    if (!last || (last.year !== year && y - last.y >= yearGap)) years.push({ year, y });
  });
  return { step, strokes, years };
}

/** Width in CSS pixels of a share, never so short that it is not seen. */
export const strokeWidth = (share: number, widest: number): number =>
  share === 0 ? 0 : Math.max(shortest, share * widest);

/** The month that a row belongs to, from 0 for the newest; between two where the row is within a month. */
export function monthOfRow(months: readonly HistoryMonth[], row: number): number {
  const at = months.findLastIndex(([, , matches, from]) => matches > 0 && from <= row);
  const [, , matches = 1, from = 0] = months[at] ?? [];
  return at < 0 ? 0 : at + Math.min(0.999_999, (row - from) / matches);
}

/** The row that stands at a place on the spine. */
export function rowOfMonth(months: readonly HistoryMonth[], at: number): number {
  const month = Math.min(months.length - 1, Math.max(0, Math.floor(at)));
  const [, , matches = 0, from = 0] = months[month] ?? [];
  return from + Math.floor(Math.min(1, Math.max(0, at - month)) * Math.max(0, matches - 1));
}

/** The place on the spine, in months, of a distance from its upper edge. */
export const monthAt = ({ step }: MonthScale, y: number): number => Math.max(0, (y - margin) / step);

export const monthOffset = ({ step }: MonthScale, month: number): number => margin + month * step;
