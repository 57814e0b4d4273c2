import { execFileSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createTask } from './conversion.ts';
import { createHttp, type HttpRequest } from './http.ts';
import { readBody } from './reply.ts';
import { failure, useServices, neverArrived } from './service.fixture.ts';

const { http, start } = useServices();

function requestTo(origin: string, change: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'POST',
    address: { origin, path: '/' },
    body: 'x',
    connectTimeoutMs: 10_000,
    replyTimeoutMs: 10_000,
    stallTimeoutMs: 10_000,
    signal: new AbortController().signal,
    ...change,
  };
}

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield await Promise.resolve(Buffer.alloc(65_536));
}

/** Accepts connections and sends nothing, so that TLS never gets beyond its first message. */
async function startSilence() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.resume().on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('network access', () => {
  it('loads undici and the certificates with the first request, not before', () => {
    const script = `
      import { createRequire } from 'node:module';
      import { createHttp } from ${JSON.stringify(fileURLToPath(new URL('http.ts', import.meta.url)))};
      let read = 0;
      const http = createHttp({ certificates: () => { read += 1; return []; } });
      const loaded = () => Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('undici')).length;
      const before = loaded();
      const limits = { connectTimeoutMs: 1000, replyTimeoutMs: 1000, stallTimeoutMs: 1000 };
      const signal = new AbortController().signal;
      const get = (origin) => http.send({ method: 'GET', address: { origin, path: '/' }, ...limits, signal }).catch(() => {});
      await get('http://127.0.0.1:1');
      const readForHttp = read;
      await get('https://127.0.0.1:1');
      await http.close();
      console.log(JSON.stringify({ before, after: loaded() > 0, readForHttp, read }));`;
    const flags = ['--no-warnings', '--input-type=module', '--eval', script];
    const output = execFileSync(process.execPath, flags, { encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual({ before: 0, after: true, readForHttp: 0, read: 1 });
  });

  it('reuses a connection for consecutive ordinary calls', async () => {
    const service = await start((_, response) => void response.end('ok'));
    for (let turn = 0; turn < 6; turn += 1) {
      const reply = await http().send(requestTo(service.origin));
      for await (const chunk of reply.chunks()) expect(String(chunk)).toBe('ok');
    }
    expect(service.accepted()).toBeLessThan(6);
  });

  it('opens no socket for an origin that is not allowed, from the moment on that it is not', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.resume().end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    let isAllowed = false;
    const client = createHttp({ isAllowed: (origin) => isAllowed && origin === `http://${host}` });
    try {
      for (const fresh of [false, true]) {
        const error = await failure(client.send(requestTo(`http://${host}`, { fresh })));
        expect([error.problem, neverArrived(error)]).toEqual([{ code: 'network/offline-mode', facts: { host } }, true]);
      }
      expect(connections).toBe(0);
      isAllowed = true;
      await client.send(requestTo(`http://${host}`));
      isAllowed = false;
      await failure(client.send(requestTo(`http://${host}`)));
      expect(connections).toBe(1);
    } finally {
      await client.close();
      server.close();
    }
  });

  it('opens no socket for an origin that is neither secure nor on this computer', async () => {
    const opened: unknown[] = [];
    const note = (message: unknown) => void opened.push(message);
    subscribe('net.client.socket', note);
    try {
      for (const origin of [
        'http://studio.test',
        'http://192.168.0.1',
        'http://127.0.0.2',
        'ftp://localhost',
        'http://localhost.test',
      ]) {
        const error = await failure(http().send(requestTo(origin)));
        expect([error.code, neverArrived(error)]).toEqual(['network/insecure', true]);
      }
      expect(opened).toEqual([]);
      const service = await start((_, response) => void response.end());
      await http().send(requestTo(service.origin));
      expect(opened).toHaveLength(1);
    } finally {
      unsubscribe('net.client.socket', note);
    }
  });
});

describe('a call', () => {
  it('with a JSON reply times out, even if data keeps arriving', async () => {
    const service = await start((_, response) => {
      const drip = setInterval(() => response.write(' '.repeat(2000)), 10);
      response.once('close', () => clearInterval(drip));
    });
    const connection = service.connection({ timeouts: { connectMs: 10_000, stallMs: 200, convertMs: 10_000 } });
    const error = await failure(
      createTask(http(), connection, { voice: 'v', engine: 'v5' }, new AbortController().signal),
    );
    expect(error.code).toBe('network/timeout');
    await service.deserted();
  });

  it('counts its timeout from the last byte sent, however long sending takes', async () => {
    const service = await start((_, response) => void response.end('ok'));
    async function* slow() {
      for (let left = 20; left > 0; left -= 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        yield Buffer.alloc(1000);
      }
    }
    const reply = await http().send(requestTo(service.origin, { body: slow(), totalTimeoutMs: 900 }));
    expect(reply.status).toBe(200);
    reply.discard();
  });

  it('times out on a service that stops reading, whatever the reply timeout', async () => {
    const service = await start(() => undefined, { readsBody: false });
    const sending = requestTo(service.origin, { body: endless(), stallTimeoutMs: 100, replyTimeoutMs: 3_600_000 });
    expect((await failure(http().send(sending))).code).toBe('network/timeout');
  });

  it('times out while it connects, and knows that nothing was sent', async () => {
    const silence = await startSilence();
    const error = await failure(http().send(requestTo(silence.origin, { connectTimeoutMs: 50 })));
    expect([error.code, neverArrived(error)]).toEqual(['network/unreachable', true]);
    await silence.stop();
  });
});

it('a request names the program and nothing else of this computer', async () => {
  const service = await start((_, response) => void response.end());
  await http().send(requestTo(service.origin));
  expect(service.requests[0]?.headers).toEqual({
    host: new URL(service.origin).host,
    connection: 'keep-alive',
    'content-length': '1',
    'accept-encoding': 'identity',
    'user-agent': 'Timbre',
  });
});

describe('a reply', () => {
  it('is read after any number of interim ones that nobody asked for', async () => {
    const service = await start((_, response) => {
      response.writeContinue();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => {
        response.writeContinue();
        response.end('HTTP/1.1 100 is what it says');
      });
    });
    for (const fresh of [true, false, false]) {
      const { text } = await readBody(await http().send(requestTo(service.origin, { fresh })), 1000);
      expect(text).toBe('HTTP/1.1 100 is what it says');
    }
    expect(service.requests).toHaveLength(3);
  });

  it('may have as many headers as browsers take', async () => {
    const service = await start((_, response) => {
      response.writeHead(200, { 'content-security-policy': 'a'.repeat(200_000) }).end('ok');
    });
    expect((await readBody(await http().send(requestTo(service.origin, { fresh: true })), 1000)).text).toBe('ok');
  });
});

describe('a compressed reply', () => {
  async function read(body: Buffer, stop = false) {
    const service = await start((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length }).end(body);
    });
    const reply = await http().send(requestTo(service.origin));
    const chunks: Buffer[] = [];
    for await (const chunk of reply.chunks()) {
      chunks.push(chunk);
      if (stop) break;
    }
    await service.stop();
    return { reply, size: Buffer.concat(chunks).length };
  }

  it('is read as if it had been sent as it is', async () => {
    const { reply, size } = await read(gzipSync(Buffer.alloc(300_000)));
    expect([size, reply.header('content-encoding'), reply.header('content-length')]).toEqual([300_000, '', '']);
    expect(reply.headers['content-encoding']).toBe('gzip');
  });

  it('that a proxy has unpacked is read as it is', async () => {
    expect((await read(Buffer.from('{"taskId":"t1"}'))).size).toBe(15);
    expect((await read(Buffer.alloc(0))).size).toBe(0);
  });

  it('that breaks off is cut', async () => {
    const half = gzipSync(Buffer.alloc(300_000, 'sound')).subarray(0, 200);
    expect((await failure(read(half))).code).toBe('network/cut');
  });

  it('that nobody reads to its end is not unpacked further', async () => {
    const { size } = await read(gzipSync(Buffer.alloc(300_000_000)), true);
    expect(size).toBeLessThan(1_000_000);
  });
});

describe.each([
  ['an ordinary call', false],
  ['a paid call', true],
])('aborting %s', (_name, fresh) => {
  const reason = new Error('enough');

  it('before it starts opens no socket', async () => {
    const service = await start(() => undefined);
    const aborted = requestTo(service.origin, { fresh, signal: AbortSignal.abort(reason) });
    expect(await failure(http().send(aborted))).toBe(reason);
    expect(service.accepted()).toBe(0);
  });

  it('while it connects ends it at once', async () => {
    const silence = await startSilence();
    const stopping = new AbortController();
    const call = failure(http().send(requestTo(silence.origin, { fresh, signal: stopping.signal })));
    const [socket] = (await once(silence.server, 'connection')) as [Socket];
    stopping.abort(reason);
    expect(await call).toBe(reason);
    // An ordinary call leaves its half-made connection to the pool until the connect timeout.
    if (!fresh) await http().close();
    if (!socket.closed) await once(socket, 'close');
    await silence.stop();
  });

  it('while it sends closes its socket', async () => {
    const stopping = new AbortController();
    const service = await start(() => undefined);
    async function* body() {
      let sent = 0;
      for await (const chunk of endless()) {
        yield chunk;
        sent += chunk.length;
        if (sent > 20_000_000) stopping.abort(reason);
      }
    }
    const call = http().send(requestTo(service.origin, { fresh, body: body(), signal: stopping.signal }));
    expect(await failure(call)).toBe(reason);
    await service.deserted();
    expect([service.accepted(), service.requests.length]).toEqual([1, 0]);
  });

  it('while it sends to a service that stops reading closes its socket', async () => {
    const stopping = new AbortController();
    const service = await start(() => stopping.abort(reason), { readsBody: false });
    const call = http().send(requestTo(service.origin, { fresh, body: endless(), signal: stopping.signal }));
    expect(await failure(call)).toBe(reason);
    expect(service.accepted()).toBe(1);
  });

  it('while it waits for its reply closes its socket', async () => {
    const stopping = new AbortController();
    const service = await start(() => stopping.abort(reason));
    const call = http().send(requestTo(service.origin, { fresh, signal: stopping.signal }));
    expect(await failure(call)).toBe(reason);
    await service.deserted();
    expect(service.accepted()).toBe(1);
  });

  it('while its reply arrives closes its socket', async () => {
    const stopping = new AbortController();
    const service = await start((_, response) => void response.write('half'));
    const reply = await http().send(requestTo(service.origin, { fresh, signal: stopping.signal }));
    const read = async () => {
      for await (const chunk of reply.chunks()) {
        expect(String(chunk)).toBe('half');
        stopping.abort(reason);
      }
    };
    expect(await failure(read())).toBe(reason);
    await service.deserted();
  });

  it('after its end has no effect', async () => {
    const stopping = new AbortController();
    const service = await start((_, response) => void response.end('whole'));
    const reply = await http().send(requestTo(service.origin, { fresh, signal: stopping.signal }));
    let text = '';
    for await (const chunk of reply.chunks()) text += String(chunk);
    stopping.abort(reason);
    expect(text).toBe('whole');
  });
});
