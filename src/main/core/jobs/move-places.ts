import type { DatabaseSync } from 'node:sqlite';
import { isIn, nextChange } from './job-sql.ts';

/**
 * Gives jobs the places before another one, or the last; in this order. A place is a number between those of two neighbours. Where
 * there is no room left between them, which is after some fifty moves to the same spot, all jobs are numbered anew: then every place
 * has changed. To be called inside a transaction.
 */
export function movePlaces(database: DatabaseSync, ids: readonly string[], before: string | null): 'these' | 'all' {
  const selectPlace = database.prepare('SELECT place FROM job WHERE id = ?');
  const selectPrevious = database.prepare(
    `SELECT coalesce(max(place), 0) AS place FROM job WHERE place < ? AND NOT ${isIn('id', '?')}`,
  );
  const selectAll = database.prepare('SELECT id FROM job ORDER BY place');
  const update = database.prepare(
    `UPDATE job SET place = ?, revision = revision + 1, change = ${nextChange} WHERE id = ?`,
  );

  function gap(): { readonly start: number; readonly step: number } {
    const end = before === null ? Infinity : Number(selectPlace.get(before)?.['place']);
    const start = Number(selectPrevious.get(end, JSON.stringify(ids))?.['place']);
    return { start, step: end === Infinity ? 1 : (end - start) / (ids.length + 1) };
  }

  let { start, step } = gap();
  const isFull = start + step / 2 === start;
  if (isFull) {
    for (const [k, { id }] of selectAll.all().entries()) update.run(k + 1, String(id));
    ({ start, step } = gap());
  }
  ids.forEach((id, k) => update.run(start + step * (k + 1), id));
  return isFull ? 'all' : 'these';
}
