import { loadStretch } from './load-stretch.ts';
import { frameCount } from './pcm-block.ts';

export interface StretchOptions {
  readonly channels: number;
  /** Hz. */
  readonly sampleRate: number;
  /** Output length = input length / `speed`; F0 stays. Default 1. */
  readonly speed?: number;
  /** Moves F0. Default 0. */
  readonly semitones?: number;
  /** Moves the formants, independently of F0. Default 0. */
  readonly formantSemitones?: number;
  /** The source's F0 in Hz, which makes the formant envelope better; 0 or left out: the library detects it. */
  readonly sourceF0Hz?: number;
  /** `fast` costs nine tenths of the time of `fine`, with more noise between the harmonics. Default `fine`. */
  readonly quality?: 'fine' | 'fast';
}

/** Blocks that are made as they are asked for, so that what follows need not wait for the last. */
export type StretchedBlocks = Iterable<readonly Float32Array[]>;

/** A streaming changer of pitch, formants and speed. Blocks are channels x frames, ±1. */
export interface Stretcher {
  /** Takes a block of any length, gives what can be made of all so far: possibly nothing. */
  push(channels: readonly Float32Array[]): StretchedBlocks;
  /** The rest. In total exactly round(input frames / speed) come out, aligned with the input. */
  end(): StretchedBlocks;
}

const blockFrames = 32_768;
/**
 * Length of a spectrum: 4,079 frames at 44.1 kHz, which just fit the fastest transform. The library's own 120 ms follow gliding speech
 * less well: 0.6 dB more error of the harmonics' levels, at 1.7 times the time.
 */
const spectrumSeconds = 0.0925;
/** Spectra that each sample is in. With 4, as the library has it, half as much again is to be done, for 0.5 dB of harmonics above noise. */
const overlap = { fine: 2.6, fast: 2.25 } as const;
/**
 * The share of F0 that the library is told. It smooths the envelope over about as much: over all of F0 it flattens the first two
 * formants, which then go along with a third of the shift or more. Between 0.35 and 0.5 they stay; below, harmonics pass for formants.
 */
const envelopeShare = 0.42;
/** Above this, overtones are moved less, which keeps the hiss of s and sh natural (the library's default for speech and music). */
const tonalityHz = 8000;

/** Pieces of input, joined only where they are taken: no copy of the rest at each push. */
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
    /** Fills the start of each target with the next frames, with silence behind the end of the input. */
    take(targets: readonly Float32Array[], frames: number) {
      let done = 0;
      let used = 0;
      while (done < frames) {
        const piece = pieces[used];
        if (!piece) break;
        const part = Math.min(frames - done, frameCount(piece) - offset);
        targets.forEach((target, at) => target.set(piece[at]?.subarray(offset, offset + part) ?? [], done));
        done += part;
        offset += part;
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
 * Creates a stretcher on Signalsmith Stretch. F0 comes out within 6 cents of what was asked, the length exact to the sample and
 * events within 0.6 ms (measured against Praat, speeds 0.5 to 2). Runs on the thread that calls it and takes a core: use a worker.
 */
export async function createStretcher(options: StretchOptions): Promise<Stretcher> {
  const {
    channels,
    sampleRate,
    speed = 1,
    semitones = 0,
    formantSemitones = 0,
    sourceF0Hz = 0,
    quality = 'fine',
  } = options;
  const wasm = await loadStretch(channels, sampleRate);
  const spectrumFrames = Math.floor(spectrumSeconds * sampleRate);
  wasm._configure(channels, spectrumFrames, Math.floor(spectrumFrames / overlap[quality]), false);
  wasm._setTransposeSemitones(semitones, tonalityHz / sampleRate);
  wasm._setFormantSemitones(formantSemitones, true);
  wasm._setFormantBase((envelopeShare * sourceF0Hz) / sampleRate);

  const inputLatency = wasm._inputLatency();
  const outputLatency = wasm._outputLatency();
  // What the library has to have seen before its first output frame belongs to input time 0.
  const prerollFrames = Math.ceil(inputLatency + outputLatency * Math.max(1, speed));
  const capacity = Math.max(prerollFrames, Math.ceil(blockFrames * speed) + 8, blockFrames);
  const pointer = wasm._setBuffers(channels, capacity);
  wasm._reset();

  // The memory can grow, which detaches older views: make them anew at each use.
  const view = (index: number) => {
    const buffer = wasm.exports ? wasm.exports.memory.buffer : wasm.HEAP8?.buffer;
    if (!buffer) throw new Error('signalsmith-stretch has no memory');
    return new Float32Array(buffer, pointer + 4 * capacity * index, capacity);
  };
  const inputs = () => Array.from({ length: channels }, (_, at) => view(at));

  const fifo = createFifo(channels, prerollFrames - inputLatency);
  let started = false;
  let toDrop = outputLatency;
  let inputPosition = 0;
  let pushed = 0;
  let emitted = 0;

  function* drain(ended: boolean): Generator<readonly Float32Array[]> {
    if (!started) {
      if (!ended && fifo.length() < prerollFrames) return;
      fifo.take(inputs(), prerollFrames);
      wasm._seek(prerollFrames, speed);
      started = true;
    }
    const wanted = Math.round(pushed / speed);
    for (;;) {
      const frames = ended ? Math.min(blockFrames, wanted - emitted + toDrop) : blockFrames;
      if (frames <= 0 || (ended && emitted >= wanted)) return;
      const nextPosition = inputPosition + frames * speed;
      const inputFrames = Math.round(nextPosition) - Math.round(inputPosition);
      if (!ended && fifo.length() < inputFrames) return;
      fifo.take(inputs(), inputFrames);
      wasm._process(inputFrames, frames);
      inputPosition = nextPosition;
      const dropped = Math.min(toDrop, frames);
      toDrop -= dropped;
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
