/** Word for word as the indexes have it: only then does SQLite use them. */
export const unfinished = 'phase < 9';

/** Counts writes over all rows and processes: each of them can ask what happened since it last looked. */
export const nextChange = '(SELECT coalesce(max(change), 0) + 1 FROM job)';

/** True for a column whose value is in a list, which is bound as JSON. */
export const isIn = (column: string, parameter: string): string =>
  `${column} IN (SELECT value FROM json_each(${parameter}))`;
