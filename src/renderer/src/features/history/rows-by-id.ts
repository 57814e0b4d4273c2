import type { HistoryRow } from '../../../../shared/schemas/history.ts';

export type RowsById = ReadonlyMap<string, HistoryRow>;

export const rowsById = (rows: Iterable<HistoryRow>): RowsById => new Map([...rows].map((row) => [row.id, row]));

/** With a row that was not there, or without one that was. */
export const toggleRow = (rows: RowsById, row: HistoryRow): RowsById =>
  rowsById(rows.has(row.id) ? [...rows.values()].filter(({ id }) => id !== row.id) : [...rows.values(), row]);
