import { AppError } from '../../../../shared/app-error.ts';
import { isFormatName } from '../../../../shared/wire/settings.ts';
import { inputFormats } from '../../../../sound/sound-format.ts';
import type { LookAtSound } from '../../../../sound/sound-looks.ts';

/**
 * The format of a result that arrived, with its leading dot: what it is, or, where it was asked for in a format that Timbre does not
 * know, that one. Throws `service/result-incomplete` or `service/result-not-audio` where it
 * is not a whole sound.
 */
export async function soundFormat(
  path: string,
  asked: string | null,
  signal: AbortSignal,
  look: LookAtSound,
): Promise<string> {
  const found = await look(path, { signal });
  if (found.kind === 'sound') return `.${found.format}`;
  const name = asked?.slice(1).toLowerCase() ?? '';
  const isForeign = isFormatName(name) && !(inputFormats as readonly string[]).includes(name);
  if (isForeign && found.code === 'input/not-audio') return `.${name}`;
  const isIncomplete = found.code === 'input/cut' || found.code === 'input/empty';
  throw new AppError(
    isIncomplete ? 'service/result-incomplete' : 'service/result-not-audio',
    `the result is ${found.code}`,
    { facts: { ...found.facts } },
  );
}
