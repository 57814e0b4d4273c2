/** A waveform: `waveformColumns` columns of three bytes each: peak, loudness (RMS) and brightness. */
export interface Waveform {
  /**
   * Peak and RMS are linear, relative to the file's highest peak at 255. Brightness is logarithmic:
   * 0 is 200 Hz or less, 255 is 8 kHz or more. Peaks of a long MP3 are estimates, see `readMp3Waveform`.
   */
  readonly columns: Uint8Array<ArrayBuffer>;
  readonly durationSeconds: number;
  /** Loudness without pauses, in dB relative to full scale; null for silence. */
  readonly levelDb: number | null;
}

export const waveformColumns = 1024;
export const bytesPerColumn = 3;
