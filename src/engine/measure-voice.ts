import { AppError } from '../shared/errors.ts';
import { decodeSound } from '../sound/decode-sound.ts';
import { formantScale } from '../sound/formant-scale.ts';
import { medianF0 } from '../sound/median-f0.ts';

/** What makes a voice of the engine, told from a recording. */
export interface MeasuredVoice {
  readonly targetF0Hz: number;
  readonly formantSemitones: number;
}

/** A minute says as much about a voice as an hour. */
const longestSeconds = 60;
/** A tract further from the neutral one than this is a mistake of the measure, or no person's. */
const furthestFormants = 4;

/**
 * Measures F0 and formants over the first minute of a recording. Throws AppError `input/not-audio` where nobody can be heard in it, and
 * as `decodeSound`.
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
    if (frames >= longestSeconds * rate) break;
  }
  const samples = new Float32Array(frames);
  let at = 0;
  for (const block of blocks) {
    samples.set(block, at);
    at += block.length;
  }
  const targetF0Hz = medianF0(samples, rate);
  if (targetF0Hz === null) throw new AppError('input/not-audio', `nobody can be heard in ${path}`);
  const scale = formantScale(samples, rate) ?? 0;
  return { targetF0Hz, formantSemitones: Math.max(-furthestFormants, Math.min(furthestFormants, scale)) };
}
