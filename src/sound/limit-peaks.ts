import { frameCount } from './pcm-block.ts';

/** Turns loud places down in a stream of blocks (channels x frames). */
export interface PeakLimiter {
  push(channels: readonly Float32Array[]): readonly Float32Array[];
  end(): readonly Float32Array[];
}

const hopFrames = 256;
const releaseSeconds = 0.25;

/**
 * A look-ahead limiter: no sample leaves above `ceiling`, and quieter sound passes bit for bit. The gain is linear between the
 * edges of hops of 256 frames; at an edge it is no more than either neighbour hop needs, so within each hop it is below what that hop
 * needs; it recovers in a quarter of a second. All channels share one gain (the image does not move). One hop of latency, the
 * length is kept.
 */
export function createPeakLimiter(channels: number, sampleRate: number, ceiling: number): PeakLimiter {
  const release = hopFrames / (releaseSeconds * sampleRate);
  /** What has not left yet: the hop whose far edge is not known, and what is less than a hop. */
  let rest: readonly Float32Array[] = Array.from({ length: channels }, () => new Float32Array(0));
  /** Null before the first hop, where there is nothing to fade from. */
  let edgeGain: number | null = null;

  const gainFor = (sound: readonly Float32Array[], start: number) => {
    let peak = 0;
    for (const channel of sound) {
      const end = Math.min(start + hopFrames, channel.length);
      for (let at = start; at < end; at++) {
        const size = Math.abs(channel[at] ?? 0);
        if (size > peak) peak = size;
      }
    }
    return peak > ceiling ? ceiling / peak : 1;
  };

  const fade = (channel: Float32Array, start: number, end: number, near: number, far: number) => {
    const step = (far - near) / (end - start);
    for (let at = start; at < end; at++) {
      const gained = (channel[at] ?? 0) * (near + step * (at - start));
      // Rounding only: the gain is right to the last bit of a float, not beyond.
      channel[at] = Math.max(-ceiling, Math.min(ceiling, gained));
    }
  };

  const advance = (block: readonly Float32Array[], ended: boolean): readonly Float32Array[] => {
    const sound = rest.map((left, index) => {
      const right = block[index] ?? new Float32Array(0);
      const joined = new Float32Array(left.length + right.length);
      joined.set(left);
      joined.set(right, left.length);
      return joined;
    });
    const frames = frameCount(sound);
    const settled = ended ? frames : Math.max(0, (Math.floor(frames / hopFrames) - 1) * hopFrames);
    let gain = gainFor(sound, 0);
    for (let start = 0; start < settled; start += hopFrames) {
      const nextGain = gainFor(sound, start + hopFrames);
      const near: number = edgeGain ?? gain;
      const far = Math.min(gain, nextGain, near + release);
      const end = Math.min(start + hopFrames, frames);
      if (near < 1 || far < 1) for (const channel of sound) fade(channel, start, end, near, far);
      edgeGain = far;
      gain = nextGain;
    }
    rest = sound.map((channel) => channel.slice(settled));
    return sound.map((channel) => channel.subarray(0, settled));
  };

  return { push: (block) => advance(block, false), end: () => advance([], true) };
}
