import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { speechJob } from '../jobs/job.fixture.ts';
import { createTestExchange, elsewhere, writeZip, type TestExchange } from './history-archive.fixture.ts';
import { listName } from './archive-format.ts';
import { sha256, useLibrary } from './history-entries.fixture.ts';

const library = useLibrary();
let exchange: TestExchange;
let id: string;
let ids: readonly string[];

beforeEach(async () => {
  const { store, database, write, done } = library();
  exchange = createTestExchange({ database, store });
  id = randomUUID();
  await done(id, await write('in/a.wav', 'the source'), await write('out/a.wav', 'the result'), { durationSeconds: 3 });
  const [{ id: speech } = { id: '' }] = store.add([speechJob({ id: randomUUID(), state: 'done', output: null })]);
  ids = [id, speech];
});

const target = (name: string) => library().at(name);

it('counts lines without a valid entry and continues', async () => {
  await exchange.export(ids, 'list', target('h'));
  const [first = '', one = '', ...rest] = (await readFile(target('h'), 'utf8')).trimEnd().split('\n');
  const changed = (line: string, change: object) =>
    JSON.stringify({ ...(JSON.parse(line) as object), id: randomUUID(), ...change });
  const wrong = (change: object) => changed(one, change);
  const spoken = rest[0] ?? '';
  const lines = [
    '{',
    'null',
    wrong({ id: '../../x' }),
    wrong({ endedAt: null }),
    // Microseconds.
    wrong({ endedAt: 1.763e15 }),
    wrong({ attempts: 1e17 }),
    wrong({ attempts: 1e300 }),
    wrong({ result: { name: 'a.wav', sizeBytes: 1e17, sha256: sha256('x') } }),
    wrong({ durationSeconds: 1e300 }),
    ...[1e300, -1, '1:20'].map((durationSeconds) => changed(spoken, { durationSeconds })),
    // A number that is too large is parsed as infinity, which is invalid.
    wrong({ processingTime: 'X' }).replace('"X"', '1e999'),
    wrong({ timings: { queued: 'X' } }).replace('"X"', '1e999'),
    wrong({ problem: { code: 'internal', facts: { bytes: 'X' } } }).replace('"X"', '1e999'),
    wrong({ settings: {} }),
    `{"text": "${'x'.repeat(9 * 1024 * 1024)}"}`,
  ];
  await writeFile(target('h'), [first, ...lines, one, ...rest].join('\n'));
  const there = await elsewhere(library().folder);
  expect(await there.exchange.import(target('h'), there.sounds)).toEqual({
    added: 2,
    known: 0,
    refused: lines.length,
    withoutFile: 0,
  });
});

it('says which lines it refuses, and why', async () => {
  await exchange.export([id], 'list', target('h'));
  const [first = '', one = ''] = (await readFile(target('h'), 'utf8')).trimEnd().split('\n');
  const entry = { ...(JSON.parse(one) as object), id: randomUUID() };
  const bare: Record<string, unknown> = { ...entry };
  delete bare['endedAt'];
  const lines = [
    '{',
    '',
    'null',
    JSON.stringify(bare),
    JSON.stringify({ ...entry, result: { name: 'a.wav', sizeBytes: 1, sha256: 'x' } }),
    JSON.stringify({ ...entry, kind: 'song' }),
    'x'.repeat(34 * 1024 ** 2),
  ];
  await writeFile(target('h'), [first, one, ...lines].join('\n'));
  const there = await elsewhere(library().folder);
  expect(await there.exchange.import(target('h'), there.sounds)).toMatchObject({ added: 1, refused: 6 });
  expect(there.exchange.refusedLines).toEqual([
    { line: 3, reason: 'no-object', field: '' },
    { line: 5, reason: 'no-object', field: '' },
    { line: 6, reason: 'missing', field: 'endedAt' },
    { line: 7, reason: 'wrong', field: 'result.sha256' },
    { line: 8, reason: 'wrong', field: 'kind' },
    { line: 9, reason: 'too-long', field: '' },
  ]);
});

it.each([
  ['another file', 'RIFF....', 'history/not-an-export'],
  ['an empty file', '', 'history/not-an-export'],
  ['a broken archive', 'PK\u0003\u0004 and then nothing', 'history/not-an-export'],
  ['a later version', JSON.stringify({ timbre: 'history', version: 2 }), 'history/export-newer'],
])('rejects %s and changes nothing', async (_, text, code) => {
  await writeFile(target('h'), text);
  const there = await elsewhere(library().folder);
  await expect(there.exchange.import(target('h'), there.sounds)).rejects.toMatchObject({ code });
  expect(there.rows()).toEqual([]);
});

it('stops after ten thousand invalid lines in a row, and reports what was imported', async () => {
  await exchange.export(ids, 'list', target('h'));
  const text = (await readFile(target('h'), 'utf8')).trimEnd();
  await writeFile(target('h'), `${text}\n${'{"id": 1}\n\n'.repeat(20_000)}`);
  const there = await elsewhere(library().folder);
  await expect(there.exchange.import(target('h'), there.sounds)).rejects.toMatchObject({
    problem: { code: 'history/export-damaged', facts: { name: 'h', count: 2 } },
  });
  expect(there.rows()).toHaveLength(2);
});

it('imports what is readable of a damaged archive with its audio, and the rest later from an intact one', async () => {
  await exchange.export(ids, 'sound', target('h.zip'));
  const bytes = await readFile(target('h.zip'));
  const whole = Buffer.from(bytes);
  // The directory's first record is that of the list; its checksum is at offset 16.
  bytes.writeUInt32LE(1, bytes.indexOf('PK\u0001\u0002') + 16);
  await writeFile(target('h.zip'), bytes);
  const there = await elsewhere(library().folder);
  await expect(there.exchange.import(target('h.zip'), there.sounds)).rejects.toMatchObject({
    problem: { code: 'history/export-damaged', facts: { name: 'h.zip', count: 2 } },
  });
  expect(await readdir(there.sounds)).toEqual(['a.wav']);
  await writeFile(target('h.zip'), whole);
  const counts = { added: 0, known: 2, refused: 0, withoutFile: 0 };
  expect(await there.exchange.import(target('h.zip'), there.sounds)).toEqual(counts);
});

describe('an export that was cut short', () => {
  it.each([
    ['after the list', (bytes: Buffer) => bytes.indexOf('PK\u0003\u0004', 4), 2],
    ['within its audio', (bytes: Buffer) => bytes.indexOf('PK\u0001\u0002') - 20, 2],
    ['within its directory', (bytes: Buffer) => bytes.length - 10, 2],
    ['within the list', (bytes: Buffer) => Math.floor(bytes.indexOf('PK\u0003\u0004', 4) * 0.9), 1],
  ])('brings the entries of an archive that ends %s, and the rest later from a whole one', async (_, endOf, count) => {
    await exchange.export(ids, 'sound', target('h.zip'));
    const whole = await readFile(target('h.zip'));
    await writeFile(target('h.zip'), whole.subarray(0, endOf(whole)));
    const there = await elsewhere(library().folder);
    await expect(there.exchange.import(target('h.zip'), there.sounds)).rejects.toMatchObject({
      problem: { code: 'history/export-damaged', facts: { name: 'h.zip', count } },
    });
    expect(there.rows()).toHaveLength(count);
    await writeFile(target('h.zip'), whole);
    const counts = { added: 2 - count, known: count, refused: 0, withoutFile: 0 };
    expect(await there.exchange.import(target('h.zip'), there.sounds)).toEqual(counts);
    expect(await readdir(there.sounds)).toEqual(['a.wav']);
  });

  it('says that a list ends within a line', async () => {
    await exchange.export(ids, 'list', target('h'));
    const whole = await readFile(target('h'));
    await writeFile(target('h'), whole.subarray(0, -100));
    const there = await elsewhere(library().folder);
    await expect(there.exchange.import(target('h'), there.sounds)).rejects.toMatchObject({
      problem: { code: 'history/export-damaged', facts: { name: 'h', count: 1 } },
    });
  });

  it('is no history if another archive was', async () => {
    const path = await writeZip(target('h.zip'), [['readme.txt', 'hello']], true);
    await writeFile(path, (await readFile(path)).subarray(0, -30));
    const there = await elsewhere(library().folder);
    await expect(there.exchange.import(path, there.sounds)).rejects.toMatchObject({ code: 'history/not-an-export' });
  });
});

it('rejects at once what is not a regular file', async () => {
  const there = await elsewhere(library().folder);
  execFileSync('mkfifo', [target('pipe')]);
  for (const path of [target('pipe'), '/dev/zero', library().folder]) {
    await expect(there.exchange.import(path, there.sounds)).rejects.toMatchObject({ code: 'input/not-a-file' });
  }
});

it('rejects an archive without a list, and a missing file', async () => {
  await writeZip(target('h.zip'), [['readme.txt', 'hello']]);
  const there = await elsewhere(library().folder);
  await expect(there.exchange.import(target('h.zip'), there.sounds)).rejects.toMatchObject({
    code: 'history/not-an-export',
  });
  await expect(there.exchange.import(target('none'), there.sounds)).rejects.toMatchObject({ code: 'input/missing' });
});

describe('a malicious archive', () => {
  const forged = async (
    sounds: readonly (readonly [string, Buffer | string])[],
    result: object,
    name = '../../../../escaped.wav',
  ) => {
    await exchange.export([id], 'list', target('h'));
    const [first = '', line = ''] = (await readFile(target('h'), 'utf8')).split('\n');
    const entry = JSON.stringify({ ...(JSON.parse(line) as object), result: { name, ...result } });
    return writeZip(target('h.zip'), [[listName, `${first}\n${entry}\n`], ...sounds], true);
  };

  it('writes nothing outside its folder, whatever names it contains', async () => {
    const content = { sizeBytes: 5, sha256: sha256('sound') };
    const path = await forged([[`audio/${content.sha256}.wav`, 'sound']], content);
    const there = await elsewhere(library().folder);
    await there.exchange.import(path, there.sounds);
    const written = there.store.get(id)?.output?.path ?? '';
    expect(await readdir(there.sounds)).toEqual([written.slice(there.sounds.length + 1)]);
    expect(await readFile(written, 'utf8')).toBe('sound');
  });

  it.each(['..', '.', '', '../../a.wav', 'a\\..\\b.wav', 'a\0b'])(
    'cannot name a path by a source called %j',
    async (name) => {
      await exchange.export([id], 'list', target('h'));
      const [first = '', line = ''] = (await readFile(target('h'), 'utf8')).split('\n');
      const source = { name, sizeBytes: null, sha256: null };
      await writeFile(target('h'), `${first}\n${JSON.stringify({ ...(JSON.parse(line) as object), source })}`);
      const there = await elsewhere(library().folder);
      await there.exchange.import(target('h'), there.sounds);
      const job = there.store.get(id);
      const path = job?.kind === 'conversion' ? job.source.path : '';
      expect(dirname(path)).toBe(join(there.sounds, 'Elsewhere'));
      expect(path).not.toContain('\0');
    },
  );

  it('writes no file without an audio extension', async () => {
    const content = { sizeBytes: 5, sha256: sha256('sound') };
    const path = await forged([[`audio/${content.sha256}.exe`, 'sound']], content, 'virus.exe');
    const there = await elsewhere(library().folder);
    await there.exchange.import(path, there.sounds);
    expect(await readdir(there.sounds)).toEqual(['virus.exe.wav']);
  });

  it.each(['', '.wav', '/', 'a.wav/', 'a.wav\\', '..', ' ', 'a.'])(
    'writes an audio file called %j with its extension',
    async (name) => {
      const content = { sizeBytes: 5, sha256: sha256('sound') };
      const path = await forged([[`audio/${content.sha256}.wav`, 'sound']], content, name);
      const there = await elsewhere(library().folder);
      await there.exchange.import(path, there.sounds);
      expect(await readdir(there.sounds)).toEqual([expect.stringMatching(/^[^./ ].*\.wav$/)]);
    },
  );

  it('writes an audio file once for all entries that name it, in an unusual order too', async () => {
    const content = { name: 'a.wav', sizeBytes: 5, sha256: sha256('sound') };
    await exchange.export([id], 'list', target('h'));
    const [first = '', line = ''] = (await readFile(target('h'), 'utf8')).split('\n');
    const entry = { ...(JSON.parse(line) as object), taskId: null };
    const twins = Array.from({ length: 10 }, (_, k) => ({
      ...entry,
      id: randomUUID(),
      result: { ...content, name: `${k % 3}.wav` },
    }));
    const list = [first, ...twins.map((twin) => JSON.stringify(twin))].join('\n');
    const path = await writeZip(target('h.zip'), [
      [listName, list],
      [`audio/${content.sha256}.wav`, 'sound'],
    ]);
    const there = await elsewhere(library().folder);
    expect(await there.exchange.import(path, there.sounds)).toMatchObject({ added: 10, withoutFile: 0 });
    expect(await readdir(there.sounds)).toEqual(['0.wav']);
    expect(new Set(twins.map((twin) => there.store.get(twin.id)?.output?.path))).toEqual(
      new Set([join(there.sounds, '0.wav')]),
    );
    expect(await there.exchange.import(path, there.sounds)).toMatchObject({ known: 10, withoutFile: 0 });
    expect(await readdir(there.sounds)).toEqual(['0.wav']);
  });

  it('that expands far more than audio can is rejected before anything is written', async () => {
    const path = await forged([], { sizeBytes: 5, sha256: sha256('sound') });
    const bytes = await readFile(path);
    bytes.writeUInt32LE(2e9, bytes.lastIndexOf('PK\u0001\u0002') + 24);
    await writeFile(path, bytes);
    const there = await elsewhere(library().folder);
    await expect(there.exchange.import(path, there.sounds)).rejects.toMatchObject({ code: 'history/export-too-large' });
    expect(there.rows()).toEqual([]);
  });

  it('that understates a size is read only up to that size', async () => {
    const content = { sizeBytes: 5, sha256: sha256('sound') };
    const path = await forged([[`audio/${content.sha256}.wav`, Buffer.alloc(1024 * 1024)]], content);
    const bytes = await readFile(path);
    // The directory's last record is that of the audio; its uncompressed size is at offset 24.
    bytes.writeUInt32LE(5, bytes.lastIndexOf('PK\u0001\u0002') + 24);
    await writeFile(path, bytes);
    const there = await elsewhere(library().folder);
    expect(await there.exchange.import(path, there.sounds)).toMatchObject({ added: 1, withoutFile: 1 });
    expect(await readdir(there.sounds)).toEqual([]);
  });

  it.each([
    ['a hash that its bytes do not have', 'noise', { sizeBytes: 5, sha256: sha256('sound') }],
    ['more bytes than it says', 'sound and more', { sizeBytes: 5, sha256: sha256('sound') }],
    ['a bomb', Buffer.alloc(50 * 1024 * 1024), { sizeBytes: 5, sha256: sha256('sound') }],
  ])('accepts no audio with %s', async (_, bytes, content) => {
    const path = await forged([[`audio/${content.sha256}.wav`, bytes]], content);
    const there = await elsewhere(library().folder);
    expect(await there.exchange.import(path, there.sounds)).toMatchObject({ added: 1, withoutFile: 1 });
    expect(await readdir(there.sounds).catch(() => [])).toEqual([]);
  });
});
