import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * Answers for the files of the page. The folder is listed once, and a request is looked up in that list: a path that was not built
 * into the app leads nowhere, however it is written.
 */
export function createPageServer(folder: string): (pathname: string) => Promise<Response> {
  let listing: Promise<ReadonlyMap<string, string>> | undefined;

  async function list(): Promise<ReadonlyMap<string, string>> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return new Map(files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]));
  }

  return async (pathname) => {
    const files = await (listing ??= list());
    const file = files.get(pathname === '/' ? '/index.html' : pathname);
    if (file === undefined) return new Response(null, { status: 404 });
    return new Response(await readFile(file), {
      headers: { 'content-type': types[extname(file)] ?? 'application/octet-stream' },
    });
  };
}
