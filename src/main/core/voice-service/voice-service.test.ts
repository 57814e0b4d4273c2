import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppError } from '../../../shared/app-error.ts';
import { replyJson, startScriptedService, type ScriptedService } from '../../fakes/scripted-service.ts';
import type { Conversion } from './convert-audio.ts';
import { createHttp, type Http } from './http.ts';
import { neverArrived } from './network-error.ts';
import { createVoiceService } from './voice-service.ts';

const { signal } = new AbortController();
let http: Http;
let folder: string;
const started: ScriptedService[] = [];

type Script = Parameters<typeof startScriptedService>[0];
async function start(script: Script): Promise<ScriptedService> {
  const service = await startScriptedService(script);
  started.push(service);
  return service;
}

beforeEach(async () => {
  http = createHttp();
  folder = await mkdtemp(join(tmpdir(), 'timbre-service-'));
});
afterEach(async () => {
  await http.close();
  await Promise.all(started.splice(0).map((service) => service.stop()));
  await rm(folder, { recursive: true });
});

const failure = (promise: Promise<unknown>): Promise<AppError> =>
  promise.then(
    () => expect.unreachable('the call succeeded'),
    (error: unknown) => error as AppError,
  );

const conversion: Conversion = {
  taskId: 't 1',
  voice: 'v',
  pitch: 1.5,
  speed: 0.8,
  outputFormat: '.mp3',
  audioName: 'n',
  platform: '',
  pitchControl: '',
  engine: 'v7',
  autoF0: true,
};

async function upload(service: ScriptedService, size: number, changeBefore?: (path: string) => Promise<void>) {
  const path = join(folder, 'a "quoted" ü.wav');
  const bytes = Buffer.alloc(size, 7);
  await writeFile(path, bytes);
  const { mtimeMs } = await stat(path);
  await changeBefore?.(path);
  const progress: number[] = [];
  const uploaded = await createVoiceService(http, service.connection()).uploadAudio(
    {
      task: { taskId: 'a/b ü', changerType: 'FVC2' },
      path,
      fileName: 'a "quoted" ü.wav',
      sizeBytes: size,
      modifiedMs: mtimeMs,
      onProgress: (sent) => progress.push(sent),
    },
    signal,
  );
  return { uploaded, progress, bytes };
}

describe('create task', () => {
  it('sends exactly the fields of the interface and reads the changer type from the first named field', async () => {
    const service = await start((_, response) =>
      replyJson(response, { message: 'ok', taskId: 't', changer_type: 'X' }),
    );
    const task = await createVoiceService(http, service.connection()).createTask({ voice: 'v', engine: 'v5' }, signal);
    expect(task).toEqual({ taskId: 't', changerType: 'X' });
    const [request] = service.requests;
    expect(request).toMatchObject({ method: 'POST', url: '/api/createaudiofilechanger' });
    expect(request?.headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' });
    expect(JSON.parse(String(request?.body))).toEqual({
      voice: 'v',
      from: 'fv-file-changer',
      operation: 'FVC',
      engine: 'v5',
    });
  });

  it('falls back to the connection’s changer type where the reply names none', async () => {
    const service = await start((_, response) => replyJson(response, { taskId: 't' }));
    const task = await createVoiceService(http, service.connection()).createTask({ voice: 'v', engine: 'v5' }, signal);
    expect(task.changerType).toBe('FVC');
  });

  it('sends no Authorization where there is no token', async () => {
    const service = await start((_, response) => replyJson(response, { taskId: 't' }));
    await createVoiceService(http, service.connection({}, null)).createTask({ voice: 'v', engine: 'v5' }, signal);
    expect(service.requests[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('upload', () => {
  it('sends one part with exact length, percent-encoded task and escaped name, and hashes what passed', async () => {
    const service = await start((_, response) => replyJson(response, { message: 'ok', uuid: 'a/b ü' }));
    const { uploaded, progress, bytes } = await upload(service, 600_000);
    const [request] = service.requests;
    expect(request?.url).toBe('/api/uploadaudiofile/a%2Fb%20%C3%BC');
    expect(request?.headers['changer-type']).toBe('FVC2');
    expect(Number(request?.headers['content-length'])).toBe(request?.body.length);
    const text = request?.body.toString('latin1') ?? '';
    expect(Buffer.from(text, 'latin1').toString('utf8')).toContain('name="audioFile"; filename="a %22quoted%22 ü.wav"');
    expect(request?.body.indexOf(bytes)).toBeGreaterThan(0);
    expect(uploaded.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBe(600_000);
  });

  it('sends nothing when the file is another one than was queued', async () => {
    const service = await start((_, response) => replyJson(response, { uuid: 'a/b ü' }));
    const touched = await failure(upload(service, 1000, (path) => utimes(path, 1, 1)));
    const grown = await failure(upload(service, 1000, (path) => writeFile(path, 'longer'.repeat(1000))));
    const removed = await failure(upload(service, 1000, (path) => rm(path)));
    expect([touched.code, grown.code, removed.code]).toEqual(['input/changed', 'input/changed', 'input/missing']);
    expect(service.requests).toHaveLength(0);
  });

  it('stops before the paid step when the echo names another task', async () => {
    const service = await start((_, response) => replyJson(response, { uuid: 'other' }));
    expect((await failure(upload(service, 1000))).code).toBe('service/not-understood');
  });

  it('hears a refusal that comes before the body was read', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((_, response) => replyJson(response, { error: 'Too large.', details: '1 MB' }, 413));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const fake = await start(() => undefined);
    const connection = fake.connection({
      hosts: { voice: origin, upload: origin, converter: '', models: '', sample: '' },
    });
    const path = join(folder, 'big.wav');
    await writeFile(path, Buffer.alloc(8_000_000));
    const { mtimeMs: modifiedMs, size: sizeBytes } = await stat(path);
    const error = await failure(
      createVoiceService(http, connection).uploadAudio(
        {
          task: { taskId: 't', changerType: 'x' },
          path,
          fileName: 'big.wav',
          sizeBytes,
          modifiedMs,
          onProgress: () => undefined,
        },
        signal,
      ),
    );
    server.closeAllConnections();
    server.close();
    expect(error.problem).toMatchObject({ code: 'service/refused', words: 'Too large. 1 MB' });
  });
});

describe('convert', () => {
  it('sends exactly the fields of the interface, on a connection of its own', async () => {
    const ports = new Set<number | undefined>();
    const service = await start((_, response) => {
      ports.add(response.socket?.remotePort);
      replyJson(response, { status: 'success', message: 'ok', data: { audioUrl: '/x', processingTime: 12 } });
    });
    const voices = createVoiceService(http, service.connection());
    const converted = await voices.convertAudio(conversion, signal);
    await voices.convertAudio(conversion, signal);
    expect(converted).toEqual({ audioUrl: '/x', processingTime: 12 });
    expect(ports.size).toBe(2);
    expect(JSON.parse(String(service.requests[0]?.body))).toEqual({
      uuid: 't 1',
      voice: 'v',
      pitch: 1.5,
      speed: 0.8,
      from: 'fv-file-changer',
      outputFormat: '.mp3',
      audioName: 'n',
      platform: '',
      pitch_control: '',
      operation: 'FVC',
      engine: 'v7',
      auto_f0_adjust: true,
    });
  });
});

describe('download', () => {
  async function download(service: ScriptedService, audioUrl: string) {
    const chunks: Buffer[] = [];
    await createVoiceService(http, service.connection()).downloadResult(
      {
        audioUrl,
        write: (chunk) => Promise.resolve(void chunks.push(chunk)),
        onProgress: () => undefined,
      },
      signal,
    );
    return Buffer.concat(chunks);
  }

  it('gives the credentials to the connection’s own host and to no other', async () => {
    const other = await start((_, response) => void response.end('elsewhere'));
    const service = await start((_, response) => void response.end('here'));
    expect(String(await download(service, `${service.origin}/r?sig=1`))).toBe('here');
    expect(String(await download(service, `${other.origin}/r`))).toBe('elsewhere');
    expect(service.requests[0]).toMatchObject({ url: '/r?sig=1', headers: { authorization: 'Bearer secret' } });
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, '', 'service/redirected'],
    ['a result that expired', 410, {}, '', 'service/result-gone'],
    ['a page instead of sound', 200, { 'content-type': 'text/html' }, '<p>', 'service/result-not-audio'],
    ['a packed body', 200, { 'content-encoding': 'gzip' }, 'x', 'service/result-not-audio'],
    ['nothing', 200, {}, '', 'service/result-incomplete'],
    ['a broken service', 503, {}, '', 'service/unavailable'],
  ])('refuses %s', async (_name, status, headers, body, code) => {
    const service = await start((_, response) => void response.writeHead(status, headers).end(body));
    expect((await failure(download(service, `${service.origin}/r`))).code).toBe(code);
  });

  it('does not take half a file for a whole one', async () => {
    const service = await start((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => response.destroy());
    });
    expect((await failure(download(service, `${service.origin}/r`))).code).toBe('network/cut');
  });

  it.each(['http://example.com/r', 'file:///etc/passwd', 'https://user:pw@example.com/', 'nonsense'])(
    'opens no socket for %s',
    async (address) => {
      const service = await start((_, response) => void response.end());
      const { code } = await failure(download(service, address));
      expect(['network/insecure', 'service/not-understood']).toContain(code);
    },
  );
});

describe('voice list', () => {
  it('asks with the connection’s own query names and reads the identifier from its own field', async () => {
    const service = await start((_, response) =>
      replyJson(response, {
        page: 1,
        limit: 10,
        total: 1,
        voices: [{ key: 7, name: 'N', language: 'en-GB', gender: 'male', category: 'c' }],
      }),
    );
    const { document } = service.connection();
    const connection = service.connection({
      voiceField: 'key',
      firstVoicePage: 1,
      voiceQuery: { ...document.voiceQuery, language: 'lang' },
    });
    const page = await createVoiceService(http, connection).listVoices(
      { page: 0, limit: 10, language: 'en-GB' },
      signal,
    );
    expect(service.requests[0]?.url).toBe('/api/pagevoices?version=v2&lang=en-GB&page=1&limit=10');
    expect(page).toEqual({
      page: 0,
      limit: 10,
      total: 1,
      voices: [{ id: '7', name: 'N', language: 'en-GB', gender: 'male', category: 'c' }],
    });
  });
});

describe('errors', () => {
  const answering = async (status: number, body: string, headers = {}) => {
    const service = await start((_, response) => void response.writeHead(status, headers).end(body));
    return failure(createVoiceService(http, service.connection()).createTask({ voice: 'v', engine: 'v5' }, signal));
  };

  it.each([
    [200, { error: 'Invalid input parameters.', details: 'voice is required' }, 'service/refused'],
    [200, { status: 'failed', message: 'Out of luck' }, 'service/refused'],
    [400, { error: 'Invalid input parameters.' }, 'service/refused'],
    [401, { error: 'x' }, 'auth/refused'],
    [402, { error: 'x' }, 'quota/used-up'],
    [403, { error: 'x' }, 'auth/forbidden'],
    [429, { error: 'x' }, 'rate/limited'],
    [500, { error: 'x' }, 'service/unavailable'],
    [200, { taskId: 5 }, 'service/not-understood'],
  ])('status %i with %j is an error', async (status, body, code) => {
    expect((await answering(status, JSON.stringify(body))).code).toBe(code);
  });

  it.each([
    [200, '<html>', 'service/not-understood'],
    [200, '', 'service/not-understood'],
    [502, '<html>', 'service/unavailable'],
    [307, '', 'service/redirected'],
  ])('status %i with the body %j is an error', async (status, body, code) => {
    expect((await answering(status, body)).code).toBe(code);
  });

  it('carries the service’s own words and its Retry-After', async () => {
    const body = JSON.stringify({ error: 'Slow down.', details: 'Ten a minute.' });
    const { problem } = await answering(429, body, { 'retry-after': '12' });
    expect(problem).toEqual({
      code: 'rate/limited',
      words: 'Slow down. Ten a minute.',
      facts: { status: 429, retryAfterSeconds: 12 },
    });
  });

  it('follows no redirect, so that nothing reaches the other host', async () => {
    const other = await start((_, response) => void response.end());
    const service = await start((_, response) => void response.writeHead(307, { location: other.origin }).end());
    await failure(createVoiceService(http, service.connection()).convertAudio(conversion, signal));
    expect(other.requests).toHaveLength(0);
  });

  it('knows a call that certainly never arrived from one that may have', async () => {
    const closed = createTcpServer();
    closed.listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const origin = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    closed.close();
    await once(closed, 'close');
    const silent = await start((_, response) => void response.destroy());
    const hosts = { voice: origin, upload: origin, converter: '', models: '', sample: '' };
    const refused = await failure(
      createVoiceService(http, silent.connection({ hosts })).convertAudio(conversion, signal),
    );
    const cut = await failure(createVoiceService(http, silent.connection()).convertAudio(conversion, signal));
    expect([refused.code, neverArrived(refused)]).toEqual(['network/unreachable', true]);
    expect([cut.code, neverArrived(cut)]).toEqual(['network/cut', false]);
  });

  it('gives up on a service that is silent for longer than the connection allows', async () => {
    const service = await start(() => undefined);
    const connection = service.connection({ timeouts: { connectMs: 1000, stallMs: 1000, convertMs: 50 } });
    const error = await failure(createVoiceService(http, connection).convertAudio(conversion, signal));
    expect(error.code).toBe('network/timeout');
  });

  it('ends with the reason of the signal when it is aborted', async () => {
    const stopping = new AbortController();
    const service = await start(() => stopping.abort(new Error('enough')));
    const error = await failure(
      createVoiceService(http, service.connection()).convertAudio(conversion, stopping.signal),
    );
    expect(error.message).toBe('enough');
  });
});
