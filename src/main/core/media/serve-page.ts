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

async function readAll(folder: string): Promise<ReadonlyMap<string, Buffer<ArrayBuffer>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(
      files.map(async (file) => [`/${relative(folder, file).split(sep).join('/')}`, await readFile(file)] as const),
    ),
  );
}

/**
 * Answers for the files of the page. They are read at once, all half megabyte of them, while the window is still on its way; a request
 * is looked up among them, so that a path which was not built into the app leads nowhere, however it is written.
 */
export function createPageServer(folder: string): (pathname: string) => Promise<Response> {
  const reading = readAll(folder);
  // A folder that cannot be read is told by the first request.
  reading.catch(() => undefined);

  return async (pathname) => {
    const name = pathname === '/' ? '/index.html' : pathname;
    const content = (await reading).get(name);
    if (content === undefined) return new Response(null, { status: 404 });
    return new Response(content, { headers: { 'content-type': types[extname(name)] ?? 'application/octet-stream' } });
  };
}
