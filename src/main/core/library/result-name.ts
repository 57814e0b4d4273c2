import { extname, parse } from 'node:path';
import { isOutputFormat } from '../../../sound/sound-format.ts';
import { legalName } from '../outputs/legal-name.ts';

const isSoundEnding = (ending: string): boolean =>
  ending.startsWith('.') && isOutputFormat(ending.slice(1).toLowerCase());

/**
 * A result under a name of a sound, as it travels from one computer to another: nothing else is ever written. Whoever puts a result
 * aside may call it `a.wav.old`; that becomes `a.wav.old.wav`. `format` is what it was made in, with its dot.
 */
export function resultName(name: string, format: string | null): string {
  if (isSoundEnding(extname(name))) return name;
  return `${name}${format !== null && isSoundEnding(format) ? format : '.wav'}`;
}

/** That name as the file is called that is written here: legal on every system. */
export function legalResultName(name: string): string {
  const { name: stem, ext } = parse(name.replace(/[\\/]/g, '_'));
  return `${legalName(stem)}${ext}`;
}
