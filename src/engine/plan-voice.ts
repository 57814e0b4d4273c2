import type { EngineVoice } from './voice.ts';

/** A validated change request. `pitch` and `speed` are ratios within `changeRange`. */
export interface VoiceChange {
  readonly pitch: number;
  readonly speed: number;
  /** True: the median F0 becomes the voice's F0 times `pitch`. False: the source's F0 times `pitch`. */
  readonly autoF0: boolean;
  /** True: formants also shift by the `pitch` ratio, as on a tape that runs faster. */
  readonly formantsFollowPitch: boolean;
}

/** Allowed range of `pitch` and `speed`, within which the stretcher's output is usable. */
export const changeRange = { min: 0.1, max: 10 } as const;

/** Settings for the stretcher, in semitones. */
export interface VoicePlan {
  readonly semitones: number;
  readonly formantSemitones: number;
}

const semitonesOf = (ratio: number) => 12 * Math.log2(ratio);
const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

/**
 * Between the average man's 110 Hz and woman's 205 Hz. `formantSemitones` is relative to the vocal
 * tract that belongs to it.
 */
const neutralF0Hz = 150;
/** Men and women differ by 10.8 semitones in F0 and about 2.7 in formants (Peterson and Barney 1952). */
const formantPerF0Semitone = 0.25;
const maxTractSemitones = 2.5;
const maxFormantShift = 6;
const maxShift = 36;

/**
 * Estimates the source's formants from F0 alone, in semitones relative to the neutral tract: a high
 * voice mostly has a short vocal tract. Right on average; null F0 counts as neutral.
 */
const estimateTract = (sourceF0Hz: number | null): number =>
  sourceF0Hz === null ? 0 : clamp(formantPerF0Semitone * semitonesOf(sourceF0Hz / neutralF0Hz), maxTractSemitones);

/**
 * Computes the shifts of F0 and formants. Formants shift from the source's estimated tract to the
 * voice's, so a woman's recording in a man's voice also sounds larger, and a voice applied to itself
 * does not change. Without a measurable F0 (whisper, noise) only `pitch` counts.
 */
export function planVoice(voice: EngineVoice, change: VoiceChange, sourceF0Hz: number | null): VoicePlan {
  const pitchSemitones = semitonesOf(change.pitch);
  const f0Shift = change.autoF0 && sourceF0Hz !== null ? semitonesOf(voice.targetF0Hz / sourceF0Hz) : 0;
  const tractShift = clamp(voice.formantSemitones - estimateTract(sourceF0Hz), maxFormantShift);
  return {
    semitones: clamp(f0Shift + pitchSemitones, maxShift),
    formantSemitones: clamp(tractShift + (change.formantsFollowPitch ? pitchSemitones : 0), maxShift),
  };
}
