import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseName } from '../../../../src/main/core/database/database.ts';
import { Failed } from '../scenario.ts';

type Row = Readonly<Record<string, unknown>>;

export interface Rows {
  readonly jobs: readonly Row[];
  readonly pauses: readonly Row[];
}

const pollMs = 25;

/** What another process has on its disk. */
export function readRows(dataFolder: string): Rows {
  const database = new DatabaseSync(join(dataFolder, databaseName), { timeout: 5000, readOnly: true });
  try {
    return {
      jobs: database.prepare('SELECT * FROM job ORDER BY position').all(),
      pauses: database.prepare('SELECT * FROM pause').all(),
    };
  } finally {
    database.close();
  }
}

/** Looks again and again until it holds. Throws `Failed` when it does not within `longestMs`. */
export async function untilRows(
  dataFolder: string,
  what: string,
  holds: (rows: Rows) => boolean,
  longestMs = 30_000,
): Promise<Rows> {
  const startedMs = performance.now();
  for (;;) {
    const rows = readRows(dataFolder);
    if (holds(rows)) return rows;
    if (performance.now() - startedMs > longestMs) {
      const states = rows.jobs.map(({ state, problem }) => `${String(state)} ${String(problem)}`).join(', ');
      const held = rows.pauses.map(({ reason, problem }) => `${String(reason)} ${String(problem)}`).join(', ');
      throw new Failed(`waited in vain until ${what}; jobs: ${states}; paused: ${held}`);
    }
    await sleep(pollMs);
  }
}
