import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { createEntrySearch } from './search.ts';
import { createEntryReader, createAnnotationWriter } from './entries.ts';
import { toArchiveLine, type ArchiveLine } from './archive-format.ts';
import { makeHistory } from './history.fixture.ts';
import { createImportedJobs, type ImportedJobs, type ImportedLine } from './import-jobs.ts';
import { useLibrary } from './history-entries.fixture.ts';

const library = useLibrary();
const until = Date.UTC(2026, 10, 1);
const count = 300;

let there: DatabaseSync;
let jobs: ImportedJobs;
/** Newest first, as an export has them. */
let lines: readonly ArchiveLine[];

const fail = (error: unknown) => {
  throw error;
};
const readerOf = (database: DatabaseSync) => createEntryReader(database, fail);

function found(database: DatabaseSync, text: string): readonly string[] {
  const search = createEntrySearch(database, { now: () => until });
  const numbers = search.newest(search.parse(text).match, count);
  return readerOf(database)
    .byNumbers(numbers)
    .map(({ id }) => id);
}

beforeEach(async () => {
  const { database, store, folder } = library();
  makeHistory(database, count, until);
  const ids = found(database, '');
  const some = ids.filter((_, k) => k % 7 === 0);
  createAnnotationWriter(database)(some, { isFavourite: true, addTags: ['client', 'größe'] });
  const reader = readerOf(database);
  lines = ids.flatMap((id) => {
    const [job, marks] = [store.get(id), reader.byJobIds([id])[0]];
    return (job && marks && toArchiveLine(job, marks)) ?? [];
  });
  there = await openDatabase(join(folder, 'there'));
  jobs = createImportedJobs({ database: there, connectionId: () => undefined, folder: '/sounds' });
});
afterEach(() => there.close());

function aConversion(): ArchiveLine {
  const line = lines.find(({ kind }) => kind === 'conversion');
  if (!line) throw new Error('no conversion');
  return line;
}

it('makes many lines submitted at once searchable with the same results, in the same order', () => {
  expect(jobs.submit(lines)).toEqual(lines.map(({ id }) => ({ id, isNew: true })));
  for (const text of ['', 'interview', 'status:failed', 'tag:client', 'tag:grosse', 'is:favourite interview']) {
    expect(found(there, text), text).toEqual(found(library().database, text));
    expect(found(there, text), text).not.toEqual([]);
  }
});

it('adds an entry once if its id or its task occurs twice, in one batch or in two', () => {
  const spoken = lines.find(({ kind }) => kind === 'speech');
  if (!spoken) throw new Error('no speech');
  const converted = aConversion();
  const sameTask = { ...converted, id: randomUUID() };
  const part = [converted, sameTask, spoken, spoken];
  const isNew = (of: readonly ImportedLine[]) => of.map((one) => one.isNew);
  const taken = jobs.submit(part);
  expect(taken.map(({ id }) => id)).toEqual([converted.id, converted.id, spoken.id, spoken.id]);
  expect(isNew(taken)).toEqual([true, false, true, false]);
  expect(isNew(jobs.submit(part))).toEqual([false, false, false, false]);
  expect(found(there, '')).toHaveLength(2);
});

it('keeps the order of entries of the same millisecond', () => {
  const some = lines.slice(0, 20).map((line) => ({ ...line, endedAt: until }));
  jobs.submit(some);
  expect(found(there, '')).toEqual(some.map(({ id }) => id));
});

it.each<[string, Partial<ArchiveLine>]>([
  ['of two connections', { connection: { name: 'Another' } }],
  ['of a service that uses its ids again', { endedAt: until + 1 }],
])('distinguishes equal task ids %s, in one batch or in two', (_what, change) => {
  const first = aConversion();
  const other = { ...first, ...change, id: randomUUID() } as ArchiveLine;
  expect(jobs.submit([first, other]).map(({ isNew }) => isNew)).toEqual([true, true]);
  const later = { ...other, id: randomUUID(), endedAt: other.endedAt + 1 };
  expect(jobs.submit([later]).map(({ isNew }) => isNew)).toEqual([true]);
});

it('saves all lines of a batch or none', () => {
  there.exec(`CREATE TRIGGER full BEFORE INSERT ON history_tag BEGIN SELECT raise(ABORT, 'disk is full'); END`);
  expect(() => jobs.submit(lines)).toThrow('disk is full');
  expect(there.prepare('SELECT count(*) AS count FROM job').get()).toEqual({ count: 0 });
});

it('saves each batch with one change number, so that other processes see it whole', () => {
  jobs.submit(lines.slice(0, 10));
  jobs.submit(lines.slice(10, 20));
  expect(there.prepare('SELECT change_number, count(*) AS count FROM job GROUP BY change_number').all()).toEqual([
    { change_number: 1, count: 10 },
    { change_number: 2, count: 10 },
  ]);
});
