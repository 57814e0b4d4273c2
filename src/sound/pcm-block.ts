/** Some consecutive frames of sound: one Float32Array a channel, all of one length, full scale at ±1; rate in Hz. */
export interface PcmBlock {
  readonly channels: readonly Float32Array[];
  readonly sampleRate: number;
}

/** Frames in a block (samples a channel). */
export const frameCount = (channels: readonly Float32Array[]): number => channels[0]?.length ?? 0;
