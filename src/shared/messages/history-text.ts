import { longestQuery, type QueryError, type RestoredResults } from '../schemas/history.ts';
import type { Statistics } from '../schemas/statistics.ts';
import type { Messages } from './index.ts';

/** What is wrong with a search, and what to type instead. */
export function queryErrorText({ history: { search } }: Messages, { kind, word }: QueryError): string {
  const { errors } = search;
  if (kind === 'too-long') return errors[kind]({ most: longestQuery });
  return kind === 'open-quote' ? errors[kind] : errors[kind]({ word });
}

/** How many files were restored from their copies, and what became of the others. */
export function restoredText({ history: { results: t }, format }: Messages, counts: RestoredResults): string {
  const { restored, there, none, damaged, away, failed } = counts;
  return format.sentences(
    t.filesRestored({ n: restored }),
    there > 0 ? t.filesThere({ n: there }) : '',
    none > 0 ? t.noCopies({ n: none }) : '',
    damaged > 0 ? t.damagedCopies({ n: damaged }) : '',
    away > 0 ? t.diskAway({ n: away }) : '',
    failed > 0 ? t.notSaved({ n: failed }) : '',
  );
}

/** What was made without a service; null if nothing was. */
export function madeLocallyText(
  { statistics: { saved: t } }: Messages,
  { results: n, seconds, characters }: Statistics['local'],
): string | null {
  if (n === 0) return null;
  const amounts = [
    ...(seconds > 0 ? [t.recordings({ seconds })] : []),
    ...(characters > 0 ? [t.text({ n: characters })] : []),
  ];
  return amounts.length > 0 ? t.localAmounts({ n, amounts }) : t.local({ n });
}

/** What was not converted twice; null if nothing was. */
export function duplicatesText(
  { statistics: { saved: t } }: Messages,
  { recordings: n, seconds }: Statistics['duplicates'],
): string | null {
  if (n === 0) return null;
  return seconds > 0 ? t.duplicatesLong({ n, seconds }) : t.duplicates({ n });
}
