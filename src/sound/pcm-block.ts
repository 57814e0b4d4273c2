/**
 * Consecutive frames of audio: one Float32Array per channel, all of equal length, full scale at ±1;
 * rate in Hz.
 */
export interface PcmBlock {
  readonly channels: readonly Float32Array[];
  readonly sampleRate: number;
}

/** Number of frames in a block (samples per channel). */
export const frameCount = (channels: readonly Float32Array[]): number => channels[0]?.length ?? 0;
