import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replyJson } from './scripted-service.fixture.ts';
import { resultAddress } from './address.ts';
import { createAuthority, hasOpenssl, type Certificate } from './certificates.fixture.ts';
import { convertAudio, downloadResult } from './conversion.ts';
import { createHttp } from './http.ts';
import { conversion, failure, hostsAt, useServices, neverArrived } from './service.fixture.ts';

const { signal } = new AbortController();
const { http, start } = useServices();
const converted = { data: { audioUrl: '/x' } };

describe.skipIf(!hasOpenssl)('a secure connection (needs the openssl command)', () => {
  let authority: ReturnType<typeof createAuthority>;
  beforeAll(() => {
    authority = createAuthority();
  });
  afterAll(() => authority.remove());

  const startSecure = (tls: Certificate) =>
    start((_, response) => replyJson(response, converted), { tls, name: 'localhost' });

  it('is made to a service whose authority this system trusts', async () => {
    const service = await startSecure(authority.issue('localhost'));
    const trusting = createHttp({ certificates: () => [authority.cert] });
    expect((await convertAudio(trusting, service.connection(), conversion, signal)).audioUrl).toBe('/x');
    await trusting.close();
  });

  it.each<[string, string, () => Certificate]>([
    ['of an authority that nobody knows', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', () => createAuthorityOnce('localhost')],
    ['that it signed itself', 'DEPTH_ZERO_SELF_SIGNED_CERT', () => authority.selfSigned('localhost')],
    ['that has expired', 'CERT_HAS_EXPIRED', () => authority.issue('localhost', -1)],
    ['for another name', 'ERR_TLS_CERT_ALTNAME_INVALID', () => authority.issue('other.test')],
  ])('is rejected for a certificate %s before anything is sent', async (_name, reason, certificate) => {
    const service = await startSecure(certificate());
    const trusting = createHttp({ certificates: () => [authority.cert] });
    const error = await failure(convertAudio(trusting, service.connection(), conversion, signal));
    expect([error.code, error.problem.facts?.['reason']]).toEqual(['network/insecure', reason]);
    expect(neverArrived(error)).toBe(true);
    expect(service.requests).toHaveLength(0);
    await trusting.close();
  });

  it('is also rejected with only the certificates of this system', async () => {
    const service = await startSecure(authority.issue('localhost'));
    const error = await failure(convertAudio(http(), service.connection(), conversion, signal));
    expect([error.code, neverArrived(error)]).toEqual(['network/insecure', true]);
    expect(service.requests).toHaveLength(0);
  });
});

/** A certificate of an authority that is forgotten at once. */
function createAuthorityOnce(host: string): Certificate {
  const unknown = createAuthority();
  const certificate = unknown.issue(host);
  unknown.remove();
  return certificate;
}

describe('a connection’s host', () => {
  it.each(['http://studio.test', 'http://10.0.0.1', 'http://127.0.0.1.studio.test', 'ftp://localhost', 'http://[::2]'])(
    'is rejected at %s, because it is neither secure nor on this computer',
    async (origin) => {
      const service = await start(() => undefined);
      const connection = service.connection({ hosts: hostsAt(origin) });
      const { code } = await failure(convertAudio(http(), connection, conversion, signal));
      expect(code).toBe('connection/invalid');
    },
  );

  it.each(['127.0.0.1', 'localhost', '[::1]'])('may be http at %s', async (host) => {
    const service = await start((_, response) => replyJson(response, converted));
    const port = new URL(service.origin).port;
    const hosts = hostsAt(`http://${host}:${port}`);
    const call = convertAudio(http(), service.connection({ hosts }), conversion, signal);
    // Nothing listens on ::1; the attempt is what counts.
    if (host === '[::1]') expect((await failure(call)).code).toBe('network/unreachable');
    else expect((await call).audioUrl).toBe('/x');
  });
});

describe('the address of a result', () => {
  it.each([
    ['http://127.0.0.1:9/r', 'https://studio.test'],
    ['http://localhost:9/r', 'https://studio.test'],
    ['http://studio.test/r', 'https://studio.test'],
    ['http://studio.test/r', 'http://127.0.0.1:9'],
    ['ftp://studio.test/r', 'http://127.0.0.1:9'],
    ['file:///etc/passwd', 'http://127.0.0.1:9'],
    ['https://user:pw@studio.test/', 'http://127.0.0.1:9'],
    ['//studio.test/r', 'http://127.0.0.1:9'],
    ['/\\studio.test/r', 'http://127.0.0.1:9'],
  ])('%s is rejected for the connection %s', (address, base) => {
    const { host, protocol } = new URL(address, base);
    const facts = { resultHost: host || protocol };
    expect(() => resultAddress(address, base)).toThrow(
      expect.objectContaining({ problem: { code: 'network/insecure', facts } }),
    );
  });

  it.each([
    ['/results/r.wav?sig=%2f', 'https://studio.test/v1', 'https://studio.test', '/results/r.wav?sig=%2f'],
    ['/../r.wav', 'http://127.0.0.1:9', 'http://127.0.0.1:9', '/r.wav'],
    ['//elsewhere.test/r', 'https://studio.test', 'https://elsewhere.test', '/r'],
  ])('%s is relative to the service at %s', (address, base, origin, path) => {
    expect(resultAddress(address, base)).toEqual({ origin, path });
  });

  it.each(['result.wav', 'ok', '?r', ''])('%j is none', (address) => {
    expect(() => resultAddress(address, 'https://studio.test')).toThrow(
      expect.objectContaining({ code: 'service/not-understood' }),
    );
  });

  it.each([
    ['http://127.0.0.1:9/r?sig=%2e', 'http://localhost:9', '/r?sig=%2e'],
    ['https://elsewhere.test/r', 'https://studio.test', '/r'],
    ['https://elsewhere.test/r', 'http://127.0.0.1:9', '/r'],
  ])('%s is accepted for the connection %s', (address, base, path) => {
    expect(resultAddress(address, base).path).toBe(path);
  });

  it('that is invalid opens no socket', async () => {
    const service = await start(() => undefined);
    const quiet = { onProgress: () => undefined, write: () => Promise.resolve() };
    const download = { audioUrl: 'nonsense', ...quiet };
    const { code } = await failure(downloadResult(http(), service.connection(), download, signal));
    expect([code, service.accepted()]).toEqual(['service/not-understood', 0]);
  });
});
