import * as v from 'valibot';

/** Groups of a statistic, each a table. */
export const statisticsTables = ['time', 'voice', 'connection'] as const;
export type StatisticsTable = (typeof statisticsTables)[number];

export const statisticsKinds = ['all', 'conversion', 'speech'] as const;
export type StatisticsKind = (typeof statisticsKinds)[number];

/** The last 30 days or 12 months, today and this month included, all of history, or a year such as `2025`. */
const period = /^(?:30d|12m|all|(?:19|2\d)\d\d)$/;

export const isStatisticsPeriod = (text: string): boolean => period.test(text);

export interface StatisticsQuery {
  /** `30d`, `12m`, `all` or a year. Days, months and years are those of the local time zone. */
  readonly period: string;
  readonly kind: StatisticsKind;
}

/** What a group of entries amounts to. */
export interface Amounts {
  /** Entries that are done; the next three fields have the others. */
  readonly results: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly uncertain: number;
  /** Length of the recordings that were converted. */
  readonly seconds: number;
  /** Converted recordings whose length is unknown. */
  readonly unmeasured: number;
  /** Unicode characters of the texts that were spoken. */
  readonly characters: number;
  /** Length of what was spoken. */
  readonly spokenSeconds: number;
  /** Texts that were spoken, and of which the length is unknown: Timbre did not always store it. */
  readonly unmeasuredTexts: number;
}

/** Length of all that was made. */
export const madeSeconds = ({ seconds, spokenSeconds }: Amounts): number => seconds + spokenSeconds;

export interface TimeAmounts extends Amounts {
  /** Start of the day or month in local time, in milliseconds since 1970. */
  readonly startsAt: number;
}

export interface VoiceAmounts extends Amounts {
  readonly id: string;
  /** As in the newest entry, because the voice may be gone. */
  readonly name: string;
  readonly connectionId: string;
  readonly connectionName: string;
}

export interface ConnectionAmounts extends Amounts {
  readonly id: string;
  readonly name: string;
}

/** What was made in a period: entries that are in history, by the time of their end. Removed ones do not count. */
export interface Statistics {
  readonly total: Amounts;
  /** The step of `time`. */
  readonly unit: 'day' | 'month';
  /** Every day or month of the period, oldest first, also those without entries. */
  readonly time: readonly TimeAmounts[];
  /** Most results first. Of many, only those that lead by results, seconds or characters. */
  readonly voices: readonly VoiceAmounts[];
  readonly voiceCount: number;
  /** Most results first. */
  readonly connections: readonly ConnectionAmounts[];
  /** Files in folders that are still watched, not converted as another file with the same content was. */
  readonly duplicates: { readonly recordings: number; readonly seconds: number };
  /** What this computer's engine made, without a web service. */
  readonly local: Amounts;
  /** Years with entries, newest first, in and outside the period. */
  readonly years: readonly number[];
}

/** Voices shown by name; the others are one row. */
export const maxVoicesShown = 10;

export const statisticsQuery = v.object({
  period: v.pipe(v.string(), v.regex(period)),
  kind: v.picklist(statisticsKinds),
});

export const statisticsExport = v.object({ ...statisticsQuery.entries, table: v.picklist(statisticsTables) });
