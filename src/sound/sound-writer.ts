import type { OutputFormat } from './sound-format.ts';

export interface EncodeOptions {
  readonly format: OutputFormat;
  /** Hz; must pass `canEncodeRate`. */
  readonly sampleRate: number;
  readonly channels: 1 | 2;
}

/**
 * Writes one sound file. Each `write` must be awaited before the next, or blocks may be reordered.
 * `close` is for error paths and leaves the file unfinished.
 */
export interface SoundWriter {
  /** Writes a block of channels x frames, ±1. Clips samples beyond full scale. */
  write(channels: readonly Float32Array[]): Promise<void>;
  /** Completes the file (sizes, indexes, last packets) and closes it. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
