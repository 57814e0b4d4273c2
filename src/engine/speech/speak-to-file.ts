import { rm } from 'node:fs/promises';
import { AppError } from '../../shared/errors.ts';
import { createSoundWriter } from '../../sound/encode-sound.ts';
import { convertFile, type ConvertOptions, type ConvertResult } from '../convert-file.ts';
import { changeRange } from '../plan-voice.ts';
import type { EngineVoice } from '../voice.ts';
import { espeakSpeaker } from './espeak.ts';
import { fliteText } from './flite-text.ts';
import { fliteSpeaker } from './flite.ts';
import type { Speaker } from './speaker.ts';
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
  /** WAV, mono, at the speaker's rate. Appears complete or not at all. */
  readonly outputPath: string;
}

/** The language files that Flite speaks better than eSpeak NG; docs/speech-engines.md has the comparison. */
const fliteLanguages: ReadonlySet<string> = new Set(['en-US']);

/** Speaks a text into a WAV file. Returns false if the speaker could not speak some of it, or has nothing to say. */
async function speakRaw(speaker: Speaker, pieces: readonly string[], path: string, signal: AbortSignal | undefined) {
  const writer = await createSoundWriter(path, { format: 'wav', sampleRate: speaker.sampleRate, channels: 1 });
  let frames = 0;
  let isComplete = false;
  try {
    for (const piece of pieces) {
      signal?.throwIfAborted();
      const blocks = speaker.speak(piece);
      if (!blocks) return false;
      for (const block of blocks) {
        frames += block.length;
        await writer.write([block]);
      }
      // Lets an abort message arrive.
      await new Promise(setImmediate);
    }
    if (frames === 0) return false;
    await writer.finish();
    isComplete = true;
    return true;
  } finally {
    if (!isComplete) await writer.close().catch(() => undefined);
  }
}

/**
 * Speaks a text in the voice's language and gender, then applies the voice's F0, formants and effects
 * with `convertFile`: with Flite where that is the better speaker of the language and speaks all of
 * the text, with eSpeak NG otherwise. Memory does not grow with the text. Runs on the calling thread,
 * for about a sixtieth of the duration of the speech.
 *
 * Throws AppError `request/invalid` if there is nothing to speak, and the errors of `convertFile`.
 * Leaves no partial file.
 */
export async function speakToFile(request: SpeakRequest, options: ConvertOptions = {}): Promise<ConvertResult> {
  const { text, languageFile, voice, speed, pitch, quality, outputPath } = request;
  const { signal } = options;
  const rawPath = `${outputPath}.raw`;
  const speakerOptions = { gender: voice.gender, speed };
  const plainText = fliteLanguages.has(languageFile) ? fliteText(text) : null;
  try {
    let speaker: Speaker | null = null;
    if (plainText !== null) {
      speaker = await fliteSpeaker(speakerOptions);
      if (!(await speakRaw(speaker, textPieces(plainText, voice.language), rawPath, signal))) speaker = null;
    }
    if (!speaker) {
      speaker = await espeakSpeaker(languageFile, speakerOptions);
      if (!(await speakRaw(speaker, textPieces(text, voice.language), rawPath, signal))) {
        throw new AppError('request/invalid', 'nothing in this text can be spoken');
      }
    }
    return await convertFile(
      {
        inputPath: rawPath,
        outputPath,
        format: 'wav',
        voice,
        change: {
          pitch,
          speed: Math.min(changeRange.max, Math.max(changeRange.min, speed / speaker.speed)),
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
