import type { Gender } from '../shared/schemas/voice.ts';

/**
 * An effect that a voice applies after pitch and formants.
 * - `robot`: sets all phases of a frame to zero at a fixed rate, which gives a monotone at the
 *   voice's F0;
 * - `whisper`: random phases, which remove F0;
 * - `ring`: multiplies by a sine of `hz`, mixed in by `depth`; metallic. At half of F0 it would be
 *   heard an octave lower;
 * - `vibrato`: varies F0 by `cents` at `hz`;
 * - `double`: adds a second, slightly late and drifting copy;
 * - `radio`: a band from `lowHz` to `highHz`, slightly overdriven;
 * - `growl`: pulses the loudness at `hz`, by `depth` 0..1;
 * - `echo`: a quieter repeat after `delayMs`.
 */
export type VoiceEffect =
  | { readonly kind: 'robot' }
  | { readonly kind: 'whisper' }
  | { readonly kind: 'ring'; readonly hz: number; readonly depth: number }
  | { readonly kind: 'vibrato'; readonly hz: number; readonly cents: number }
  | { readonly kind: 'double' }
  | { readonly kind: 'radio'; readonly lowHz: number; readonly highHz: number }
  | { readonly kind: 'growl'; readonly hz: number; readonly depth: number }
  | { readonly kind: 'echo'; readonly delayMs: number; readonly gain: number };

type VoiceCategory = 'natural' | 'narration' | 'singing' | 'character' | 'synthetic';

/** A voice of the engine. */
export interface EngineVoice {
  /** Stable slug, because history refers to it. */
  readonly id: string;
  readonly name: string;
  /** `language-REGION`. */
  readonly language: string;
  readonly gender: Gender;
  readonly category: VoiceCategory;
  readonly description: string;
  /** Median F0 of the output, in Hz. */
  readonly targetF0Hz: number;
  /**
   * Formants in semitones relative to a vocal tract between the average man's and woman's; below 0
   * sounds larger.
   */
  readonly formantSemitones: number;
  /** High shelf above 2.5 kHz in dB; positive is brighter. */
  readonly tiltDb: number;
  readonly effects: readonly VoiceEffect[];
}
