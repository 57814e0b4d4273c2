import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../../src/main/core/clock.ts';
import { contentSecurityPolicy, createPageServer } from '../../src/main/core/media/app-server.ts';
import { createServeMedia } from '../../src/main/core/media/media-server.ts';
import { root } from '../root.mts';

export interface PageServer {
  readonly origin: string;
  stop(): void;
}

/** Scripts that the page loads by address, because Chromium keeps their code compiled as well. */
export interface PageScripts {
  /** Runs before the page's own. */
  readonly first: string;
  /** By address, for those who ask for them. */
  readonly others: Readonly<Record<string, string>>;
}

const firstAddress = '/first.js';

/** The built page under main's own policy, and one sound for every `media/` address, for a browser without main. */
export async function servePage(folder: string, scripts?: PageScripts): Promise<PageServer> {
  const page = createPageServer(folder);
  const serveMedia = createServeMedia(systemClock);
  const code = new Map(Object.entries({ ...scripts?.others, ...(scripts && { [firstAddress]: scripts.first }) }));

  async function answer({ url = '/', headers }: IncomingMessage): Promise<Response> {
    const { pathname } = new URL(url, 'http://localhost');
    const script = code.get(pathname);
    if (script !== undefined) return new Response(script, { headers: { 'content-type': 'text/javascript' } });
    if (pathname === '/' && scripts) {
      const response = await page(pathname);
      const html = (await response.text()).replace('<head>', `<head><script src="${firstAddress}"></script>`);
      return new Response(html, response);
    }
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
