import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../database/transaction.ts';
import type { JobRow } from './job-row.ts';
import { isIn, nextChange, unfinished } from './job-sql.ts';
import type { LifeLock } from './life-lock.ts';

/** Which process works on a job, and which command wants to be told of it. */
export interface JobOwners {
  /** Takes over unfinished jobs of dead processes, each once, whoever else tries; gives back their ids. */
  claim(which: { readonly connectionIds: readonly string[] } | { readonly ids: readonly string[] }): readonly string[];
  untold(paths: readonly string[]): readonly JobRow[];
  untoldSpeech(text: string): readonly JobRow[];
  setAsking(ids: readonly string[], command: string | null): void;
}

export function createJobOwners(database: DatabaseSync, life: LifeLock): JobOwners {
  const selectRunners = database.prepare(
    `SELECT DISTINCT runner AS owner FROM job WHERE ${unfinished} AND runner <> ?`,
  );
  const selectAsking = database.prepare(
    'SELECT DISTINCT asked_by AS owner FROM job WHERE asked_by IS NOT NULL AND asked_by <> ?',
  );
  const takeRows = database.prepare(
    `UPDATE job SET runner = :me, change = ${nextChange} WHERE ${unfinished} AND ${isIn('runner', ':dead')}
       AND (${isIn('connection_id', ':connections')} OR ${isIn('id', ':ids')}) RETURNING id`,
  );
  const selectUntold = database.prepare(
    `SELECT * FROM job WHERE ${isIn('asked_by', '?')} AND ${isIn('source_path', '?')} ORDER BY place`,
  );
  const selectUntoldSpeech = database.prepare(
    `SELECT * FROM job WHERE ${isIn('asked_by', '?')} AND kind = 'speech' AND text = ? ORDER BY place`,
  );
  const setAsking = database.prepare(`UPDATE job SET asked_by = ? WHERE ${isIn('id', '?')}`);

  const deadIn = (select: typeof selectRunners): readonly string[] =>
    select
      .all(life.id)
      .map(({ owner }) => String(owner))
      .filter((owner) => !life.isAlive(owner));

  return {
    claim(which) {
      const dead = deadIn(selectRunners);
      if (dead.length === 0) return [];
      const values = {
        me: life.id,
        dead: JSON.stringify(dead),
        connections: JSON.stringify('connectionIds' in which ? which.connectionIds : []),
        ids: JSON.stringify('ids' in which ? which.ids : []),
      };
      return transaction(database, () => takeRows.all(values).map(({ id }) => String(id)));
    },
    untold(paths) {
      const dead = deadIn(selectAsking);
      return dead.length === 0 ? [] : selectUntold.all(JSON.stringify(dead), JSON.stringify(paths));
    },
    untoldSpeech(text) {
      const dead = deadIn(selectAsking);
      return dead.length === 0 ? [] : selectUntoldSpeech.all(JSON.stringify(dead), text);
    },
    setAsking: (ids, command) => void setAsking.run(command, JSON.stringify(ids)),
  };
}
