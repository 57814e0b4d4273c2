import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
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

async function make(key: TakeKey, content: string, format = 'wav'): Promise<void> {
  const output = await takes.open(key, 'job');
  await output.write(Buffer.from(content));
  await output.finish();
  await takes.publish(key, output, format);
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

  it('are found as the user chose, also by the next process, until another is made', async () => {
    const key = keyOf('One.');
    for (const content of ['first', 'second', 'third']) await make(key, content);
    const all = await takes.list(key);
    expect(all.map((path) => basename(path, '.wav'))).toEqual([key.hash, `${key.hash}-2`, `${key.hash}-3`]);
    for (const k of [1, 0]) {
      await takes.choose(relative(join(folder, 'takes'), all[k] ?? ''));
      expect(await takes.find(key)).toBe(all[k]);
      expect(await createTakes(database, join(folder, 'takes')).find(key)).toBe(all[k]);
    }
    expect(await takes.list(key)).toEqual(all);
    await make(key, 'fourth');
    const latest = join(key.folder, `${key.hash}-4.wav`);
    expect(await takes.find(key)).toBe(latest);
    expect(await createTakes(database, join(folder, 'takes')).find(key)).toBe(latest);
  });

  it('that were chosen and are gone give way to the latest', async () => {
    const key = keyOf('One.');
    for (const content of ['first', 'second', 'third']) await make(key, content);
    const [first = '', , third] = await takes.list(key);
    await takes.choose(relative(join(folder, 'takes'), first));
    await rm(first);
    expect(await takes.find(key)).toBe(third);
  });

  it('are chosen only among those that exist', async () => {
    const key = keyOf('One.');
    await make(key, 'sound');
    const directory = basename(key.folder);
    await writeFile(join(folder, `${key.hash}.wav`), 'x');
    for (const media of [
      ...['', directory, `${directory}/`, `${directory}/${key.hash}-2.wav`, `../${key.hash}.wav`],
      ...[`${directory}/../${key.hash}.wav`, join(key.folder, `${key.hash}.wav`), `${directory}/${key.hash}-1.chosen`],
    ])
      await expect(takes.choose(media), media).rejects.toMatchObject({ code: 'request/invalid' });
    expect(await readdir(key.folder)).toEqual([`${key.hash}.wav`]);
  });

  it('in another format are the next ones', async () => {
    const key = keyOf('One.');
    await make(key, 'sound');
    await make(key, 'other', 'flac');
    expect(await takes.find(key)).toBe(join(key.folder, `${key.hash}-2.flac`));
  });

  it('of a connection that is gone are removed, and no others', async () => {
    await make(keyOf('One.'), 'mine');
    await make(keyOf('One.', 'north'), 'other');
    await takes.removeByConnection('studio');
    expect(await takes.find(keyOf('One.'))).toBeUndefined();
    expect(await takes.find(keyOf('One.', 'north'))).toBeDefined();
  });

  it('are counted, and removed for all connections at once', async () => {
    expect(await takes.usage()).toEqual({ takes: 0, bytes: 0 });
    const [mine, other] = [keyOf('One.'), keyOf('One.', 'north')];
    for (const content of ['1234', '56']) await make(mine, content);
    await make(other, '789');
    await takes.choose(relative(join(folder, 'takes'), (await takes.list(mine))[0] ?? ''));
    expect(await takes.usage()).toEqual({ takes: 3, bytes: 9 });
    // Sound that was paid for and has no other place yet.
    const reply = await takes.openReply('studio', 'failed');
    await reply.write(Buffer.from('012'));
    await reply.finish();
    await takes.removeAll();
    expect([await takes.find(mine), await takes.find(other)]).toEqual([undefined, undefined]);
    expect(await takes.usage()).toEqual({ takes: 0, bytes: 0 });
    expect(await readdir(dirname(takes.replyPath('studio', 'failed')))).toEqual([
      basename(takes.replyPath('studio', 'failed')),
    ]);
  });

  it('of this computer are kept up to a size, the newest of them', async () => {
    const texts = ['One.', 'Two.', 'Three.'];
    for (const [k, text] of texts.entries()) {
      const key = keyOf(text);
      await make(key, 'x'.repeat(10));
      await utimes((await takes.find(key)) ?? '', 0, 1000 + k);
    }
    expect(takes.addedSinceTrim('studio')).toBe(3);
    await takes.trim('studio', 25, () => false);
    expect(takes.addedSinceTrim('studio')).toBe(0);
    const found = await Promise.all(texts.map(async (text) => (await takes.find(keyOf(text))) !== undefined));
    expect(found).toEqual([false, true, true]);
  });

  it('are trimmed although another process removes some meanwhile', async () => {
    await make(keyOf('One.'), 'x'.repeat(10));
    const folderOfTakes = dirname((await takes.find(keyOf('One.'))) ?? '');
    // Listed, but not there.
    await symlink(join(folder, 'nowhere'), join(folderOfTakes, `${keyOf('Two.').hash}.wav`));
    await takes.trim('studio', 5, () => false);
    expect(await takes.find(keyOf('One.'))).toBeUndefined();
  });

  it('are not removed once a job needs them', async () => {
    const keys = ['One.', 'Two.', 'Three.'].map((text) => keyOf(text));
    for (const key of keys) await make(key, 'x'.repeat(10));
    let asked = 0;
    await takes.trim('studio', 5, () => (asked += 1) > 1);
    const found = await Promise.all(keys.map(async (key) => (await takes.find(key)) !== undefined));
    expect(found.filter(Boolean)).toHaveLength(2);
  });

  it('are made by one job after the other', async () => {
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { signal } = new AbortController();
    const leaving = new AbortController();
    const run = (name: string, until: Promise<void>, own = signal) =>
      takes.runExclusive(keyOf('One.'), own, async () => {
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
