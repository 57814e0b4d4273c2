import type { EngineVoice } from './voice.ts';

/** What the caller asks of a conversion, checked. `pitch` and `speed` are ratios within `changeRange`. */
export interface VoiceChange {
  readonly pitch: number;
  readonly speed: number;
  /** True: the median F0 becomes the voice's own times `pitch`. False: the source's F0 times `pitch`. */
  readonly autoF0: boolean;
  /** True: formants move by the `pitch` ratio too, as on a tape that runs faster. */
  readonly formantsFollowPitch: boolean;
}

/** What `pitch` and `speed` may be. The ends are where the stretcher still gives something of use. */
export const changeRange = { min: 0.1, max: 10 } as const;

/** What the stretcher is told, in semitones. */
export interface VoicePlan {
  readonly semitones: number;
  readonly formantSemitones: number;
}

const semitonesOf = (ratio: number) => 12 * Math.log2(ratio);
const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

/** Between the average man's 110 Hz and woman's 205 Hz; a voice here has the tract that `formantSemitones` is counted from. */
const neutralF0Hz = 150;
/** Men and women lie 10.8 semitones of F0 and about 2.7 of formants apart (Peterson and Barney 1952). */
const formantPerF0Semitone = 0.25;
const furthestTract = 2.5;
const furthestFormantMove = 6;
const furthestMove = 36;

/**
 * Where the source's formants probably lie, in semitones from the neutral tract, told from F0 alone: a high voice mostly has a short
 * tract. A guess that is right on average; null F0 counts as neutral.
 */
const tractOf = (sourceF0Hz: number | null): number =>
  sourceF0Hz === null ? 0 : clamp(formantPerF0Semitone * semitonesOf(sourceF0Hz / neutralF0Hz), furthestTract);

/**
 * Turns a voice and a request into moves of F0 and formants. Formants go from the source's probable tract to the voice's, so a woman's
 * recording in a man's voice also sounds larger, and a voice given to itself stays. Without a measurable F0 (whisper, noise) there is
 * nothing to adjust, and only `pitch` counts.
 */
export function planVoice(voice: EngineVoice, change: VoiceChange, sourceF0Hz: number | null): VoicePlan {
  const pitchSemitones = semitonesOf(change.pitch);
  const adjusted = change.autoF0 && sourceF0Hz !== null ? semitonesOf(voice.targetF0Hz / sourceF0Hz) : 0;
  const toTract = clamp(voice.formantSemitones - tractOf(sourceF0Hz), furthestFormantMove);
  return {
    semitones: clamp(adjusted + pitchSemitones, furthestMove),
    formantSemitones: clamp(toTract + (change.formantsFollowPitch ? pitchSemitones : 0), furthestMove),
  };
}
