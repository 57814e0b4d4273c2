import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { snapshotOf } from '../files/identity.ts';
import type { Connection } from './connection.ts';
import { convertAudio, createTask, type Download, downloadResult, type Upload, uploadAudio } from './conversion.ts';
import { replyJson, type ScriptedService } from './scripted-service.fixture.ts';
import { conversion, failure, hostsAt, neverArrived, useServices } from './service.fixture.ts';

describe('uploadAudio', () => {
  const { signal } = new AbortController();
  const { http, folder, start } = useServices();
  const fileName = 'a "quoted" ü.wav';

  /** A file of `size` bytes, and the upload of it as it is now. */
  async function prepare(size: number, change: Partial<Upload> = {}): Promise<Upload> {
    const path = join(folder(), fileName);
    await writeFile(path, Buffer.alloc(Math.min(size, 1_000_000), 7));
    await truncate(path, size);
    return {
      task: { taskId: 'a/b ü', changerType: 'FVC2' },
      path,
      fileName,
      source: snapshotOf(await stat(path, { bigint: true })),
      onProgress: () => undefined,
      ...change,
    };
  }

  const send = (connection: Connection, upload: Upload, stop = signal) => uploadAudio(http(), connection, upload, stop);
  const confirming = () => start((_, response) => replyJson(response, { message: 'ok', uuid: 'a/b ü' }));
  /** Reads nothing of a request, so that its body stays in flight. */
  const deaf = (script: Parameters<typeof start>[0] = () => undefined) => start(script, { readsBody: false });
  const hurried = (service: ScriptedService) =>
    service.connection({ timeouts: { connectMs: 10_000, stallMs: 50, convertMs: 10_000 } });

  describe('upload', () => {
    it('is aborted if its bytes differ from those that were read before', async () => {
      const service = await confirming();
      const sha256 = createHash('sha256').update('other bytes').digest('hex');
      expect((await failure(send(service.connection(), await prepare(9000, { sha256 })))).code).toBe('input/changed');
      expect(service.requests.filter(({ body }) => body.toString('latin1').endsWith('--\r\n'))).toEqual([]);
    });

    it('sends one part with exact length, percent-encoded task and escaped name, and hashes the content', async () => {
      const service = await confirming();
      const progress: number[] = [];
      const { sha256 } = await send(
        service.connection(),
        await prepare(600_000, { onProgress: (sent) => progress.push(sent) }),
      );
      const bytes = Buffer.alloc(600_000, 7);
      const [request] = service.requests;
      expect(request?.url).toBe('/api/uploadaudiofile/a%2Fb%20%C3%BC');
      expect(request?.headers['changer-type']).toBe('FVC2');
      expect(request?.headers).not.toHaveProperty('transfer-encoding');
      expect(Number(request?.headers['content-length'])).toBe(request?.body.length);
      const text = request?.body.toString('latin1') ?? '';
      expect(Buffer.from(text, 'latin1').toString('utf8')).toContain(
        'name="audioFile"; filename="a %22quoted%22 ü.wav"',
      );
      expect(request?.body.indexOf(bytes)).toBeGreaterThan(0);
      expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
      expect(progress.at(-1)).toBe(600_000);
    });

    it('sends every byte of a large file unchanged, however slowly the service reads', async () => {
      const chunks: Buffer[] = [];
      const slow = createServer((request, response) => {
        void (async () => {
          for await (const chunk of request) {
            chunks.push(chunk as Buffer);
            // The sender is ahead and waits, time and again.
            if (chunks.length % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
          }
          replyJson(response, { uuid: 'a/b ü' });
        })();
      });
      slow.listen(0, '127.0.0.1');
      await once(slow, 'listening');
      const hosts = hostsAt(`http://127.0.0.1:${(slow.address() as AddressInfo).port}`);
      const upload = await prepare(1);
      // No two blocks of it are alike, and it ends inside one.
      const bytes = randomBytes(30_000_001);
      await writeFile(upload.path, bytes);
      const source = snapshotOf(await stat(upload.path, { bigint: true }));
      const { sha256 } = await send((await confirming()).connection({ hosts }), { ...upload, source });
      const body = Buffer.concat(chunks);
      const begin = body.indexOf('\r\n\r\n') + 4;
      expect(body.subarray(begin, begin + bytes.length).equals(bytes)).toBe(true);
      expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      slow.close();
    });

    it.each<[string, string, (path: string) => Promise<void>]>([
      ['was touched', 'input/changed', (path) => utimes(path, 1, 1)],
      ['grew', 'input/changed', (path) => writeFile(path, 'longer'.repeat(1000))],
      ['is gone', 'input/missing', (path) => rm(path)],
    ])('sends nothing if the file %s since it was queued', async (_name, code, change) => {
      const service = await confirming();
      const upload = await prepare(1000);
      await change(upload.path);
      expect((await failure(send(service.connection(), upload))).code).toBe(code);
      expect(service.accepted()).toBe(0);
    });

    it('sends nothing if another file of the same size and time has its name', async () => {
      const service = await confirming();
      const upload = await prepare(1000);
      const other = join(folder(), 'other.wav');
      await writeFile(other, Buffer.alloc(1000, 8));
      await rename(other, upload.path);
      const { mtimeNs } = await stat(upload.path, { bigint: true });
      const source = { ...upload.source, modifiedNs: String(mtimeNs) };
      expect((await failure(send(service.connection(), { ...upload, source }))).code).toBe('input/changed');
      expect(service.accepted()).toBe(0);
    });

    it.each<[string, (path: string) => Promise<void>]>([
      ['grows', (path) => appendFile(path, 'more')],
      ['shrinks', (path) => truncate(path, 10)],
      ['is touched', (path) => utimes(path, 1, 1)],
    ])('is aborted and does not count if the file %s meanwhile', async (_name, change) => {
      const service = await confirming();
      let changing: Promise<void> | undefined;
      const upload = await prepare(20_000_000);
      const onProgress = () => {
        changing ??= change(upload.path);
      };
      expect((await failure(send(service.connection(), { ...upload, onProgress }))).code).toBe('input/changed');
      await changing;
      await service.deserted();
      expect(service.requests).toHaveLength(0);
    });

    it.runIf(process.platform !== 'win32')('fails at once if a pipe has taken its name', async () => {
      const service = await start(() => undefined);
      const upload = await prepare(1000);
      await rm(upload.path);
      execFileSync('mkfifo', [upload.path]);
      expect((await failure(send(service.connection(), upload))).code).toBe('input/changed');
    });

    it('stops before the paid step if the reply names another task', async () => {
      const service = await start((_, response) => replyJson(response, { uuid: 'other' }));
      expect((await failure(send(service.connection(), await prepare(1000)))).code).toBe('service/not-understood');
    });

    it.each([
      ['A1-B2', 'a1-b2'],
      ['17', 17],
    ])('accepts the task %j that the reply writes as %j', async (taskId, uuid) => {
      const service = await start((_, response) => replyJson(response, { uuid }));
      const upload = await prepare(1000);
      await send(service.connection(), { ...upload, task: { ...upload.task, taskId } });
      expect(service.requests).toHaveLength(1);
    });

    it('does not accept a success reply that arrives halfway', async () => {
      const service = await deaf((_, response) => replyJson(response, { uuid: 'a/b ü' }));
      const { problem } = await failure(send(service.connection(), await prepare(40_000_000)));
      expect(problem).toMatchObject({ code: 'service/not-understood', facts: { field: 'audioFile' } });
    });

    it('reports a refusal that arrives before the body was read', async () => {
      const service = await deaf((_, response) => replyJson(response, { error: 'Too large.', details: '1 MB' }, 413));
      const { problem } = await failure(send(service.connection(), await prepare(8_000_000)));
      expect(problem).toMatchObject({ code: 'service/too-large', words: 'Too large. 1 MB' });
    });

    it('times out if the service stops reading', async () => {
      const service = await deaf();
      expect((await failure(send(hurried(service), await prepare(40_000_000)))).code).toBe('network/timeout');
    });

    it('times out if the service never confirms', async () => {
      const service = await start(() => undefined);
      expect((await failure(send(hurried(service), await prepare(1000)))).code).toBe('network/timeout');
      expect(service.requests).toHaveLength(1);
      await service.deserted();
    });
  });
});

describe('downloadResult', () => {
  const { signal } = new AbortController();
  const { http, start } = useServices();

  async function download(connection: Connection, audioUrl: string, change: Partial<Download> = {}) {
    const chunks: Buffer[] = [];
    const onProgress = () => undefined;
    const write = (chunk: Buffer) => Promise.resolve(void chunks.push(chunk));
    await downloadResult(http(), connection, { audioUrl, onProgress, write, ...change }, signal);
    return Buffer.concat(chunks);
  }
  const fetchFrom = (service: ScriptedService, change?: Partial<Download>) =>
    download(service.connection(), `${service.origin}/r`, change);
  const patient = (service: ScriptedService, stallMs: number) =>
    service.connection({ timeouts: { connectMs: 10_000, stallMs, convertMs: 10_000 } });

  describe('download', () => {
    it('sends credentials only to the connection’s own host', async () => {
      const other = await start((_, response) => void response.end('elsewhere'));
      const service = await start((_, response) => void response.end('here'));
      expect(String(await download(service.connection(), `${service.origin}/r?sig=1`))).toBe('here');
      expect(String(await download(service.connection(), `${other.origin}/r`))).toBe('elsewhere');
      expect(service.requests[0]).toMatchObject({ url: '/r?sig=1', headers: { authorization: 'Bearer secret' } });
      expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
    });

    it('requests the file without compression', async () => {
      const service = await start((_, response) => void response.end('x'));
      await fetchFrom(service);
      expect(service.requests[0]?.headers['accept-encoding']).toBe('identity');
    });

    it.each([
      ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, '', 'service/redirected'],
      ['a refused token', 401, {}, '', 'auth/refused'],
      ['an account that is used up', 402, {}, '', 'quota/used-up'],
      ['a signature that expired or does not apply yet', 403, {}, '', 'service/unavailable'],
      ['a result that is gone or not there yet', 404, {}, '', 'service/unavailable'],
      ['a result that expired', 410, {}, '', 'service/result-gone'],
      ['a wish for a pause', 429, {}, '', 'rate/limited'],
      ['a page instead of sound', 200, { 'content-type': 'text/html' }, '<p>', 'service/result-not-audio'],
      ['words instead of sound', 200, { 'content-type': 'application/json; x' }, '{}', 'service/result-not-audio'],
      ['a body packed in an unknown way', 200, { 'content-encoding': 'compress' }, 'x', 'service/result-not-audio'],
      ['nothing', 200, {}, '', 'service/result-incomplete'],
      ['a part', 206, {}, 'x', 'service/unavailable'],
      ['a broken service', 503, {}, '', 'service/unavailable'],
    ])('rejects %s', async (_name, status, headers, body, code) => {
      const service = await start((_, response) => void response.writeHead(status, headers).end(body));
      const written: Buffer[] = [];
      const write = (chunk: Buffer) => Promise.resolve(void written.push(chunk));
      expect((await failure(fetchFrom(service, { write }))).code).toBe(code);
      expect(written).toEqual([]);
    });

    it.each([429, 503])('reports the reason of status %i and how long to pause', async (status) => {
      const service = await start((_, response) => void response.writeHead(status, { 'retry-after': '9' }).end());
      expect((await failure(fetchFrom(service))).problem.facts).toEqual({ status, retryAfterSeconds: 9 });
    });

    it('does not accept half a file as complete', async () => {
      const service = await start((_, response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('half', () => response.destroy());
      });
      expect((await failure(fetchFrom(service))).code).toBe('network/cut');
    });

    it('does not accept half a file of unknown length as complete', async () => {
      const service = await start((_, response) => void response.write('half', () => response.destroy()));
      expect((await failure(fetchFrom(service))).code).toBe('network/cut');
    });

    it('rejects a result that announces too great a length before its first byte', async () => {
      const service = await start((_, response) => void response.writeHead(200, { 'content-length': '101' }).end());
      const written: number[] = [];
      const error = await failure(fetchFrom(service, { maxBytes: 100, onProgress: (bytes) => written.push(bytes) }));
      expect([error.code, written]).toEqual(['service/result-not-audio', []]);
    });

    it('stops a result that grows too long less than a megabyte beyond the limit', async () => {
      const service = await start((_, response) => {
        const fill = () => {
          while (!response.destroyed && response.write(Buffer.alloc(100_000)));
        };
        response.on('drain', fill);
        fill();
      });
      let received = 0;
      const onProgress = (bytes: number) => (received = bytes);
      const error = await failure(fetchFrom(service, { maxBytes: 3_000_000, onProgress }));
      expect(error.code).toBe('service/result-not-audio');
      expect(received).toBeLessThan(4_000_000);
      await service.deserted();
    });

    it('times out if the body stalls after its headers', async () => {
      const service = await start((_, response) => void response.write('x'));
      const error = await failure(download(patient(service, 50), `${service.origin}/r`));
      expect(error.code).toBe('network/timeout');
      await service.deserted();
    });

    it('times out if the body arrives too slowly', async () => {
      const service = await start((_, response) => {
        const drip = setInterval(() => response.write('x'), 20);
        response.once('close', () => clearInterval(drip));
      });
      expect((await failure(download(patient(service, 200), `${service.origin}/r`))).code).toBe('network/timeout');
      await service.deserted();
    });

    it('has no total time limit as long as data arrives', async () => {
      const service = await start((_, response) => {
        let left = 30;
        const more = setInterval(() => {
          response.write(Buffer.alloc(2000));
          left -= 1;
          if (left > 0) return;
          clearInterval(more);
          response.end();
        }, 100);
      });
      expect((await download(patient(service, 1000), `${service.origin}/r`)).length).toBe(60_000);
    });

    it('does not count time spent writing the result as a stall of the service', async () => {
      const service = await start((_, response) => void response.end(Buffer.alloc(300_000)));
      let received = 0;
      const write = async (chunk: Buffer) => {
        received += chunk.length;
        // Longer than the service might be silent.
        await new Promise((resolve) => setTimeout(resolve, 600));
      };
      await download(patient(service, 500), `${service.origin}/r`, { write });
      expect(received).toBe(300_000);
    });
  });
});

describe('convertAudio', () => {
  const { signal } = new AbortController();
  const { http, start } = useServices();

  describe('convert', () => {
    it.each([
      ['a time that is a text', '{"status":"success","data":{"audioUrl":"/x","processingTime":"3"}}'],
      ['no time', '{"status":"success","data":{"audioUrl":"/x","processingTime":null}}'],
      ['a status that is no text', '{"status":true,"data":{"audioUrl":"/x"}}'],
      ['an empty error', '{"status":"success","error":"","data":{"audioUrl":"/x"}}'],
      ['a warning', '{"status":"success","error":"Clipped","details":"Twice.","data":{"audioUrl":"/x"}}'],
      ['another word for success', '{"status":"ok","data":{"audioUrl":"/x"}}'],
      ['a capital letter', '{"status":"Success","data":{"audioUrl":"/x"}}'],
      ['a byte order mark', '\uFEFF{"status":"success","data":{"audioUrl":"/x"}}'],
    ])('keeps a paid address beside %s', async (_what, body) => {
      const service = await start((_, response) => void response.end(body));
      const converted = await convertAudio(http(), service.connection(), conversion, signal);
      expect(converted).toEqual({ audioUrl: '/x', processingTime: null });
    });

    it('sends exactly the fields of the interface', async () => {
      const service = await start((_, response) =>
        replyJson(response, { status: 'success', message: 'ok', data: { audioUrl: '/x', processingTime: 12 } }),
      );
      const connection = service.connection();
      const converted = await convertAudio(http(), connection, conversion, signal);
      expect(converted).toEqual({ audioUrl: '/x', processingTime: 12 });
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

    it('uses a connection of its own that is closed afterwards', async () => {
      const service = await start((_, response) => {
        // A client that kept the connection would keep it for ten minutes.
        response.setHeader('keep-alive', 'timeout=600');
        replyJson(response, { data: { audioUrl: '/x' } });
      });
      for (let turn = 0; turn < 6; turn += 1) await convertAudio(http(), service.connection(), conversion, signal);
      expect(service.accepted()).toBe(6);
      await service.deserted();
    });

    it('waits for its reply longer than the stall timeout', async () => {
      const service = await start((_, response) => {
        // undici looks at its clock once a second.
        setTimeout(() => replyJson(response, { data: { audioUrl: '/x' } }), 2500);
      });
      const connection = service.connection({ timeouts: { connectMs: 10_000, stallMs: 20, convertMs: 60_000 } });
      expect((await convertAudio(http(), connection, conversion, signal)).audioUrl).toBe('/x');
    });

    it('reads an address with blanks around it', async () => {
      const data = { audioUrl: ' /r\n' };
      const service = await start((_, response) => replyJson(response, { status: 'success', data }));
      const converted = await convertAudio(http(), service.connection(), conversion, signal);
      expect(converted.audioUrl).toBe('/r');
    });

    it('waits while blanks arrive, with which a service keeps the connection from being taken for idle', async () => {
      const service = await start((_, response) => {
        let left = 15;
        const more = setInterval(() => {
          left -= 1;
          if (left > 0) return void response.write(' ');
          clearInterval(more);
          response.end(JSON.stringify({ status: 'success', data: { audioUrl: 'https://a.test/r' } }));
        }, 100);
      });
      const timeouts = { connectMs: 10_000, stallMs: 1000, convertMs: 60_000 };
      const converted = await convertAudio(http(), service.connection({ timeouts }), conversion, signal);
      expect(converted.audioUrl).toBe('https://a.test/r');
    });

    it('waits for its reply no longer than the conversion timeout', async () => {
      const service = await start(() => undefined);
      const connection = service.connection({ timeouts: { connectMs: 10_000, stallMs: 10_000, convertMs: 50 } });
      const error = await failure(convertAudio(http(), connection, conversion, signal));
      expect([error.code, neverArrived(error)]).toEqual(['network/timeout', false]);
      await service.deserted();
    });

    it('ends at the conversion timeout even if its reply has begun', async () => {
      const service = await start((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const drip = setInterval(() => response.write(' '.repeat(2000)), 10);
        response.once('close', () => clearInterval(drip));
      });
      const connection = service.connection({ timeouts: { connectMs: 10_000, stallMs: 10_000, convertMs: 300 } });
      expect((await failure(convertAudio(http(), connection, conversion, signal))).code).toBe('network/timeout');
      await service.deserted();
    });
  });
});

describe('createTask', () => {
  const { signal } = new AbortController();
  const { http, start } = useServices();
  const wish = { voice: 'v', engine: 'v5' } as const;

  describe('createTask', () => {
    it('sends exactly the fields of the interface and reads the changer type from the first named field', async () => {
      const service = await start((_, response) =>
        replyJson(response, { message: 'ok', taskId: 't', changer_type: 'X' }),
      );
      const task = await createTask(http(), service.connection(), wish, signal);
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

    it('takes a number as the task, with all its digits', async () => {
      const service = await start((_, response) => void response.end('{"taskId":9007199254740993}'));
      const task = await createTask(http(), service.connection(), { voice: 'v', engine: 'v5' }, signal);
      expect(task.taskId).toBe('9007199254740993');
    });

    it('uses the connection’s changer type if the reply names none', async () => {
      const service = await start((_, response) => replyJson(response, { taskId: 't' }));
      expect((await createTask(http(), service.connection(), wish, signal)).changerType).toBe('FVC');
    });

    it('sends no Authorization header without a token', async () => {
      const service = await start((_, response) => replyJson(response, { taskId: 't' }));
      await createTask(http(), service.connection({}, null), wish, signal);
      expect(service.requests[0]?.headers).not.toHaveProperty('authorization');
    });

    it.each(['a\r\nb', 'a\0b', '😀'])(
      'rejects %j as a changer type, because no header can carry it',
      async (changerType) => {
        const service = await start((_, response) => replyJson(response, { taskId: 't', changerType }));
        await expect(createTask(http(), service.connection(), wish, signal)).rejects.toMatchObject({
          code: 'service/not-understood',
          problem: { facts: { field: 'changerType' } },
        });
      },
    );

    it.each(['a\nb', 'a\0b', 'ä😀'])('rejects the token %j, which older versions accepted', async (token) => {
      const service = await start((_, response) => replyJson(response, { taskId: 't' }));
      await expect(createTask(http(), service.connection({}, token), wish, signal)).rejects.toMatchObject({
        code: 'auth/missing',
      });
      expect(service.requests).toEqual([]);
    });
  });
});
