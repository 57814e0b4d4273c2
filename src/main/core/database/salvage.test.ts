import { randomUUID } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { conversionJob } from '../jobs/job.fixture.ts';
import { createJobStore } from '../jobs/job-store.ts';
import { acquireProcessLock } from '../jobs/process-lock.ts';
import { findDamage } from './sqlite.ts';
import { databaseName, openDatabase } from './database.ts';
import { salvageDatabase } from './salvage.ts';

/** Enough that the empty tables are a small part of the file. */
const jobCount = 800;
const pageBytes = 4096;
const now = Date.UTC(2026, 10, 21);

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-salvage-'));
  path = join(folder, databaseName);
});
afterEach(() => rm(folder, { recursive: true }));

const idsOf = (database: DatabaseSync) => database.prepare('SELECT id FROM job ORDER BY number').all();
const favourites = (database: DatabaseSync) =>
  database.prepare('SELECT * FROM favourite_voice ORDER BY voice_id').all();

/** Adds jobs and favourite voices. Returns their rows. */
async function fill() {
  const database = await openDatabase(folder);
  const processLock = acquireProcessLock(folder);
  const store = createJobStore({
    database,
    clock: systemClock,
    processLock,
    isCommand: false,
    onDefect: console.error,
  });
  store.add(Array.from({ length: jobCount }, () => conversionJob({ id: randomUUID() })));
  for (let k = 0; k < 20; k += 1) {
    database.prepare("INSERT INTO favourite_voice VALUES ('local', ?, ?)").run(`voice ${k}`, k);
  }
  processLock.release();
  const all = { ids: idsOf(database), favourites: favourites(database) };
  database.close();
  return all;
}

const rootPageOf = (database: DatabaseSync, name: string) =>
  Number(database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name)?.['rootpage']);

/** Leaf pages of `job`: the children of its root, which is an interior page. */
async function leavesOfJob(): Promise<readonly number[]> {
  const database = await openDatabase(folder);
  const root = rootPageOf(database, 'job');
  database.close();
  const page = (await readFile(path)).subarray((root - 1) * pageBytes, root * pageBytes);
  expect(page[0], 'the root of the table is an interior page').toBe(5);
  const cells = Array.from({ length: page.readUInt16BE(3) }, (_, k) =>
    page.readUInt32BE(page.readUInt16BE(12 + 2 * k)),
  );
  return [...cells, page.readUInt32BE(8)];
}

async function overwrite(page: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(pageBytes, 0xa5), 0, pageBytes, (page - 1) * pageBytes);
  await file.close();
}

describe('a damaged database', () => {
  it('keeps every row that is not on the bad page, and the damaged file', async () => {
    const before = await fill();
    const leaves = await leavesOfJob();
    const page = leaves[Math.floor(leaves.length / 2)] ?? 0;
    const onPage = (await readFile(path)).readUInt16BE((page - 1) * pageBytes + 3);
    await overwrite(page);
    expect(findDamage(path)).not.toBeNull();
    const damaged = await readFile(path);
    const { jobs, lostJobs, keptAs } = await salvageDatabase(folder, now);
    // Only the first page differs: merging the log into the file changes its header.
    expect((await readFile(keptAs)).subarray(pageBytes).equals(damaged.subarray(pageBytes))).toBe(true);
    expect(findDamage(path)).toBeNull();
    const database = await openDatabase(folder);
    const ids = idsOf(database);
    expect(before.ids).toEqual(expect.arrayContaining(ids));
    expect(ids).toHaveLength(jobs);
    expect([jobs, lostJobs]).toEqual([jobCount - onPage, onPage]);
    expect(favourites(database)).toEqual(before.favourites);
    database.close();
  });

  it('keeps every row even if the page that leads to them is bad', async () => {
    const before = await fill();
    const database = await openDatabase(folder);
    const root = rootPageOf(database, 'job');
    database.close();
    await overwrite(root);
    expect(await salvageDatabase(folder, now)).toMatchObject({ jobs: jobCount, lostJobs: null });
    expect(findDamage(path)).toBeNull();
    const after = await openDatabase(folder);
    expect(idsOf(after)).toEqual(before.ids);
    after.close();
    expect((await readdir(folder)).filter((name) => name.startsWith('salvage-'))).toEqual([]);
  });

  it('does not claim that nothing is missing if not even its first page can be read', async () => {
    await fill();
    await overwrite(1);
    expect(await salvageDatabase(folder, now)).toMatchObject({ jobs: 0, lostJobs: null });
  });

  it('loses nothing if only an index is bad', async () => {
    const before = await fill();
    const database = await openDatabase(folder);
    const root = rootPageOf(database, 'job_change');
    database.close();
    await overwrite(root);
    expect(await salvageDatabase(folder, now)).toMatchObject({ jobs: jobCount, lostJobs: 0 });
    const after = await openDatabase(folder);
    expect(idsOf(after)).toEqual(before.ids);
    after.close();
  });

  it('that was truncated keeps the rows before the cut', async () => {
    await fill();
    const { size } = await stat(path);
    await truncate(path, Math.floor(size / 2 / pageBytes) * pageBytes);
    const { jobs } = await salvageDatabase(folder, now);
    expect(jobs).toBeGreaterThan(jobCount / 10);
    expect(findDamage(path)).toBeNull();
  });

  it('of which only a few pages are left is replaced by one that can be opened', async () => {
    await fill();
    for (const pages of [1, 2, 12, 40]) {
      await truncate(path, pages * pageBytes);
      const { keptAs } = await salvageDatabase(folder, now + pages);
      expect((await stat(keptAs)).size).toBeGreaterThanOrEqual(pages * pageBytes);
      (await openDatabase(folder)).close();
      expect(findDamage(path)).toBeNull();
      await rm(path);
      await fill();
    }
  });

  it('of which nothing is readable is kept and replaced by an empty one', async () => {
    await writeFile(path, Buffer.alloc(3 * pageBytes, 0xa5));
    await expect(openDatabase(folder)).rejects.toMatchObject({ code: 'data/damaged' });
    const { jobs, keptAs } = await salvageDatabase(folder, now);
    expect(jobs).toBe(0);
    expect(await readFile(keptAs)).toEqual(Buffer.alloc(3 * pageBytes, 0xa5));
    (await openDatabase(folder)).close();
  });

  it('keeps the annotations of each entry, and finds it by them', async () => {
    await fill();
    const database = await openDatabase(folder);
    database.exec(`
      UPDATE job SET state = 'done', ended_at = 1000 + number;
      INSERT INTO history_favourite SELECT number FROM job WHERE number % 5 = 0;
      INSERT INTO history_tag SELECT number, 'keep' FROM job WHERE number % 7 = 0;
      INSERT INTO history_removed SELECT job, number, 5 FROM history_entry WHERE job % 11 = 0;
      INSERT INTO history_origin SELECT number, '/home/anna/Inbox' FROM job WHERE number % 13 = 0;
    `);
    const annotationsOf = (opened: DatabaseSync) =>
      ['history_favourite', 'history_tag', 'history_removed', 'history_origin'].map((table) =>
        opened.prepare(`SELECT * FROM ${table} ORDER BY job`).all(),
      );
    const listed = (opened: DatabaseSync) => opened.prepare('SELECT number, job FROM history_entry ORDER BY 1').all();
    const found = (opened: DatabaseSync, words: string) =>
      opened.prepare('SELECT count(*) AS n FROM history_text WHERE history_text MATCH ?').get(words)?.['n'];
    const before = [annotationsOf(database), listed(database)];
    const root = rootPageOf(database, 'job_change');
    database.close();
    await overwrite(root);
    await salvageDatabase(folder, now);
    const after = await openDatabase(folder);
    expect([annotationsOf(after), listed(after)]).toEqual(before);
    expect(found(after, 'origin : inbox')).toBe(Math.floor(jobCount / 13) - Math.floor(jobCount / 143));
    expect(found(after, 'tags : keep')).toBe(Math.floor(jobCount / 7) - Math.floor(jobCount / 77));
    after.close();
  });

  it('drops the annotations of lost jobs, so that new jobs do not get them', async () => {
    await fill();
    const database = await openDatabase(folder);
    database.exec("INSERT INTO history_tag SELECT number, 'keep' FROM job");
    database.exec('INSERT INTO history_removed SELECT number, number, 5 FROM job');
    database.close();
    await overwrite((await leavesOfJob()).at(-1) ?? 0);
    const { lostJobs } = await salvageDatabase(folder, now);
    const after = await openDatabase(folder);
    const left = (table: string) => after.prepare(`SELECT count(DISTINCT job) AS n FROM ${table}`).get()?.['n'];
    expect([left('history_tag'), left('history_removed')]).toEqual(Array(2).fill(idsOf(after).length));
    expect(idsOf(after).length).toBeLessThan(jobCount);
    expect(lostJobs, 'the newest leave no gap').toBeNull();
    expect(after.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    after.close();
  });

  it('of a development version is left unchanged', async () => {
    await fill();
    const database = await openDatabase(folder);
    const root = rootPageOf(database, 'job_change');
    database.exec('PRAGMA application_id = 0; PRAGMA journal_mode = DELETE');
    database.close();
    await overwrite(root);
    const before = await readFile(path);
    await expect(salvageDatabase(folder, now)).rejects.toMatchObject({ code: 'data/unreleased' });
    expect(await readFile(path)).toEqual(before);
    expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/damaged|salvage/));
  });

  it('is left unchanged while another process has it open', async () => {
    await fill();
    const other = await openDatabase(folder);
    const files = await readdir(folder);
    await expect(salvageDatabase(folder, now)).rejects.toMatchObject({ code: 'data/in-use' });
    expect(await readdir(folder)).toEqual(files);
    other.close();
  });
});

it('an undamaged database has no damage', async () => {
  await fill();
  expect(findDamage(path)).toBeNull();
});
