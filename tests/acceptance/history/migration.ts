// Fails when a data folder of an earlier Timbre loses a row on its way to the present schema, lists other entries than those that have
// ended, or cannot be opened after a kill in the middle.
import { once } from 'node:events';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from '../../../src/main/core/database/migrations.ts';
import { databaseName, openDatabase } from '../../../src/main/core/database/database.ts';
import { endStates, fillOld, hashesOf, tablesOf, type Tables } from '../support/history/old-data.ts';
import { openLibrary } from '../support/history/open-history.ts';
import { Failed, must, type Scenario, type ScenarioContext } from '../support/scenario.ts';

const migrateProcess = new URL('../support/history/migrate-process.ts', import.meta.url);
const latest = migrations.at(-1)?.version ?? 0;

interface Old {
  readonly version: number;
  readonly dataFolder: string;
  readonly tables: Tables;
  readonly hashes: Readonly<Record<string, string>>;
  readonly count: number;
}

async function makeOld(dataFolder: string, version: number, count: number): Promise<Old> {
  const database = await openDatabase(dataFolder, migrations.slice(0, version));
  fillOld(database, version, count);
  const tables = tablesOf(database);
  const hashes = hashesOf(database, tables);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return { version, dataFolder, tables, hashes, count };
}

function mustBeEqual(database: DatabaseSync, { tables, hashes }: Old, what: string): void {
  const now = hashesOf(database, tables);
  const changed = Object.keys(hashes).filter((table) => hashes[table] !== now[table]);
  must(changed.length === 0, `${what}: other rows in ${changed.join(', ')}`);
}

/** Everything is there in the present schema, and the copy of before has it too. */
async function checkMigrated(old: Old, dataFolder: string, what: string): Promise<void> {
  const database = await openDatabase(dataFolder);
  const value = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0];
  must(value('PRAGMA integrity_check') === 'ok', `${what}: ${String(value('PRAGMA integrity_check'))}`);
  must(value('PRAGMA user_version') === latest, `${what}: version ${String(value('PRAGMA user_version'))}`);
  must(database.prepare('PRAGMA foreign_key_check').all().length === 0, `${what}: a row refers to none`);
  mustBeEqual(database, old, what);
  const list = endStates.map((state) => `'${state}'`).join(', ');
  const differing = value(`
    SELECT count(*) FROM (SELECT number FROM job WHERE state IN (${list}) AND number NOT IN (SELECT job FROM history_removed)) AS job
    FULL JOIN history_entry ON history_entry.job = job.number WHERE job.number IS NULL OR history_entry.job IS NULL`);
  must(differing === 0, `${what}: ${String(differing)} entries are not the jobs that have ended`);
  const words = value('SELECT count(*) FROM history_text');
  must(words === value('SELECT count(*) FROM history_entry'), `${what}: ${String(words)} entries can be searched`);
  database.close();

  const backup = join(dataFolder, `${databaseName}.before-${old.version + 1}`);
  const before = new DatabaseSync(backup, { readOnly: true });
  const version = before.prepare('PRAGMA user_version').get()?.['user_version'];
  must(version === old.version, `${what}: the copy has version ${String(version)}`);
  mustBeEqual(before, old, `${what}, in the copy`);
  before.close();
}

/** Through the app: history lists exactly those that have ended, and finds them. */
async function checkShown(context: ScenarioContext, old: Old, folder: string): Promise<void> {
  const { version, count } = old;
  const library = await openLibrary({ ...context, folder, works: false });
  const { entries, matches } = await library.listed('');
  // Of twelve states four are ends. One in twenty-four was removed where that could be.
  const removed = version >= 6 ? count / 24 : 0;
  must(
    entries === count / 3 - removed && matches === entries,
    `version ${version}: ${entries} entries of ${count} jobs`,
  );
  const failed = await library.listed('status:failed upstream');
  must(failed.matches === count / 12, `version ${version}: ${failed.matches} failed ones are found`);
  const watched = await library.listed('from:inbox');
  const expected = version >= 4 ? count : 0;
  must(watched.matches > 0 === expected > 0, `version ${version}: ${watched.matches} of a watched folder are found`);
  const [row] = (await library.api.history.search({ text: 'take' })).rows;
  must(row?.voice.name === 'Anna', `version ${version}: an entry says ${JSON.stringify(row)}`);
  await library.api.history.mark({ choice: { ids: [row.id] }, addTags: ['after the update'] });
  const tagged = await library.listed('tag:"after the update"');
  must(tagged.matches === 1, `version ${version}: what is tagged is not found`);
  await library.close();
}

/** Kills it so long after it began. Says whether it was over before. */
async function killedAfter(context: ScenarioContext, dataFolder: string, delayMs: number): Promise<boolean> {
  const child = context.fork(migrateProcess, [dataFolder], { execArgv: [] });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let isOver = false;
  child.on('message', (message) => {
    if (message === 'begins') setTimeout(() => child.kill('SIGKILL'), delayMs);
    if (message === 'over') isOver = true;
  });
  const [code, signal] = await exited;
  if (signal !== 'SIGKILL' && code !== 0) throw new Failed(`a start after an update ended with ${code ?? signal}`);
  return isOver;
}

async function durationOf(context: ScenarioContext, old: Old): Promise<number> {
  const dataFolder = `${old.dataFolder}-timed`;
  await cp(old.dataFolder, dataFolder, { recursive: true });
  const child = context.fork(migrateProcess, [dataFolder], { execArgv: [] });
  const exited = once(child, 'exit');
  let begunMs = 0;
  let overMs = 0;
  child.on('message', (message) => {
    if (message === 'begins') begunMs = performance.now();
    else overMs = performance.now();
  });
  await exited;
  await rm(dataFolder, { recursive: true });
  return overMs - begunMs;
}

export const scenario: Scenario = {
  id: 'H6',
  title: 'data of every earlier schema becomes that of today, whole, also when the way there is killed',
  fullDeadlineMs: 1_800_000,
  async run(context) {
    for (let version = 1; version < latest; version += 1) {
      context.note(`from version ${version}`);
      const folder = join(context.folder, `version ${version}`);
      const old = await makeOld(join(folder, 'data'), version, 240);
      await checkMigrated(old, old.dataFolder, `version ${version}`);
      await checkShown(context, old, folder);
    }

    const count = context.size(2_400, 100_800);
    const kills = context.size(6, 60);
    const versions = [1, 5];
    let inTheMiddle = 0;
    let parts = 0;
    let longestMs = 0;
    for (const version of versions) {
      const old = await makeOld(join(context.folder, `large ${version}`), version, count);
      const wholeMs = await durationOf(context, old);
      longestMs = Math.max(longestMs, wholeMs);
      for (let kill = 0; kill < kills / versions.length; kill += 1) {
        const delayMs = Math.floor(context.random.next() * wholeMs);
        const what = `version ${version}, killed after ${delayMs} of ${Math.round(wholeMs)} ms`;
        context.note(what);
        const dataFolder = `${old.dataFolder}-killed`;
        await cp(old.dataFolder, dataFolder, { recursive: true });
        if (!(await killedAfter(context, dataFolder, delayMs))) inTheMiddle += 1;
        // A second one on the way of the next start.
        if (kill % 3 === 0 && !(await killedAfter(context, dataFolder, delayMs / 2))) inTheMiddle += 1;
        await checkMigrated(old, dataFolder, what);
        parts += (await readdir(dataFolder)).filter((name) => name.endsWith('.part')).length;
        await rm(dataFolder, { recursive: true });
      }
    }
    must(inTheMiddle >= kills / 2, `only ${inTheMiddle} kills came before the end`);
    return {
      'schema versions': latest - 1,
      jobs: count,
      'killed in the middle': inTheMiddle,
      'rows lost': 0,
      'unfinished copies left': parts,
      'longest way ms': Math.round(longestMs),
    };
  },
};
