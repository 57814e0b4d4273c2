import type { SoundProblemCode } from '../../sound/inspect-sound.ts';
import type { LookAtSound } from '../../sound/sound-looks.ts';
import { invalidInput } from '../http-error.ts';

const refusals: Readonly<Partial<Record<SoundProblemCode, string>>> = {
  'input/empty': 'The audioFile field holds no sound.',
  'input/cut': 'The audioFile field holds an incomplete audio file.',
};

/** How long a recording is that was sent, where that is a promise. Throws the refusal of one that is no sound, or not all of it. */
export async function inspectUpload(
  path: string,
  look: LookAtSound,
): Promise<{ readonly seconds: number | undefined }> {
  const sound = await look(path);
  if (sound.kind === 'problem') {
    throw invalidInput(refusals[sound.code] ?? 'The audioFile field holds no audio that can be read.');
  }
  return { seconds: sound.open ? undefined : sound.durationSeconds };
}
