import { frameCount } from './pcm-block.ts';

/** Changes the rate of a stream of blocks (channels x frames). round(input frames x to / from) frames come out in all. */
export interface Resampler {
  push(channels: readonly Float32Array[]): readonly Float32Array[];
  end(): readonly Float32Array[];
}

/** Zero crossings of the sinc on each side: the band edge is about 5 % of the lower rate wide. */
const crossings = 24;
const stepsPerCrossing = 256;

/** Half of a sinc under a Hann window, by distance in zero crossings. */
const kernel = Float64Array.from({ length: crossings * stepsPerCrossing + 2 }, (_, step) => {
  const x = step / stepsPerCrossing;
  if (x >= crossings) return 0;
  const window = 0.5 + 0.5 * Math.cos((Math.PI * x) / crossings);
  return x === 0 ? 1 : (window * Math.sin(Math.PI * x)) / (Math.PI * x);
});

/**
 * A windowed-sinc resampler between any two rates in Hz (J. O. Smith, Digital Audio Resampling, ccrma.stanford.edu/~jos/resample).
 * What the lower rate cannot hold is removed, not folded. No delay: frame n of the output lies at n x from / to of the input.
 */
export function createResampler(channels: number, fromHz: number, toHz: number): Resampler {
  const step = fromHz / toHz;
  // Going down, the sinc is as wide as the lower rate asks for.
  const scale = Math.min(1, toHz / fromHz);
  const reach = Math.ceil(crossings / scale);
  let buffer: readonly Float32Array[] = Array.from({ length: channels }, () => new Float32Array(reach));
  /** Position in the input of the buffer's first frame. */
  let bufferStart = -reach;
  let given = 0;
  let taken = 0;

  const append = (blocks: readonly Float32Array[]) => {
    buffer = buffer.map((old, index) => {
      const added = blocks[index] ?? new Float32Array(0);
      const joined = new Float32Array(old.length + added.length);
      joined.set(old);
      joined.set(added, old.length);
      return joined;
    });
  };

  const frameAt = (channel: Float32Array, position: number): number => {
    const local = position - bufferStart;
    const first = Math.max(0, Math.ceil(local - reach));
    const last = Math.min(channel.length - 1, Math.floor(local + reach));
    let sum = 0;
    for (let at = first; at <= last; at++) {
      const place = Math.abs(local - at) * scale * stepsPerCrossing;
      const whole = Math.floor(place);
      const near = kernel[whole] ?? 0;
      sum += (channel[at] ?? 0) * (near + ((kernel[whole + 1] ?? 0) - near) * (place - whole));
    }
    return sum * scale;
  };

  const give = (frames: number): readonly Float32Array[] => {
    const count = Math.max(0, frames);
    const out = buffer.map((channel) =>
      Float32Array.from({ length: count }, (_, at) => frameAt(channel, (given + at) * step)),
    );
    given += count;
    const unused = Math.min(frameCount(buffer), Math.max(0, Math.floor(given * step) - reach - bufferStart));
    buffer = buffer.map((channel) => channel.slice(unused));
    bufferStart += unused;
    return out;
  };

  return {
    push(block) {
      taken += frameCount(block);
      append(block);
      return give(Math.floor((taken - reach) / step) - given);
    },
    end() {
      append(Array.from({ length: channels }, () => new Float32Array(reach)));
      return give(Math.round(taken / step) - given);
    },
  };
}
