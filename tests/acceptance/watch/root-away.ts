// Fails when a root that goes away takes what is known of its files along, when an empty folder in its place is taken for it, or when
// it is not watched again once it is back.
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseName } from '../../../src/main/core/database/database.ts';
import { must, type Scenario } from '../support/scenario.ts';
import { openWatch } from '../support/watch/open-watch.ts';

/** What is known of files, on disk. */
function known(dataFolder: string): { readonly ledger: number; readonly there: number } {
  const database = new DatabaseSync(join(dataFolder, databaseName), { timeout: 5000, readOnly: true });
  try {
    const count = (sql: string) => Number(database.prepare(sql).get()?.['n']);
    return {
      ledger: count('SELECT count(*) AS n FROM watch_ledger'),
      there: count('SELECT count(*) AS n FROM watched_file WHERE is_present = 1'),
    };
  } finally {
    database.close();
  }
}

export const scenario: Scenario = {
  id: 'W8',
  title: 'a root that disappears and returns, with an empty folder meanwhile, is neither forgotten nor converted again',
  async run(context) {
    const engine = await context.startEngine();
    const watch = await openWatch(context, engine, { name: 'root' });
    await watch.begin();
    const count = context.size(30, 500);
    const awayMs = context.size(2000, 30_000);
    const names = Array.from({ length: count }, (_, k) => `day ${k % 5}/take ${k}.wav`);
    for (const [k, name] of names.entries()) await watch.put(name, k);
    await watch.until('all are done', () => names.every(watch.isDone), 300_000);
    const before = known(watch.dataFolder);
    must(before.ledger === count && before.there === count, `${before.ledger} in the ledger, ${before.there} there`);

    context.note('away');
    const away = join(watch.folder, 'away');
    await rename(watch.root, away);
    await watch.until('it is offline', () => watch.view().mode === 'offline');
    await sleep(awayMs / 2);
    const missing = watch.view().problems[0]?.code;
    must(missing === 'watch/missing', `a root that is away says ${missing ?? 'nothing'}`);
    await mkdir(watch.root);
    await watch.until(
      'it says that another folder is there',
      () => watch.view().problems[0]?.code === 'watch/another-folder',
    );
    await sleep(awayMs / 2);
    must(watch.view().mode === 'offline', `an empty folder is taken for the root: ${watch.view().mode}`);
    const meanwhile = known(watch.dataFolder);
    must(meanwhile.ledger === count && meanwhile.there === count, `${meanwhile.there} of ${count} are still there`);

    context.note('back');
    await rmdir(watch.root);
    await rename(away, watch.root);
    const backMs = performance.now();
    await watch.put('new.wav', count);
    await watch.until('it is watched again', () => watch.view().mode === 'watching', 60_000);
    const watchingMs = performance.now() - backMs;
    await watch.until('what is new is done', () => watch.isDone('new.wav'), 60_000);
    const foundMs = performance.now() - backMs;
    await watch.putLast();
    const after = known(watch.dataFolder);
    must(
      after.ledger === count + 2 && after.there === count + 2,
      `${after.ledger} in the ledger, ${after.there} there`,
    );
    must(watch.jobs().length === count + 2, `${watch.jobs().length - count - 2} jobs too many`);
    must(watch.paid() === count + 2, `${watch.paid()} paid calls`);
    await watch.close();
    return { files: count, 'rows lost': 0, 'watching after ms': watchingMs, 'new one done after ms': foundMs };
  },
};
