import type { EngineVoice, VoiceEffect } from '../voice.ts';
import { highPass, highShelf, lowPass } from './biquad.ts';
import { createRephase } from './rephase.ts';
import { chainEffects, pieceEffect, sampleEffect, type SoundEffect } from './sound-effect.ts';

/** A delay with interpolation. `delay` is in frames and at most `maxFrames`. */
function createDelay(maxFrames: number) {
  const buffer = new Float32Array(Math.ceil(maxFrames) + 2);
  let at = 0;
  return (sample: number, delay: number): number => {
    buffer[at] = sample;
    const position = at - delay + buffer.length;
    const index = Math.floor(position);
    const fraction = position - index;
    const sampleBefore = buffer[index % buffer.length] ?? 0;
    const sampleAfter = buffer[(index + 1) % buffer.length] ?? 0;
    at = (at + 1) % buffer.length;
    return sampleBefore + (sampleAfter - sampleBefore) * fraction;
  };
}

const tau = 2 * Math.PI;

function createEffect(effect: VoiceEffect, channels: number, sampleRate: number, robotHz: number): SoundEffect {
  switch (effect.kind) {
    case 'robot': {
      const hopFrames = Math.max(1, Math.round(sampleRate / robotHz));
      const windowFrames = 2 ** Math.ceil(Math.log2(2 * hopFrames));
      return createRephase({ channels, hopFrames, windowFrames, phases: 'zero' });
    }
    case 'whisper': {
      // About 12 ms: too short to resolve harmonics, long enough for formants.
      const windowFrames = 2 ** Math.round(Math.log2(sampleRate * 0.012));
      return createRephase({ channels, hopFrames: windowFrames / 4, windowFrames, phases: 'random' });
    }
    case 'ring':
      return sampleEffect(channels, () => (sample, frame) => {
        const carrier = Math.sin((tau * effect.hz * frame) / sampleRate);
        return sample * (1 - effect.depth) + sample * carrier * effect.depth * Math.SQRT2;
      });
    case 'growl':
      return sampleEffect(channels, () => (sample, frame) => {
        const pulse = 0.5 + 0.5 * Math.sin((tau * effect.hz * frame) / sampleRate);
        return sample * (1 - effect.depth * pulse);
      });
    case 'vibrato': {
      // A delay d(t) = D (1 + sin wt) reads at speed 1 - D w cos wt, so D w is the largest relative
      // change of F0.
      const swing = (2 ** (effect.cents / 1200) - 1) / (tau * effect.hz);
      const frames = swing * sampleRate;
      return sampleEffect(channels, () => {
        const delay = createDelay(2 * frames + 2);
        return (sample, frame) => delay(sample, frames * (1 + Math.sin((tau * effect.hz * frame) / sampleRate)));
      });
    }
    case 'double':
      return sampleEffect(channels, () => {
        const delay = createDelay(0.03 * sampleRate);
        return (sample, frame) =>
          (sample + delay(sample, sampleRate * (0.019 + 0.004 * Math.sin((tau * 0.7 * frame) / sampleRate)))) * 0.7;
      });
    case 'radio':
      return chainEffects([
        pieceEffect(channels, () => highPass(effect.lowHz, sampleRate)),
        pieceEffect(channels, () => lowPass(effect.highHz, sampleRate)),
        sampleEffect(channels, () => (sample) => Math.tanh(sample * 2.2) / 1.6),
      ]);
    case 'echo':
      return sampleEffect(channels, () => {
        const frames = (effect.delayMs / 1000) * sampleRate;
        const delay = createDelay(frames);
        return (sample) => (sample + delay(sample, frames) * effect.gain) / (1 + effect.gain);
      });
  }
}

const shelfHz = 2500;

/**
 * Creates the effects that `voice` applies after pitch and formants, or null if it has none. `f0Hz`
 * is the robot's F0.
 */
export function createEffects(
  voice: EngineVoice,
  channels: number,
  sampleRate: number,
  f0Hz: number,
): SoundEffect | null {
  const effects = voice.effects.map((effect) => createEffect(effect, channels, sampleRate, f0Hz));
  if (voice.tiltDb !== 0) {
    effects.unshift(pieceEffect(channels, () => highShelf(shelfHz, voice.tiltDb, sampleRate)));
  }
  return effects.length ? chainEffects(effects) : null;
}
