import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** One speaker of eSpeak NG. Everything is synchronous: it belongs into a worker. */
export interface EspeakSpeaker {
  /** Language file and variant, `en-US+f4`. 0 where there is such a voice. */
  set_voice(name: string): number;
  /** Words a minute, 80 to 450; others are taken for the nearest. */
  set_rate(wordsPerMinute: number): void;
  /** 0 to 100, 50 is the voice's own. */
  set_pitch(pitch: number): void;
  /** 0 to 100: how far the melody goes. */
  set_range(range: number): void;
  /** Speaks SSML, and `[[…]]` as phonemes. `onSound` gets 16-bit mono PCM, and ends the speech by answering true. */
  synthesize(ssml: string, onSound: (pcm: Int16Array | null) => boolean): void;
  list_voices(): readonly { readonly identifier: string }[];
  /** Hz. */
  readonly samplerate: number;
}

/** Starts eSpeak NG: about 0.1 s and 60 MB, once a thread. */
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
