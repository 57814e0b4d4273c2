import { extname, parse } from 'node:path';
import { inputFormats } from '../../../sound/sound-format.ts';
import { legalName } from '../outputs/legal-name.ts';

/** As sound that is known, or that services are known to write. */
const known: ReadonlySet<string> = new Set([
  ...inputFormats,
  'aif',
  'wma',
  'amr',
  'ac3',
  'oga',
  'mp4',
  'mka',
  'ape',
  'wv',
]);

const isSoundEnding = (ending: string): boolean => ending.startsWith('.') && known.has(ending.slice(1).toLowerCase());

/**
 * A result under a name of a sound, as it travels from one computer to another: nothing else is ever written. Whoever puts a result
 * aside may call it `a.wav.old`; that becomes `a.wav.old.wav`. `format` is what it was made in, with its dot.
 */
export function resultName(name: string, format: string | null): string {
  // A separator at the end would hide the ending from some systems and not from others.
  const flat = name.replace(/[\\/]/g, '_') || '_';
  if (isSoundEnding(extname(flat))) return flat;
  return `${flat}${format !== null && isSoundEnding(format) ? format : '.wav'}`;
}

/** A name of `resultName` as the file is called that is written here: legal on every system. */
export function legalResultName(name: string): string {
  const { name: stem, ext } = parse(name);
  return `${legalName(stem)}${ext}`;
}
