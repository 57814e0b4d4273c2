import type { Amounts, Statistics, StatisticsTable } from '../../../shared/schemas/statistics.ts';
import { isoDay } from '../../../shared/text/iso-day.ts';

/**
 * A spreadsheet takes such a cell for a formula, which could run programs: https://owasp.org/www-community/attacks/CSV_Injection
 * In many languages a cell also begins after a semicolon, whatever is quoted here, and its own quotes are taken away.
 */
const formulaStarts = /(?<=^|[;\t\r\n])(?=[ "]*[=+\-@＝＋－＠\t\r])/g;

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.replace(formulaStarts, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The columns of each table. New ones are added at the end, so that what reads them by their place goes on. */
const amountColumns = {
  results: ({ results }) => results,
  minutes: ({ seconds }) => minutes(seconds),
  unmeasured: ({ unmeasured }) => unmeasured,
  characters: ({ characters }) => characters,
  failed: ({ failed }) => failed,
  cancelled: ({ cancelled }) => cancelled,
  uncertain: ({ uncertain }) => uncertain,
  spoken_minutes: ({ spokenSeconds }) => minutes(spokenSeconds),
  unmeasured_texts: ({ unmeasuredTexts }) => unmeasuredTexts,
} satisfies Readonly<Record<string, (amounts: Amounts) => string | number>>;
const amountNames = Object.keys(amountColumns);

/** With two decimals and a point, in every locale. */
const minutes = (seconds: number): string => (seconds / 60).toFixed(2);

const amountsOf = (amounts: Amounts): readonly (string | number)[] =>
  Object.values(amountColumns).map((valueOf) => valueOf(amounts));

/** A local day as YYYY-MM-DD, or a month as YYYY-MM. */
export const isoStep = (startsAt: number, unit: Statistics['unit']): string =>
  isoDay(new Date(startsAt)).slice(0, unit === 'day' ? undefined : 'YYYY-MM'.length);

function rowsOf(statistics: Statistics, table: StatisticsTable): readonly (readonly (string | number)[])[] {
  const { unit, time, voices, connections } = statistics;
  switch (table) {
    case 'time':
      return [[unit, ...amountNames], ...time.map((one) => [isoStep(one.startsAt, unit), ...amountsOf(one)])];
    case 'voice':
      return [
        ['voice', 'voice_id', 'connection', ...amountNames],
        ...voices.map((one) => [one.name, one.id, one.connectionName, ...amountsOf(one)]),
      ];
    case 'connection':
      return [['connection', ...amountNames], ...connections.map((one) => [one.name, ...amountsOf(one)])];
  }
}

/** The lines of a table as CSV (RFC 4180). Names of columns, dates and numbers are the same in every language. */
export const csvLines = (statistics: Statistics, table: StatisticsTable): readonly string[] =>
  rowsOf(statistics, table).map((row) => row.map(cell).join(','));

/** A table for a file. Excel takes one without a byte order mark for one in the system's old character set: Zoë. */
export const csvFile = (statistics: Statistics, table: StatisticsTable): string =>
  `\ufeff${csvLines(statistics, table)
    .map((line) => `${line}\r\n`)
    .join('')}`;
