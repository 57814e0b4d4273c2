import type { DatabaseSync } from 'node:sqlite';

const newest = 20;
/** Fewer are an anecdote. */
const fewest = 5;

/** Seconds of work that a second of sound has cost on a connection, by this person's own past; null where there is too little of it. */
export function paceOf(database: DatabaseSync, connectionId: string): number | null {
  const rows = database
    .prepare(
      `SELECT (ended_at - started_at) / 1000.0 / duration_seconds AS pace FROM job
         WHERE state = 'done' AND connection_id = ? AND duration_seconds > 0 AND started_at IS NOT NULL
         ORDER BY ended_at DESC LIMIT ?`,
    )
    .all(connectionId, newest);
  if (rows.length < fewest) return null;
  const paces = rows.map(({ pace }) => Number(pace)).sort((a, b) => a - b);
  const middle = paces.length >> 1;
  const upper = paces[middle] ?? 0;
  return paces.length % 2 === 1 ? upper : (upper + (paces[middle - 1] ?? 0)) / 2;
}
