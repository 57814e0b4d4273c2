import type { DatabaseSync } from 'node:sqlite';
import type { JobStore } from '../../../../src/main/core/jobs/job-store.ts';
import type { CrashPoint } from './queue-order.ts';

export const die = () => process.kill(process.pid, 'SIGKILL');

/** Makes this process die within the statement that a temporary trigger (`BEFORE … ON main.…`) belongs to. */
export function dieBefore(database: DatabaseSync, statement: string): void {
  database.function('die', { directOnly: false }, () => Number(die()));
  database.exec(`CREATE TEMP TRIGGER crash BEFORE ${statement} BEGIN SELECT die(); END`);
}

/** In the middle of the transaction that commits the state, or in the same turn in which it came back. */
export function crashAt(database: DatabaseSync, store: JobStore, { state, moment }: CrashPoint): void {
  if (moment === 'after') {
    store.onEvent((news) => {
      if (news.kind === 'upserted' && news.jobs.some((job) => job.state === state && job.revision > 1)) die();
    });
    return;
  }
  dieBefore(database, `UPDATE OF state ON main.job WHEN NEW.state = '${state}' AND OLD.state <> NEW.state`);
}
