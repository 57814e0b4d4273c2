import { frameCount, joinBlocks } from './pcm-block.ts';

/**
 * Changes the sample rate of a stream of blocks (channels x frames). The output has round(input
 * frames x to / from) frames in total.
 */
export interface Resampler {
  push(channels: readonly Float32Array[]): readonly Float32Array[];
  end(): readonly Float32Array[];
}

/** Zero crossings of the sinc on each side. The transition band is about 5 % of the lower rate wide. */
const crossings = 24;
const stepsPerCrossing = 256;

/** Half of a Hann-windowed sinc, indexed by distance in zero crossings. */
const kernel = Float64Array.from({ length: crossings * stepsPerCrossing + 2 }, (_, step) => {
  const x = step / stepsPerCrossing;
  if (x >= crossings) return 0;
  const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / crossings);
  return x === 0 ? 1 : (window * Math.sin(Math.PI * x)) / (Math.PI * x);
});

/**
 * Creates a windowed-sinc resampler between any two rates in Hz (J. O. Smith, Digital Audio
 * Resampling, ccrma.stanford.edu/~jos/resample). Frequencies above the lower rate's limit are
 * removed, not aliased. There is no delay: output frame n is at n x from / to of the input.
 */
export function createResampler(channels: number, fromHz: number, toHz: number): Resampler {
  const step = fromHz / toHz;
  // Downsampling needs a wider sinc.
  const scale = Math.min(1, toHz / fromHz);
  const halfWidth = Math.ceil(crossings / scale);
  let buffer: readonly Float32Array[] = Array.from({ length: channels }, () => new Float32Array(halfWidth));
  /** Input position of the buffer's first frame. */
  let bufferStart = -halfWidth;
  let outputFrames = 0;
  let inputFrames = 0;

  const sampleAt = (channel: Float32Array, position: number): number => {
    const local = position - bufferStart;
    const first = Math.max(0, Math.ceil(local - halfWidth));
    const last = Math.min(channel.length - 1, Math.floor(local + halfWidth));
    let sum = 0;
    for (let at = first; at <= last; at++) {
      const kernelPosition = Math.abs(local - at) * scale * stepsPerCrossing;
      const index = Math.floor(kernelPosition);
      const value = kernel[index] ?? 0;
      sum += (channel[at] ?? 0) * (value + ((kernel[index + 1] ?? 0) - value) * (kernelPosition - index));
    }
    return sum * scale;
  };

  const produce = (frames: number): readonly Float32Array[] => {
    const count = Math.max(0, frames);
    const out = buffer.map((channel) =>
      Float32Array.from({ length: count }, (_, at) => sampleAt(channel, (outputFrames + at) * step)),
    );
    outputFrames += count;
    const unused = Math.min(frameCount(buffer), Math.max(0, Math.floor(outputFrames * step) - halfWidth - bufferStart));
    buffer = buffer.map((channel) => channel.slice(unused));
    bufferStart += unused;
    return out;
  };

  return {
    push(block) {
      inputFrames += frameCount(block);
      buffer = joinBlocks([buffer, block]);
      return produce(Math.floor((inputFrames - halfWidth) / step) - outputFrames);
    },
    end() {
      buffer = joinBlocks([buffer, Array.from({ length: channels }, () => new Float32Array(halfWidth))]);
      return produce(Math.round(inputFrames / step) - outputFrames);
    },
  };
}
