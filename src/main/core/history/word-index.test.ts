import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { transaction } from '../database/sqlite.ts';
import { makeHistory } from './history.fixture.ts';
import { createAnnotationWriter } from './entries.ts';
import { createWordIndex } from './word-index.ts';

const entries = 60;
let folder: string;
let database: DatabaseSync;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-words-'));
  database = await openDatabase(folder);
  makeHistory(database, entries, Date.UTC(2026, 10, 1));
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const count = (sql: string) => Number(database.prepare(sql).get()?.['n']);
const segments = () => count('SELECT count(DISTINCT segid) AS n FROM history_text_idx');
const found = () => count("SELECT count(*) AS n FROM history_text WHERE history_text MATCH 'tags:keep'");
const settings = () => database.prepare("SELECT k, v FROM history_text_config WHERE k LIKE '%merge' ORDER BY k").all();
const ids = () =>
  database
    .prepare('SELECT id FROM job')
    .all()
    .map(({ id }) => String(id));

it('stores each write in a segment of its own, and merges them afterwards', () => {
  const words = createWordIndex(database);
  const mark = createAnnotationWriter(database);
  const before = segments();
  for (const id of ids()) transaction(database, () => words.withoutMerging(() => mark([id], { addTags: ['keep'] })));
  expect(segments()).toBe(before + entries);
  expect(found()).toBe(entries);
  while (words.mergeSome());
  expect(segments()).toBeLessThan(before + 4);
  expect(found()).toBe(entries);
  database.exec("INSERT INTO history_text (history_text) VALUES ('integrity-check')");
});

it('restores the usual settings after each write, also after one that fails', () => {
  const words = createWordIndex(database);
  const mark = createAnnotationWriter(database);
  const write = (end: () => void) =>
    transaction(database, () =>
      words.withoutMerging(() => {
        mark(ids(), { isFavourite: true });
        end();
      }),
    );
  write(() => undefined);
  const usual = [
    { k: 'automerge', v: 4 },
    { k: 'crisismerge', v: 16 },
  ];
  expect(settings()).toEqual(usual);
  expect(() =>
    write(() => {
      throw new Error('no room');
    }),
  ).toThrow('no room');
  expect(settings()).toEqual(usual);
  const before = segments();
  // Merged again by itself, as ever.
  for (const id of ids()) mark([id], { addTags: ['keep'] });
  expect(segments()).toBeLessThan(before + entries);
});
