import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** An eSpeak NG speaker. All calls are synchronous, so use it in a worker. */
export interface EspeakSpeaker {
  /** Sets the language file and variant, as in `en-US+f4`. Returns 0 if it exists. */
  set_voice(name: string): number;
  /** Words per minute, 80 to 450; other values are clamped. */
  set_rate(wordsPerMinute: number): void;
  /** 0 to 100; 50 is the voice's default. */
  set_pitch(pitch: number): void;
  /** Range of intonation, 0 to 100. */
  set_range(range: number): void;
  /**
   * Speaks SSML, with `[[…]]` as phonemes. `onSound` gets 16-bit mono PCM; returning true stops the
   * speech.
   */
  synthesize(ssml: string, onSound: (pcm: Int16Array | null) => boolean): void;
  list_voices(): readonly { readonly identifier: string }[];
  /** Hz. */
  readonly samplerate: number;
}

/** Starts eSpeak NG, which takes about 0.1 s and 60 MB, once per thread. */
export async function loadEspeak(): Promise<EspeakSpeaker> {
  const script = createRequire(import.meta.url).resolve('@echogarden/espeak-ng-emscripten');
  const data = await readFile(script.replace(/espeak-ng\.js$/, 'espeak-ng.data'));
  const { default: start } = (await import(pathToFileURL(script).href)) as {
    default: (options: {
      getPreloadedPackage: () => ArrayBuffer;
    }) => Promise<{ readonly eSpeakNGWorker: new () => EspeakSpeaker }>;
  };
  const { eSpeakNGWorker: Speaker } = await start({ getPreloadedPackage: () => Uint8Array.from(data).buffer });
  return new Speaker();
}
