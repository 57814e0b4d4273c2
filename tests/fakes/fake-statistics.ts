import type { Amounts, Statistics, StatisticsQuery, VoiceAmounts } from '../../src/shared/schemas/statistics.ts';

export const noAmounts: Amounts = {
  results: 0,
  failed: 0,
  cancelled: 0,
  uncertain: 0,
  seconds: 0,
  unmeasured: 0,
  characters: 0,
  spokenSeconds: 0,
  unmeasuredTexts: 0,
};

const sumOf = (all: readonly Amounts[]): Amounts =>
  all.reduce((sum, one) => {
    const add = (name: keyof Amounts): number => sum[name] + one[name];
    return {
      results: add('results'),
      failed: add('failed'),
      cancelled: add('cancelled'),
      uncertain: add('uncertain'),
      seconds: add('seconds'),
      unmeasured: add('unmeasured'),
      characters: add('characters'),
      spokenSeconds: add('spokenSeconds'),
      unmeasuredTexts: add('unmeasuredTexts'),
    };
  }, noAmounts);

/** `share` of the amounts of a busy month, of recordings, speech or both. */
function amountsOf(share: number, kind: StatisticsQuery['kind']): Amounts {
  const recordings = kind === 'speech' ? 0 : Math.round(184 * share);
  const texts = kind === 'conversion' ? 0 : Math.round(31 * share);
  return {
    results: recordings + texts,
    failed: Math.round(5 * share),
    cancelled: Math.round(2 * share),
    uncertain: share > 1 ? 1 : 0,
    seconds: recordings * 187.5,
    unmeasured: 0,
    characters: texts * 412,
    spokenSeconds: texts * 27.5,
    unmeasuredTexts: 0,
  };
}

/** Some months busier than others, and some empty. */
const shares = [0.4, 0.75, 1, 0.2, 0, 0, 0.55, 1.3, 0.9, 0.03, 0.6, 0.8];

function timeOf({ period, kind }: StatisticsQuery, now: number, years: number): Statistics['time'] {
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()] as const;
  const steps = period === '30d' ? 30 : period === 'all' ? 12 * (years - 1) + month + 1 : 12;
  const startOf = (k: number): number => {
    if (period === '30d') return new Date(year, month, day - 29 + k).getTime();
    if (period === '12m') return new Date(year, month - 11 + k).getTime();
    return new Date(period === 'all' ? year - years + 1 : Number(period), k).getTime();
  };
  return Array.from({ length: steps }, (_, k) => ({
    startsAt: startOf(k),
    ...amountsOf((shares[k % shares.length] ?? 0) / (period === '30d' ? 20 : 1), kind),
  }));
}

interface StatisticsScene {
  readonly now: number;
  readonly years: number;
  readonly voices: readonly string[];
  readonly voiceCount: number;
  readonly connections: readonly { readonly id: string; readonly name: string }[];
}

/** Statistics as main has them of a history that is used every month. */
export const statisticsOf =
  ({ now, years, voices, voiceCount, connections }: StatisticsScene) =>
  (query: StatisticsQuery): Statistics => {
    const time = timeOf(query, now, years);
    const total = sumOf(time);
    const part = (share: number): Amounts => ({
      ...noAmounts,
      results: Math.round(total.results * share),
      seconds: total.seconds * share,
      characters: Math.round(total.characters * share),
      spokenSeconds: total.spokenSeconds * share,
    });
    const year = new Date(now).getFullYear();
    const [first] = connections;
    return {
      total,
      unit: query.period === '30d' ? 'day' : 'month',
      time,
      voices: voices.map((name, k): VoiceAmounts => {
        const connection = connections[k % connections.length] ?? first;
        const share = 0.4 / (k + 1.5);
        return {
          id: `voice-${k}`,
          name,
          connectionId: connection?.id ?? '',
          connectionName: connection?.name ?? '',
          ...part(share),
        };
      }),
      voiceCount,
      connections: connections.map(({ id, name }, k) => ({ id, name, ...part(0.7 / (k + 1)) })),
      duplicates: query.kind === 'speech' ? { recordings: 0, seconds: 0 } : { recordings: 14, seconds: 2280 },
      local: part(0.7),
      years: Array.from({ length: years }, (_, k) => year - k),
    };
  };

/** Statistics of an empty history. */
export const noStatistics = (query: StatisticsQuery): Statistics => ({
  ...statisticsOf({ now: Date.now(), years: 1, voices: [], voiceCount: 0, connections: [] })(query),
  total: noAmounts,
  time: [],
  duplicates: { recordings: 0, seconds: 0 },
  local: noAmounts,
  years: [],
});
