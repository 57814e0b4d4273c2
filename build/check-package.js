import { getRawHeader } from '@electron/asar';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Everything that may be in the archive. A new kind of file is added here on purpose, or it is not shipped. */
const allowed = [
  /^(package\.json|LICENSE)$/,
  /^out\/(NOTICES\.txt|sbom\.cdx\.json)$/,
  /^out\/main\/(chunks\/|speech\/)?[\w.-]+\.js$/,
  /^out\/preload\/index\.cjs$/,
  /^out\/renderer\/(index\.html|assets\/[\w.-]+\.(js|css|woff2))$/,
  /^samples\/harbour\.wav$/,
  /^build\/(icons|tray)\/[\w@.-]+\.png$/,
  /^node_modules\/(@(audio|wasm-audio-decoders|thi\.ng|eshaz)\/[\w-]+|audio-type|codec-parser|mpg123-decoder|qoa-format|simple-yenc|mediabunny|@mediabunny\/flac-encoder|pitchy|fft\.js|signalsmith-stretch|wasm-media-encoders|@swc\/helpers)\/[\w./-]+\.(js|mjs|cjs|json)$/,
  /^node_modules\/keytar\/(package\.json|lib\/keytar\.js)$/,
];
const keychainModule = 'node_modules/keytar/build/Release/keytar.node';
/** What the system or a thread reads as a file of its own, beside the archive. */
const allowedUnpacked = [keychainModule, 'out/main/speech/espeak-ng.data.br', 'out/main/speech/flite.wasm.br'];

const maxArchiveBytes = 30_000_000;
const maxUnpackedBytes = 30_000_000;

/**
 * @typedef {object} PackedFile
 * @property {string} path Relative to the archive, with slashes.
 * @property {boolean} isUnpacked
 * @property {number} bytes
 */

/**
 * @param {import('@electron/asar').DirectoryMetadata | import('@electron/asar').FileMetadata} entry
 * @param {string} path
 * @returns {PackedFile[]}
 */
function filesIn(entry, path) {
  if ('files' in entry) {
    return Object.entries(entry.files).flatMap(([name, child]) =>
      filesIn(/** @type {typeof entry} */ (child), path === '' ? name : `${path}/${name}`),
    );
  }
  return [{ path, isUnpacked: entry.unpacked === true, bytes: 'size' in entry ? entry.size : 0 }];
}

/**
 * All files of an archive, sorted.
 *
 * @param {string} archive
 */
export const listArchive = (archive) =>
  filesIn(getRawHeader(archive).header, '').sort((a, b) => (a.path < b.path ? -1 : 1));

/**
 * The system and processor that a native module is for, such as `linux-arm64`, from the header of its file: ELF, PE or
 * Mach-O. Undefined for others.
 *
 * @param {string} file
 */
export function nativeTarget(file) {
  const head = Buffer.alloc(4096);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, head);
  closeSync(descriptor);
  if (head.readUInt32BE(0) === 0x7f454c46) {
    const machine = head.readUInt16LE(18);
    return machine === 62 ? 'linux-x64' : machine === 183 ? 'linux-arm64' : undefined;
  }
  if (head.readUInt32LE(0) === 0xfeedfacf) {
    const processor = head.readUInt32LE(4);
    return processor === 0x01000007 ? 'darwin-x64' : processor === 0x0100000c ? 'darwin-arm64' : undefined;
  }
  const header = head.readUInt32LE(60);
  if (head.toString('latin1', 0, 2) === 'MZ' && header < head.length - 6) {
    const machine = head.readUInt16LE(header + 4);
    return machine === 0x8664 ? 'win32-x64' : machine === 0xaa64 ? 'win32-arm64' : undefined;
  }
  return undefined;
}

/**
 * What is wrong with a packed app, a sentence for each; empty if nothing is.
 *
 * @param {string} resources Folder that holds `app.asar`.
 * @param {string} target Such as `linux-x64`.
 * @returns {string[]}
 */
export function checkPackage(resources, target) {
  const archive = join(resources, 'app.asar');
  const unpacked = join(resources, 'app.asar.unpacked');
  const files = listArchive(archive);
  const packed = files.filter(({ isUnpacked }) => !isUnpacked).map(({ path }) => path);
  const beside = files.filter(({ isUnpacked }) => isUnpacked);
  const wrong = [
    ...packed.filter((path) => !allowed.some((pattern) => pattern.test(path))),
    ...beside.map(({ path }) => path).filter((path) => !allowedUnpacked.includes(path)),
  ].map((path) => `${path} is not on the list of what may be shipped`);
  for (const path of allowedUnpacked) {
    if (!existsSync(join(unpacked, path))) wrong.push(`${path} is missing: run "npm ci" where it can be built`);
  }
  const archiveBytes = statSync(archive).size;
  if (archiveBytes > maxArchiveBytes) wrong.push(`the archive has ${archiveBytes} bytes, more than ${maxArchiveBytes}`);
  const unpackedBytes = beside.reduce((sum, { bytes }) => sum + bytes, 0);
  if (unpackedBytes > maxUnpackedBytes) {
    wrong.push(`the files beside the archive have ${unpackedBytes} bytes, more than ${maxUnpackedBytes}`);
  }
  const module = join(unpacked, keychainModule);
  const built = existsSync(module) ? nativeTarget(module) : target;
  if (built !== target) wrong.push(`keytar.node is for ${built ?? 'an unknown system'}, and the package for ${target}`);
  return wrong;
}
