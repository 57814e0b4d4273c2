import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { createTakes, type TakeKey, type Takes } from './takes.ts';

let folder: string;
let database: DatabaseSync;
let takes: Takes;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-takes-'));
  database = await openDatabase(join(folder, 'data'));
  takes = createTakes(database, join(folder, 'takes'));
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const settings = { voiceId: 'a', language: 'en', speed: 1, pitch: 1, engine: 'v7', platform: 'web' } as const;
const keyOf = (text: string, connectionId = 'studio') => takes.keyOf({ connectionId, address: '', text, settings });

async function make(key: TakeKey, content: string): Promise<void> {
  const output = await takes.open(key, 'job');
  await output.write(Buffer.from(content));
  await output.finish();
  await takes.keep(key, output, 'wav');
}

describe('takes', () => {
  it('have the names that they were given when they were paid for', () => {
    expect(keyOf('One.').hash).toBe('237922636306c26903f495e5d7ea9ce6588cdb24f2a1e54c74155a6482bc61ce');
  });

  it('are found by what they say, also by the next process, and the latest first', async () => {
    const key = keyOf('One.');
    expect(await takes.find(key)).toBeUndefined();
    await make(key, 'first');
    await make(key, 'second');
    const path = join(key.folder, `${key.hash}-2.wav`);
    expect(await takes.find(key)).toBe(path);
    expect(await createTakes(database, join(folder, 'takes')).find(key)).toBe(path);
    expect(await takes.find(keyOf('Two.'))).toBeUndefined();
    expect(await takes.find(keyOf('One.', 'north'))).toBeUndefined();
  });

  it('are not found as the empty file that a crash left on a disk without hard links', async () => {
    const key = keyOf('One.');
    await mkdir(key.folder, { recursive: true });
    await writeFile(join(key.folder, `${key.hash}.wav`), '');
    expect(await takes.find(key)).toBeUndefined();
    await make(key, 'sound');
    expect(await takes.find(key)).toBe(join(key.folder, `${key.hash}-2.wav`));
  });

  it('of a connection that is gone are removed, and no others', async () => {
    await make(keyOf('One.'), 'mine');
    await make(keyOf('One.', 'north'), 'other');
    await takes.forget('studio');
    expect(await takes.find(keyOf('One.'))).toBeUndefined();
    expect(await takes.find(keyOf('One.', 'north'))).toBeDefined();
  });

  it('of this computer are kept up to a size, the newest of them', async () => {
    const texts = ['One.', 'Two.', 'Three.'];
    for (const [k, text] of texts.entries()) {
      const key = keyOf(text);
      await make(key, 'x'.repeat(10));
      await utimes((await takes.find(key)) ?? '', 0, 1000 + k);
    }
    await takes.trim('studio', 25);
    const found = await Promise.all(texts.map(async (text) => (await takes.find(keyOf(text))) !== undefined));
    expect(found).toEqual([false, true, true]);
  });

  it('are made by one job after the other', async () => {
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { signal } = new AbortController();
    const leaving = new AbortController();
    const run = (name: string, until: Promise<void>, own = signal) =>
      takes.exclusively(keyOf('One.'), own, async () => {
        order.push(name);
        await until;
      });
    const first = run('first', gate.promise);
    const second = run('second', Promise.resolve(), leaving.signal);
    const third = run('third', Promise.resolve());
    leaving.abort(new Error('cancelled'));
    await expect(second).rejects.toThrow('cancelled');
    expect(order).toEqual(['first']);
    gate.resolve();
    await Promise.all([first, third]);
    expect(order.slice(0, 2)).toEqual(['first', 'third']);
  });
});

describe('what killed processes left of takes', () => {
  it('is removed, unless its job is open; takes and other files stay', async () => {
    const key = keyOf('One.');
    await make(key, 'sound');
    for (const name of ['.timbre-gone.part', 'joined-gone.wav', '.timbre-open.part', 'joined-open.wav', 'mine.wav'])
      await writeFile(join(key.folder, name), 'x');
    await takes.removeAbandoned((id) => id === 'open');
    expect((await readdir(key.folder)).sort()).toEqual(
      ['.timbre-open.part', `${key.hash}.wav`, 'joined-open.wav', 'mine.wav'].sort(),
    );
  });

  it('is not looked for behind a link that lies in its place', async () => {
    const key = keyOf('One.');
    const mine = join(folder, 'mine');
    await mkdir(mine);
    await writeFile(join(mine, 'joined-gone.wav'), 'x');
    await mkdir(dirname(key.folder), { recursive: true });
    await symlink(mine, key.folder);
    await takes.removeAbandoned(() => false);
    expect(await readdir(mine)).toEqual(['joined-gone.wav']);
  });
});
