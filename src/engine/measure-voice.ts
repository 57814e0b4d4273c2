import { AppError } from '../shared/errors.ts';
import { decodeSound } from '../sound/decode-sound.ts';
import { formantScale } from '../sound/formant-scale.ts';
import { medianF0 } from '../sound/median-f0.ts';

/** Voice parameters measured from a recording. */
export interface MeasuredVoice {
  readonly targetF0Hz: number;
  readonly formantSemitones: number;
}

/** A longer recording does not improve the result. */
const maxSeconds = 60;
/** A vocal tract further from the neutral one is a measurement error, or not human. */
const maxFormantSemitones = 4;

/**
 * Measures F0 and formants in the first minute of a recording. Throws AppError `input/not-audio` if
 * it has no voice, and the errors of `decodeSound`.
 */
export async function measureVoice(path: string, signal?: AbortSignal): Promise<MeasuredVoice> {
  const blocks: Float32Array[] = [];
  let frames = 0;
  let rate = 0;
  for await (const { channels, sampleRate } of decodeSound(path, signal ? { signal } : {})) {
    const first = channels[0] ?? new Float32Array(0);
    blocks.push(Float32Array.from(first));
    frames += first.length;
    rate = sampleRate;
    if (frames >= maxSeconds * rate) break;
  }
  const samples = new Float32Array(frames);
  let at = 0;
  for (const block of blocks) {
    samples.set(block, at);
    at += block.length;
  }
  const targetF0Hz = medianF0(samples, rate);
  if (targetF0Hz === null) throw new AppError('input/not-audio', `no voice in ${path}`);
  const scale = formantScale(samples, rate) ?? 0;
  return { targetF0Hz, formantSemitones: Math.max(-maxFormantSemitones, Math.min(maxFormantSemitones, scale)) };
}
