import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Release, ReleaseFile, ReleaseList } from '../../../shared/schemas/release-list.ts';
import type { ReleaseFeed } from './release-feed.ts';

export const page = 'https://timbre.example/download';

export const releaseOf = (version: string, change: Partial<Release> = {}): Release => ({
  channel: 'stable',
  version,
  date: '2026-11-20T10:00:00Z',
  notes: `What is new in ${version}.`,
  page,
  files: [],
  ...change,
});

export const listOf = (...releases: Release[]): ReleaseList => ({ issuedAt: '2026-11-21T10:00:00Z', releases });

export const fileOf = (content: Buffer, change: Partial<ReleaseFile> = {}): ReleaseFile => ({
  package: 'appimage',
  arch: 'x64',
  name: 'timbre-0.2.0-linux-x64.AppImage',
  bytes: content.length,
  sha512: createHash('sha512').update(content).digest('base64'),
  ...change,
});

export interface ReleaseServer {
  readonly feed: ReleaseFeed;
  /** The paths that were requested. */
  readonly requests: readonly string[];
  /** Serves this list, signed by the key of the feed or by another one. */
  publish(list: unknown, by?: 'maker' | 'stranger'): Promise<void>;
  /** Answers a path itself. */
  answer(path: string, listener: RequestListener): void;
  serve(name: string, content: Buffer): void;
}

/** A real server of releases on this computer, with a real key. */
export async function startReleaseServer(): Promise<ReleaseServer> {
  const [maker, stranger] = await Promise.all([
    generateKeyPair('EdDSA', { extractable: true }),
    generateKeyPair('EdDSA'),
  ]);
  const answers = new Map<string, RequestListener>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const listener = answers.get(request.url ?? '');
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { x: key = '' } = await exportJWK(maker.publicKey);
  const serve = (path: string, content: Buffer | string): void =>
    void answers.set(path, (_request, response) => response.end(content));
  return {
    feed: { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases.jws`, key },
    requests,
    async publish(list, by = 'maker') {
      const payload = new TextEncoder().encode(JSON.stringify(list));
      const { privateKey } = by === 'maker' ? maker : stranger;
      serve('/releases.jws', await new CompactSign(payload).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey));
    },
    answer: (path, listener) => void answers.set(path, listener),
    serve: (name, content) => serve(`/${name}`, content),
  };
}
