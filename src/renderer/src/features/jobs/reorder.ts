import type { JobInfo } from '../../../../shared/schemas/job.ts';

export type Move = 'up' | 'down' | 'first' | 'last';

type Row = Pick<JobInfo, 'id' | 'state'>;

const queuedIds = (list: readonly Row[]): readonly string[] =>
  list.filter(({ state }) => state === 'queued').map(({ id }) => id);

/** The position of a job among the queued ones, from 1; null if it is not queued. */
export function positionInQueue(
  list: readonly Row[],
  id: string,
): { readonly position: number; readonly total: number } | null {
  const ids = queuedIds(list);
  const position = ids.indexOf(id) + 1;
  return position > 0 ? { position, total: ids.length } : null;
}

/** The id of the job that a queued one is moved before; null for the end of the queue, undefined if it cannot move there. */
export function moveBefore(list: readonly Row[], id: string, move: Move): string | null | undefined {
  const ids = queuedIds(list);
  const index = ids.indexOf(id);
  const isLast = index === ids.length - 1;
  if (index < 0) return undefined;
  switch (move) {
    case 'up':
      return ids[index - 1];
    case 'first':
      return index > 0 ? ids[0] : undefined;
    case 'down':
      return isLast ? undefined : (ids[index + 2] ?? null);
    case 'last':
      return isLast ? undefined : null;
  }
}
