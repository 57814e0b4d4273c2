import { loadStretch } from './load-stretch.ts';
import type { MeasuredF0 } from './median-f0.ts';
import { frameCount } from './pcm-block.ts';

export interface StretchOptions {
  readonly channels: number;
  /** Hz. */
  readonly sampleRate: number;
  /** Output length = input length / `speed`; does not change F0. Default 1. */
  readonly speed?: number;
  /** Shift of F0. Default 0. */
  readonly semitones?: number;
  /** Shift of the formants, independent of F0. Default 0. */
  readonly formantSemitones?: number;
  /** F0 of the source, which improves the formant envelope of a voice. Default null: the library detects it. */
  readonly sourceF0?: MeasuredF0 | null;
  /**
   * `fast` takes 90 % of the time of `fine` and has more noise between the harmonics; `finest` takes 150 % and has less, which is heard
   * in sung notes. Default `fine`.
   */
  readonly quality?: 'finest' | 'fine' | 'fast';
}

/** Blocks computed on demand, so that the consumer need not wait for all of them. */
export type StretchedBlocks = Iterable<readonly Float32Array[]>;

/** Changes pitch, formants and speed of a stream. Blocks are channels x frames, ±1. */
export interface Stretcher {
  /** Adds a block of any length. Yields what can be computed so far, possibly nothing. */
  push(channels: readonly Float32Array[]): StretchedBlocks;
  /**
   * Yields the rest. The output has exactly round(input frames / speed) frames in total, aligned
   * with the input.
   */
  end(): StretchedBlocks;
}

const blockFrames = 32_768;
/**
 * Spectrum length: 4,079 frames at 44.1 kHz, which just fit the fastest transform. The library's
 * default of 120 ms follows gliding speech less well: 0.6 dB more error in the harmonics' levels, at
 * 1.7 times the cost.
 */
const spectrumSeconds = 0.0925;
/**
 * Spectra that cover each sample. The library's default of 4 costs half as much again as 2.6. A sung note of 220 Hz is then half as
 * rough, and the noise between harmonics 0.3 dB lower (docs/engine-accuracy.md).
 */
const overlap = { finest: 4, fine: 2.6, fast: 2.25 } as const;
/**
 * The fraction of F0 passed to the library, which smooths the envelope over about that width. At 1,
 * the first two formants are flattened and move with at least a third of the shift. From 0.35 to 0.5
 * they stay; below, harmonics are mistaken for formants.
 */
const envelopeRatio = 0.42;
/**
 * Where less is voiced, as in a choir or a band, F0 is that of none or one of many. An envelope of that width follows the harmonics of
 * the others, which makes them a quarter rougher (docs/engine-accuracy.md).
 */
const minVoicedShare = 0.4;
/**
 * Overtones above this are shifted less, which keeps the hiss of s and sh natural (the library's
 * default for speech and music).
 */
const tonalityHz = 8000;

/** Queues input pieces and joins them only when read, so that a push copies nothing. */
function createFifo(channels: number, silentFrames: number) {
  let pieces: (readonly Float32Array[])[] = silentFrames
    ? [Array.from({ length: channels }, () => new Float32Array(silentFrames))]
    : [];
  let offset = 0;
  let length = silentFrames;
  return {
    length: () => length,
    add(piece: readonly Float32Array[]) {
      pieces.push(piece);
      length += frameCount(piece);
    },
    /** Fills the start of each target with the next frames, or with silence after the end of the input. */
    read(targets: readonly Float32Array[], frames: number) {
      let done = 0;
      let used = 0;
      while (done < frames) {
        const piece = pieces[used];
        if (!piece) break;
        const count = Math.min(frames - done, frameCount(piece) - offset);
        targets.forEach((target, at) => target.set(piece[at]?.subarray(offset, offset + count) ?? [], done));
        done += count;
        offset += count;
        if (offset === frameCount(piece)) {
          offset = 0;
          used++;
        }
      }
      pieces = pieces.slice(used);
      length -= done;
      for (const target of targets) target.fill(0, done, frames);
    },
  };
}

/**
 * Creates a stretcher based on Signalsmith Stretch. F0 is within 6 cents of the request, the length
 * exact to the sample, and events within 0.6 ms (measured against Praat, speeds 0.5 to 2). Runs on
 * the calling thread and uses a full core: use a worker.
 */
export async function createStretcher(options: StretchOptions): Promise<Stretcher> {
  const {
    channels,
    sampleRate,
    speed = 1,
    semitones = 0,
    formantSemitones = 0,
    sourceF0 = null,
    quality = 'fine',
  } = options;
  const wasm = await loadStretch(channels, sampleRate);
  const spectrumFrames = Math.floor(spectrumSeconds * sampleRate);
  wasm._configure(channels, spectrumFrames, Math.floor(spectrumFrames / overlap[quality]), false);
  wasm._setTransposeSemitones(semitones, tonalityHz / sampleRate);
  wasm._setFormantSemitones(formantSemitones, true);
  const isVoice = sourceF0 !== null && sourceF0.voicedShare >= minVoicedShare;
  wasm._setFormantBase(isVoice ? (envelopeRatio * sourceF0.hz) / sampleRate : 0);

  const inputLatency = wasm._inputLatency();
  const outputLatency = wasm._outputLatency();
  // The library must receive these frames before its first output frame, which is at input time 0.
  const prerollFrames = Math.ceil(inputLatency + outputLatency * Math.max(1, speed));
  const capacity = Math.max(prerollFrames, Math.ceil(blockFrames * speed) + 8, blockFrames);
  const pointer = wasm._setBuffers(channels, capacity);
  wasm._reset();

  // Creates views at each use, because memory growth detaches older ones.
  const view = (index: number) => {
    const buffer = wasm.exports ? wasm.exports.memory.buffer : wasm.HEAP8?.buffer;
    if (!buffer) throw new Error('signalsmith-stretch has no memory');
    return new Float32Array(buffer, pointer + 4 * capacity * index, capacity);
  };
  const inputs = () => Array.from({ length: channels }, (_, at) => view(at));

  const fifo = createFifo(channels, prerollFrames - inputLatency);
  let hasStarted = false;
  let framesToDrop = outputLatency;
  let inputPosition = 0;
  let pushed = 0;
  let emitted = 0;

  function* drain(hasEnded: boolean): Generator<readonly Float32Array[]> {
    if (!hasStarted) {
      if (!hasEnded && fifo.length() < prerollFrames) return;
      fifo.read(inputs(), prerollFrames);
      wasm._seek(prerollFrames, speed);
      hasStarted = true;
    }
    const totalFrames = Math.round(pushed / speed);
    for (;;) {
      const frames = hasEnded ? Math.min(blockFrames, totalFrames - emitted + framesToDrop) : blockFrames;
      if (frames <= 0 || (hasEnded && emitted >= totalFrames)) return;
      const nextPosition = inputPosition + frames * speed;
      const inputFrames = Math.round(nextPosition) - Math.round(inputPosition);
      if (!hasEnded && fifo.length() < inputFrames) return;
      fifo.read(inputs(), inputFrames);
      wasm._process(inputFrames, frames);
      inputPosition = nextPosition;
      const dropped = Math.min(framesToDrop, frames);
      framesToDrop -= dropped;
      if (dropped === frames) continue;
      emitted += frames - dropped;
      yield Array.from({ length: channels }, (_, at) => view(channels + at).slice(dropped, frames));
    }
  }

  return {
    push(block) {
      pushed += frameCount(block);
      fifo.add(block);
      return drain(false);
    },
    end: () => drain(true),
  };
}
