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
  let held: readonly Float32Array[] = [];
  let heldGain = 1;
  let edgeGain = 1;
  let waiting: Float32Array[] = Array.from({ length: channels }, () => new Float32Array(0));

  const gainFor = (hop: readonly Float32Array[]) => {
    let peak = 0;
    for (const channel of hop) for (const sample of channel) peak = Math.max(peak, Math.abs(sample));
    return peak > ceiling ? ceiling / peak : 1;
  };

  /** Gives the hop that was held, now that the gain at its far edge is known. */
  const advance = (hop: readonly Float32Array[]): readonly Float32Array[] => {
    const out = held;
    const nextGain = gainFor(hop);
    const farGain = Math.min(heldGain, nextGain, edgeGain + release);
    const frames = frameCount(out);
    if (edgeGain < 1 || farGain < 1) {
      const step = (farGain - edgeGain) / Math.max(1, frames);
      for (const channel of out) {
        for (let at = 0; at < frames; at++) {
          const gained = (channel[at] ?? 0) * (edgeGain + step * at);
          // Rounding only: the gain is right to the last bit of a float, not beyond.
          channel[at] = Math.max(-ceiling, Math.min(ceiling, gained));
        }
      }
    }
    held = hop;
    heldGain = nextGain;
    // Before the first hop there is nothing to fade from.
    edgeGain = frames === 0 ? nextGain : farGain;
    return out;
  };

  const join = (hops: readonly (readonly Float32Array[])[]): readonly Float32Array[] => {
    const frames = hops.reduce((sum, hop) => sum + frameCount(hop), 0);
    return Array.from({ length: channels }, (_, index) => {
      const joined = new Float32Array(frames);
      let at = 0;
      for (const hop of hops) {
        joined.set(hop[index] ?? [], at);
        at += frameCount(hop);
      }
      return joined;
    });
  };

  return {
    push(block) {
      const input = join([waiting, block]);
      const frames = frameCount(input);
      const whole = frames - (frames % hopFrames);
      const out: (readonly Float32Array[])[] = [];
      for (let at = 0; at < whole; at += hopFrames) {
        out.push(advance(input.map((channel) => channel.slice(at, at + hopFrames))));
      }
      waiting = input.map((channel) => channel.slice(whole));
      return join(out);
    },
    end() {
      const out = [];
      if (frameCount(waiting)) out.push(advance(waiting));
      out.push(advance([]));
      return join(out);
    },
  };
}
