import { withoutIllegal } from '../../../shared/name-template.ts';

/** Most file systems end a name at 255 bytes of UTF-8, some at 255 units of UTF-16, of which no text has more than bytes. */
const maxNameBytes = 255;
/** Kept free for ` (10000)` and what an ending or another program may add. */
const reservedBytes = 24;
const maxStemBytes = maxNameBytes - reservedBytes;

/**
 * Names that Windows keeps for devices, whatever the ending and with spaces before it (Microsoft, "Naming Files, Paths, and
 * Namespaces"; the superscripts count as digits).
 */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\.|$)/i;

/** Made for the first name that is too long: it takes 20 ms. */
let segmenter: Intl.Segmenter | undefined;

function clip(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  segmenter ??= new Intl.Segmenter('en');
  let kept = '';
  let size = 0;
  for (const { segment } of segmenter.segment(text)) {
    size += Buffer.byteLength(segment);
    if (size > maxBytes) break;
    kept += segment;
  }
  return kept;
}

function legalOnce(text: string): string {
  const clean = withoutIllegal(text).replace(/^\s+/, '').replace(/^\.+/, '_');
  const clipped = clip(clean, maxStemBytes).replace(/[\s.]+$/, '');
  return device.test(clipped) ? `_${clipped}` : clipped;
}

/**
 * A name without its ending that is legal on Windows, macOS and Linux, in NFC, not hidden, and leaves room for a number and an ending
 * inside 255 bytes. `fallback` stands for a text of which nothing is left. A legal name stays as it is.
 */
export function legalName(text: string, fallback = 'recording'): string {
  // Guarding a name can make it too long, and cutting one can make it a device's: until nothing changes.
  for (let name = legalOnce(text); ;) {
    const next = legalOnce(name);
    if (next === name) return name === '' || name === '_' ? fallback : name;
    name = next;
  }
}
