import type { OutputFormat } from './sound-format.ts';

export interface EncodeOptions {
  readonly format: OutputFormat;
  /** Hz; MP3 takes only those of `canEncodeRate`. */
  readonly sampleRate: number;
  readonly channels: 1 | 2;
}

/**
 * Writes one sound file, in order: each `write` is awaited before the next, else blocks may trade places. `close` is for the way out of
 * an error: the file is then unfinished.
 */
export interface SoundWriter {
  /** A block of channels x frames, ±1; samples beyond full scale are clipped. */
  write(channels: readonly Float32Array[]): Promise<void>;
  /** Completes the file (sizes, indexes, last packets) and closes it. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
