import { readSpeechData, speechModule } from './speech-data.ts';

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

let loading: Promise<EspeakSpeaker> | undefined;

/** The thread's eSpeak NG. Its start takes about 0.1 s and 60 MB. */
export const loadEspeak = (): Promise<EspeakSpeaker> => (loading ??= startEspeak());

async function startEspeak(): Promise<EspeakSpeaker> {
  const data = await readSpeechData('@echogarden/espeak-ng-emscripten/espeak-ng.data');
  const { default: start } = (await import(speechModule('@echogarden/espeak-ng-emscripten/espeak-ng.js'))) as {
    default: (options: {
      getPreloadedPackage: () => ArrayBuffer;
    }) => Promise<{ readonly eSpeakNGWorker: new () => EspeakSpeaker }>;
  };
  const { eSpeakNGWorker: Speaker } = await start({ getPreloadedPackage: () => data.buffer });
  return new Speaker();
}
