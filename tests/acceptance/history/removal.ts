// Fails when what was removed does not come back as it was, when a file is touched that is not Timbre's to remove, or when a kill on the way
// loses one.
import { once } from 'node:events';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { addSearchFunctions } from '../../../src/main/core/database/search-functions.ts';
import { databaseName } from '../../../src/main/core/database/database.ts';
import type { Job } from '../../../src/main/core/jobs/job.ts';
import { calls } from '../../../src/main/core/files/disturbed-publish.fixture.ts';
import type { FileStatusReport } from '../../../src/shared/schemas/history.ts';
import { openHistory, type HistoryCase } from '../support/history/open-history.ts';
import type { RemoveMessage, RemoveOrder } from '../support/history/remove-process.ts';
import { Failed, must, type Scenario, type ScenarioContext } from '../support/scenario.ts';
import { putFile, recording, sha256Of } from '../support/watch/recordings.ts';

const removeProcess = fileURLToPath(new URL('../support/history/remove-process.ts', import.meta.url));

/** A file as it must stay: the very same, with the same bytes. */
interface Kept {
  readonly id: string;
  readonly path: string;
  readonly inode: bigint;
  readonly hash: string;
}

async function keptOf(id: string, path: string): Promise<Kept> {
  return { id, path, inode: (await stat(path, { bigint: true })).ino, hash: sha256Of(await readFile(path)) };
}

async function isAt({ inode, hash }: Kept, path: string): Promise<boolean> {
  const stats = await stat(path, { bigint: true }).catch(() => null);
  return stats?.ino === inode && sha256Of(await readFile(path)) === hash;
}

const pathOf = (job: Job) => job.output?.path ?? '';

/** As many as a page may ask for. */
const looksAtOnce = 100;

/** All that a page may see of history. */
async function everything(app: HistoryCase) {
  const rows = await app.rows('');
  const looks: FileStatusReport[] = [];
  for (let from = 0; from < rows.length; from += looksAtOnce) {
    const ids = rows.slice(from, from + looksAtOnce).map(({ id }) => id);
    looks.push(...(await app.api.history.getFileStatus({ ids })));
  }
  const list = await app.listed('');
  return { rows, looks, days: list.days, months: list.months };
}

/** Takes entries out, says what must hold meanwhile, and takes it back: all is as before. */
async function thereAndBack(
  app: HistoryCase,
  ids: readonly string[],
  withFiles: boolean,
  expected: { readonly entries: number; readonly files: number; readonly keptFiles: number },
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const before = await everything(app);
  const { undo, ...removal } = await app.api.history.remove({ choice: { ids }, withFiles });
  must(isDeepStrictEqual(removal, expected), `removed ${JSON.stringify(removal)}, not ${JSON.stringify(expected)}`);
  const left = await app.rows('');
  must(left.length === before.rows.length - expected.entries, `${left.length} of ${before.rows.length} are left`);
  await meanwhile();
  await app.api.history.undo({ undo });
  must(isDeepStrictEqual(await everything(app), before), 'an undo does not bring back what was there');
}

/** Another entry of the same file, as a data folder may hold it that was merged by hand. */
function addTwin(dataFolder: string, id: string, twin: string): void {
  const database = new DatabaseSync(join(dataFolder, databaseName), { timeout: 10_000 });
  addSearchFunctions(database);
  const columns = database
    .prepare("SELECT name FROM pragma_table_info('job') WHERE name NOT IN ('number', 'id', 'phase')")
    .all()
    .map(({ name }) => String(name))
    .join(', ');
  database.prepare(`INSERT INTO job (id, ${columns}) SELECT ?, ${columns} FROM job WHERE id = ?`).run(twin, id);
  database.close();
}

/** Where a kill strikes: before this call, on the result or on its folder, is carried out. */
interface Point {
  readonly name: string;
  readonly undo: 'all' | 'none';
  readonly call: keyof typeof calls;
  readonly on: 'result' | 'folder';
  readonly when: number;
}

const points: readonly Point[] = [
  { name: 'after the journal row', undo: 'none', call: 'rename', on: 'result', when: 1 },
  { name: 'after the rename', undo: 'none', call: 'sync', on: 'folder', when: 1 },
  { name: 'in the undo, before the name is back', undo: 'all', call: 'link', on: 'result', when: 1 },
  { name: 'in the undo, after the name is back', undo: 'all', call: 'sync', on: 'folder', when: 2 },
];

type Reports = ReadonlyMap<string, Exclude<RemoveMessage, { type: 'ready' | 'over' }>['type']>;

/** Starts a process that removes entries, and resolves once it was killed with the last report on each entry. */
async function killed(
  context: ScenarioContext,
  order: RemoveOrder,
  prefix: readonly string[],
  strike: ((kill: () => void) => void) | null,
): Promise<Reports> {
  const line: readonly string[] = [...prefix, process.execPath, removeProcess, JSON.stringify(order)];
  const [command = process.execPath, ...args] = line;
  const child = context.spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '1', UV_USE_IO_URING: '0' },
  });
  const reports = new Map<string, 'removing' | 'removed' | 'undoing' | 'undone'>();
  let isKilled = false;
  const kill = () => {
    if (!isKilled && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    isKilled = true;
  };
  child.on('message', (message: RemoveMessage) => {
    if ('id' in message) reports.set(message.id, message.type);
    if (message.type === 'ready') strike?.(kill);
    if (message.type === 'over') kill();
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (signal !== 'SIGKILL') throw new Failed(`a process that removes ended with ${code ?? signal}`);
  return reports;
}

/** After a restart every file is in exactly one place, and matches what the process reported. */
async function checkAfter(
  context: ScenarioContext,
  app: { readonly folder: string },
  files: readonly Kept[],
  reports: Reports,
  what: string,
): Promise<void> {
  const later = await openHistory({ ...context, folder: app.folder });
  await later.sound();
  const shown = new Set((await later.rows('')).map(({ id }) => id));
  for (const file of files) {
    const isHere = await isAt(file, file.path);
    const isInTrash = await isAt(file, join(later.trashFolder, basename(file.path)));
    const name = basename(file.path);
    must(isHere || isInTrash, `${what}: ${name} is lost`);
    must(!(isHere && isInTrash), `${what}: ${name} is there twice`);
    must(shown.has(file.id) === isHere, `${what}: ${name} is ${isHere ? 'there, and not shown' : 'gone, and shown'}`);
    const last = reports.get(file.id);
    if (last === undefined || last === 'undone') must(isHere, `${what}: ${name} is not there (${last ?? 'untouched'})`);
    if (last === 'removed') must(isInTrash, `${what}: ${name} was removed, and is not in the trash`);
    if (last === 'undoing') must(isHere || isInTrash, `${what}: ${name} is lost in its undo`);
  }
  const { queue } = await later.data();
  must(
    files.every(({ id }) => queue.store.get(id) !== undefined),
    `${what}: a record is lost`,
  );
  await later.close();
}

export const scenario: Scenario = {
  id: 'H4',
  title: 'removed entries are restored unchanged, only files made by Timbre are touched, and a kill loses none',
  async run(context) {
    const rounds = context.size(4, 60);
    const eachRound = 6;
    const folder = join(context.folder, 'history');
    const app = await openHistory({ ...context, folder });
    await app.sound();
    const count = 6 + points.length + rounds * eachRound;
    context.note(`converting ${count}`);
    const sources = await Promise.all(
      Array.from({ length: count }, (_, k) => putFile(join(folder, 'in'), `take ${k}.wav`, recording(k))),
    );
    const jobs = await app.convert(sources);
    must(
      jobs.every(({ state }) => state === 'done'),
      'not all were converted',
    );
    const recordings = await Promise.all(sources.map((path) => keptOf('', path)));
    const results = await Promise.all(jobs.map((job) => keptOf(job.id, pathOf(job))));
    const [first, changed, replaced, shared, tagged, watched, ...others] = jobs;
    must(!!first && !!changed && !!replaced && !!shared && !!tagged && !!watched, 'too few were converted');
    await app.api.history.update({ choice: { ids: [tagged.id] }, addTags: ['keep'], isFavourite: true });

    context.note('there and back');
    const ids = [first.id, tagged.id];
    await thereAndBack(app, ids, false, { entries: 2, files: 0, keptFiles: 0 }, async () => {
      must(await isAt(results[0] as Kept, pathOf(first)), 'a record alone took its file along');
    });
    await thereAndBack(app, ids, true, { entries: 2, files: 2, keptFiles: 0 }, async () => {
      must(!(await isAt(results[0] as Kept, pathOf(first))), 'a file that was removed is still there');
    });
    must(await isAt(results[0] as Kept, pathOf(first)), 'an undo did not bring back the very same file');
    const all = { entries: jobs.length, files: jobs.length, keptFiles: 0 };
    await thereAndBack(
      app,
      jobs.map(({ id }) => id),
      true,
      all,
    );
    for (const file of [...results, ...recordings]) must(await isAt(file, file.path), `${file.path} is another file`);

    context.note('files that are not ours to remove');
    const bytes = await readFile(pathOf(changed));
    await writeFile(pathOf(changed), Buffer.concat([bytes, Buffer.from('more')]));
    const mine = await keptOf(changed.id, pathOf(changed));
    // The same bytes in another program's file.
    await rename(pathOf(replaced), `${pathOf(replaced)}.mine`);
    await writeFile(pathOf(replaced), await readFile(`${pathOf(replaced)}.mine`));
    const foreign = await keptOf(replaced.id, pathOf(replaced));
    const twin = '99999999-9999-4999-8999-999999999999';
    addTwin(app.dataFolder, shared.id, twin);
    const alien = await keptOf('', await putFile(app.outputFolder, 'nobody’s.wav', recording(count)));
    const notOurs = [changed.id, replaced.id, shared.id];
    await thereAndBack(app, notOurs, true, { entries: 3, files: 0, keptFiles: 3 }, async () => {
      for (const file of [mine, foreign, results[3] as Kept, alien, ...recordings]) {
        must(await isAt(file, file.path), `${file.path} was touched`);
      }
    });
    await thereAndBack(app, [shared.id, twin], true, { entries: 2, files: 1, keptFiles: 0 });
    must(await isAt(results[3] as Kept, pathOf(shared)), 'what two entries had is not there any more');

    context.note('closed without an undo');
    await app.api.history.remove({ choice: { ids: [watched.id] }, withFiles: true });
    await app.close();
    const gone = results[5] as Kept;
    must(await isAt(gone, join(app.trashFolder, basename(gone.path))), 'what was removed is not in the trash');

    const rest = others.map(({ id }) => results.find((file) => file.id === id) as Kept);
    for (const [k, point] of points.entries()) {
      context.note(`killed ${point.name}`);
      const file = rest[k] as Kept;
      const path = point.on === 'result' ? file.path : app.outputFolder;
      const prefix = ['strace', '-f', '-qq', '-o', '/dev/null', '-P', path, '-e', `trace=${calls[point.call]}`].concat([
        '-e',
        `inject=${calls[point.call]}:signal=KILL:when=${point.when}`,
      ]);
      const order: RemoveOrder = { folder, ids: [file.id], undo: point.undo };
      const reports = await killed(context, order, prefix, null);
      must(reports.get(file.id) === (point.undo === 'all' ? 'undoing' : 'removing'), `${point.name}: it came too far`);
      await checkAfter(context, app, [file], reports, point.name);
      must((await isAt(file, file.path)) === (point.undo === 'all'), `${point.name}: it is in the wrong place`);
    }

    let seen = 0;
    for (let round = 0; round < rounds; round += 1) {
      const files = rest.slice(points.length + round * eachRound, points.length + (round + 1) * eachRound);
      context.note(`killed at a moment, round ${round}`);
      const order: RemoveOrder = { folder, ids: files.map(({ id }) => id), undo: 'every second' };
      const reports = await killed(context, order, [], (kill) => setTimeout(kill, context.random.integer(0, 60)));
      seen += reports.size;
      await checkAfter(context, app, files, reports, `round ${round}`);
    }
    for (const file of recordings) must(await isAt(file, file.path), `${file.path} was touched`);
    return {
      entries: jobs.length,
      kills: points.length + rounds,
      'removed before a kill': seen,
      'files lost': 0,
      'others touched': 0,
    };
  },
};
