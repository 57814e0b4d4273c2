import { join, parse, resolve } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { filledTemplate, type TemplateFacts, withoutIllegal } from '../../../shared/text/name-template.ts';
import { isFormatName } from '../../../shared/schemas/settings.ts';

/**
 * Most file systems limit a name to 255 bytes of UTF-8, some to 255 UTF-16 units, which are never
 * more than the bytes.
 */
const maxNameBytes = 255;
/** Reserved for ` (10000)`, the extension, and what another program may add. */
const reservedBytes = 24;
const maxStemBytes = maxNameBytes - reservedBytes;

/**
 * Device names that Windows reserves, with any extension and with spaces before it (Microsoft,
 * "Naming Files, Paths, and Namespaces"; the superscripts count as digits).
 */
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *(\.|$)/i;

/** True if a name may stand for bytes that are no UTF-8, for which it has replacements; valid names may contain them, too. */
export const hasReplacement = (name: string): boolean => name.includes('\uFFFD');

/** Created for the first name that is too long, because that takes 20 ms. */
let segmenter: Intl.Segmenter | undefined;

/** Shortens a text to so many bytes of UTF-8, between characters as the user sees them. */
export function clip(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  segmenter ??= new Intl.Segmenter('en');
  let clipped = '';
  let size = 0;
  for (const { segment } of segmenter.segment(text)) {
    size += Buffer.byteLength(segment);
    if (size > maxBytes) break;
    clipped += segment;
  }
  return clipped;
}

function legalizeOnce(text: string): string {
  const clean = withoutIllegal(text).replace(/^\s+/, '').replace(/^\.+/, '_');
  const clipped = clip(clean, maxStemBytes).replace(/[\s.]+$/, '');
  return deviceName.test(clipped) ? `_${clipped}` : clipped;
}

/**
 * Returns a name without extension that is legal on Windows, macOS and Linux, in NFC, not hidden,
 * and leaves room for a number and an extension within 255 bytes; `recording` if nothing is left. Does
 * not change a legal name.
 */
export function legalName(text: string): string {
  // Repeats until stable: a prefix can make a name too long, and clipping can leave a device name.
  for (let name = legalizeOnce(text); ;) {
    const next = legalizeOnce(name);
    if (next === name) return name === '' || name === '_' ? 'recording' : name;
    name = next;
  }
}

/** The parts of a result's name. */
export interface NameFacts extends TemplateFacts {
  /** With a leading dot. */
  readonly format: string;
}

/**
 * The parts of a path. Where one is too long, the name in it is shortened rather than the other fields: the voice tells two results
 * apart.
 */
function partsOf(template: string, facts: NameFacts): readonly string[] {
  const parts = filledTemplate(template, facts);
  const nameless = filledTemplate(template, { ...facts, name: '' });
  const withName = parts.filter((part, k) => part !== nameless[k]);
  const excess = Math.max(...withName.map((part) => Buffer.byteLength(part))) - maxStemBytes;
  const name = withoutIllegal(facts.name);
  const room = Buffer.byteLength(name) - excess;
  // Whatever is still too long is clipped.
  return excess > 0 && room > 0 ? filledTemplate(template, { ...facts, name: clip(name, room).trimEnd() }) : parts;
}

function extensionOf(format: string): string {
  const name = format.toLowerCase().replace(/^\./, '');
  if (!isFormatName(name)) throw new AppError('output/failed', `a result may not end in ${JSON.stringify(format)}`);
  return `.${name}`;
}

/**
 * Returns the absolute path of a result below `folder`: its name from the template, a subfolder for
 * each slash in it, and the extension of its format; with a number from the second attempt on. Stays
 * below `folder` and is legal on all three systems, even for a template that `templateFaults`
 * rejects. Throws `output/failed` if the format is not an audio format.
 */
export function outputPath(folder: string, template: string, facts: NameFacts, attempt: number): string {
  const extension = extensionOf(facts.format);
  const names = partsOf(template, facts).map((part) => legalName(part));
  const stem = names.pop() ?? '';
  return join(resolve(folder), ...names, `${stem}${attempt === 1 ? '' : ` (${attempt})`}${extension}`);
}

/** The name of a file, from the second attempt on with a number. Shortens a name that the number would make too long for a disk. */
export function numberedName(fileName: string, attempt: number): string {
  if (attempt === 1) return fileName;
  const { name, ext } = parse(fileName);
  const end = ` (${attempt})${ext}`;
  return `${clip(name, maxNameBytes - Buffer.byteLength(end)).trimEnd()}${end}`;
}

/**
 * Returns a key that is equal for paths that some file system considers equal: in NFC and NFD, and
 * in case. JavaScript has no full case folding, so lower then upper case replaces it: all variants
 * of a letter end as one upper case (`ẞ`, `ß` and `SS`; `Ω` and the ohm sign), whatever the locale.
 * NFC comes last, because case mapping can decompose letters.
 *
 * Makes more names equal than any single file system. A false match costs a number in a name; a
 * missed one would cost a file.
 */
export const nameKey = (path: string): string => path.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');
