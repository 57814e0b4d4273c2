/** What turns text into sound, before the voice is applied. All calls are synchronous: use a worker. */
export interface Speaker {
  /** Hz. */
  readonly sampleRate: number;
  /** The part of the requested speed that the speaker applies itself; the stretcher does the rest. */
  readonly speed: number;
  /** Speaks at most 2,000 characters: mono, ±1. Empty if nothing can be spoken, null if the speaker failed. */
  speak(piece: string): readonly Float32Array[] | null;
}

export interface SpeakerOptions {
  readonly gender: 'male' | 'female';
  /** A ratio; 1 is a usual rate of reading aloud. */
  readonly speed: number;
}
