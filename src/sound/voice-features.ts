import type { VoiceFeatures } from '../shared/schemas/voice.ts';
import { decodeSound } from './decode-sound.ts';
import { medianF0 } from './median-f0.ts';
import type { PcmBlock } from './pcm-block.ts';
import { computeWaveform } from './waveform-columns.ts';
import { bytesPerColumn, type Waveform } from './waveform.ts';

/** A longer recording does not improve the result. */
const maxSeconds = 30;

/** Louder columns count more, as they do to the ear. */
function brightnessOf({ columns }: Waveform): number {
  let sum = 0;
  let weights = 0;
  for (let at = 0; at < columns.length; at += bytesPerColumn) {
    const rms = columns[at + 1] ?? 0;
    sum += rms * (columns[at + 2] ?? 0);
    weights += rms;
  }
  return weights === 0 ? 0 : sum / weights / 255;
}

/**
 * Measures the first half minute of a recording, its first channel for F0. Throws the errors of `decodeSound`, and AppError
 * `input/not-audio` if there is no sound.
 */
export async function readVoiceFeatures(path: string, signal?: AbortSignal): Promise<VoiceFeatures> {
  const kept: Float32Array[] = [];
  let frames = 0;
  let rate = 0;
  async function* beginning(): AsyncGenerator<PcmBlock> {
    for await (const block of decodeSound(path, { signal })) {
      const [first = new Float32Array(0)] = block.channels;
      // Decoders may use the memory of a block again.
      kept.push(Float32Array.from(first));
      frames += first.length;
      rate = block.sampleRate;
      yield block;
      if (frames >= maxSeconds * rate) return;
    }
  }
  const waveform = await computeWaveform(beginning());
  const samples = new Float32Array(frames);
  let at = 0;
  for (const block of kept) {
    samples.set(block, at);
    at += block.length;
  }
  return { f0Hz: medianF0(samples, rate), brightness: brightnessOf(waveform), levelDb: waveform.levelDb };
}
