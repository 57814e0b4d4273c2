import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { textAt } from './identify-call.ts';
import { startFaultProxy } from './start-fault-proxy.ts';
import { authorization, startProxiedEngine, type ProxiedEngine } from './proxied-engine.ts';
import { ask, openSocket, jsonOf } from './http-client.ts';
import { startTestService } from './test-service.ts';

let fixture: ProxiedEngine;

beforeAll(async () => {
  fixture = await startProxiedEngine();
});
afterEach(() => {
  fixture.proxy.script([]);
  fixture.proxy.disconnect();
});
afterAll(() => fixture.stop());

describe('without rules', () => {
  it('forwards a conversion as the engine does it, with addresses that point to itself', async () => {
    const { proxy, engine } = fixture;
    const task = await fixture.newTask();
    expect((await fixture.upload(task)).status).toBe(200);
    const converted = jsonOf(await fixture.convert(task));
    const address = textAt(converted, 'data.audioUrl') ?? '';
    expect(address.startsWith(`${proxy.origin}/results/${task}/`)).toBe(true);
    const through = await fixture.get(address);
    const direct = await fixture.get(address.replace(proxy.origin, engine.origin));
    expect(through.bytes.equals(direct.bytes)).toBe(true);
    expect(through.headers['content-length']).toBe(String(through.bytes.length));
    expect(through.headers['content-disposition']).toBe(direct.headers['content-disposition']);
  });

  it('forwards refusals word for word', async () => {
    const { proxy, engine } = fixture;
    const json = {};
    const path = '/api/createaudiofilechanger';
    const options = { method: 'POST', json, headers: { authorization } } as const;
    const [through, direct] = [await ask(proxy.origin + path, options), await ask(engine.origin + path, options)];
    expect([through.status, jsonOf(through)]).toEqual([direct.status, jsonOf(direct)]);
    expect((await ask(`${proxy.origin}/api/pagevoices`)).status).toBe(401);
  });

  it('forwards a refusal that arrives before the upload is complete, and keeps the connection', async () => {
    const service = await startTestService((request, response) => {
      if (request.method === 'GET') return void response.end('again');
      response.writeHead(413, { connection: 'close' }).end('{}', () => request.socket.destroy());
    });
    const proxy = await startFaultProxy({ target: service.origin });
    const line = 'POST /api/uploadaudiofile/1 HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n';
    const { socket, all } = await openSocket(proxy.origin, line + 'x'.repeat(10));
    await once(socket, 'data');
    expect(proxy.calls[0]?.status).toBe(413);
    await proxy.idle();
    socket.write(`${'x'.repeat(999_990)}GET /next HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(await all()).toMatch(/^HTTP\/1\.1 413 [^]*\r\n\r\nHTTP\/1\.1 200 OK[^]*again/);
    await proxy.stop();
    await service.stop();
  });

  it('records each call with its operation, task and outcome', async () => {
    const { proxy } = fixture;
    const before = proxy.calls.length;
    const address = await fixture.result();
    await fixture.get(address);
    await ask(`${proxy.origin}/api/pagevoices?page=0&limit=1`, { headers: { authorization } });
    await ask(`${proxy.origin}/api/getvoicedetail?voiceId=low-bronze`, { headers: { authorization } });
    await ask(`${proxy.origin}/v1/models/x`, { method: 'DELETE', headers: { authorization } });
    await ask(`${proxy.origin}/elsewhere`, { headers: { authorization } });
    await proxy.idle();
    const seen = proxy.calls.slice(before);
    expect(seen.map(({ operation }) => operation)).toEqual([
      'create-task',
      'upload',
      'convert',
      'download',
      'voices',
      'voice-detail',
      'delete-model',
      'other',
    ]);
    const [task] = /[0-9a-f-]{36}/.exec(address) ?? [];
    expect(seen.slice(0, 4).map((call) => call.task)).toEqual([task, task, task, task]);
    expect(seen.map(({ order }) => order)).toEqual(seen.map((_, at) => before + 1 + at));
    expect(seen.every(({ outcome, reachedService }) => outcome === 'answered' && reachedService)).toBe(true);
    expect(seen[1]?.receivedBytes).toBeGreaterThan(fixture.sound.length);
    expect(seen[3]?.sentBytes).toBeGreaterThan(1000);
    expect(seen[0]?.headers.authorization).toBe(authorization);
    expect(proxy.count({ operation: 'convert', task: task ?? '' })).toBe(1);
  });

  it('streams an upload as it arrives and buffers none of it', async () => {
    let arrived = 0;
    const service = await startTestService((request, response) => {
      request.on('data', (chunk: Buffer) => (arrived += chunk.length));
      request.on('end', () => response.end('{}'));
    });
    const proxy = await startFaultProxy({ target: service.origin });
    const bytes = 512 * 1024 ** 2;
    const chunk = Buffer.alloc(1024 ** 2, 7);
    const body = Readable.from(
      (function* () {
        for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
      })(),
    );
    const before = process.memoryUsage.rss();
    let peak = before;
    proxy.onCall(() => (peak = Math.max(peak, process.memoryUsage.rss())));
    const path = '/api/uploadaudiofile/11111111-1111-4111-8111-111111111111';
    const got = await ask(proxy.origin + path, { method: 'POST', body, headers: { 'content-length': String(bytes) } });
    expect([got.status, arrived, proxy.calls[0]?.receivedBytes]).toEqual([200, bytes, bytes]);
    expect(peak - before).toBeLessThan(bytes / 4);
    await proxy.stop();
    await service.stop();
  });

  it('asks the client for the body when the service does', async () => {
    const { hostname, port } = new URL(fixture.engine.origin);
    expect(hostname).toBe('127.0.0.1');
    expect(port).not.toBe('');
    const body = '{"voice": "low-bronze"}';
    const head = `POST /api/createaudiofilechanger HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n`;
    const fields = `content-length: ${body.length}\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n`;
    const { socket, all } = await openSocket(fixture.proxy.origin, head + fields);
    socket.once('data', () => socket.write(body));
    const text = await all();
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  it('keeps a connection open for the next call', async () => {
    const { proxy } = fixture;
    const line = `GET /api/pagevoices?page=0&limit=1 HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n`;
    const { all } = await openSocket(proxy.origin, `${line}\r\n${line}connection: close\r\n\r\n`);
    expect((await all()).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it('tells the service when the client disconnects', async () => {
    const left = Promise.withResolvers<undefined>();
    const service = await startTestService((request) => request.once('close', () => left.resolve(undefined)));
    const proxy = await startFaultProxy({ target: service.origin });
    const leaving = new AbortController();
    const asking = ask(`${proxy.origin}/slow`, { signal: leaving.signal });
    await proxy.waitFor(({ reachedService }) => reachedService);
    expect(proxy.sockets()).toBe(1);
    leaving.abort();
    await asking;
    await left.promise;
    await proxy.socketsDownTo(0);
    await proxy.idle();
    expect(proxy.calls[0]?.outcome).toBe('left');
    await proxy.stop();
    await service.stop();
  });

  it('closes the connection if there is no service', async () => {
    const service = await startTestService(() => undefined);
    const proxy = await startFaultProxy({ target: service.origin });
    await service.stop();
    const got = await ask(`${proxy.origin}/api/pagevoices`);
    expect(got).toMatchObject({ status: 0, error: 'UND_ERR_SOCKET' });
    expect(proxy.calls[0]).toMatchObject({ outcome: 'broken', reachedService: false, fault: null });
    proxy.setTarget(fixture.engine.origin);
    expect((await ask(`${proxy.origin}/api/pagevoices`)).status).toBe(401);
    await proxy.stop();
  });

  it('replaces the client’s token with the engine’s, and adds none for a client without one', async () => {
    const proxy = await startFaultProxy({ target: fixture.engine.origin, serviceToken: 'test-token' });
    const path = `${proxy.origin}/api/pagevoices?page=0&limit=1`;
    expect((await ask(path, { headers: { authorization: 'Bearer any' } })).status).toBe(200);
    expect((await ask(path)).status).toBe(401);
    expect(proxy.calls[0]?.headers.authorization).toBe('Bearer any');
    await proxy.stop();
  });

  it('describes itself as a connection whose token may change', async () => {
    let token = 'first';
    const connection = fixture.proxy.connection({ unknownOutcome: 'repeat' }, () => token);
    const { signal } = new AbortController();
    expect(connection.document).toMatchObject({ unknownOutcome: 'repeat', hosts: { voice: fixture.proxy.origin } });
    expect((await connection.access(signal)).token).toBe('first');
    token = 'second';
    expect((await connection.access(signal)).token).toBe('second');
  });
});

describe('broken connections', () => {
  it('are reset, idle ones too, and the next call gets a new one', async () => {
    const { proxy } = fixture;
    const line = `GET /api/pagevoices HTTP/1.1\r\nhost: localhost\r\n\r\n`;
    const { socket, all } = await openSocket(proxy.origin, line);
    await once(socket, 'data');
    await proxy.idle();
    expect(proxy.sockets()).toBe(1);
    proxy.disconnect();
    expect(await all()).toMatch(/<ECONNRESET>$/);
    expect((await ask(`${proxy.origin}/api/pagevoices`)).status).toBe(401);
  });
});

describe('offline', () => {
  it('refuses connections, breaks open ones, and is back at the same address', async () => {
    const proxy = await startFaultProxy({ target: fixture.engine.origin });
    proxy.script([{ fault: { kind: 'hold', until: new Promise(() => undefined) } }]);
    const asking = ask(`${proxy.origin}/api/pagevoices`);
    await proxy.waitFor(({ outcome }) => outcome === 'open');
    await proxy.goOffline();
    expect((await asking).error).toBe('ECONNRESET');
    expect(proxy.calls[0]).toMatchObject({ outcome: 'broken', reachedService: false });
    expect((await ask(`${proxy.origin}/api/pagevoices`)).error).toBe('ECONNREFUSED');
    proxy.script([]);
    await proxy.comeBack();
    expect((await ask(`${proxy.origin}/api/pagevoices`)).status).toBe(401);
    await proxy.stop();
    await proxy.stop();
  });
});
