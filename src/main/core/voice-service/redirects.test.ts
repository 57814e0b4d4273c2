import { once } from 'node:events';
import { writeFile, stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ScriptedService } from './scripted-service.fixture.ts';
import { createAuthority, hasOpenssl, type Certificate } from './certificates.fixture.ts';
import { convertAudio, downloadResult, uploadAudio } from './conversion.ts';
import { createHttp, type Http } from './http.ts';
import { listVoices } from './voices.ts';
import { conversion, failure, useServices } from './service.fixture.ts';
import { snapshotOf } from '../files/identity.ts';

const { signal } = new AbortController();
const { http, folder, start } = useServices();

/** The other origin: counts whatever reaches it, down to a bare connection. */
async function startTrap() {
  let connections = 0;
  let bytes = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('data', (data) => (bytes += data.length)).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    caught: () => ({ connections, bytes }),
    async stop() {
      server.close();
      await once(server, 'close');
    },
  };
}
type Trap = Awaited<ReturnType<typeof startTrap>>;

let trap: Trap;
beforeEach(async () => {
  trap = await startTrap();
});
afterEach(() => trap.stop());

const calls: Readonly<Record<string, (service: ScriptedService, http: Http) => Promise<unknown>>> = {
  'a GET': (service, network) => listVoices(network, service.connection(), { page: 0, limit: 10 }, signal),
  'a paid POST': (service, network) => convertAudio(network, service.connection(), conversion, signal),
  async 'an upload'(service, network) {
    const path = join(folder(), 'a.wav');
    await writeFile(path, Buffer.alloc(300_000));
    const source = snapshotOf(await stat(path, { bigint: true }));
    const task = { taskId: 't', changerType: 'FVC' };
    const onProgress = () => undefined;
    return uploadAudio(network, service.connection(), { task, path, fileName: 'a.wav', source, onProgress }, signal);
  },
  'a download': (service, network) =>
    downloadResult(
      network,
      service.connection(),
      {
        audioUrl: `${service.origin}/result`,
        onProgress: () => undefined,
        write: () => expect.unreachable('it was followed'),
      },
      signal,
    ),
};

const places: Readonly<Record<string, (ports: { readonly own: number; readonly other: number }) => string | null>> = {
  'another origin': ({ other }) => `http://127.0.0.1:${other}/evil`,
  'the same origin': () => '/evil',
  'https on another origin': ({ other }) => `https://127.0.0.1:${other}/evil`,
  'a user and password at another origin': ({ other }) => `http://user:pw@127.0.0.1:${other}/`,
  'its own name as the user of another origin': ({ own, other }) => `http://127.0.0.1:${own}@127.0.0.1:${other}/`,
  'another host without a scheme': ({ other }) => `//127.0.0.1:${other}/evil`,
  'another name of this computer': ({ other }) => `http://localhost:${other}/evil`,
  itself: ({ own }) => `http://127.0.0.1:${own}/`,
  'a file': () => 'file:///etc/passwd',
  'no place at all': () => null,
};

describe.each([301, 302, 303, 307, 308])('status %i', (status) => {
  describe.each(Object.entries(calls))('for %s', (_call, call) => {
    it.each(Object.entries(places))('is not followed to %s', async (_place, place) => {
      const service = await start((_, response) => {
        const location = place({ own: Number(new URL(service.origin).port), other: trap.port });
        response.writeHead(status, location === null ? {} : { location }).end();
      });
      const error = await failure(call(service, http()));
      expect(error.problem).toMatchObject({ code: 'service/redirected', facts: { status } });
      expect(service.requests).toHaveLength(1);
      expect(trap.caught()).toEqual({ connections: 0, bytes: 0 });
    });
  });
});

describe.skipIf(!hasOpenssl)('a redirect from TLS to none (needs the openssl command)', () => {
  let tls: Certificate;
  let trusted: string;
  beforeAll(() => {
    const authority = createAuthority();
    tls = authority.issue('localhost');
    trusted = authority.cert;
    authority.remove();
  });
  let network: Http;
  beforeEach(() => {
    network = createHttp({ certificates: () => [trusted] });
  });
  afterEach(() => network.close());

  describe.each([301, 302, 303, 307, 308])('of status %i', (status) => {
    it.each(Object.entries(calls))('is not followed for %s', async (_name, call) => {
      const location = `http://127.0.0.1:${trap.port}/evil`;
      const redirect = (response: ServerResponse) => void response.writeHead(status, { location }).end();
      const service = await start((_, response) => redirect(response), { tls, name: 'localhost' });
      expect((await failure(call(service, network))).code).toBe('service/redirected');
      expect(service.requests).toHaveLength(1);
      expect(trap.caught()).toEqual({ connections: 0, bytes: 0 });
    });
  });
});
