import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { contentSecurityPolicy, createPageServer } from '../../src/main/core/media/app-server.ts';
import { serveMedia } from '../../src/main/core/media/media-server.ts';
import { root } from '../root.mts';

export interface PageServer {
  readonly origin: string;
  stop(): void;
}

/** The built page under main's own policy, and one sound for every `media/` address, for a browser without main. */
export async function servePage(folder: string): Promise<PageServer> {
  const page = createPageServer(folder);

  function answer({ url = '/', headers }: IncomingMessage): Promise<Response> {
    const { pathname } = new URL(url, 'http://localhost');
    if (!pathname.startsWith('/media/')) return page(pathname);
    const range = headers.range;
    return serveMedia(
      join(root, 'samples/harbour.wav'),
      new Request('http://localhost', { headers: range ? { range } : {} }),
    );
  }

  const server = createServer((request, reply) => {
    void (async () => {
      const response = await answer(request);
      reply.setHeader('content-security-policy', contentSecurityPolicy);
      // One browser opens the page hundreds of times and keeps its code compiled.
      reply.setHeader('cache-control', 'max-age=3600');
      reply.writeHead(response.status, Object.fromEntries(response.headers));
      reply.end(Buffer.from(await response.arrayBuffer()));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
