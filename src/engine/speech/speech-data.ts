import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const moduleUrl = import.meta.url;
const isBundled = !moduleUrl.endsWith('.ts');
/** `scripts/speech-data.mts` writes it beside the bundle, as the data is twice as large unpacked. */
const bundled = (specifier: string) => new URL(`./speech/${basename(specifier)}`, moduleUrl);

/** Finds a module of a speech package, such as `@scope/package/name.js`. */
export const speechModule = (specifier: string): string =>
  isBundled ? bundled(specifier).href : import.meta.resolve(specifier);

/** Reads a data file of a speech package, such as `@scope/package/name.data`. */
export async function readSpeechData(specifier: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!isBundled) return Uint8Array.from(await readFile(createRequire(moduleUrl).resolve(specifier)));
  return Uint8Array.from(await promisify(brotliDecompress)(await readFile(new URL(`${bundled(specifier).href}.br`))));
}
