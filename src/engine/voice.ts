import type { Gender } from '../shared/schemas/voice.ts';

/**
 * What a voice does to sound after pitch and formants.
 * - `robot`: every frame's phases set to zero at a fixed rate, a monotone at the voice's F0;
 * - `whisper`: random phases, no F0 left;
 * - `ring`: multiplied by a sine of `hz`, mixed in by `depth`, metallic; at half of F0 it would be heard an octave lower;
 * - `vibrato`: F0 swings by `cents` at `hz`;
 * - `double`: a second, slightly late and wandering copy;
 * - `radio`: a band from `lowHz` to `highHz`, slightly overdriven;
 * - `growl`: loudness pulses at `hz`, by `depth` 0..1;
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

/** A voice that the engine can give to sound. */
export interface EngineVoice {
  /** Stable slug: it stands in people's history. */
  readonly id: string;
  readonly name: string;
  /** `language-REGION`. */
  readonly language: string;
  readonly gender: Gender;
  readonly category: VoiceCategory;
  readonly description: string;
  /** Median F0 of what comes out, in Hz. */
  readonly targetF0Hz: number;
  /** Where the formants lie, in semitones from a tract between the average man's and woman's: below 0 sounds larger. */
  readonly formantSemitones: number;
  /** High shelf above 2.5 kHz, in dB: brighter or duller. */
  readonly tiltDb: number;
  readonly effects: readonly VoiceEffect[];
}
