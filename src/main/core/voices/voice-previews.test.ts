import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionDocument } from '../../../shared/schemas/connection.ts';
import type { PreviewSpending, Voice, VoicePreview } from '../../../shared/schemas/voice.ts';
import { inspectAndVerify } from '../../../sound/sound-inspector.ts';
import { createSoundReader } from '../../../sound/sound-reader.ts';
import { readVoiceFeatures } from '../../../sound/voice-features.ts';
import { systemClock } from '../clock.ts';
import { createConnectionRegistry } from '../connections/connection-registry.ts';
import { openDatabase } from '../database/database.ts';
import { createWriteGate } from '../database/write-gate.ts';
import { createHttp, type Http } from '../voice-service/http.ts';
import { replyJson, type ScriptedService, startScriptedService } from '../voice-service/scripted-service.fixture.ts';
import { createExcerpts, type Excerpts } from './excerpts.ts';
import { createPreviewStore } from './preview-store.ts';
import { previewSentence } from './preview-sentences.ts';
import { createVoicePreviews, type VoicePreviews } from './voice-previews.ts';

const sample = join(import.meta.dirname, '../../../../samples/lantern.mp3');
const anna: Voice = { id: 'anna', name: 'Anna', language: 'de-DE', gender: 'female', category: 'natural' };

const soundReader = createSoundReader({ workerUrl: new URL('../../../sound/sound-worker.ts', import.meta.url) });
afterAll(() => soundReader.stop());

let folder: string;
let recording: Buffer;
let database: DatabaseSync;
let http: Http;
let service: ScriptedService;
let previews: VoicePreviews;
let excerpts: Excerpts;
let defects: unknown[];
/** Replies instead of the service; returns false to let it. */
let speak: (response: ServerResponse, url: string) => boolean;
let result: (response: ServerResponse) => void;
/** Called once the store has a file's name, before the file gets it. */
let beforeName: () => void;
/** Waits that are shorter are over at once, and others never. */
let maxWaitMs: number;
let onWait: (ms: number) => void;
const count = (part: string) => service.requests.filter(({ url }) => url.includes(part)).length;
const calls = () => count('texttospeech');
const spoken = () =>
  service.requests
    .filter(({ url }) => url.includes('texttospeech'))
    .map(({ body }) => (JSON.parse(body.toString()) as { speech: string }).speech);

/** As after a start of the program. */
function open(document: Partial<ConnectionDocument> = {}, kind: 'local' | 'remote' = 'remote') {
  const connection = { ...service.connection(document), kind };
  const writes = createWriteGate({ database, clock: systemClock, onDefect: (error) => defects.push(error) });
  previews = createVoicePreviews({
    store: createPreviewStore(database),
    writes: {
      ...writes,
      async commit(...args) {
        const committed = await writes.commit(...args);
        if (database.prepare('SELECT file FROM voice_preview').get()?.['file']) beforeName();
        return committed;
      },
    },
    connections: createConnectionRegistry(http, [connection, { ...connection, id: 'other', kind: 'local' }]),
    excerpts,
    clock: {
      ...systemClock,
      sleep(ms, signal) {
        onWait(ms);
        return ms < maxWaitMs ? Promise.resolve() : systemClock.sleep(24 * 3600 * 1000, signal);
      },
    },
    folder: join(folder, 'previews'),
    inspectSound: inspectAndVerify,
    readFeatures: (path, { signal }) => readVoiceFeatures(path, signal),
  });
}

const request = (spending: PreviewSpending, text: string | null = null, voice = anna): Promise<VoicePreview> =>
  previews.request({ connectionId: 'test', voice, content: { kind: 'text', text }, spending });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'timbre-previews-'));
  recording = await readFile(sample);
  database = await openDatabase(folder);
  http = createHttp();
  defects = [];
  speak = () => false;
  beforeName = () => undefined;
  maxWaitMs = 10_000;
  onWait = () => undefined;
  result = (response) => response.end(recording);
  excerpts = createExcerpts({ folder: join(folder, 'excerpt'), soundReader });
  service = await startScriptedService(({ url, headers }, response) => {
    if (url.includes('/result')) result(response);
    else if (speak(response, url)) return;
    else if (url.includes('createaudio')) replyJson(response, { taskId: 'task' });
    else if (url.includes('uploadaudio')) replyJson(response, { uuid: url.split('/').at(-1) });
    else replyJson(response, { message: 'ok', data: { audioUrl: `http://${headers.host}/result` } });
  });
  open();
});
afterEach(async () => {
  await previews.stop();
  await http.close();
  await service.stop();
  database.close();
  await rm(folder, { recursive: true });
  expect(defects).toEqual([]);
});

describe('a preview of a service', () => {
  it('calls nothing unasked', async () => {
    expect(await request('nothing')).toMatchObject({ kind: 'not-made' });
    expect(await request('as-agreed')).toEqual({
      kind: 'ask',
      reason: 'first',
      material: { kind: 'text', text: 'Guten Morgen. So klinge ich, wenn ich eine Geschichte vorlese.' },
    });
    expect(service.requests).toHaveLength(0);
  });

  it('is made once by one call, also for several that ask at the same time and after a restart', async () => {
    const [first, second] = await Promise.all([request('agreed'), request('agreed'), request('as-agreed')]);
    expect(second).toEqual(first);
    open();
    expect(await request('nothing')).toEqual(first);
    expect(await request('agreed')).toEqual(first);
    expect([calls(), spoken()]).toEqual([1, [previewSentence('de')]]);
  });

  it('is measured and its file can be played', async () => {
    const made = await request('agreed');
    if (made.kind !== 'ready') return expect.unreachable();
    expect(await readFile((await previews.findSound(made.media)) ?? '')).toEqual(recording);
    expect(made.features.f0Hz).toBeGreaterThan(60);
    expect(previews.features('test')).toEqual({ anna: made.features });
  });

  it('asks no more once the user agreed to one of the connection', async () => {
    await request('agreed');
    expect(await request('as-agreed', null, { ...anna, id: 'berta' })).toMatchObject({ kind: 'ready' });
    expect(await request('as-agreed', 'My own sentence.')).toMatchObject({ kind: 'ready' });
    expect([calls(), spoken().at(-1)]).toEqual([3, 'My own sentence.']);
  });

  it('takes a sound from the reply itself, too', async () => {
    speak = (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(recording);
      return true;
    };
    expect(await request('agreed')).toMatchObject({ kind: 'ready' });
    expect(count('/result')).toBe(0);
  });

  it('is not paid for twice when its reply was lost: the user is asked, and may agree again', async () => {
    speak = (response) => {
      response.destroy();
      return true;
    };
    await expect(request('agreed')).rejects.toMatchObject({ code: 'network/cut' });
    speak = () => false;
    expect(await request('nothing')).toMatchObject({ kind: 'not-made' });
    expect(await request('as-agreed')).toMatchObject({ kind: 'ask', reason: 'lost' });
    open();
    expect(await request('as-agreed')).toMatchObject({ kind: 'ask', reason: 'lost' });
    expect(calls()).toBe(1);
    expect(await request('agreed')).toMatchObject({ kind: 'ready' });
    expect(calls()).toBe(2);
  });

  it('is repeated without a question after a call that was not carried out', async () => {
    speak = (response) => {
      replyJson(response, { status: 'error', error: 'no credit' }, 402);
      return true;
    };
    await request('agreed').catch(() => undefined);
    speak = () => false;
    expect(await request('as-agreed')).toMatchObject({ kind: 'ask', reason: 'first' });
  });

  it('is fetched again, free, when its sound did not arrive', async () => {
    result = (response) => response.destroy();
    await expect(request('agreed')).rejects.toMatchObject({ code: 'network/cut' });
    result = (response) => response.end(recording);
    open();
    expect(await request('as-agreed')).toMatchObject({ kind: 'ready' });
    expect(calls()).toBe(1);
  });

  it.each([
    ['fetched again, free', 'from an address', 'ready', 1],
    ['asked about', 'from the reply itself', 'ask', 0],
  ] as const)('is %s if the process ended before its file, %s, got its name', async (_, origin, kind, fetches) => {
    if (origin === 'from the reply itself') {
      speak = (response) => {
        response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(recording);
        return true;
      };
    }
    beforeName = () => {
      throw new Error('killed');
    };
    await expect(request('agreed')).rejects.toThrow();
    beforeName = () => undefined;
    open();
    await previews.sweep();
    const before = count('/result');
    expect(await request('as-agreed')).toMatchObject({ kind });
    expect([calls(), count('/result') - before]).toEqual([1, fetches]);
  });

  it('keeps no address once its file has its name', async () => {
    await request('agreed');
    expect(database.prepare('SELECT audio_url FROM voice_preview').all()).toEqual([{ audio_url: null }]);
  });

  it('is asked about when the user has removed its file', async () => {
    await request('agreed');
    await rm(join(folder, 'previews'), { recursive: true });
    expect(await request('nothing')).toMatchObject({ kind: 'not-made' });
    expect(await request('as-agreed')).toMatchObject({ kind: 'ask', reason: 'gone' });
    expect(calls()).toBe(1);
    expect(await request('agreed')).toMatchObject({ kind: 'ready' });
    expect(calls()).toBe(2);
  });

  it('stays a lost one when the call that repeats it is refused', async () => {
    await request('agreed', null, { ...anna, id: 'berta' });
    speak = (response) => {
      response.destroy();
      return true;
    };
    await expect(request('agreed')).rejects.toMatchObject({ code: 'network/cut' });
    speak = (response) => {
      replyJson(response, { status: 'error', error: 'no credit' }, 402);
      return true;
    };
    await expect(request('agreed')).rejects.toMatchObject({ code: 'quota/used-up' });
    expect(await request('as-agreed')).toMatchObject({ kind: 'ask', reason: 'lost' });
  });

  it('calls nothing when the rate limit has no room, and nothing later', async () => {
    open({ limits: { ...service.connection().document.limits, requestsPerMinute: 1 } });
    speak = (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(recording);
      return true;
    };
    await request('agreed');
    maxWaitMs = Infinity;
    await expect(request('agreed', null, { ...anna, id: 'berta' })).rejects.toMatchObject({ code: 'rate/limited' });
    expect(await request('nothing', null, { ...anna, id: 'berta' })).toMatchObject({ kind: 'not-made' });
    expect(calls()).toBe(1);
  });

  it('is not disturbed by the sweep of a start', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    result = arrived.resolve;
    const made = request('agreed');
    const response = await arrived.promise;
    await previews.sweep();
    response.end(recording);
    expect(await made).toMatchObject({ kind: 'ready' });
    expect(count('/result')).toBe(1);
  });

  it('does not hold up the voices of this computer while its service does not reply', async () => {
    const held: ServerResponse[] = [];
    speak = (response) => held.push(response) <= 2;
    const hung = ['a', 'b'].map((id) => request('agreed', null, { ...anna, id }).catch(() => undefined));
    await expect.poll(calls).toBe(2);
    const content = { kind: 'text', text: null } as const;
    const local = { connectionId: 'other', voice: anna, content, spending: 'nothing' } as const;
    expect(await previews.request(local)).toMatchObject({ kind: 'ready' });
    for (const response of held) response.destroy();
    await Promise.all(hung);
  });

  it.each([400, 403])('is asked about when its address has expired (%i)', async (status) => {
    result = (response) => response.destroy();
    await expect(request('agreed')).rejects.toMatchObject({ code: 'network/cut' });
    result = (response) => response.writeHead(status).end();
    expect(await request('as-agreed')).toMatchObject({ kind: 'ask', reason: 'lost' });
    expect(calls()).toBe(1);
  });

  it('is asked about when its sound is gone for good', async () => {
    result = (response) => response.writeHead(410).end();
    await expect(request('agreed')).rejects.toMatchObject({ code: 'service/result-gone' });
    expect(await request('as-agreed')).toMatchObject({ kind: 'ask', reason: 'lost' });
    expect(calls()).toBe(1);
  });

  it('leaves no file behind that is not a sound', async () => {
    result = (response) => response.end('<html>');
    await expect(request('agreed')).rejects.toMatchObject({ code: 'service/result-not-audio' });
    expect(await readdir(join(folder, 'previews'))).toEqual([]);
  });

  it('ends at 32 MB, so that an endless sound cannot fill the disk', async () => {
    result = (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1024 ** 2)));
      };
      response.on('drain', more);
      more();
    };
    await expect(request('agreed')).rejects.toMatchObject({ code: 'service/result-not-audio' });
    expect(await readdir(join(folder, 'previews'))).toEqual([]);
  });

  it('is forgotten with its service, and its file removed at the next start', async () => {
    const made = await request('agreed');
    previews.forget('test');
    expect(await request('nothing')).toMatchObject({ kind: 'not-made' });
    await previews.sweep();
    expect(await previews.findSound(made.kind === 'ready' ? made.media : '')).toBeUndefined();
  });

  it('keeps files that are not its own', async () => {
    await request('agreed');
    await writeFile(join(folder, 'previews', 'mine.mp3'), 'x');
    await previews.sweep();
    expect(await readdir(join(folder, 'previews'))).toHaveLength(2);
  });

  it('refuses a text that the service does not take, before a call', async () => {
    open({ limits: { ...service.connection().document.limits, maxTextLength: 5 } });
    await expect(request('agreed')).rejects.toMatchObject({ code: 'input/text-too-long' });
    expect(calls()).toBe(0);
  });
});

describe('a preview on this computer', () => {
  beforeEach(() => open({}, 'local'));

  it('is free: it is made without a question', async () => {
    expect(await request('nothing')).toMatchObject({ kind: 'ready' });
  });

  it('is kept after the clock was set back, when there are as many as are kept', async () => {
    const store = createPreviewStore(database);
    for (let k = 0; k < 500; k += 1) {
      store.add({ connectionId: 'test', voiceId: `v${k}`, contentHash: '' }, systemClock.now() + 86_400_000);
    }
    const made = await request('nothing');
    expect(made.kind === 'ready' && (await previews.findSound(made.media))).toBeTruthy();
    expect(database.prepare('SELECT count(*) AS n FROM voice_preview').get()).toEqual({ n: 500 });
  });

  it('is not made of a voice that the focus passes over', async () => {
    open({}, 'local');
    maxWaitMs = 0;
    const waiting = new Promise<void>((resolve) => (onWait = (ms) => ms < 1000 && resolve()));
    const passed = request('nothing');
    await waiting;
    previews.cancel();
    await expect(passed).rejects.toMatchObject({ code: 'job/cancelled' });
    expect(calls()).toBe(0);
    expect(await request('as-agreed')).toMatchObject({ kind: 'ready' });
    expect(await request('nothing')).toMatchObject({ kind: 'ready' });
    expect(calls()).toBe(1);
  });

  it('gives way to later ones, so that the voice that is heard comes first', async () => {
    const held: ServerResponse[] = [];
    speak = (response) => {
      held.push(response);
      return true;
    };
    const ids = Array.from({ length: 12 }, (_, k) => `v${k}`);
    const outcomes = ids.map((id) =>
      request('nothing', null, { ...anna, id }).then(
        ({ kind }) => kind,
        (error: unknown) => (error as { code: string }).code,
      ),
    );
    // The first two run, the last four wait.
    expect(await Promise.all(outcomes.slice(2, 8))).toEqual(Array(6).fill('job/cancelled'));
    speak = () => false;
    for (const response of held) replyJson(response, { data: { audioUrl: `${service.origin}/result` } });
    expect(await Promise.all([...outcomes.slice(0, 2), ...outcomes.slice(8)])).toEqual(Array(6).fill('ready'));
  });
});

describe('a preview of the user’s own recording', () => {
  const conversions = () => count('changeaudiofile');

  /** Keeps a part of the recording. */
  async function keep(startSeconds = 0, seconds = 1): Promise<string> {
    const { id: recordingId } = await excerpts.open(sample);
    return (await excerpts.cut({ recordingId, startSeconds, seconds })).id;
  }
  const tryOn = (excerptId: string, spending: PreviewSpending, voice = anna, connectionId = 'test') =>
    previews.request({ connectionId, voice, content: { kind: 'recording', excerptId }, spending });

  it('calls nothing unasked, and says which recording it is about', async () => {
    const part = await keep();
    expect(await tryOn(part, 'nothing')).toEqual({ kind: 'not-made', wasRequested: false });
    expect(await tryOn(part, 'as-agreed')).toEqual({
      kind: 'ask',
      reason: 'first',
      material: { kind: 'recording', name: 'lantern.mp3', seconds: 1 },
    });
    expect(service.requests).toHaveLength(0);
  });

  it('is one conversion of the part, also for several that ask at the same time and after a restart', async () => {
    const part = await keep();
    const [first, second] = await Promise.all([tryOn(part, 'agreed'), tryOn(part, 'agreed')]);
    expect(second).toEqual(first);
    open();
    expect(await tryOn(part, 'nothing')).toEqual(first);
    expect([conversions(), calls(), count('createaudio'), count('uploadaudio')]).toEqual([1, 0, 1, 1]);
    const upload = service.requests.find(({ url }) => url.includes('uploadaudio'))?.body.toString('latin1') ?? '';
    expect(upload).toContain('filename="preview.wav"');
    expect(upload).not.toContain('lantern');
  });

  it('asks once for each recording and connection, and not for each voice', async () => {
    await request('agreed');
    const part = await keep();
    expect(await tryOn(part, 'as-agreed')).toMatchObject({ kind: 'ask', reason: 'first' });
    await tryOn(part, 'agreed');
    expect(await tryOn(part, 'as-agreed', { ...anna, id: 'berta' })).toMatchObject({ kind: 'ready' });
    const other = await keep(1);
    expect(await tryOn(other, 'as-agreed')).toMatchObject({ kind: 'ask', reason: 'first' });
    expect(conversions()).toBe(2);
  });

  it('does not count as an agreement to speak texts', async () => {
    await tryOn(await keep(), 'agreed');
    expect(await request('as-agreed')).toMatchObject({ kind: 'ask', reason: 'first' });
  });

  it('is not paid for twice when its reply was lost: the user is asked, and may agree again', async () => {
    const part = await keep();
    speak = (response, url) => url.includes('changeaudiofile') && Boolean(response.destroy());
    await expect(tryOn(part, 'agreed')).rejects.toMatchObject({ code: 'network/cut' });
    speak = () => false;
    open();
    expect(await tryOn(part, 'nothing')).toEqual({ kind: 'not-made', wasRequested: true });
    expect(await tryOn(part, 'as-agreed')).toMatchObject({ kind: 'ask', reason: 'lost' });
    expect(conversions()).toBe(1);
    expect(await tryOn(part, 'agreed')).toMatchObject({ kind: 'ready' });
    expect(conversions()).toBe(2);
  });

  it('may be tried again without a doubt when its upload was lost, which costs nothing', async () => {
    const part = await keep();
    speak = (response, url) => url.includes('uploadaudio') && Boolean(response.destroy());
    await expect(tryOn(part, 'agreed')).rejects.toMatchObject({ code: 'network/cut' });
    speak = () => false;
    expect(await tryOn(part, 'as-agreed')).toMatchObject({ kind: 'ask', reason: 'first' });
    expect(conversions()).toBe(0);
  });

  it('is cancelled before it is paid for, and may be asked for again at once', async () => {
    const part = await keep();
    const arrived = Promise.withResolvers<ServerResponse>();
    speak = (response, url) => url.includes('createaudio') && (arrived.resolve(response), true);
    const cancelled = tryOn(part, 'agreed');
    await arrived.promise;
    previews.cancel();
    speak = () => false;
    const again = tryOn(part, 'agreed');
    await expect(cancelled).rejects.toMatchObject({ code: 'job/cancelled' });
    expect(await again).toMatchObject({ kind: 'ready' });
    expect(conversions()).toBe(1);
  });

  it('is kept when it is cancelled after the call that is paid for', async () => {
    const part = await keep();
    const arrived = Promise.withResolvers<ServerResponse>();
    speak = (response, url) => url.includes('changeaudiofile') && (arrived.resolve(response), true);
    const made = tryOn(part, 'agreed');
    const response = await arrived.promise;
    previews.cancel();
    replyJson(response, { data: { audioUrl: `${service.origin}/result` } });
    expect(await made).toMatchObject({ kind: 'ready' });
    expect(await tryOn(part, 'nothing')).toMatchObject({ kind: 'ready' });
  });

  it('leaves alone how the voices are known to sound', async () => {
    await tryOn(await keep(), 'agreed');
    expect(previews.features('test')).toEqual({});
    const { features } = (await request('agreed')) as Extract<VoicePreview, { kind: 'ready' }>;
    await tryOn(await keep(1), 'agreed');
    expect(previews.features('test')).toEqual({ anna: features });
  });

  it('is made anew by a service at another address, and for another part', async () => {
    const part = await keep();
    await tryOn(part, 'agreed');
    const { hosts } = service.connection().document;
    open({ hosts: { ...hosts, voice: hosts.voice.replace('127.0.0.1', 'localhost') } });
    expect(await tryOn(part, 'nothing')).toMatchObject({ kind: 'not-made', wasRequested: false });
  });

  it('is sent in a format that the service takes', async () => {
    open({ uploadFormats: ['mp3', 'ogg'] });
    await tryOn(await keep(), 'agreed');
    const upload = service.requests.find(({ url }) => url.includes('uploadaudio'))?.body.toString('latin1') ?? '';
    expect(upload).toContain('filename="preview.mp3"');
  });

  it.each([
    ['takes no format that Timbre writes', { uploadFormats: ['m4a'] }, 'service/format'],
    ['takes only smaller files', { limits: { maxUploadBytes: 1000 } }, 'service/too-large'],
    ['takes only shorter recordings', { limits: { maxSeconds: 0.5 } }, 'input/too-long'],
  ] as const)('is refused before a call by a service that %s', async (_, change, code) => {
    const { limits } = service.connection().document;
    open({ ...change, limits: { ...limits, ...('limits' in change && change.limits) } });
    await expect(tryOn(await keep(), 'agreed')).rejects.toMatchObject({ code });
    expect(service.requests).toHaveLength(0);
  });

  it('is refused when another part was chosen meanwhile', async () => {
    const part = await keep();
    await keep(1);
    await expect(tryOn(part, 'agreed')).rejects.toMatchObject({ code: 'input/changed' });
    expect(service.requests).toHaveLength(0);
  });

  it('is free on this computer', async () => {
    expect(await tryOn(await keep(), 'nothing', anna, 'other')).toMatchObject({ kind: 'ready' });
  });

  it('takes no place of a text’s on this computer', async () => {
    const store = createPreviewStore(database);
    for (let k = 0; k < 500; k += 1) store.add({ connectionId: 'other', voiceId: `v${k}`, contentHash: '' }, k);
    await tryOn(await keep(), 'nothing', anna, 'other');
    expect(database.prepare('SELECT count(*) AS n FROM voice_preview').get()).toEqual({ n: 501 });
  });
});

it('a file that the database names outside the folder of previews is never removed', async () => {
  open({}, 'local');
  const store = createPreviewStore(database);
  const outside = join(folder, 'mine.mp3');
  await writeFile(outside, 'x');
  for (let k = 0; k < 500; k += 1) {
    const key = { connectionId: 'test', voiceId: `v${k}`, contentHash: '' };
    store.add(key, k + 1);
    store.change(key, { file: '../mine.mp3' });
  }
  expect(await request('nothing')).toMatchObject({ kind: 'ready' });
  expect(await readFile(outside, 'utf8')).toBe('x');
});

it.each([
  ['en-GB', /^Good morning/],
  ['nb-NO', /^God morgen. Slik/],
  ['zh-Hant-TW', /早上好/],
  ['iw', /בוקר/],
  ['', /^Good morning/],
  ['constructor', /^Good morning/],
  ['tlh', /^Good morning/],
])('a voice of “%s” says a sentence of its language, or an English one', (language, sentence) => {
  expect(previewSentence(language)).toMatch(sentence);
});
