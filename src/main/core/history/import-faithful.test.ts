import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { conversionJob } from '../jobs/job.fixture.ts';
import { createTestExchange, elsewhere, writeZip, type TestExchange } from './history-archive.fixture.ts';
import { listName, soundName } from './archive-format.ts';
import { createAnnotationWriter } from './entries.ts';
import { sha256, useLibrary } from './history-entries.fixture.ts';

const library = useLibrary();
let exchange: TestExchange;

beforeEach(() => {
  exchange = createTestExchange(library());
});

const target = (name: string) => library().at(name);

it('accepts the longest name of a format that it exports', async () => {
  const { done, write } = library();
  const id = randomUUID();
  await done(id, null, await write('out/a.wav', 'a'), { outputFormat: '.abcdefghijklmnop' });
  await exchange.export([id], 'list', target('h'));
  const there = await elsewhere(library().folder);
  expect(await there.exchange.import(target('h'), there.sounds)).toMatchObject({ added: 1, refused: 0 });
  expect(there.store.get(id)?.outputFormat).toBe('.abcdefghijklmnop');
});

it.each(['list', 'sound'] as const)(
  'includes a result in a %s although it was renamed to another extension',
  async (what) => {
    const { at, done, write, store } = library();
    const [old, bare] = [randomUUID(), randomUUID()];
    await done(old, null, await write('out/a.wav.old', 'old'));
    await done(bare, null, await write('out/take of 3.11. at night', 'bare'), { outputFormat: '.mp3' });
    await exchange.export([old, bare], what, target('h'));
    const there = await elsewhere(library().folder);
    expect(await there.exchange.import(target('h'), there.sounds)).toEqual({
      added: 2,
      known: 0,
      refused: 0,
      withoutFile: 0,
    });
    if (what === 'sound') {
      expect((await readdir(there.sounds)).sort()).toEqual(['a.wav.old.wav', 'take of 3.11. at night.mp3']);
    }
    expect(store.get(old)?.output?.path).toBe(at('out/a.wav.old'));
  },
);

it('keeps the names of recordings, and gives audio files legal names', async () => {
  const { done, write } = library();
  const names = [
    'Interview: Anna?.wav',
    '"mix" 2026.11.21 final',
    '.hidden take.wav',
    'CON.wav',
    `${'x'.repeat(240)}.wav`,
  ];
  const ids = names.map(() => randomUUID());
  for (const [k, id] of ids.entries()) {
    await done(id, await write(`in/${k}.wav`, `source ${k}`), await write(`out/${k}.wav`, `result ${k}`));
  }
  await exchange.export(ids, 'list', target('h'));
  // As a system wrote it that allows all of these.
  const list = names.reduce(
    (text, name, k) => text.replaceAll(`"name":"${k}.wav"`, `"name":${JSON.stringify(name)}`),
    await readFile(target('h'), 'utf8'),
  );
  const sounds = names.map((_, k) => [soundName(sha256(`result ${k}`), '.wav'), `result ${k}`] as const);
  await writeZip(target('h'), [[listName, list], ...sounds]);
  const there = await elsewhere(library().folder);
  expect(await there.exchange.import(target('h'), there.sounds)).toMatchObject({ added: names.length, withoutFile: 0 });
  const sources = ids.map((id) => there.store.get(id)).map((job) => job?.kind === 'conversion' && job.source.path);
  expect(sources).toEqual(names.map((name) => join(there.sounds, 'Elsewhere', name)));
  expect(new Set(await readdir(there.sounds))).toEqual(
    new Set([
      'Interview_ Anna_.wav',
      '_mix_ 2026.11.21 final.wav',
      '_hidden take.wav',
      '_CON.wav',
      `${'x'.repeat(231)}.wav`,
    ]),
  );
});

it('accepts a list that an editor saved with a byte order mark, other line ends and empty lines', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const jobs = [first, second].map((id) => conversionJob({ id, state: 'failed' }));
  const ids = library()
    .store.add(jobs)
    .map(({ id }) => id);
  await exchange.export(ids, 'list', target('h'));
  const text = await readFile(target('h'), 'utf8');
  await writeFile(target('edited'), `\ufeff${text.replaceAll('\n', '\r\n\r\n').replace(first, first.toUpperCase())}`);
  const there = await elsewhere(library().folder);
  const counts = { refused: 0, withoutFile: 0 };
  expect(await there.exchange.import(target('edited'), there.sounds)).toEqual({ added: 2, known: 0, ...counts });
  expect(await there.exchange.import(target('h'), there.sounds)).toEqual({ added: 0, known: 2, ...counts });
  expect(there.rows()).toEqual(ids.toSorted());
});

it('keeps all tags, however many', async () => {
  const tags = Array.from({ length: 120 }, (_, k) => `tag ${k}`);
  const first = randomUUID();
  library().store.add([conversionJob({ id: first, state: 'failed' })]);
  createAnnotationWriter(library().database)([first], { addTags: tags });
  await exchange.export([first], 'list', target('h'));
  const there = await elsewhere(library().folder);
  expect(await there.exchange.import(target('h'), there.sounds)).toEqual({
    added: 1,
    known: 0,
    refused: 0,
    withoutFile: 0,
  });
  expect(there.exchange.annotationsOf(first).tags.toSorted()).toEqual(tags.toSorted());
});
