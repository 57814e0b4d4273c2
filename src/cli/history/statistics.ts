import { duplicatesText, madeLocallyText } from '../../shared/messages/history-text.ts';
import { csvLines, isoStep } from '../../main/core/history/statistics-csv.ts';
import type { StatisticsReader } from '../../main/core/history/statistics.ts';
import type { CliMessages } from '../../shared/messages/cli.ts';
import {
  type Amounts,
  isStatisticsPeriod,
  madeSeconds,
  maxVoicesShown,
  type Statistics,
  statisticsKinds,
  type StatisticsQuery,
  statisticsTables,
} from '../../shared/schemas/statistics.ts';
import { type Invocation, oneOf, textFlag } from '../args.ts';
import { usageError } from '../errors.ts';
import { columnsOf, padColumns, printable } from '../output.ts';

type StatisticsContext = Pick<Invocation, 'flags' | 'output' | 'messages' | 'signal'>;

function readQuery(context: StatisticsContext): StatisticsQuery {
  const { flags, messages } = context;
  const period = textFlag(flags, 'period') ?? '12m';
  if (!isStatisticsPeriod(period)) throw usageError(messages.cli.history.statistics.badPeriod({ given: period }));
  return { period, kind: oneOf(context, 'kind', statisticsKinds) ?? 'all' };
}

/** Rows as aligned lines: the first column to the left, numbers to the right. */
function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, k) => Math.max(...rows.map((row) => columnsOf(row[k] ?? ''))));
  return rows.map((row) =>
    row
      .map((cell, k) => {
        const width = widths[k] ?? 0;
        return k === 0 ? padColumns(cell, width) : ' '.repeat(width - columnsOf(cell)) + cell;
      })
      .join('  '),
  );
}

function tables(
  { total, unit, time, voices, voiceCount, connections }: Statistics,
  { format, statistics: t }: CliMessages,
) {
  const counted = ['results', 'characters', 'failed', 'cancelled', 'uncertain'] as const;
  const cells = (amounts: Amounts): readonly string[] => {
    const [results = '', ...others] = counted.map((one) => format.number(amounts[one]));
    return [results, format.fixed(madeSeconds(amounts) / 60, 1), ...others];
  };
  const heads = [t.results, t.minutes, t.characters, t.failed, t.cancelled, t.uncertain];
  const nameOf = ({ name, id }: { readonly name: string; readonly id: string }) => printable(name || id || t.noName);
  const table = (head: string, rows: readonly (readonly [string, Amounts])[]) =>
    rows.length === 0
      ? []
      : ['', ...tableLines([[head, ...heads], ...rows.map(([name, one]) => [name, ...cells(one)])])];
  const shown = voices.slice(0, maxVoicesShown);
  return [
    ...table(t[unit], [...time.map((one) => [isoStep(one.startsAt, unit), one] as const), [t.total, total] as const]),
    ...table(
      t.voice,
      shown.map((one) => [nameOf(one), one] as const),
    ),
    ...(voiceCount > shown.length ? [t.otherVoices({ n: voiceCount - shown.length })] : []),
    ...table(
      t.connection,
      connections.map((one) => [nameOf(one), one] as const),
    ),
  ].slice(1);
}

/** `timbre history statistics`: what was made, as tables, as one table in CSV, or as JSON. */
export async function printStatistics(
  reader: Pick<StatisticsReader, 'readWithAllVoices'>,
  context: StatisticsContext,
): Promise<void> {
  const { flags, output, messages, signal } = context;
  const query = readQuery(context);
  const table = oneOf(context, 'by', statisticsTables);
  const isCsv = flags['csv'] === true;
  if ((isCsv && flags['json'] === true) || (table !== undefined && !isCsv)) {
    throw usageError(messages.cli.history.statistics.onlyCsv);
  }
  const all = await reader.readWithAllVoices(query, signal);
  if (isCsv) {
    for (const line of csvLines(all, table ?? 'time')) output.print(line);
    return;
  }
  for (const line of tables(all, messages)) output.print(line);
  const { local, duplicates, unit, time, ...others } = all;
  const saved = [madeLocallyText(messages, local), duplicatesText(messages, duplicates)].filter(
    (text) => text !== null,
  );
  for (const line of saved.length > 0 ? ['', ...saved] : []) output.print(line);
  output.event({
    event: 'result',
    ...query,
    ...others,
    time: time.map(({ startsAt, ...amounts }) => ({ [unit]: isoStep(startsAt, unit), ...amounts })),
    local,
    duplicates,
  });
}
