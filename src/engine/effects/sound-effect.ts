import { joinBlocks } from '../../sound/pcm-block.ts';

/**
 * An effect on a stream of blocks (channels x frames). Output blocks are new; their total length
 * equals the input's.
 */
export interface SoundEffect {
  push(channels: readonly Float32Array[]): readonly Float32Array[];
  end(): readonly Float32Array[];
}

/**
 * An effect without latency. `change` processes consecutive pieces of one channel in place and has
 * that channel's state.
 */
export function pieceEffect(
  channels: number,
  createChange: () => (samples: Float32Array, position: number) => void,
): SoundEffect {
  const changes = Array.from({ length: channels }, createChange);
  let position = 0;
  return {
    push(block) {
      const out = block.map((channel) => channel.slice());
      out.forEach((channel, index) => changes[index]?.(channel, position));
      position += block[0]?.length ?? 0;
      return out;
    },
    end: () => Array.from({ length: channels }, () => new Float32Array(0)),
  };
}

/** A `pieceEffect` that processes one sample at a time. */
export const sampleEffect = (
  channels: number,
  createStep: () => (sample: number, frame: number) => number,
): SoundEffect =>
  pieceEffect(channels, () => {
    const step = createStep();
    return (samples, position) => {
      // A plain loop: `map` with a function takes five times as long.
      for (let at = 0; at < samples.length; at++) samples[at] = step(samples[at] ?? 0, position + at);
    };
  });

/** Applies effects one after the other. */
export function chainEffects(effects: readonly SoundEffect[]): SoundEffect {
  return {
    push: (block) => effects.reduce((sound, effect) => effect.push(sound), block),
    end() {
      let rest: readonly Float32Array[] | null = null;
      for (const effect of effects) rest = rest ? joinBlocks([effect.push(rest), effect.end()]) : effect.end();
      return rest ?? [];
    },
  };
}
