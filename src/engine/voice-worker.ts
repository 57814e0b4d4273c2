import { servePool } from '../sound/serve-pool.ts';
import { convertFile, type ConvertRequest } from './convert-file.ts';
import { createThreadedEncoder } from './threaded-encoder.ts';

/** The encoding thread's module stands beside this one: bundled as JavaScript, from source as TypeScript. */
const here = import.meta.url;
const encoder = createThreadedEncoder(
  new URL(here.endsWith('.ts') ? './encode-worker.ts' : './encode-worker.js', here),
);

/** Entry of a conversion thread. */
servePool((request: ConvertRequest, signal) => convertFile(request, { signal, openWriter: encoder.open }));
