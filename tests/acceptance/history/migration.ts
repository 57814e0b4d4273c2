// Fails when a data folder of version 1 loses a row on its way to a later schema, lists other entries than those that have ended, cannot
// be opened after a kill in the middle, or is not whole again from its backup.
import { once } from 'node:events';
import { copyFile, cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseName, openDatabase } from '../../../src/main/core/database/database.ts';
import { migrations } from '../../../src/main/core/database/schema.ts';
import { openHistory } from '../support/history/open-history.ts';
import { endStates, fillVersion1, hashesOf, type Tables, tablesOf } from '../support/history/version-1.ts';
import { withVersion2 } from '../support/history/version-2.ts';
import { Failed, must, type Scenario, type ScenarioContext } from '../support/scenario.ts';

const migrateProcess = new URL('../support/history/migrate-process.ts', import.meta.url);
const latest = withVersion2.at(-1)?.version ?? 0;
/** The version that every user has had; all later ones run over it here. */
const version1 = migrations.filter(({ version }) => version === 1);
const backupName = `${databaseName}.before-2`;

interface Old {
  readonly dataFolder: string;
  readonly tables: Tables;
  readonly hashes: Readonly<Record<string, string>>;
  readonly count: number;
}

async function makeOld(dataFolder: string, count: number): Promise<Old> {
  const database = await openDatabase(dataFolder, version1);
  fillVersion1(database, count);
  const tables = tablesOf(database);
  const hashes = hashesOf(database, tables);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  return { dataFolder, tables, hashes, count };
}

function mustBeEqual(database: DatabaseSync, { tables, hashes }: Old, what: string): void {
  const now = hashesOf(database, tables);
  const changed = Object.keys(hashes).filter((table) => hashes[table] !== now[table]);
  must(changed.length === 0, `${what}: other rows in ${changed.join(', ')}`);
}

/** Everything is there in the later schema, and the copy of before has it too. */
async function checkMigrated(old: Old, dataFolder: string, what: string): Promise<void> {
  const database = await openDatabase(dataFolder, withVersion2);
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

  const before = new DatabaseSync(join(dataFolder, backupName), { readOnly: true });
  const version = before.prepare('PRAGMA user_version').get()?.['user_version'];
  must(version === 1, `${what}: the copy has version ${String(version)}`);
  mustBeEqual(before, old, `${what}, in the copy`);
  before.close();
}

/** This Timbre refuses the later schema. With the backup in its place, its history lists and finds what has ended. */
async function checkBackup(context: ScenarioContext, { dataFolder, count }: Old): Promise<void> {
  const refusal = await openDatabase(dataFolder).then(
    () => 'nothing',
    (error: unknown) => (error as { readonly code?: unknown }).code,
  );
  must(refusal === 'data/newer', `a later schema is refused with ${String(refusal)}`);
  const folder = `${dataFolder} restored`;
  await mkdir(join(folder, 'data'), { recursive: true });
  await copyFile(join(dataFolder, backupName), join(folder, 'data', databaseName));
  const app = await openHistory({ ...context, folder, works: false });
  const { entries, matches } = await app.listed('');
  // Of twelve states four are ends. One in twenty-four was removed.
  must(entries === count / 3 - count / 24 && matches === entries, `${entries} entries of ${count} jobs`);
  const failed = await app.listed('status:failed upstream');
  must(failed.matches === count / 12, `${failed.matches} failed ones are found`);
  const watched = await app.listed('from:inbox');
  must(watched.matches > 0, 'none of a watched folder is found');
  const [row] = (await app.api.history.search({ text: 'take' })).rows;
  must(row?.voice.name === 'Anna', `an entry says ${JSON.stringify(row)}`);
  await app.api.history.update({ choice: { ids: [row.id] }, addTags: ['after the update'] });
  const tagged = await app.listed('tag:"after the update"');
  must(tagged.matches === 1, 'what is tagged is not found');
  await app.close();
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
  title: 'data of version 1 is migrated completely, also after a kill, and its backup can be opened',
  fullDeadlineMs: 1_800_000,
  async run(context) {
    const small = await makeOld(join(context.folder, 'data'), 240);
    await checkMigrated(small, small.dataFolder, 'a migration');
    await checkBackup(context, small);

    const count = context.size(2_400, 100_800);
    const kills = context.size(6, 60);
    let inTheMiddle = 0;
    let parts = 0;
    const old = await makeOld(join(context.folder, 'large'), count);
    const wholeMs = await durationOf(context, old);
    for (let kill = 0; kill < kills; kill += 1) {
      const delayMs = Math.floor(context.random.next() * wholeMs);
      const what = `killed after ${delayMs} of ${Math.round(wholeMs)} ms`;
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
    must(inTheMiddle >= kills / 2, `only ${inTheMiddle} kills came before the end`);
    return {
      jobs: count,
      'killed in the middle': inTheMiddle,
      'rows lost': 0,
      'unfinished copies left': parts,
      'whole way ms': Math.round(wholeMs),
    };
  },
};
