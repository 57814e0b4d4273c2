/** A change to a stream of blocks (channels x frames, in place or new). What comes out in total is as long as what went in. */
export interface SoundEffect {
  push(channels: readonly Float32Array[]): readonly Float32Array[];
  end(): readonly Float32Array[];
}

/** An effect without latency, sample by sample: `step` gets a sample and its channel's own state. */
export function sampleEffect(
  channels: number,
  createStep: () => (sample: number, frame: number) => number,
): SoundEffect {
  const steps = Array.from({ length: channels }, createStep);
  let position = 0;
  return {
    push(block) {
      // A plain loop: `map` with a function costs five times as much.
      const out = block.map((channel, index) => {
        const step = steps[index];
        if (!step) return channel;
        const changed = new Float32Array(channel.length);
        for (let at = 0; at < channel.length; at++) changed[at] = step(channel[at] ?? 0, position + at);
        return changed;
      });
      position += block[0]?.length ?? 0;
      return out;
    },
    end: () => Array.from({ length: channels }, () => new Float32Array(0)),
  };
}

/** One effect behind the other. */
export function chainEffects(effects: readonly SoundEffect[]): SoundEffect {
  const join = (a: readonly Float32Array[], b: readonly Float32Array[]) =>
    a.map((left, index) => {
      const right = b[index] ?? new Float32Array(0);
      const joined = new Float32Array(left.length + right.length);
      joined.set(left);
      joined.set(right, left.length);
      return joined;
    });
  return {
    push: (block) => effects.reduce((sound, effect) => effect.push(sound), block),
    end() {
      let rest: readonly Float32Array[] | null = null;
      for (const effect of effects) rest = rest ? join(effect.push(rest), effect.end()) : effect.end();
      return rest ?? [];
    },
  };
}
