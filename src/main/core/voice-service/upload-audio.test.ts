import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replyJson, type ScriptedService } from '../../fakes/scripted-service.ts';
import type { Connection } from './connection.ts';
import { failure, hostsAt, useServices } from './service.fixture.ts';
import { snapshotOf } from './source-snapshot.ts';
import { uploadAudio, type Upload } from './upload-audio.ts';

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
  it('is not sent to its end where its bytes are others than those that were read before', async () => {
    const service = await confirming();
    const sha256 = createHash('sha256').update('other bytes').digest('hex');
    expect((await failure(send(service.connection(), await prepare(9000, { sha256 })))).code).toBe('input/changed');
    expect(service.requests.filter(({ body }) => body.toString('latin1').endsWith('--\r\n'))).toEqual([]);
  });

  it('sends one part with exact length, percent-encoded task and escaped name, and hashes what passed', async () => {
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
    expect(Buffer.from(text, 'latin1').toString('utf8')).toContain('name="audioFile"; filename="a %22quoted%22 ü.wav"');
    expect(request?.body.indexOf(bytes)).toBeGreaterThan(0);
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBe(600_000);
  });

  it('sends every byte of a large file as it is, however slowly it is taken', async () => {
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
  ])('sends nothing when the file %s since it was queued', async (_name, code, change) => {
    const service = await confirming();
    const upload = await prepare(1000);
    await change(upload.path);
    expect((await failure(send(service.connection(), upload))).code).toBe(code);
    expect(service.accepted()).toBe(0);
  });

  it('sends nothing when another file of the same size and time took its place', async () => {
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
  ])('counts nothing as uploaded when the file %s under way, and cuts the request off', async (_name, change) => {
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

  it('stops before the paid step when the echo names another task', async () => {
    const service = await start((_, response) => replyJson(response, { uuid: 'other' }));
    expect((await failure(send(service.connection(), await prepare(1000)))).code).toBe('service/not-understood');
  });

  it('takes no word for an upload of which half has not left', async () => {
    const service = await deaf((_, response) => replyJson(response, { uuid: 'a/b ü' }));
    const { problem } = await failure(send(service.connection(), await prepare(40_000_000)));
    expect(problem).toMatchObject({ code: 'service/not-understood', facts: { field: 'audioFile' } });
  });

  it('hears a refusal that comes before the body was read', async () => {
    const service = await deaf((_, response) => replyJson(response, { error: 'Too large.', details: '1 MB' }, 413));
    const { problem } = await failure(send(service.connection(), await prepare(8_000_000)));
    expect(problem).toMatchObject({ code: 'service/too-large', words: 'Too large. 1 MB' });
  });

  it('gives up on a service that stops taking what is sent', async () => {
    const service = await deaf();
    expect((await failure(send(hurried(service), await prepare(40_000_000)))).code).toBe('network/timeout');
  });

  it('gives up on a service that never confirms what it took', async () => {
    const service = await start(() => undefined);
    expect((await failure(send(hurried(service), await prepare(1000)))).code).toBe('network/timeout');
    expect(service.requests).toHaveLength(1);
    await service.deserted();
  });
});
