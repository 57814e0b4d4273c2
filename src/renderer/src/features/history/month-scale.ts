import type { HistoryMonth } from '../../../../shared/schemas/history.ts';

/** Space above the first bar and below the last, in CSS pixels. */
const margin = 8;
const yearGap = 16;
const minBarWidth = 3;

interface MonthBar {
  readonly y: number;
  /** Shares of the month with the most entries, 0..1. */
  readonly entries: number;
  readonly matches: number;
}

interface YearLabel {
  readonly year: number;
  readonly y: number;
}

/** The positions of months, newest at the top, within a height. */
export interface MonthScale {
  readonly step: number;
  readonly bars: readonly MonthBar[];
  readonly years: readonly YearLabel[];
}

export function layoutMonths(months: readonly HistoryMonth[], height: number): MonthScale {
  // A few months are kept together at the top.
  const step = Math.min(18, (height - 2 * margin) / Math.max(1, months.length));
  const maxEntries = Math.max(1, ...months.map(([, entries]) => entries));
  const bars = months.map(([, entries, matches], k) => ({
    y: margin + (k + 0.5) * step,
    entries: entries / maxEntries,
    matches: matches / maxEntries,
  }));
  const years: YearLabel[] = [];
  months.forEach(([startsAt], k) => {
    const year = new Date(startsAt).getFullYear();
    const y = margin + (k + 0.5) * step;
    const last = years.at(-1);
    if (!last || (last.year !== year && y - last.y >= yearGap)) years.push({ year, y });
  });
  return { step, bars, years };
}

/** The width of a bar in CSS pixels; at least `minBarWidth` unless it is empty. */
export const barWidth = (share: number, maxWidth: number): number =>
  share === 0 ? 0 : Math.max(minBarWidth, share * maxWidth);

/** The position of a row in months, from 0 for the newest; its fraction is the position within the month. */
export function monthOfRow(months: readonly HistoryMonth[], row: number): number {
  const at = months.findLastIndex(([, , matches, from]) => matches > 0 && from <= row);
  const [, , matches = 1, from = 0] = months[at] ?? [];
  return at < 0 ? 0 : at + Math.min(0.999_999, (row - from) / matches);
}

/** The row at a position in months. */
export function rowOfMonth(months: readonly HistoryMonth[], at: number): number {
  const month = Math.min(months.length - 1, Math.max(0, Math.floor(at)));
  const [, , matches = 0, from = 0] = months[month] ?? [];
  return from + Math.floor(Math.min(1, Math.max(0, at - month)) * Math.max(0, matches - 1));
}

/** The position in months of a distance from the top, in CSS pixels. */
export const monthAt = ({ step }: MonthScale, y: number): number => Math.max(0, (y - margin) / step);

export const monthOffset = ({ step }: MonthScale, month: number): number => margin + month * step;
