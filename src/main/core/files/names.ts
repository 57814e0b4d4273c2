import { join, resolve } from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { filledTemplate, type TemplateFacts, withoutIllegal } from '../../../shared/text/name-template.ts';
import { isFormatName } from '../../../shared/schemas/settings.ts';

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

/** What a name and its ending are made of. */
export interface NameFacts extends TemplateFacts {
  /** With its leading dot. */
  readonly format: string;
}

function endingOf(format: string): string {
  const name = format.toLowerCase().replace(/^\./, '');
  if (!isFormatName(name)) throw new AppError('output/failed', `a result may not end in ${JSON.stringify(format)}`);
  return `.${name}`;
}

/**
 * The absolute path of a result below `folder`: its name from the template, folders where the template has a slash, the ending of its
 * format; from the second attempt on with a number, as file managers do. Stays below `folder` and is legal on all three systems, even
 * for a template that `templateFaults` refuses. Throws `output/failed` for a format that is not one of sound.
 */
export function outputPath(folder: string, template: string, facts: NameFacts, attempt: number): string {
  const ending = endingOf(facts.format);
  const names = filledTemplate(template, facts).map((part) => legalName(part));
  const stem = names.pop() ?? '';
  return join(resolve(folder), ...names, `${stem}${attempt === 1 ? '' : ` (${attempt})`}${ending}`);
}

/**
 * Equal for paths that some file system takes for one: NFC and NFD, and case. Lower, then upper case stands in for full case folding,
 * which JavaScript does not have: by way of lower case all variants of a letter meet in one upper case (`ẞ`, `ß` and `SS`; `Ω` and
 * the ohm sign), in the same way in every locale. NFC at the end, because case mapping can take letters apart. It makes more names
 * equal than any one file system does, which costs a number in a name; the other way round it would cost a file.
 */
export const nameKey = (path: string): string => path.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');
