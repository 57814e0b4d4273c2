import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { damageDatabase } from '../database/damage.fixture.ts';
import { databaseName } from '../database/database.ts';
import { usePaidService } from './paid-service.fixture.ts';
import { useTestQueue } from './queue.fixture.ts';
import { settled, settledOrStuck } from './wait-for-jobs.ts';

const queue = useTestQueue();
const { openService } = usePaidService(queue);
const { signal } = new AbortController();

/** Overwrites the database in use, from this byte on, and returns what puts it back. */
async function damage(from: number): Promise<() => Promise<void>> {
  const path = join(queue().folder, 'data', databaseName);
  const intact = await damageDatabase(path, from);
  return async () => {
    await writeFile(path, intact, { flag: 'r+' });
    // A commit, so that no process trusts what it has read before.
    const repaired = new DatabaseSync(path);
    repaired.exec('CREATE TABLE repaired (at INTEGER); DROP TABLE repaired');
    repaired.close();
  };
}

it.each([
  ['a page', 4096],
  ['its head', 0],
])(
  'a command is told of damage to %s during a paid call, instead of waiting; the reply is kept',
  async (_what, from) => {
    let repair = () => Promise.resolve();
    let unanswered: number | null = null;
    const counts = await openService(async (step) => {
      if (step !== 'paid') return false;
      repair = await damage(from);
      // Who waits, or quits, asks this before a write meets the damage.
      unanswered = queue().scheduler.unansweredPaidCalls();
      return false;
    });
    const { store, breaker, writes, scheduler } = queue();
    const { ids } = await queue().add([await queue().addFile('a.mp3')]);
    scheduler.start();
    const end = await settledOrStuck({ store, breaker, writes, scheduler, clock: systemClock, signal }, ids);
    expect(unanswered).toBe(1);
    expect(end).toMatchObject({ reason: 'data', problem: { code: 'data/damaged' } });
    expect(() => writes.write(() => store.get(ids[0] ?? ''))).toThrow(
      expect.objectContaining({ code: 'data/damaged' }),
    );
    await repair();
    expect(await settled(store, ids)).toMatchObject([{ state: 'done' }]);
    expect(counts).toMatchObject({ paid: 1, result: 1 });
    expect(breaker.list()).toEqual([]);
  },
);
