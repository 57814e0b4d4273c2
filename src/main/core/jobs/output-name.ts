import { basename, extname } from 'node:path';

/** Most file systems end a name at 255 bytes. Some are reserved for a number and for the name of a temporary file. */
const maxNameBytes = 255;
const reservedBytes = 24;

/** Names that Windows keeps for devices, with or without an ending (Microsoft, "Naming Files, Paths, and Namespaces"). */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\.|$)/i;

/** Characters that end a name on one of the three systems, control characters, and those that turn the reading direction. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const illegal = /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u202a-\u202e\u2066-\u2069\u200e\u200f]/g;

function clip(text: string, bytes: number): string {
  let kept = '';
  let size = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    size += Buffer.byteLength(segment);
    if (size > bytes) break;
    kept += segment;
  }
  return kept;
}

/** A stem that is legal on Windows, macOS and Linux, in NFC, and leaves room for a number and an ending inside 255 bytes. */
export function legalStem(text: string, endingBytes: number): string {
  const clean = text.toWellFormed().normalize('NFC').replace(illegal, '_');
  const clipped = clip(clean, maxNameBytes - reservedBytes - endingBytes).replace(/[. ]+$/, '');
  const named = clipped.replace(/^ +/, '') || 'recording';
  return device.test(named) ? `_${named}` : named;
}

/**
 * The name of a result: `{name}, {voice}` and the ending of its format; from the second try on with a number, as file managers do.
 * Unique is what publishing makes it: a taken name leads to the next number.
 */
export function outputName(sourcePath: string, voiceName: string, format: string, attempt: number): string {
  const file = basename(sourcePath);
  const stem = legalStem(`${basename(file, extname(file))}, ${voiceName}`, Buffer.byteLength(format));
  return attempt === 1 ? stem + format : `${stem} (${attempt})${format}`;
}
