/** Columns of a waveform, all 0..1: `peak` and `rms` relative to the loudest peak of the file, `bright` from dark to bright. */
export interface WaveformColumns {
  readonly peak: Float32Array;
  readonly rms: Float32Array;
  readonly bright: Float32Array;
}

const one = (value: number) => Float32Array.of(value);

/** A plain bar, for a recording that plays or converts although Timbre cannot decode it. */
export const plainColumns: WaveformColumns = { peak: one(0.3), rms: one(0.3), bright: one(0) };

const bytesPerColumn = 3;

/** Parses base64 of three bytes per column (peak, RMS, brightness); null if it is invalid. */
export function parseWaveformColumns(base64: string): WaveformColumns | null {
  let bytes: string;
  try {
    bytes = atob(base64);
  } catch {
    return null;
  }
  const count = bytes.length / bytesPerColumn;
  if (!Number.isInteger(count) || count === 0) return null;
  const read = (offset: number): Float32Array => {
    const values = new Float32Array(count);
    for (let k = 0; k < count; k++) values[k] = bytes.charCodeAt(k * bytesPerColumn + offset) / 255;
    return values;
  };
  return { peak: read(0), rms: read(1), bright: read(2) };
}

/**
 * Resamples to another number of columns. Merged columns keep the highest peak, average RMS as power, and weight brightness by loudness,
 * so that a quiet hiss does not colour a loud vowel; stretched columns are repeated.
 */
export function resample(columns: WaveformColumns, count: number): WaveformColumns {
  const from = columns.peak.length;
  const out = { peak: new Float32Array(count), rms: new Float32Array(count), bright: new Float32Array(count) };
  for (let i = 0; i < count; i++) {
    const first = Math.floor((i * from) / count);
    const end = Math.max(first + 1, Math.floor(((i + 1) * from) / count));
    let peak = 0;
    let power = 0;
    let bright = 0;
    let weight = 0;
    for (let k = first; k < end; k++) {
      const rms = columns.rms[k] ?? 0;
      peak = Math.max(peak, columns.peak[k] ?? 0);
      power += rms * rms;
      bright += (columns.bright[k] ?? 0) * (rms + 1e-4);
      weight += rms + 1e-4;
    }
    out.peak[i] = peak;
    out.rms[i] = Math.sqrt(power / (end - first));
    out.bright[i] = bright / weight;
  }
  return out;
}
