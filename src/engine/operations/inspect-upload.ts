import type { SoundProblemCode } from '../../sound/inspect-sound.ts';
import type { InspectSound } from '../../sound/sound-inspector.ts';
import { invalidInput } from '../http-error.ts';

const messages: Readonly<Partial<Record<SoundProblemCode, string>>> = {
  'input/empty': 'The audioFile field holds no sound.',
  'input/cut': 'The audioFile field holds an incomplete audio file.',
};

/**
 * Inspects an uploaded recording. Returns its duration if it is reliable. Throws `HttpError` 400 if
 * the file is not audio or incomplete.
 */
export async function inspectUpload(
  path: string,
  inspect: InspectSound,
): Promise<{ readonly seconds: number | undefined }> {
  const sound = await inspect(path);
  if (sound.kind === 'problem') {
    throw invalidInput(messages[sound.code] ?? 'The audioFile field holds no audio that can be read.');
  }
  return { seconds: sound.open ? undefined : sound.durationSeconds };
}
