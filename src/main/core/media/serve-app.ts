import { contentSecurityPolicy } from './app-origin.ts';
import type { MediaRegistry } from './media-registry.ts';
import { serveMedia } from './serve-media.ts';
import { createPageServer } from './serve-page.ts';

interface Dependencies {
  /** Where the built page lies. */
  readonly pageFolder: string;
  readonly media: MediaRegistry;
}

const mediaPath = /^\/media\/([\w-]+)$/;

/** Everything that our own scheme answers, each reply with the content security policy. */
export function createAppServer({ pageFolder, media }: Dependencies): (request: Request) => Promise<Response> {
  const servePage = createPageServer(pageFolder);

  async function answer(request: Request): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 });
    const { host, pathname } = new URL(request.url);
    if (host !== 'timbre') return new Response(null, { status: 404 });
    const [, id] = mediaPath.exec(pathname) ?? [];
    return id === undefined ? servePage(pathname) : serveMedia(media, id, request);
  }

  return async (request) => {
    const response = await answer(request);
    response.headers.set('content-security-policy', contentSecurityPolicy);
    response.headers.set('x-content-type-options', 'nosniff');
    response.headers.set('referrer-policy', 'no-referrer');
    return response;
  };
}
