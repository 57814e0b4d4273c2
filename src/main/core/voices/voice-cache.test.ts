import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Voice } from '../../../shared/schemas/voice.ts';
import { openDatabase } from '../database/database.ts';
import {
  createFavouriteVoices,
  createVoiceCache,
  createVoiceNotes,
  type FavouriteVoices,
  type VoiceCache,
} from './voice-cache.ts';

let folder: string;
let database: DatabaseSync;
let copies: VoiceCache;
let favourites: FavouriteVoices;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-voices-'));
  database = await openDatabase(folder);
  copies = createVoiceCache(database);
  let now = 0;
  favourites = createFavouriteVoices(database, { now: () => (now += 1) });
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const voice = (id: string, change: Partial<Voice> = {}): Voice => ({
  id,
  name: `Voice ${id}`,
  language: 'en-GB',
  gender: 'female',
  category: 'natural',
  ...change,
});
const voices = [
  voice('a'),
  voice('b', { language: 'en-US', gender: 'male' }),
  voice('c', { language: 'de-DE', category: 'Singing' }),
  voice('d', { language: 'enm', name: '‏صوت "%_' }),
];
const all = { page: 0, limit: 100 };
const ids = (query: Parameters<VoiceCache['findPage']>[1]) => copies.findPage('c1', query)?.voices.map(({ id }) => id);

describe('a cached catalogue', () => {
  it('is empty until a catalogue was stored, and then returns all of it in order', () => {
    expect(copies.findPage('c1', all)).toBeUndefined();
    copies.replace('c1', voices, 42);
    expect(copies.findPage('c1', all)).toEqual({ page: 0, limit: 100, total: 4, voices, readAt: 42 });
    expect(copies.findPage('c2', all)).toBeUndefined();
  });

  it('can be removed for one connection alone', () => {
    copies.replace('c1', voices, 1);
    copies.replace('c2', voices, 1);
    copies.forget('c1');
    expect([copies.findPage('c1', all), copies.findPage('c2', all)?.total]).toEqual([undefined, 4]);
  });

  it('returns a page with the total of all pages', () => {
    copies.replace('c1', voices, 1);
    expect(copies.findPage('c1', { page: 1, limit: 3 })).toMatchObject({ page: 1, total: 4, voices: [{ id: 'd' }] });
    expect(copies.findPage('c1', { page: 9, limit: 3 })).toMatchObject({ total: 4, voices: [] });
  });

  it('filters like a service: by language with or without region, in any case, and not at all without a filter', () => {
    copies.replace('c1', voices, 1);
    expect(ids({ ...all, language: 'en' })).toEqual(['a', 'b']);
    expect(ids({ ...all, language: 'EN-gb' })).toEqual(['a']);
    expect(ids({ ...all, category: 'singing' })).toEqual(['c']);
    expect(ids({ ...all, gender: 'male', category: 'all' })).toEqual(['b']);
    expect(ids({ ...all, gender: 'all', language: '', category: '' })).toHaveLength(4);
    expect(ids({ ...all, language: '%' })).toEqual([]);
    expect(copies.findPage('c1', { ...all, limit: 1, language: 'en' })?.total).toBe(2);
  });

  it('is replaced completely or not at all', () => {
    copies.replace('c1', voices, 1);
    const broken = [voice('x'), { ...voice('y'), name: null as unknown as string }];
    expect(() => copies.replace('c1', broken, 2)).toThrow();
    expect(copies.findPage('c1', all)).toMatchObject({ total: 4, readAt: 1 });
    copies.replace('c1', [voice('x')], 3);
    expect(copies.findPage('c1', all)).toMatchObject({ total: 1, readAt: 3 });
  });
});

describe('favourites', () => {
  it('belong to one connection, in the order in which they were added', () => {
    favourites.set('c1', 'b', true);
    favourites.set('c1', 'a', true);
    favourites.set('c1', 'b', true);
    favourites.set('c2', 'z', true);
    expect(favourites.list('c1')).toEqual(['b', 'a']);
    favourites.set('c1', 'b', false);
    expect(favourites.list('c1')).toEqual(['a']);
  });

  it('are kept when the catalogue changes', () => {
    copies.replace('c1', voices, 1);
    favourites.set('c1', 'a', true);
    copies.replace('c1', [], 2);
    expect(favourites.list('c1')).toEqual(['a']);
  });
});

describe('notes', () => {
  it('belong to one voice of one connection, and outlive the catalogue', () => {
    const notes = createVoiceNotes(database);
    notes.set('c1', 'a', 'For the audio book.');
    notes.set('c2', 'a', 'Another one');
    copies.replace('c1', [], 2);
    expect([notes.list('c1'), notes.list('c2'), notes.list('c3')]).toEqual([
      { a: 'For the audio book.' },
      { a: 'Another one' },
      {},
    ]);
  });

  it('are replaced by a later text, and removed by a blank one', () => {
    const notes = createVoiceNotes(database);
    notes.set('c1', 'a', 'One');
    notes.set('c1', 'a', 'Two ');
    expect(notes.list('c1')).toEqual({ a: 'Two ' });
    notes.set('c1', 'a', ' \n');
    expect(notes.list('c1')).toEqual({});
  });

  it('are deleted with their connection', () => {
    const notes = createVoiceNotes(database);
    database.prepare('INSERT INTO connection VALUES (?, ?, ?)').run('c1', '{}', 1);
    for (const id of ['c1', 'local']) notes.set(id, 'a', 'One');
    database.prepare('DELETE FROM connection WHERE id = ?').run('c1');
    expect([notes.list('c1'), notes.list('local')]).toEqual([{}, { a: 'One' }]);
  });
});

it('deletes the catalogue and the favourites of a deleted connection, and no others', () => {
  database.prepare('INSERT INTO connection VALUES (?, ?, ?)').run('c1', '{}', 1);
  for (const id of ['c1', 'local']) {
    copies.replace(id, voices, 1);
    favourites.set(id, 'a', true);
  }
  database.prepare('DELETE FROM connection WHERE id = ?').run('c1');
  expect([copies.findPage('c1', all), favourites.list('c1')]).toEqual([undefined, []]);
  expect([copies.findPage('local', all)?.total, favourites.list('local')]).toEqual([4, ['a']]);
  expect(database.prepare("SELECT count(*) AS n FROM catalogue_voice WHERE connection_id = 'c1'").get()).toEqual({
    n: 0,
  });
});
