import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAuthority, hasOpenssl, type Certificate } from './certificates.fixture.ts';
import { createHttp, type Http } from './http.ts';
import { networkError } from './network-error.ts';
import { failure, neverArrived } from './service.fixture.ts';

const { signal } = new AbortController();
const servers: Server[] = [];
const sockets = new Set<Socket>();
let http: Http | undefined;

/** A server that deals with bare sockets, and its port. */
async function listen(server: Server): Promise<number> {
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  server.on('tlsClientError', () => undefined);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
const tcp = (behave: (socket: Socket) => void) => listen(createServer(behave));

afterEach(async () => {
  await http?.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) if (server.listening) server.close();
});

/** Pays for something at `origin`, and fails. */
function pay(origin: string, certificates: readonly string[] = []) {
  http = createHttp({ environment: {}, certificates: () => certificates });
  const paid = async (network: Http) => {
    const reply = await network.send({
      method: 'POST',
      address: { origin, path: '/' },
      body: 'money',
      connectTimeoutMs: 2_000,
      replyTimeoutMs: 300,
      stallTimeoutMs: 300,
      fresh: true,
      signal,
    });
    for await (const chunk of reply.chunks()) expect(chunk.length).toBeGreaterThan(0);
  };
  return failure(paid(http));
}

async function closedPort(): Promise<number> {
  const port = await tcp(() => undefined);
  const server = servers.pop();
  server?.close();
  if (server) await once(server, 'close');
  return port;
}

/** Does `then` as soon as the first bytes of a request are there. */
const onceAsked = (then: (socket: Socket) => void) => (socket: Socket) => {
  socket.once('data', () => then(socket));
};

describe('a call that failed before it was connected was certainly not received', () => {
  it.each<[string, () => Promise<string>, string]>([
    ['nothing listens', async () => `http://127.0.0.1:${await closedPort()}`, 'ECONNREFUSED'],
    ['nothing listens for TLS', async () => `https://127.0.0.1:${await closedPort()}`, 'ECONNREFUSED'],
    ['the name is unknown', () => Promise.resolve('https://nowhere.invalid'), 'ENOTFOUND|EAI_AGAIN'],
    [
      'the socket is reset under the handshake',
      async () => `https://127.0.0.1:${await tcp(onceAsked((socket) => socket.resetAndDestroy()))}`,
      'ECONNRESET',
    ],
    [
      'the socket is closed under the handshake',
      async () => `https://127.0.0.1:${await tcp(onceAsked((socket) => socket.end()))}`,
      'ECONNRESET',
    ],
    [
      'it does not speak TLS',
      async () =>
        `https://127.0.0.1:${await tcp(onceAsked((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))}`,
      'ERR_SSL_\\w+|EPROTO',
    ],
    [
      'it says nothing to the handshake',
      async () => `https://127.0.0.1:${await tcp((socket) => socket.resume())}`,
      'UND_ERR_CONNECT_TIMEOUT',
    ],
  ])('%s', async (_name, start, reason) => {
    const error = await pay(await start());
    expect([error.code, neverArrived(error)]).toEqual(['network/unreachable', true]);
    expect(error.problem.facts?.['reason']).toMatch(new RegExp(`^(${reason})$`));
  });

  it.skipIf(!hasOpenssl)('its TLS version is too old (needs the openssl command)', async () => {
    const old = createAuthority();
    const options = { ...old.issue('localhost'), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' } as const;
    const port = await listen(createSecureServer({ ...options, ciphers: 'DEFAULT@SECLEVEL=0' }));
    const error = await pay(`https://localhost:${port}`, [old.cert]);
    old.remove();
    expect([error.code, neverArrived(error)]).toEqual(['network/unreachable', true]);
  });
});

describe('a call that failed after it was connected may have been received', () => {
  it.each<[string, string, (socket: Socket) => void]>([
    ['the service resets it when asked', 'network/cut', (socket) => socket.resetAndDestroy()],
    ['the service hangs up when asked', 'network/cut', (socket) => socket.end()],
    ['the service says something else than HTTP', 'network/cut', (socket) => socket.end('nonsense\r\n\r\n')],
    ['the service breaks off in its headers', 'network/cut', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-')],
    [
      'the service breaks off in its reply',
      'network/cut',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    ],
    [
      'the service resets it in its reply',
      'network/cut',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', () => socket.resetAndDestroy()),
    ],
    ['the service keeps silent', 'network/timeout', () => undefined],
    [
      'the service falls silent in its reply',
      'network/timeout',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    ],
  ])('%s', async (_name, code, behave) => {
    const error = await pay(`http://127.0.0.1:${await tcp(onceAsked(behave))}`);
    expect([error.code, neverArrived(error)]).toEqual([code, false]);
  });

  describe.skipIf(!hasOpenssl)('over TLS (needs the openssl command)', () => {
    let authority: ReturnType<typeof createAuthority>;
    let certificate: Certificate;
    beforeAll(() => {
      authority = createAuthority();
      certificate = authority.issue('localhost');
    });
    afterAll(() => authority.remove());

    it.each<[string, (line: Socket) => void]>([
      ['the line is reset', (line) => line.resetAndDestroy()],
      ['the line is closed', (line) => line.end()],
      // The same kind of code as a failed handshake has, one moment later.
      ['what comes back is no TLS', (line) => line.write('garbage that is no record\r\n'.repeat(10))],
    ])('%s when the request arrived', async (_name, behave) => {
      let line: Socket | undefined;
      const service = createSecureServer(certificate, (secure) => {
        secure.on('error', () => undefined).once('data', () => line && behave(line));
      });
      const servicePort = await listen(service);
      const port = await tcp((client) => {
        line = client;
        const onwards = connect(servicePort, '127.0.0.1').on('error', () => undefined);
        sockets.add(onwards);
        client.pipe(onwards).pipe(client, { end: false });
      });
      const error = await pay(`https://localhost:${port}`, [authority.cert]);
      expect(neverArrived(error)).toBe(false);
      // Node 24 reports a broken record but does not close the socket, so the reply timeout ends the call.
      expect(['network/cut', 'network/timeout']).toContain(error.code);
    });
  });
});

describe('a network error', () => {
  it('is replaced by the reason of an abort', () => {
    const reason = new Error('enough');
    expect(networkError(new Error('x'), 'https://a.test', AbortSignal.abort(reason))).toBe(reason);
  });

  it('states the host and the system’s error code', async () => {
    const port = await closedPort();
    const { problem } = await pay(`http://127.0.0.1:${port}`);
    expect(problem.facts).toEqual({ host: `127.0.0.1:${port}`, reason: 'ECONNREFUSED' });
  });
});
