import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCACertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createAgents, createTrust, proxyRoute, trustedCertificates } from './agents.ts';

describe('proxyRoute', () => {
  const studio = 'https://studio.test';
  const named = 'http://named:1';
  const env = {
    https_proxy: 'http://a:1',
    HTTPS_PROXY: 'http://b:1',
    http_proxy: 'http://c:1',
    HTTP_PROXY: 'http://d:1',
  };

  describe('the route to a service', () => {
    it.each([
      ['', {}, null],
      ['', env, 'http://a:1'],
      ['', { ...env, https_proxy: '' }, 'http://b:1'],
      ['', { HTTPS_PROXY: env.HTTPS_PROXY, http_proxy: env.http_proxy }, 'http://b:1'],
      ['', { HTTP_PROXY: env.HTTP_PROXY }, 'http://d:1'],
      ['', { https_proxy: 'proxy.test:3128' }, 'http://proxy.test:3128'],
      ['direct', env, null],
      [named, env, named],
    ])('with the setting %j and the environment %j uses the proxy %j', (setting, environment, address) => {
      expect(proxyRoute(setting, environment, studio)?.address ?? null).toBe(address);
    });

    it('follows NO_PROXY in either case, but only for the proxy of the environment', () => {
      expect(proxyRoute('', { ...env, no_proxy: 'x.test' }, studio)?.except).toBe('x.test');
      expect(proxyRoute('', { ...env, NO_PROXY: 'y.test' }, studio)?.except).toBe('y.test');
      expect(proxyRoute(named, { NO_PROXY: '*' }, studio)).toEqual({ address: named, except: '' });
    });

    it.each(['http://localhost:9', 'http://127.0.0.1', 'https://127.9.9.9', 'http://[::1]:9', 'https://app.localhost'])(
      'to %s uses no proxy',
      (origin) => {
        expect(proxyRoute(named, env, origin)).toBeNull();
        expect(proxyRoute('', env, origin)).toBeNull();
      },
    );

    it.each(['socks5://user:secret@proxy.test', 'http://user:secret@:1', 'http://proxy.test/path-secret'])(
      'through %s is rejected without quoting it',
      (address) => {
        const refuse = () => proxyRoute('', { https_proxy: address }, studio);
        expect(refuse).toThrow(expect.objectContaining({ code: 'network/proxy' }));
        expect(refuse).not.toThrow(/secret/);
      },
    );
  });
});

describe('certificates', () => {
  describe('trusted certificates', () => {
    it('are those of Node and of this system, each once', () => {
      const trusted = trustedCertificates();
      const wanted = new Set([...getCACertificates('default'), ...getCACertificates('system')]);
      expect(new Set(trusted)).toEqual(wanted);
      expect(trusted).toHaveLength(wanted.size);
    });

    it('are read once, when they are first needed', () => {
      let reads = 0;
      const trust = createTrust(() => {
        reads += 1;
        return [];
      });
      expect(reads).toBe(0);
      expect(trust()).toBe(trust());
      expect(reads).toBe(1);
    });
  });
});

describe('the pools of connections', () => {
  it('are those that were used last, and one that is closed answers its open calls', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<ServerResponse>();
    const server = createServer((_, response) => onAsked(response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agents = createAgents({ proxy: () => '', environment: {}, certificates: () => [] });
    try {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const result = (k: number) => agents.shared(`http://result-${k}.test`, 1000);
      const [service, first] = [await agents.shared(origin, 1000), await result(0)];
      const reply = service.request({ origin, path: '/', method: 'GET' });
      const response = await asked;
      for (let k = 1; k < 31; k += 1) await result(k);
      expect(await result(0)).toBe(first);
      await result(31);
      expect(await result(0)).toBe(first);
      expect(await agents.shared(origin, 1000)).not.toBe(service);
      response.end('done');
      expect(await (await reply).body.text()).toBe('done');
    } finally {
      await agents.close();
      server.close();
    }
  });
});
