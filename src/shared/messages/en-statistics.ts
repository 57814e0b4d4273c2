import type { Amounts } from '../schemas/statistics.ts';
import { formatFor } from './locale-format.ts';

const format = formatFor('en');
const { count } = format;

const recordings = (n: number) => count(n, { one: '# recording', other: '# recordings' });
const characters = (n: number) => count(n, { one: '# character', other: '# characters' });

/** Statistics of history, in the window and on the command line. */
export const enStatistics = {
  title: 'Statistics',
  sections: { label: 'History', list: 'List', statistics: 'Statistics' },
  loading: 'Adding up',
  period: 'Period',
  periods: {
    '30d': 'Last 30 days',
    '12m': 'Last 12 months',
    all: 'All time',
  },
  kind: 'Kind',
  kinds: { all: 'All', conversion: 'Recordings', speech: 'Speech' },
  measure: 'Measure',
  results: 'Results',
  minutes: 'Minutes',
  characters: 'Characters',
  failed: 'Failed',
  cancelled: 'Cancelled',
  uncertain: 'Unknown',
  recorded: 'Recordings converted',
  spoken: 'Text spoken',
  spokenCharacters: characters,
  unmeasured: (n: number) =>
    count(n, {
      one: '# recording has an unknown length and adds nothing to the minutes.',
      other: '# recordings have an unknown length and add nothing to the minutes.',
    }),
  removed: 'Entries that you removed from History don’t count.',
  show: 'Show as',
  chart: 'Chart',
  table: 'Table',
  time: { day: 'Per day', month: 'Per month' },
  day: 'Day',
  month: 'Month',
  voices: 'Voices',
  voice: 'Voice',
  noName: 'Unnamed voice',
  total: 'Total',
  otherVoices: (n: number) => count(n, { one: '# other voice', other: '# other voices' }),
  connections: 'Connections',
  connection: 'Connection',
  nothing: 'Nothing was made in this period.',
  saved: {
    title: 'Saved',
    local: ({ seconds, characters: n, results }: Amounts) => {
      const made = count(results, { one: '# result was', other: '# results were' });
      const amounts = [
        ...(seconds > 0 ? [`${format.longLength(seconds)} of recordings`] : []),
        ...(n > 0 ? [`${characters(n)} of text`] : []),
      ];
      const what = amounts.length > 0 ? `: ${format.list(amounts)}.` : '.';
      return `${made} made on this computer, without a web service${what}`;
    },
    duplicates: (n: number, seconds: number) => {
      const which = seconds > 0 ? `${recordings(n)} (${format.longLength(seconds)})` : recordings(n);
      const what = n === 1 ? 'wasn’t' : 'weren’t';
      return `${which} in watched folders ${what} converted a second time, because the same audio already was.`;
    },
    duplicatesHint: 'Only folders that you still watch count.',
  },
  at: (label: string, value: string) => `${label}: ${value}`,
  save: 'Save as CSV',
  saveTable: { time: { day: 'Days…', month: 'Months…' }, voice: 'Voices…', connection: 'Connections…' },
  savedTable: (name: string) => `Table saved as ${name}.`,
};
