import { AppError } from '../../../../shared/app-error.ts';
import { isOutputFormat } from '../../../../sound/sound-format.ts';
import type { LookAtSound } from '../../../../sound/sound-looks.ts';

/**
 * The format of a result that arrived, with its leading dot. Throws `service/result-incomplete` or `service/result-not-audio` where it
 * is not a whole sound.
 */
export async function soundFormat(path: string, signal: AbortSignal, look: LookAtSound): Promise<string> {
  const found = await look(path, { signal });
  if (found.kind === 'sound' && isOutputFormat(found.format)) return `.${found.format}`;
  const isIncomplete = found.kind === 'problem' && (found.code === 'input/cut' || found.code === 'input/empty');
  const what = found.kind === 'sound' ? found.format : found.code;
  throw new AppError(
    isIncomplete ? 'service/result-incomplete' : 'service/result-not-audio',
    `the result is ${what}`,
    found.kind === 'problem' ? { facts: { ...found.facts } } : {},
  );
}
