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

/** Joins consecutive blocks into one. Later blocks may lack channels: those get no frames. */
export const joinBlocks = (blocks: readonly (readonly Float32Array[])[]): readonly Float32Array[] =>
  (blocks[0] ?? []).map((_, index) => {
    const parts = blocks.map((block) => block[index] ?? new Float32Array(0));
    const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  });
