import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeSound } from '../../sound/decode-sound.ts';
import { medianF0 } from '../../sound/median-f0.ts';
import { joinBlocks } from '../../sound/pcm-block.ts';
import { startTestEngine, testToken, type TestEngine } from '../engine.fixture.ts';
import { refusal } from '../calls.fixture.ts';

const run = promisify(execFile);
const samples = join(import.meta.dirname, '../../../samples');
const recording = join(samples, 'harbour.wav');
let engine: TestEngine;

beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.remove());

async function make(
  fields: Readonly<Record<string, string>>,
  path: string | null = recording,
  { origin }: Pick<TestEngine, 'origin'> = engine,
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (path !== null) form.set('audioFile', new Blob([await readFile(path)]), 'a.wav');
  const response = await fetch(`${origin}/local/models`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testToken}` },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
}
const list = async (query = '') => (await engine.call('GET', `/api/models/list${query}`)).body;

async function f0Of(path: string): Promise<number> {
  const blocks: (readonly Float32Array[])[] = [];
  let rate = 0;
  for await (const block of decodeSound(path)) {
    blocks.push(block.channels.slice(0, 1));
    rate = block.sampleRate;
  }
  return medianF0(joinBlocks(blocks)[0] ?? new Float32Array(0), rate) ?? NaN;
}

describe('the user’s own voices', () => {
  it('are created from a recording, listed, used to convert, and deleted by name', async () => {
    const made = await make({ name: 'a/b ü?#%', languageCode: 'de-DE' });
    expect(made.status).toBe(200);
    const modelId = String(made.body['modelId']);
    expect(await list()).toEqual({
      status: 'success',
      models: [
        {
          modelId,
          name: 'a/b ü?#%',
          languageCode: 'de-DE',
          gender: expect.stringMatching(/^(fe)?male$/) as string,
          creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        },
      ],
      pagination: { currentPage: 1, totalPages: 1, totalItems: 1 },
    });

    const id = await engine.prepare(modelId, join(samples, 'lantern.mp3'));
    const converted = await engine.call('POST', '/api/changeaudiofile', {
      uuid: id,
      voice: modelId,
      outputFormat: '.wav',
    });
    expect(converted.status).toBe(200);
    const { audioUrl } = (converted.body as { readonly data: { readonly audioUrl: string } }).data;
    const path = join(engine.dataDirectory, 'engine/tasks', new URL(audioUrl).pathname.replace('/results/', ''));
    expect(Math.abs((await f0Of(path)) / (await f0Of(recording)) - 1)).toBeLessThan(0.05);

    const name = encodeURIComponent('a/b ü?#%');
    expect(await engine.call('DELETE', `/v1/models/${name}`)).toMatchObject({
      status: 200,
      body: { status: 'success', modelName: 'a/b ü?#%' },
    });
    expect(await list()).toMatchObject({ models: [], pagination: { totalItems: 0, totalPages: 0 } });
    expect(await engine.call('DELETE', `/v1/models/${name}`)).toEqual(
      refusal(404, 'Invalid model name.', /does not exist/),
    );
    expect(await engine.call('POST', '/api/createaudiofilechanger', { voice: modelId })).toEqual(
      refusal(400, 'Invalid input parameters.', /does not exist/),
    );
  });

  it('are listed in pages that start at 1', async () => {
    for (const name of ['one', 'two', 'three']) expect((await make({ name })).status).toBe(200);
    const names = async (query: string) =>
      ((await list(query)) as { models: { name: string }[] }).models.map(({ name }) => name);
    const all = [...(await names('?page=1&limit=2')), ...(await names('?page=2&limit=2'))];
    expect(all.sort()).toEqual(['one', 'three', 'two']);
    expect(await names('?page=3&limit=2')).toEqual([]);
    for (const page of ['0', '-1', 'x']) {
      expect(await engine.call('GET', `/api/models/list?page=${page}`)).toEqual(
        refusal(400, 'Invalid pagination parameters.', /page must be/),
      );
    }
  });

  it.each<[string, Readonly<Record<string, string>>, string | null, number, RegExp]>([
    ['without a name', {}, recording, 400, /name field is required/],
    ['without a recording', { name: 'x' }, null, 400, /audioFile field is required/],
    ['from what is no sound', { name: 'x' }, import.meta.filename, 400, /no audio/],
    ['with a name that would be resolved away', { name: '..' }, recording, 400, /name field is required/],
  ])('are rejected %s', async (_case, fields, path, status, details) => {
    const answer = await make(fields, path);
    expect(answer.status).toBe(status);
    expect(answer.body['details']).toMatch(details);
  });

  it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
    'say that the disk is full where that keeps one from being created (needs Linux and root, to mount a disk)',
    async () => {
      const disk = await mkdtemp(join(tmpdir(), 'timbre-models-'));
      await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
      const small = await startTestEngine({ dataDirectory: disk });
      try {
        expect(await make({ name: 'x' }, recording, small)).toEqual(
          refusal(507, 'Insufficient storage.', /disk .* is full/),
        );
      } finally {
        await small.stop();
        await run('umount', ['-l', disk]);
        await rmdir(disk);
      }
    },
  );

  it('have unique names, because they are deleted by name', async () => {
    const [one, two] = await Promise.all([make({ name: 'same' }), make({ name: 'same' })]);
    expect([one.status, two.status].sort()).toEqual([200, 409]);
  });
});

describe('the sample', () => {
  const plant = async (body: string) => {
    const response = await fetch(`${engine.origin}/plants`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testToken}`, 'content-type': 'application/json' },
      body,
    });
    return { status: response.status, body: await response.json() };
  };

  it('replies with the plant, for a 64-bit id', async () => {
    expect(await plant('{"id":9223372036854775807,"name":"Fern","tag":"green"}')).toEqual({
      status: 200,
      body: { name: 'Fern', tag: 'green' },
    });
    expect(await plant('{"id":1,"name":"Fern"}')).toEqual({ status: 200, body: { name: 'Fern' } });
  });

  it.each([
    '{"name":"Fern"}',
    '{"id":9223372036854775808,"name":"Fern"}',
    '{"id":1.5,"name":"Fern"}',
    '{"id":"1","name":"Fern"}',
    '{"id":1}',
    '[]',
    'x',
    '',
  ])('rejects %s in a format of its own: a number and a message', async (body) => {
    expect(await plant(body)).toEqual({
      status: 400,
      body: { error: expect.any(Number) as number, message: expect.stringMatching(/./) as string },
    });
  });
});
