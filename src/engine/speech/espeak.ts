import { AppError } from '../../shared/errors.ts';
import { loadEspeak } from './load-espeak.ts';
import type { Speaker, SpeakerOptions } from './speaker.ts';

/** Typical rate of reading aloud. */
const defaultWordsPerMinute = 165;
/** Within these limits eSpeak NG changes the rate itself, which sounds better than stretching. */
const minWordsPerMinute = 80;
const maxWordsPerMinute = 450;

/** Deterministic eSpeak NG variants; f2, f3 and f5 add random breath. */
const variants = { female: 'f4', male: 'm3' } as const;

const markup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes tags, phonemes and commands (which eSpeak NG reads after a control character). */
const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[&<>]/g, (letter) => markup[letter] ?? '')
    .replace(/\[(?=\[)/g, '[ ');

/**
 * A speaker of one of eSpeak NG's language files. The thread has one instance, so the speakers of a
 * thread are used one after the other. Throws AppError `request/invalid` for an unknown file.
 */
export async function espeakSpeaker(languageFile: string, { gender, speed }: SpeakerOptions): Promise<Speaker> {
  const espeak = await loadEspeak();
  if (espeak.set_voice(`${languageFile}+${variants[gender]}`) !== 0) {
    throw new AppError('request/invalid', `eSpeak NG does not speak ${languageFile}`);
  }
  const wordsPerMinute = Math.round(
    Math.min(maxWordsPerMinute, Math.max(minWordsPerMinute, defaultWordsPerMinute * speed)),
  );
  espeak.set_rate(wordsPerMinute);
  espeak.set_pitch(50);
  espeak.set_range(62);
  return {
    sampleRate: espeak.samplerate,
    speed: wordsPerMinute / defaultWordsPerMinute,
    speak(piece) {
      const blocks: Float32Array[] = [];
      espeak.synthesize(escapeText(piece), (pcm) => {
        if (pcm?.length) blocks.push(Float32Array.from(pcm, (value) => value / 32_768));
        return false;
      });
      return blocks;
    },
  };
}
