import type { HistoryDay } from '../../../shared/wire/history.ts';
import type { HistoryListing } from './history-listing.svelte.ts';

const isSameDay = (one: HistoryDay, [from, startsAt, seconds]: HistoryDay, grown: number): boolean =>
  one[0] + grown === from && one[1] === startsAt && one[2] === seconds;

/**
 * How many entries came in at the top of a list, where that is all that happened to it between the two times that it was counted: every
 * other row then stands by so many places lower. Null where something else happened too, or nobody can tell.
 */
export async function grownAtTop(before: HistoryListing, after: HistoryListing): Promise<number | null> {
  const grown = after.rows - before.rows;
  const first = before.row(0);
  if (!before.counted || !after.counted || !first || grown < 0) return null;
  if ((await after.load(grown))?.id !== first.id) return null;
  // Of each day but the newest nothing changed.
  const [newest, ...older] = before.days;
  const tail = after.days.slice(after.days.length - older.length);
  const isSame = older.every((day, k) => tail[k] && isSameDay(day, tail[k], grown));
  // Of the newest no row was taken out while another one came in further down.
  const same = after.days.find(([, startsAt]) => startsAt === newest?.[1]);
  let seconds = newest?.[2] ?? 0;
  for (let k = same?.[0] ?? 0; k < grown; k++) seconds += after.row(k)?.durationSeconds ?? 0;
  return isSame && same && Math.abs(seconds - same[2]) < 0.001 ? grown : null;
}
