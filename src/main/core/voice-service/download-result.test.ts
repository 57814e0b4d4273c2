import { describe, expect, it } from 'vitest';
import type { ScriptedService } from '../../fakes/scripted-service.ts';
import type { Connection } from './connection.ts';
import { downloadResult, type Download } from './download-result.ts';
import { failure, useServices } from './service.fixture.ts';

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
  it('gives the credentials to the connection’s own host and to no other', async () => {
    const other = await start((_, response) => void response.end('elsewhere'));
    const service = await start((_, response) => void response.end('here'));
    expect(String(await download(service.connection(), `${service.origin}/r?sig=1`))).toBe('here');
    expect(String(await download(service.connection(), `${other.origin}/r`))).toBe('elsewhere');
    expect(service.requests[0]).toMatchObject({ url: '/r?sig=1', headers: { authorization: 'Bearer secret' } });
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('asks for the sound as it is', async () => {
    const service = await start((_, response) => void response.end('x'));
    await fetchFrom(service);
    expect(service.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  it.each([
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, '', 'service/redirected'],
    ['a refused token', 401, {}, '', 'auth/refused'],
    ['an account that is used up', 402, {}, '', 'quota/used-up'],
    ['a signature that expired', 403, {}, '', 'service/result-gone'],
    ['an address that leads nowhere', 404, {}, '', 'service/result-gone'],
    ['a result that expired', 410, {}, '', 'service/result-gone'],
    ['a wish for a pause', 429, {}, '', 'rate/limited'],
    ['a page instead of sound', 200, { 'content-type': 'text/html' }, '<p>', 'service/result-not-audio'],
    ['words instead of sound', 200, { 'content-type': 'application/json; x' }, '{}', 'service/result-not-audio'],
    ['a packed body', 200, { 'content-encoding': 'gzip' }, 'x', 'service/result-not-audio'],
    ['nothing', 200, {}, '', 'service/result-incomplete'],
    ['a part', 206, {}, 'x', 'service/unavailable'],
    ['a broken service', 503, {}, '', 'service/unavailable'],
  ])('refuses %s', async (_name, status, headers, body, code) => {
    const service = await start((_, response) => void response.writeHead(status, headers).end(body));
    const written: Buffer[] = [];
    const write = (chunk: Buffer) => Promise.resolve(void written.push(chunk));
    expect((await failure(fetchFrom(service, { write }))).code).toBe(code);
    expect(written).toEqual([]);
  });

  it.each([429, 503])('says with status %i which it was and how long to pause', async (status) => {
    const service = await start((_, response) => void response.writeHead(status, { 'retry-after': '9' }).end());
    expect((await failure(fetchFrom(service))).problem.facts).toEqual({ status, retryAfterSeconds: 9 });
  });

  it('does not take half a file for a whole one', async () => {
    const service = await start((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => response.destroy());
    });
    expect((await failure(fetchFrom(service))).code).toBe('network/cut');
  });

  it('does not take half a file of unknown length for a whole one', async () => {
    const service = await start((_, response) => void response.write('half', () => response.destroy()));
    expect((await failure(fetchFrom(service))).code).toBe('network/cut');
  });

  it('refuses a result that is announced as longer than it may be, before its first byte', async () => {
    const service = await start((_, response) => void response.writeHead(200, { 'content-length': '101' }).end());
    const written: number[] = [];
    const error = await failure(fetchFrom(service, { maxBytes: 100, onProgress: (bytes) => written.push(bytes) }));
    expect([error.code, written]).toEqual(['service/result-not-audio', []]);
  });

  it('stops a result that goes on for longer than it may be, less than a megabyte past it', async () => {
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

  it('gives up on a body that stands still after its headers', async () => {
    const service = await start((_, response) => void response.write('x'));
    const error = await failure(download(patient(service, 50), `${service.origin}/r`));
    expect(error.code).toBe('network/timeout');
    await service.deserted();
  });

  it('gives up on a body that only drips', async () => {
    const service = await start((_, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(drip));
    });
    expect((await failure(download(patient(service, 200), `${service.origin}/r`))).code).toBe('network/timeout');
    await service.deserted();
  });

  it('is cut short by no time in all, as long as it goes on', async () => {
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

  it('blames the service for no pause of whoever writes the result', async () => {
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
