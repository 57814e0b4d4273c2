import { inspectSound, type SoundProblemCode } from '../../sound/inspect-sound.ts';
import { invalidInput } from '../http-problem.ts';

const refusals: Readonly<Partial<Record<SoundProblemCode, string>>> = {
  'input/empty': 'The audioFile field holds no sound.',
  'input/cut': 'The audioFile field holds an incomplete audio file.',
};

/** How long a recording is that was sent, where its header says so. Throws the refusal of one that is no sound, or not all of it. */
export async function inspectUpload(path: string): Promise<{ readonly seconds: number | undefined }> {
  const sound = await inspectSound(path);
  if (sound.kind === 'problem') {
    throw invalidInput(refusals[sound.code] ?? 'The audioFile field holds no audio that can be read.');
  }
  return { seconds: sound.durationSeconds };
}
