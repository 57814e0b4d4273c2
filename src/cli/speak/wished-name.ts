import { basename, dirname, extname, resolve } from 'node:path';
import { templateFields } from '../../shared/text/name-template.ts';
import { isOutputFormat } from '../../sound/sound-format.ts';

/** Where `--out FILE` puts a sound: the name without the ending of a sound, which is that of what arrives. */
export interface WishedName {
  /** Absolute. */
  readonly path: string;
  readonly folder: string;
  readonly stem: string;
  /** Fields of a name template that stand in the name: a template would fill them in. */
  readonly fields: readonly string[];
}

/** Whether a sound has the ending that was wished, or none was. */
export const endingFits = (path: string, { path: wished, stem }: WishedName): boolean =>
  basename(wished) === stem || extname(wished).toLowerCase() === extname(path);

export function wishedName(out: string): WishedName {
  const path = resolve(out);
  const ending = extname(path);
  const stem = isOutputFormat(ending.slice(1).toLowerCase()) ? basename(path, ending) : basename(path);
  return { path, folder: dirname(path), stem, fields: templateFields.filter((field) => stem.includes(field)) };
}
