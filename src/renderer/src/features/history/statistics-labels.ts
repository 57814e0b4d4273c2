import type { Messages } from '../../../../shared/messages/index.ts';
import type { Amounts, Statistics } from '../../../../shared/schemas/statistics.ts';
import { amountOf, type Measure } from './statistics.svelte.ts';

export const measureLabel = (measure: Measure, { statistics: t }: Messages): string =>
  measure === 'seconds' ? t.minutes : t[measure];

/** An amount as a number, in the unit of `measureLabel`. */
export function amountText(amounts: Amounts, measure: Measure, { format }: Messages): string {
  if (measure !== 'seconds') return format.number(amounts[measure]);
  const minutes = amountOf(amounts, measure) / 60;
  return minutes > 0 && minutes < 9.95 ? format.fixed(minutes, 1) : format.number(Math.round(minutes));
}

type Unit = Statistics['unit'];

export const stepLabel = (startsAt: number, unit: Unit, { format }: Messages): string =>
  unit === 'day' ? format.date(startsAt) : format.month(startsAt);

/** Labels of more months overlap in a narrow window. */
const maxLabelledMonths = 12;

/**
 * The label below each step of a chart, or null: days are labelled every fifth from the last one on, twelve months
 * all of them, the first with its year unless the second begins one, and more months only where a year begins.
 */
export function axisLabels(starts: readonly number[], unit: Unit, { format }: Messages): readonly (string | null)[] {
  if (unit === 'day') {
    return starts.map((at, k) => ((starts.length - 1 - k) % 5 === 0 ? format.shortDay(at) : null));
  }
  const months = starts.map((at) => new Date(at));
  const isYearStart = (month: Date | undefined): boolean => month?.getMonth() === 0;
  if (starts.length <= maxLabelledMonths) {
    return months.map((month, k) =>
      (isYearStart(month) || (k === 0 && !isYearStart(months[1])) ? format.shortMonthOfYear : format.shortMonth)(
        month.getTime(),
      ),
    );
  }
  return months.map((month) => (isYearStart(month) ? String(month.getFullYear()) : null));
}
