// Fails when Timbre does not start on a damaged database, does not say what became of it, loses a row that does not stand on the bad page,
// or does away with the damaged file.
import { cp, mkdir, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseName, openDatabase } from '../../../src/main/core/database/database.ts';
import { makeHistory } from '../../../src/main/core/history/history.fixture.ts';
import { openHistory } from '../support/history/open-history.ts';
import { must, type Scenario, type ScenarioContext } from '../support/scenario.ts';

const pageBytes = 4096;
const until = Date.UTC(2026, 10, 1);
/** Tables with the user's data; all others are derived from these. */
const tables = [
  'job',
  'connection_document',
  'favourite_voice',
  'history_favourite',
  'history_tag',
  'history_removed',
  'history_origin',
] as const;
type Table = (typeof tables)[number];
type Rows = Readonly<Record<Table, ReadonlySet<string>>>;

function rowsOf(database: DatabaseSync): Rows {
  const read = (table: Table) =>
    new Set(
      database
        .prepare(`SELECT * FROM ${table}`)
        .all()
        .map((row) => JSON.stringify(row)),
    );
  return Object.fromEntries(tables.map((table) => [table, read(table)])) as unknown as Rows;
}

const someIndexes = ['job_change', 'sqlite_autoindex_job_1'];
const allIndexes = [...someIndexes, 'job_list', 'job_source_content'];
const someDerived = ['history_text_data', 'history_entry'];
const allDerived = [...someDerived, 'history_text_idx', 'history_text_docsize', 'sqlite_autoindex_history_entry_1'];

interface Page {
  readonly name: string;
  readonly number: number;
  readonly type: 'leaf' | 'internal' | 'overflow';
  readonly cells: number;
}

interface Base {
  readonly dataFolder: string;
  readonly rows: Rows;
  readonly pages: readonly Page[];
  readonly bytes: number;
  readonly jobs: number;
}

async function makeBase(folder: string, jobs: number): Promise<Base> {
  const dataFolder = join(folder, 'data');
  await mkdir(dataFolder, { recursive: true });
  const database = await openDatabase(dataFolder);
  makeHistory(database, jobs, until);
  database.exec(`
    INSERT INTO history_favourite SELECT number FROM job WHERE number % 5 = 0;
    INSERT INTO history_tag SELECT number, 'keep' FROM job WHERE number % 7 = 0;
    INSERT INTO history_removed SELECT job, number, 5 FROM history_entry WHERE job % 11 = 0;
    INSERT INTO history_origin SELECT number, '/home/anna/Inbox' FROM job WHERE number % 13 = 0;
  `);
  for (let k = 0; k < 30; k += 1)
    database.prepare(`INSERT INTO favourite_voice VALUES ('local', ?, ?)`).run(`v${k}`, k);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const rows = rowsOf(database);
  const pages = database
    .prepare('SELECT name, pageno, pagetype, ncell FROM dbstat')
    .all()
    .map(({ name, pageno, pagetype, ncell }) => ({
      name: String(name),
      number: Number(pageno),
      type: pagetype as Page['type'],
      cells: Number(ncell),
    }));
  database.close();
  return { dataFolder, rows, pages, bytes: (await stat(join(dataFolder, databaseName))).size, jobs };
}

interface Case {
  readonly name: string;
  /** Pages to be overwritten. */
  readonly pages: readonly number[];
  /** Bytes that are left; null leaves its length. */
  readonly cutTo: number | null;
  /** The maximum of lost rows in each of these tables, 0 for any other. Null: unknown. */
  readonly mayLose: Partial<Record<Table, number>> | null;
}

function casesOf(
  { pages, bytes, jobs }: Base,
  { random: { pick }, full }: Pick<ScenarioContext, 'random' | 'full'>,
): readonly Case[] {
  const each = full ? 3 : 1;
  const of = (name: string, type: Page['type']) =>
    pages.filter((page) => page.name === name && page.type === type && page.number > 1);
  const some = (name: string, type: Page['type'], mayLose: (page: Page) => Case['mayLose']): readonly Case[] => {
    const all = of(name, type);
    if (all.length === 0) return [];
    return Array.from({ length: each }, () => {
      const page = pick(all);
      return { name: `a ${type} page of ${name}`, pages: [page.number], cutTo: null, mayLose: mayLose(page) };
    });
  };
  const nothing = () => ({});
  return [
    ...some('job', 'leaf', ({ cells }) => ({
      job: cells,
      history_favourite: cells,
      history_tag: cells,
      history_removed: cells,
      history_origin: cells,
    })),
    ...some('job', 'internal', nothing),
    ...(full ? allIndexes : someIndexes).flatMap((name) => [
      ...some(name, 'leaf', nothing),
      ...some(name, 'internal', nothing),
    ]),
    ...(full ? allDerived : someDerived).flatMap((name) => [
      ...some(name, 'leaf', nothing),
      ...some(name, 'internal', nothing),
    ]),
    ...(['history_tag', 'history_favourite', 'history_removed', 'history_origin'] as const).flatMap((name) =>
      some(name, 'leaf', ({ cells }) => ({ [name]: cells })),
    ),
    { name: 'the first page', pages: [1], cutTo: null, mayLose: null },
    { name: 'cut in the middle', pages: [], cutTo: Math.floor(bytes / 2 / pageBytes) * pageBytes, mayLose: null },
    { name: 'cut within a page', pages: [], cutTo: bytes - pageBytes - 100, mayLose: { job: jobs } },
    { name: 'cut to nothing but a page', pages: [], cutTo: pageBytes, mayLose: null },
  ];
}

async function damage(path: string, { pages, cutTo }: Case): Promise<void> {
  if (cutTo !== null) await truncate(path, cutTo);
  const file = await open(path, 'r+');
  for (const page of pages) await file.write(Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (page - 1) * pageBytes);
  await file.close();
}

/** Rows that are not there any more. */
function check(before: Rows, after: Rows, { name, mayLose }: Case): number {
  let lost = 0;
  for (const table of tables) {
    const missing = [...before[table]].filter((row) => !after[table].has(row));
    const alien = [...after[table]].filter((row) => !before[table].has(row));
    must(alien.length === 0, `${name}: ${table} has ${alien.length} rows that were never there: ${alien[0] ?? ''}`);
    lost += missing.length;
    if (mayLose === null) continue;
    const most = mayLose[table] ?? 0;
    must(missing.length <= most, `${name}: ${missing.length} rows of ${table} are lost, of ${most} on the page`);
  }
  return lost;
}

async function runCase(context: ScenarioContext, base: Base, one: Case, folder: string): Promise<number> {
  const dataFolder = join(folder, 'data');
  await cp(base.dataFolder, dataFolder, { recursive: true });
  const path = join(dataFolder, databaseName);
  await damage(path, one);
  const damaged = await readFile(path);

  const app = await openHistory({ ...context, folder, expects: () => true });
  await app.sound();
  const [problem] = app.damage;
  must(
    app.damage.length === 1 && problem?.code === 'data/damaged',
    `${one.name}: it says ${JSON.stringify(app.damage)}`,
  );
  const kept = join(dataFolder, String(problem.facts?.['name']));
  const keptBytes = await readFile(kept);
  // The first page records that there is no write-ahead log.
  must(keptBytes.length >= damaged.length, `${one.name}: what was kept is shorter`);
  must(
    keptBytes.subarray(pageBytes, damaged.length).equals(damaged.subarray(pageBytes)),
    `${one.name}: what was kept is not the damaged file`,
  );

  const database = new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  const after = rowsOf(database);
  must(database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok', `${one.name}: it is damaged still`);
  const shown = Number(
    database.prepare('SELECT count(*) AS n FROM job WHERE number NOT IN (SELECT job FROM history_removed)').get()?.[
      'n'
    ],
  );
  const count = (sql: string) => Number(database.prepare(sql).get()?.['n']);
  const jobs = count('SELECT count(*) AS n FROM job');
  const inAll = `number NOT IN (SELECT job FROM history_removed)`;
  const keptOnes = count(`SELECT count(*) AS n FROM job WHERE ${inAll} AND number IN (SELECT job FROM history_tag)`);
  const failed = count(`SELECT count(*) AS n FROM job WHERE ${inAll} AND state = 'failed'`);
  const watched = count(`SELECT count(*) AS n FROM job WHERE ${inAll} AND number IN (SELECT job FROM history_origin)`);
  database.close();
  const lost = check(base.rows, after, one);
  must(problem.facts?.['count'] === jobs, `${one.name}: it says ${JSON.stringify(problem.facts)} of ${jobs}`);

  // History is whole again, and new work goes into it.
  for (const [text, expected] of [
    ['', shown],
    ['status:failed', failed],
    ['tag:keep', keptOnes],
    ['from:inbox', watched],
  ] as const) {
    const { matches } = await app.listed(text);
    must(matches === expected, `${one.name}: "${text}" finds ${matches} of ${expected}`);
  }
  const [row] = (await app.api.history.search({ text: '' })).rows;
  if (row) await app.api.history.detail({ id: row.id });
  await app.close();
  const again = await openHistory({ ...context, folder });
  await again.sound();
  must(again.damage.length === 0, `${one.name}: the next start says ${JSON.stringify(again.damage)}`);
  const { matches } = await again.listed('');
  must(matches === shown, `${one.name}: the next start lists ${matches} of ${shown}`);
  await again.close();
  must(
    (await readdir(dataFolder)).every((name) => !name.startsWith('salvage-')),
    `${one.name}: it left its work`,
  );
  must((await readFile(kept)).equals(keptBytes), `${one.name}: the damaged file was touched by the next start`);
  await rm(folder, { recursive: true });
  return lost;
}

export const scenario: Scenario = {
  id: 'H7',
  title: 'with bad pages of any kind or cut files it starts, reports it, and keeps the damaged file and all other rows',
  async run(context) {
    const base = await makeBase(join(context.folder, 'base'), context.size(600, 10_000));
    const cases = casesOf(base, context);
    let lost = 0;
    for (const [k, one] of cases.entries()) {
      context.note(one.name);
      lost += await runCase(context, base, one, join(context.folder, `case ${k}`));
    }
    return {
      jobs: base.jobs,
      pages: base.bytes / pageBytes,
      'kinds of damage': cases.length,
      'rows lost in all': lost,
    };
  },
};
