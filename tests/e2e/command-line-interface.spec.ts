import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'playwright/test';
import {
  replyJson,
  startScriptedService,
  type ScriptedService,
} from '../../src/main/core/voice-service/scripted-service.fixture.ts';
import { runCommand, samples, type Ran } from './run-command.ts';

const sample = join(samples, 'harbour.wav');
const voices = [{ id: 'low-bronze', name: 'Low bronze', language: 'en-US', gender: 'male', category: 'natural' }];
const model = { modelId: 'm-1', name: 'My voice', languageCode: 'en-GB', gender: 'female', creationDate: '2026-01-02' };

interface CommandFixture {
  readonly folder: string;
  readonly service: ScriptedService;
  /** On this computer. */
  here(args: readonly string[], options?: Parameters<typeof runCommand>[1]): Promise<Ran>;
  /** With the scripted service, through its document. */
  there(args: readonly string[], options?: Parameters<typeof runCommand>[1]): Promise<Ran>;
  /** What the next paid call is answered with instead of sound. */
  refuseSpeech(status: number, body: unknown): void;
}

const test = base.extend<{ fixture: CommandFixture }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright wants a pattern
  fixture: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'timbre-cli-'));
    const sound = await readFile(sample);
    let refusal: { readonly status: number; readonly body: unknown } | undefined;
    const service = await startScriptedService(({ method, url, headers, body }, response) => {
      if (url.includes('pagevoices')) replyJson(response, { page: 0, limit: 100, total: 1, voices });
      else if (method === 'DELETE') replyJson(response, { status: 'success', message: 'Gone.', modelName: 'My voice' });
      else if (url.includes('models/list')) {
        const pagination = { currentPage: 2, totalPages: 2, totalItems: 3 };
        replyJson(response, { status: 'success', models: [model], pagination });
      } else if (url.endsWith('/plants')) replyJson(response, { name: 'fern', tag: body.toString() });
      else if (url.includes('fsmstexttospeech') && refusal) replyJson(response, refusal.body, refusal.status);
      else if (url.includes('fsmstexttospeech')) {
        replyJson(response, { message: 'Well said.', data: { audioUrl: `http://${headers.host ?? ''}/result` } });
      } else response.end(sound);
    });
    const file = join(folder, 'studio.json');
    await writeFile(
      file,
      JSON.stringify({ name: 'Studio', hosts: { voice: service.origin, upload: service.origin }, ranges: {} }),
    );
    const data = ['--data-dir', join(folder, 'data')];
    await use({
      folder,
      service,
      here: (args, options) => runCommand([...args, ...data], { cwd: folder, ...options }),
      there: (args, options) =>
        runCommand([...args, '--connection', file, ...data], {
          cwd: folder,
          env: { TIMBRE_TOKEN: 'canary-17' },
          ...options,
        }),
      refuseSpeech: (status, body) => (refusal = { status, body }),
    });
    await service.stop();
    await rm(folder, { recursive: true });
  },
});

const bodyOf = ({ service }: CommandFixture, part: string): unknown =>
  JSON.parse(service.requests.findLast(({ url }) => url.includes(part))?.body.toString() ?? 'null');
const wavs = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.wav')).sort();

test('lists the voices that match every filter, without opening the database', async ({ fixture }) => {
  const filters = ['--language', 'en-US', '--gender', 'male', '--category', 'natural'];
  const { code, last } = await fixture.here(['voices', 'list', ...filters, '--page', '1', '--limit', '3', '--json']);
  expect(code).toBe(0);
  expect(last).toMatchObject({ event: 'result', page: 1, limit: 3 });
  const found = last['voices'] as typeof voices;
  expect(found.length).toBeGreaterThan(0);
  for (const voice of found) expect(voice).toMatchObject({ language: 'en-US', gender: 'male', category: 'natural' });
  expect(await readdir(join(fixture.folder, 'data')).catch(() => [])).not.toContain('timbre.db');
});

test('shows all details of one voice', async ({ fixture }) => {
  const { last } = await fixture.here(['voices', 'show', 'low-bronze', '--json']);
  expect(last).toMatchObject({ voiceId: 'low-bronze', name: 'Low bronze', gender: 'male', language: 'en-US' });
});

test('speaks on this computer, keeps the existing file, and names the result', async ({ fixture }) => {
  const args = ['speak', 'Hello there.', '--voice', 'low-bronze', '--out', 'hello.wav'];
  expect((await fixture.here(args)).stdout).toContain(`${join(fixture.folder, 'hello.wav')}\n`);
  const again = await fixture.here(args);
  expect(again.stdout).toContain('The name in --out is taken');
  expect(again.stdout).toContain('hello (2).wav');
  expect(await wavs(fixture.folder)).toEqual(['hello (2).wav', 'hello.wav']);
});

test('requests speech with the given settings, and prints path, hash and message', async ({ fixture }) => {
  const flags = ['--language', 'en-GB', '--speed', '1.5', '--pitch', '0.8', '--engine', 'v5', '--platform', 'phone'];
  const { code, last } = await fixture.there(['speak', 'Hello', '--voice', 'low-bronze', ...flags, '--json']);
  const output = join(fixture.folder, 'Hello, Low bronze.wav');
  const sha256 = createHash('sha256')
    .update(await readFile(sample))
    .digest('hex');
  expect([code, last]).toEqual([0, { event: 'result', output, sha256, message: 'Well said.' }]);
  expect(bodyOf(fixture, 'fsmstexttospeech')).toMatchObject({
    speech: 'Hello',
    voice: 'low-bronze',
    engine: 'v5',
    platform: 'phone',
    Parameter: { Speed: '1.5', Pitch: '0.8', LanguageCode: 'en-GB' },
  });
});

test('speaks the lines of each speaker with their voice and the user’s pronunciations, and names what is wrong', async ({
  fixture,
}) => {
  const text = 'Anna: Good evening.\nBen: Oh.';
  const args = ['speak', text, '--voice', 'low-bronze', '--speaker', 'Anna=m-1', '--json'];
  const words = [{ language: 'en', word: 'evening', spoken: 'eevning' }];
  await mkdir(join(fixture.folder, 'data'), { recursive: true });
  const list = join(fixture.folder, 'data', 'pronunciations.json');
  await writeFile(list, JSON.stringify({ version: 1, entries: words }));
  expect((await fixture.there([...args, '--speaker', 'ben=low-bronze'])).code).toBe(0);
  const sent = fixture.service.requests
    .filter(({ url }) => url.includes('fsmstexttospeech'))
    .map(({ body }) => JSON.parse(String(body)) as Readonly<Record<string, unknown>>);
  expect(sent.map(({ voice, speech }) => [voice, speech])).toEqual([
    ['m-1', 'Good eevning.'],
    ['low-bronze', 'Oh.'],
  ]);
  const [id = ''] = (await fixture.there(['history', 'list'])).stdout.match(/\b[0-9a-f]{8}\b/) ?? [];
  expect((await fixture.there(['history', 'show', id])).stdout).toMatch(/Speakers\s+Anna=m-1, ben=low-bronze/);
  expect((await fixture.there(['history', 'show', id])).stdout).toMatch(/Pronunciation\s+evening=eevning/);
  const before = fixture.service.requests.length;
  const none = await fixture.there([...args, '--speaker', 'Ben=nobody']);
  expect(none.last['code']).toBe('voice/not-found');
  expect(none.last['message']).toContain('nobody');
  await writeFile(list, '{');
  expect((await fixture.there([...args, '--speaker', 'Ben=m-1'])).last['code']).toBe('pronunciation/damaged');
  const paid = fixture.service.requests.slice(before).filter(({ url }) => url.includes('fsmstexttospeech'));
  expect(paid).toEqual([]);
});

test('pauses after sentences and paragraphs as it is told, and history says so', async ({ fixture }) => {
  const speak = async (name: string, ...flags: readonly string[]) => {
    const args = ['speak', 'Hello there.\n\nGood evening.', '--voice', 'low-bronze', '--out', name];
    expect((await fixture.here([...args, ...flags])).code).toBe(0);
    return (await readFile(join(fixture.folder, name))).length;
  };
  const usual = await speak('usual.wav');
  const longer = await speak('longer.wav', '--paragraph-pause', '2.8');
  const bytesPerSecond = (await readFile(join(fixture.folder, 'usual.wav'))).readUInt32LE(28);
  expect((longer - usual) / bytesPerSecond).toBeCloseTo(2, 2);
  const [id = ''] = (await fixture.here(['history', 'list'])).stdout.match(/\b[0-9a-f]{8}\b/) ?? [];
  expect((await fixture.here(['history', 'show', id])).stdout).toContain('pauses sentence 0.35 paragraph 2.8');
});

test('reads the text to speak from a file or stdin, in an encoding that is no guess', async ({ fixture }) => {
  const text = join(fixture.folder, 'text.txt');
  await writeFile(text, '\ufeffGrüße 🌊\n');
  expect((await fixture.there(['speak', '--file', text, '--voice', 'low-bronze'])).code).toBe(0);
  expect(bodyOf(fixture, 'fsmstexttospeech')).toMatchObject({ speech: 'Grüße 🌊\n' });
  expect((await fixture.there(['speak', '-', '--voice', 'low-bronze'], { input: 'Grüße' })).code).toBe(0);
  expect(bodyOf(fixture, 'fsmstexttospeech')).toMatchObject({ speech: 'Grüße' });
  await writeFile(text, Buffer.from('\ufeffGrüße 🌊', 'utf16le'));
  expect((await fixture.there(['speak', '--file', text, '--voice', 'low-bronze'])).code).toBe(0);
  expect(bodyOf(fixture, 'fsmstexttospeech')).toMatchObject({ speech: 'Grüße 🌊' });
  const before = fixture.service.requests.length;
  await writeFile(text, Buffer.from('cff0e8e2e5f2', 'hex'));
  const refused = await fixture.there(['speak', '--file', text, '--voice', 'low-bronze', '--json']);
  expect([refused.code, refused.last['code']]).toEqual([5, 'input/not-text']);
  expect((await fixture.there(['speak', ' ', '--voice', 'low-bronze', '--json'])).last['code']).toBe(
    'input/text-empty',
  );
  expect(fixture.service.requests.length).toBe(before);
});

test('leaves a text that a quota delays to the same command, which is charged once', async ({ fixture }) => {
  fixture.refuseSpeech(402, { error: 'Quota exceeded.' });
  const args = ['speak', 'Hello', '--voice', 'low-bronze', '--json'];
  const held = await fixture.there(args);
  expect([held.code, held.last]).toMatchObject([4, { event: 'result', output: null, status: 'waiting' }]);
  fixture.refuseSpeech(200, { message: 'Well said.', data: { audioUrl: `${fixture.service.origin}/result` } });
  expect((await fixture.there(args)).code).toBe(0);
  expect(await wavs(fixture.folder)).toEqual(['Hello, Low bronze.wav']);
  const database = new DatabaseSync(join(fixture.folder, 'data/timbre.db'), { readOnly: true });
  expect(database.prepare('SELECT state FROM job').all()).toEqual([{ state: 'done' }]);
  database.close();
});

test('does not risk a second charge for speech whose response was lost', async ({ fixture }) => {
  fixture.refuseSpeech(500, { error: 'Broken.' });
  const ran = await fixture.there(['speak', 'Hello', '--voice', 'low-bronze', '--json']);
  expect([ran.code, ran.last]).toMatchObject([1, { status: 'uncertain', code: 'service/uncertain', output: null }]);
  expect(fixture.service.requests.filter(({ url }) => url.includes('fsmstexttospeech'))).toHaveLength(1);
});

test('lists models by page, and deletes one only with confirmation', async ({ fixture }) => {
  const listed = await fixture.there(['models', 'list', '--page', '2', '--limit', '1', '--json']);
  expect(fixture.service.requests.at(-1)?.url).toBe('/api/models/list?page=2&limit=1');
  expect(listed.last).toMatchObject({
    models: [{ id: 'm-1', name: 'My voice', voiceId: 'm-1' }],
    pagination: { currentPage: 2, totalPages: 2, totalItems: 3 },
  });
  const asked = await fixture.there(['models', 'delete', 'My voice/1']);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toBe(
    'This would delete every custom voice named "My voice/1" at Studio. Add --yes to continue.\n',
  );
  expect(fixture.service.requests).toHaveLength(1);
  const deleted = await fixture.there(['models', 'delete', 'My voice/1', '--yes', '--json']);
  expect(deleted.last).toEqual({ event: 'result', modelName: 'My voice', message: 'Gone.' });
  expect(fixture.service.requests.at(-1)).toMatchObject({ method: 'DELETE', url: '/v1/models/My%20voice%2F1' });
});

test('speaks with an own voice, which is in no catalogue', async ({ fixture }) => {
  expect((await fixture.there(['speak', 'Hello', '--voice', 'm-1', '--json'])).last['output']).toBe(
    join(fixture.folder, 'Hello, My voice.wav'),
  );
  expect(bodyOf(fixture, 'fsmstexttospeech')).toMatchObject({ voice: 'm-1', Parameter: { LanguageCode: 'en-GB' } });
  const none = await fixture.there(['speak', 'Hello', '--voice', 'm-2', '--json']);
  expect([none.code, none.last['code']]).toEqual([5, 'voice/not-found']);
});

test('sends a plant’s number with all its digits', async ({ fixture }) => {
  const id = '9223372036854775807';
  const { last } = await fixture.there(['plant', 'create', '--id', id, '--name', 'fern', '--tag', 'green', '--json']);
  expect(last).toEqual({ event: 'result', name: 'fern', tag: `{"id":${id},"name":"fern","tag":"green"}` });
  const negative = await fixture.there(['plant', 'create', '--id=-9223372036854775808', '--name', 'fern', '--json']);
  expect(negative.last).toMatchObject({ tag: '{"id":-9223372036854775808,"name":"fern"}' });
});
