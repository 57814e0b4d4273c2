import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { createSpeechOutline, type SpeechOutlineReader } from './speech-outline.ts';
import { createTakes, type Takes } from './takes.ts';

let folder: string;
let database: DatabaseSync;
let takes: Takes;
let reader: SpeechOutlineReader;
/** Paths of the takes whose lengths were measured. */
let measured: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-outline-'));
  database = await openDatabase(join(folder, 'data'));
  takes = createTakes(database, join(folder, 'takes'));
  measured = [];
  reader = createSpeechOutline({
    takes,
    inspectSound(path) {
      measured.push(path);
      return Promise.resolve({ kind: 'sound', format: 'wav', durationSeconds: 2 });
    },
  });
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const settings = { voiceId: 'a', language: 'en', speed: 1, pitch: 1, engine: 'v7', platform: 'web' } as const;
const outlined = (text: string) => ({ text, connectionId: 'studio', address: '', settings, maxLength: null });

async function make(text: string): Promise<string> {
  const key = takes.keyOf({ ...outlined(text), text });
  const output = await takes.open(key, 'job');
  await output.write(Buffer.from('sound'));
  await output.finish();
  await takes.publish(key, output, 'wav');
  return key.hash;
}

const book = outlined('One.\n\nTwo.\n\nOne.\n\nThree.');
const divided = { passages: 4, paragraphs: 4, subtitles: null };

it('counts what is spoken, and the calls and characters of the rest', async () => {
  expect(await reader.outline(book)).toEqual({ ...divided, spoken: 0, calls: 3, characters: 14 });
  await make('One.');
  expect(await reader.outline(book)).toEqual({ ...divided, spoken: 2, calls: 2, characters: 10 });
});

it('a text of one passage is one call each time', async () => {
  await make('One.');
  expect(await reader.outline(outlined('One.'))).toEqual({
    passages: 1,
    spoken: 0,
    calls: 1,
    characters: 4,
    paragraphs: 1,
    subtitles: null,
  });
});

it('subtitles are counted without notes about sounds, and have no paragraphs', async () => {
  const cues = ['One.', '[laughs]', 'Two.', '♪'].map((words, k) => `00:00:0${k},000 --> 00:00:0${k},900\n${words}\n`);
  const text = cues.join('\n');
  const { settings, ...rest } = outlined(text);
  const subtitles = { ...rest, settings: { ...settings, textFormat: 'subtitles' } } as const;
  expect(await reader.outline(subtitles)).toMatchObject({
    passages: 2,
    calls: 2,
    paragraphs: 0,
    subtitles: { n: 2, notes: 2 },
  });
});

it('lists passages with all their takes, and measures each once', async () => {
  for (const text of ['One.', 'Two.', 'Two.']) await make(text);
  const list = async () => (await reader.passages(book, 0)).passages;
  expect((await list()).map((passage) => passage.takes.length)).toEqual([1, 2, 1, 0]);
  const [, second] = await list();
  expect(second).toMatchObject({ media: second?.takes[1], durationSeconds: 2, ends: 'paragraph' });
  expect(new Set(measured).size).toBe(2);
  expect(measured).toHaveLength(2);
  await takes.choose(second?.takes[0] ?? '');
  expect((await list())[1]?.media).toBe(second?.takes[0]);
});

it('lists a book a page at a time', async () => {
  const long = outlined(Array.from({ length: 600 }, (_, k) => `Sentence ${k}.`).join('\n\n'));
  const starts: number[] = [];
  for (let from: number | null = 0; from !== null;) {
    const page: Awaited<ReturnType<typeof reader.passages>> = await reader.passages(long, from);
    starts.push(...page.passages.map(({ start }) => start));
    from = page.next;
  }
  expect(starts).toHaveLength(600);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});

it('counts the takes that passages will have once they are spoken again', async () => {
  const [one, two] = [await make('One.'), await make('Two.')];
  await make('Two.');
  expect(await reader.numberRetakes(book, [0, 6])).toEqual({ [one]: 2, [two]: 3 });
  await expect(reader.numberRetakes(book, [1])).rejects.toMatchObject({ code: 'request/invalid' });
});
