import { rm } from 'node:fs/promises';
import { AppError } from '../../shared/errors.ts';
import { createSoundWriter } from '../../sound/encode-sound.ts';
import { convertFile, type ConvertOptions, type ConvertResult } from '../convert-file.ts';
import { changeRange } from '../plan-voice.ts';
import type { EngineVoice } from '../voice.ts';
import { loadEspeak, type EspeakSpeaker } from './load-espeak.ts';
import { textPieces } from './text-pieces.ts';

/** A speech request for a worker; plain data. */
export interface SpeakRequest {
  readonly text: string;
  /** A language file of eSpeak NG. */
  readonly languageFile: string;
  readonly voice: EngineVoice;
  /** Ratios within `changeRange`; 1 is the voice's default. */
  readonly speed: number;
  readonly pitch: number;
  readonly quality: 'fine' | 'fast';
  /** WAV, 22,050 Hz, mono. Appears complete or not at all. */
  readonly outputPath: string;
}

/** Typical rate of reading aloud. */
const defaultWordsPerMinute = 165;
/** Within these limits eSpeak NG changes the rate itself, which sounds better than stretching. */
const minWordsPerMinute = 80;
const maxWordsPerMinute = 450;

/** Deterministic eSpeak NG variants; f2, f3 and f5 add random breath. */
const variantOf = ({ gender }: EngineVoice): string => (gender === 'female' ? 'f4' : 'm3');

const markup: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes tags, phonemes and commands (which eSpeak NG reads after a control character). */
const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .replace(/[&<>]/g, (letter) => markup[letter] ?? '')
    .replace(/\[(?=\[)/g, '[ ');

let loading: Promise<EspeakSpeaker> | undefined;

/**
 * Speaks a text with eSpeak NG in the voice's language and gender, then applies the voice's F0,
 * formants and effects with `convertFile`. Memory does not grow with the text. Runs on the calling
 * thread, for about a sixtieth of the duration of the speech.
 *
 * Throws AppError `request/invalid` if there is nothing to speak, and the errors of `convertFile`.
 * Leaves no partial file.
 */
export async function speakToFile(request: SpeakRequest, options: ConvertOptions = {}): Promise<ConvertResult> {
  const { text, languageFile, voice, speed, pitch, quality, outputPath } = request;
  const { signal } = options;
  loading ??= loadEspeak();
  const speaker = await loading;
  if (speaker.set_voice(`${languageFile}+${variantOf(voice)}`) !== 0) {
    throw new AppError('request/invalid', `eSpeak NG does not speak ${languageFile}`);
  }
  const wordsPerMinute = Math.round(
    Math.min(maxWordsPerMinute, Math.max(minWordsPerMinute, defaultWordsPerMinute * speed)),
  );
  speaker.set_rate(wordsPerMinute);
  speaker.set_pitch(50);
  speaker.set_range(62);

  const rawPath = `${outputPath}.raw`;
  const writer = await createSoundWriter(rawPath, { format: 'wav', sampleRate: speaker.samplerate, channels: 1 });
  let frames = 0;
  try {
    try {
      for (const piece of textPieces(text, voice.language)) {
        signal?.throwIfAborted();
        const blocks: Float32Array[] = [];
        speaker.synthesize(escapeText(piece), (pcm) => {
          if (pcm?.length) blocks.push(Float32Array.from(pcm, (value) => value / 32_768));
          return false;
        });
        for (const block of blocks) {
          frames += block.length;
          await writer.write([block]);
        }
        // Lets an abort message arrive.
        await new Promise(setImmediate);
      }
      if (frames === 0) throw new AppError('request/invalid', 'nothing in this text can be spoken');
      await writer.finish();
    } catch (error) {
      await writer.close().catch(() => undefined);
      throw error;
    }
    const remainingSpeed = (speed * defaultWordsPerMinute) / wordsPerMinute;
    return await convertFile(
      {
        inputPath: rawPath,
        outputPath,
        format: 'wav',
        voice,
        change: {
          pitch,
          speed: Math.min(changeRange.max, Math.max(changeRange.min, remainingSpeed)),
          autoF0: true,
          formantsFollowPitch: false,
        },
        quality,
      },
      options,
    );
  } finally {
    await rm(rawPath, { force: true });
  }
}
