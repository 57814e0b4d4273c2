import { frameCount, joinBlocks } from './pcm-block.ts';

/** Attenuates peaks in a stream of blocks (channels x frames). */
export interface PeakLimiter {
  push(channels: readonly Float32Array[]): readonly Float32Array[];
  end(): readonly Float32Array[];
}

const hopFrames = 256;
const releaseSeconds = 0.25;

/**
 * A look-ahead limiter: no output sample exceeds `ceiling`, and quieter audio passes unchanged. The
 * gain is linear between the edges of hops of 256 frames. At an edge it is at most what either
 * neighbouring hop needs, so within a hop it never exceeds that hop's need. It recovers in 0.25 s.
 * All channels share one gain, to keep the stereo image. Latency is one hop; the length is
 * unchanged.
 */
export function createPeakLimiter(channels: number, sampleRate: number, ceiling: number): PeakLimiter {
  const release = hopFrames / (releaseSeconds * sampleRate);
  /** Input not output yet: the hop whose end gain is not known, and a partial hop. */
  let rest: readonly Float32Array[] = Array.from({ length: channels }, () => new Float32Array(0));
  /** Null before the first hop, which has nothing to fade from. */
  let edgeGain: number | null = null;

  const gainFor = (audio: readonly Float32Array[], start: number) => {
    let peak = 0;
    for (const channel of audio) {
      const end = Math.min(start + hopFrames, channel.length);
      for (let at = start; at < end; at++) {
        const size = Math.abs(channel[at] ?? 0);
        if (size > peak) peak = size;
      }
    }
    return peak > ceiling ? ceiling / peak : 1;
  };

  const fade = (channel: Float32Array, start: number, end: number, startGain: number, endGain: number) => {
    const step = (endGain - startGain) / (end - start);
    for (let at = start; at < end; at++) {
      const gained = (channel[at] ?? 0) * (startGain + step * (at - start));
      // Corrects rounding: the gain has only the precision of a float.
      channel[at] = Math.max(-ceiling, Math.min(ceiling, gained));
    }
  };

  const advance = (block: readonly Float32Array[], hasEnded: boolean): readonly Float32Array[] => {
    const audio = joinBlocks([rest, block]);
    const frames = frameCount(audio);
    const readyFrames = hasEnded ? frames : Math.max(0, (Math.floor(frames / hopFrames) - 1) * hopFrames);
    let gain = gainFor(audio, 0);
    for (let start = 0; start < readyFrames; start += hopFrames) {
      const nextGain = gainFor(audio, start + hopFrames);
      const startGain: number = edgeGain ?? gain;
      const endGain = Math.min(gain, nextGain, startGain + release);
      const end = Math.min(start + hopFrames, frames);
      if (startGain < 1 || endGain < 1) for (const channel of audio) fade(channel, start, end, startGain, endGain);
      edgeGain = endGain;
      gain = nextGain;
    }
    rest = audio.map((channel) => channel.slice(readyFrames));
    return audio.map((channel) => channel.subarray(0, readyFrames));
  };

  return { push: (block) => advance(block, false), end: () => advance([], true) };
}
