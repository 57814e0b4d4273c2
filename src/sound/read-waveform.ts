import { decodeSound, type DecodeOptions } from './decode-sound.ts';
import { readMp3Waveform } from './mp3-waveform.ts';
import { computeWaveform } from './waveform-columns.ts';
import { type Waveform } from './waveform.ts';

/** Reads the waveform of a file: of a long MP3 from its energies, of any other by decoding. Throws the errors of `decodeSound`. */
export const readWaveform = async (
  path: string,
  options: Pick<DecodeOptions, 'ffmpeg' | 'signal'> = {},
): Promise<Waveform> =>
  (await readMp3Waveform(path, options.signal)) ?? (await computeWaveform(decodeSound(path, options)));
