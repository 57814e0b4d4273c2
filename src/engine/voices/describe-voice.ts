import type { EngineVoice, VoiceEffect } from '../voice.ts';

interface VoiceRow extends Pick<EngineVoice, 'name' | 'language' | 'gender' | 'category' | 'description'> {
  /** Median F0 in Hz, formants in semitones from the neutral tract, tilt in dB. */
  readonly sound: readonly [targetF0Hz: number, formantSemitones: number, tiltDb: number];
  readonly effects?: readonly VoiceEffect[];
}

/**
 * Creates a voice whose id is the slug of its name. Some ids contain characters that must be encoded
 * in a URL.
 */
export const describeVoice = ({ sound, effects = [], ...row }: VoiceRow): EngineVoice => {
  const [targetF0Hz, formantSemitones, tiltDb] = sound;
  return {
    id: row.name.toLowerCase().replaceAll(' ', '-'),
    ...row,
    targetF0Hz,
    formantSemitones,
    tiltDb,
    effects,
  };
};
