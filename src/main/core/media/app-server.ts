import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import type { Clock } from '../clock.ts';
import type { ServeMedia } from './media-server.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Starts to read all files of a folder, and returns them by name. */
async function readAll(folder: string): Promise<ReadonlyMap<string, Promise<Buffer<ArrayBuffer>>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = new Map(
    files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, readFile(file)] as const),
  );
  // A request for it reports one that cannot be read.
  for (const content of contents.values()) content.catch(() => undefined);
  return contents;
}

const policyHeader = 'content-security-policy';

/** The policy of a document: the styles inside it are its own, too. */
function policyOf(html: string): string {
  const hashes = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map(
    ([, css = '']) => ` 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  );
  return contentSecurityPolicy.replace("style-src 'self'", (styles) => styles + hashes.join(''));
}

/**
 * Serves the files of the page. All of them (2.6 MB) are read while the window is still opening;
 * requests are looked up by name, so no path can leave the built app.
 */
export function createPageServer(folder: string): (pathname: string) => Promise<Response> {
  const reading = readAll(folder);
  // The first request reports a folder that cannot be read.
  reading.catch(() => undefined);

  return async (pathname) => {
    const name = pathname === '/' ? '/index.html' : pathname;
    const content = await (await reading).get(name);
    if (content === undefined) return new Response(null, { status: 404 });
    const headers = { 'content-type': types[extname(name)] ?? 'application/octet-stream' };
    const policy = name.endsWith('.html') ? { [policyHeader]: policyOf(content.toString()) } : {};
    return new Response(content, { headers: { ...headers, ...policy } });
  };
}

export const appScheme = 'app';
export const appOrigin = 'app://timbre';

/** The page may run its own code and show its own files. It has no network, frames, forms or plug-ins. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

/** Where the sounds are that the page may play; undefined where there is none. */
export interface SoundFinders {
  /** Path of a job's sound. */
  findSound(jobId: string, side: 'source' | 'result'): Promise<string | undefined>;
  /** Path of a voice preview, by its `media`. */
  findPreview(media: string): Promise<string | undefined>;
  /** Path of the recording of which the user chooses a part, by its id. */
  findRecording(id: string): Promise<string | undefined>;
  /** Path of a spoken passage, by its `media`. */
  findTake(media: string): Promise<string | undefined>;
}

interface Dependencies {
  /** Folder of the built page. */
  readonly pageFolder: string;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Settles once main answers the page. Its scripts are served then: they would ask in vain before. */
  readonly sounds: Promise<SoundFinders>;
}

const mediaPath = /^\/media\/([\w-]+)\/(source|result)$/;
const previewPath = /^\/media\/preview\/([\w.-]+)$/;
const recordingPath = /^\/media\/recording\/([\w-]+)$/;
const takePath = /^\/media\/take\/(\w+\/[\w.-]+)$/;

/** Serves our own scheme, each reply with the content security policy. */
export function createAppServer({ pageFolder, clock, sounds }: Dependencies): (request: Request) => Promise<Response> {
  const servePage = createPageServer(pageFolder);
  let media: Promise<ServeMedia> | undefined;

  /** Loaded with the first sound: the first paint needs none. */
  const loadMedia = async () => (await import('./media-server.ts')).createServeMedia(clock);

  async function serveMedia(path: string | undefined, request: Request): Promise<Response> {
    return (await (media ??= loadMedia()))(path, request);
  }

  async function answer(request: Request): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 });
    const { host, pathname } = new URL(request.url);
    if (host !== 'timbre') return new Response(null, { status: 404 });
    if (pathname === '/' || /\.(css|woff2)$/.test(pathname)) return servePage(pathname);
    const { findSound, findPreview, findRecording, findTake } = await sounds;
    const [, preview] = previewPath.exec(pathname) ?? [];
    if (preview !== undefined) return serveMedia(await findPreview(preview), request);
    const [, recording] = recordingPath.exec(pathname) ?? [];
    if (recording !== undefined) return serveMedia(await findRecording(recording), request);
    const [, take] = takePath.exec(pathname) ?? [];
    if (take !== undefined) return serveMedia(await findTake(take), request);
    const [, id, side] = mediaPath.exec(pathname) ?? [];
    if (id === undefined) return servePage(pathname);
    return serveMedia(await findSound(id, side === 'source' ? side : 'result'), request);
  }

  return async (request) => {
    const response = await answer(request);
    if (!response.headers.has(policyHeader)) response.headers.set(policyHeader, contentSecurityPolicy);
    response.headers.set('x-content-type-options', 'nosniff');
    response.headers.set('referrer-policy', 'no-referrer');
    return response;
  };
}
