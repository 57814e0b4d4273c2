import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { replyJson, type ScriptedService } from './scripted-service.fixture.ts';
import { createAuthority, hasOpenssl, type Certificate } from './certificates.fixture.ts';
import { startConnectProxy, type ConnectProxy } from './connect-proxy.fixture.ts';
import type { Connection } from './connection.ts';
import { convertAudio, createTask } from './conversion.ts';
import { createHttp } from './http.ts';
import { conversion, failure, hostsAt, useServices, neverArrived } from './service.fixture.ts';

const { signal } = new AbortController();
const { start } = useServices();
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

describe.skipIf(!hasOpenssl)('a proxy (needs the openssl command)', () => {
  let authority: ReturnType<typeof createAuthority>;
  let studio: Certificate;
  beforeAll(() => {
    authority = createAuthority();
    studio = authority.issue('studio.test');
  });
  afterAll(() => authority.remove());

  /** A service that is reachable only through a proxy. */
  async function startStudio(tls = studio) {
    const service = await start((_, response) => replyJson(response, { taskId: 't', data: { audioUrl: '/x' } }), {
      tls,
    });
    return { service, connection: service.connection({ hosts: hostsAt('https://studio.test') }) };
  }
  const portOf = (service: ScriptedService) => Number(new URL(service.origin).port);

  async function startProxy(...args: Parameters<typeof startConnectProxy>): Promise<ConnectProxy> {
    const proxy = await startConnectProxy(...args);
    ends.push(proxy.stop);
    return proxy;
  }
  function network(options: Parameters<typeof createHttp>[0]) {
    const http = createHttp({ environment: {}, certificates: () => [authority.cert], ...options });
    ends.unshift(http.close);
    return http;
  }
  const pay = (http: ReturnType<typeof network>, connection: Connection, stop = signal) =>
    convertAudio(http, connection, conversion, stop);

  it('learns only the host, and forwards what it cannot read', async () => {
    const { service, connection } = await startStudio();
    const proxy = await startProxy(portOf(service));
    await pay(network({ proxy: `http://127.0.0.1:${proxy.port}` }), connection);
    expect(service.requests[0]).toMatchObject({ url: '/api/changeaudiofile', headers: { host: 'studio.test' } });
    expect(service.requests[0]?.headers.authorization).toBe('Bearer secret');
    expect(proxy.asked.map(({ target }) => target)).toEqual(['studio.test:443']);
    expect(JSON.stringify(proxy.asked)).not.toContain('secret');
  });

  it('is taken from the environment, except for hosts excluded there', async () => {
    const { service, connection } = await startStudio();
    const proxy = await startProxy(portOf(service));
    const https_proxy = `http://127.0.0.1:${proxy.port}`;
    await pay(network({ environment: { https_proxy } }), connection);
    expect(proxy.asked).toHaveLength(1);
    const direct = [
      network({ environment: { https_proxy, NO_PROXY: 'other.test,.studio.test' } }),
      network({ environment: { https_proxy, no_proxy: '*' } }),
      network({ environment: { https_proxy }, proxy: 'direct' }),
    ];
    // Without the proxy the name is unknown.
    for (const http of direct) expect((await failure(pay(http, connection))).code).toBe('network/unreachable');
    expect(proxy.asked).toHaveLength(1);
  });

  it('is not used for services on this computer', async () => {
    const service = await start((_, response) => replyJson(response, { data: { audioUrl: '/x' } }));
    const proxy = await startProxy(portOf(service));
    await pay(network({ proxy: `http://127.0.0.1:${proxy.port}` }), service.connection());
    expect([service.requests.length, proxy.asked.length]).toEqual([1, 0]);
  });

  it('opens a tunnel for each paid call, and shares one between ordinary calls', async () => {
    const { service, connection } = await startStudio();
    const proxy = await startProxy(portOf(service));
    const http = network({ proxy: `http://127.0.0.1:${proxy.port}` });
    for (let turn = 0; turn < 3; turn += 1) await pay(http, connection);
    expect(proxy.asked).toHaveLength(3);
    for (let turn = 0; turn < 6; turn += 1) await createTask(http, connection, { voice: 'v', engine: 'v5' }, signal);
    expect(proxy.asked.length).toBeLessThan(9);
  });

  it('is looked up for each call, so that a changed setting takes effect at once', async () => {
    const { service, connection } = await startStudio();
    const [one, two] = [await startProxy(portOf(service)), await startProxy(portOf(service))];
    let chosen = one;
    const http = network({ proxy: () => `http://127.0.0.1:${chosen.port}` });
    const ask = () => createTask(http, connection, { voice: 'v', engine: 'v5' }, signal);
    await ask();
    chosen = two;
    await ask();
    expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
  });

  it('receives its password, which reaches no other host and no error', async () => {
    const { service, connection } = await startStudio();
    const open = await startProxy(portOf(service));
    await pay(network({ proxy: `http://user:pa%20ss@127.0.0.1:${open.port}` }), connection);
    const basic = `Basic ${Buffer.from('user:pa ss').toString('base64')}`;
    expect(open.asked[0]?.headers['proxy-authorization']).toBe(basic);
    expect(service.requests[0]?.headers).not.toHaveProperty('proxy-authorization');

    const shut = await startProxy(portOf(service), (client) => client.end('HTTP/1.1 407 Who are you\r\n\r\n'));
    const error = await failure(pay(network({ proxy: `http://user:pa%20ss@127.0.0.1:${shut.port}` }), connection));
    expect(error.problem).toMatchObject({ code: 'network/proxy', facts: { host: 'studio.test', status: 407 } });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toMatch(/pa%20ss|pa ss|dXNlcjpwYSBzcw/);
  });

  it('may use TLS itself, with a certificate that is verified like any other', async () => {
    const { service, connection } = await startStudio();
    const good = await startProxy(portOf(service), undefined, authority.issue('localhost'));
    await pay(network({ proxy: `https://localhost:${good.port}` }), connection);
    expect(service.requests).toHaveLength(1);
    const bad = await startProxy(portOf(service), undefined, authority.selfSigned('localhost'));
    const error = await failure(pay(network({ proxy: `https://localhost:${bad.port}` }), connection));
    expect([error.code, neverArrived(error), bad.asked.length]).toEqual(['network/proxy', true, 0]);
  });

  it('does not replace the verification of the service’s certificate', async () => {
    const { service, connection } = await startStudio(authority.issue('other.test'));
    const proxy = await startProxy(portOf(service));
    const error = await failure(pay(network({ proxy: `http://127.0.0.1:${proxy.port}` }), connection));
    expect([error.code, neverArrived(error)]).toEqual(['network/insecure', true]);
    expect(service.requests).toHaveLength(0);
  });

  it.each<[string, (client: Socket) => void]>([
    ['wants a password', (client) => client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')],
    ['finds no service', (client) => client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 2\r\n\r\nno')],
    ['sends elsewhere', (client) => client.end('HTTP/1.1 302 Found\r\nlocation: https://evil.test/\r\n\r\n')],
    ['hangs up', (client) => client.end()],
    ['talks nonsense', (client) => client.end('nonsense\r\n\r\n')],
    ['says nothing', () => undefined],
  ])('that %s has forwarded nothing', async (_name, behave) => {
    const { service, connection } = await startStudio();
    const proxy = await startProxy(portOf(service), behave);
    const hurried = { ...connection.document, timeouts: { ...connection.document.timeouts, connectMs: 500 } };
    const http = network({ proxy: `http://127.0.0.1:${proxy.port}` });
    const error = await failure(pay(http, { ...connection, document: hurried }));
    expect([error.code, neverArrived(error)]).toEqual(['network/proxy', true]);
    expect([proxy.asked.length, service.accepted()]).toEqual([1, 0]);
  });

  it('that is unreachable has forwarded nothing', async () => {
    const { service, connection } = await startStudio();
    const gone = await startConnectProxy(portOf(service));
    await gone.stop();
    const error = await failure(pay(network({ proxy: `http://127.0.0.1:${gone.port}` }), connection));
    expect([error.code, neverArrived(error)]).toEqual(['network/proxy', true]);
  });

  it.each<[string, (client: Socket, open: () => void) => void]>([
    ['opens the tunnel', () => undefined],
    ['has opened a tunnel in which nobody answers', (client) => client.write('HTTP/1.1 200 OK\r\n\r\n')],
  ])('is disconnected if the call is aborted before it %s', async (_name, behave) => {
    const { service, connection } = await startStudio();
    const stopping = new AbortController();
    const closed = Promise.withResolvers<void>();
    const proxy = await startProxy(portOf(service), (client, open) => {
      client.resume().once('close', () => closed.resolve());
      behave(client, open);
      stopping.abort(new Error('enough'));
    });
    const http = network({ proxy: `http://127.0.0.1:${proxy.port}` });
    expect((await failure(pay(http, connection, stopping.signal))).message).toBe('enough');
    await closed.promise;
  });
});
