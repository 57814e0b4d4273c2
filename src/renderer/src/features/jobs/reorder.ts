import type { JobInfo } from '../../../../shared/schemas/job.ts';

export type Move = 'up' | 'down' | 'first' | 'last';

type Row = Pick<JobInfo, 'id' | 'state'>;

const lineOf = (list: readonly Row[]): readonly string[] =>
  list.filter(({ state }) => state === 'queued').map(({ id }) => id);

/** Where a job stands among those that wait, from 1; null where it does not wait. */
export function positionInQueue(
  list: readonly Row[],
  id: string,
): { readonly place: number; readonly of: number } | null {
  const line = lineOf(list);
  const place = line.indexOf(id) + 1;
  return place > 0 ? { place, of: line.length } : null;
}

/** The job before which a waiting one goes (null: none, it becomes the last); undefined where it cannot go there. */
export function moveBefore(list: readonly Row[], id: string, move: Move): string | null | undefined {
  const line = lineOf(list);
  const here = line.indexOf(id);
  const isLast = here === line.length - 1;
  if (here < 0) return undefined;
  switch (move) {
    case 'up':
      return line[here - 1];
    case 'first':
      return here > 0 ? line[0] : undefined;
    case 'down':
      return isLast ? undefined : (line[here + 2] ?? null);
    case 'last':
      return isLast ? undefined : null;
  }
}
