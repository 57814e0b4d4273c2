import type { HistoryDay, HistoryRow } from '../../../../shared/schemas/history.ts';

/** Days of rows that nobody has counted yet, by the clock of this computer. */
export function historyDays(rows: readonly HistoryRow[]): readonly HistoryDay[] {
  const days: [number, number, number][] = [];
  rows.forEach(({ endedAt, durationSeconds }, index) => {
    const startsAt = new Date(endedAt).setHours(0, 0, 0, 0);
    const last = days.at(-1);
    if (last?.[1] === startsAt) last[2] += durationSeconds ?? 0;
    else days.push([index, startsAt, durationSeconds ?? 0]);
  });
  return days;
}
