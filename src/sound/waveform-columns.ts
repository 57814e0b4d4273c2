import { AppError } from '../shared/errors.ts';
import { frameCount, type PcmBlock } from './pcm-block.ts';
import { bytesPerColumn, type Waveform, waveformColumns } from './waveform.ts';

/**
 * Bins while the duration is unknown. When all are full, pairs are merged, so their number stays
 * between this and half of it.
 */
const maxBins = 16 * waveformColumns;
const firstBinFrames = 16;
const minBrightnessHz = 200;
const maxBrightnessHz = 8000;
/** -70 dB relative to full scale. Below it, brightness would only measure hiss. */
const silencePower = 1e-7;
/**
 * -10 dB relative to the mean: excludes pauses between words from the loudness (gates of ITU-R
 * BS.1770, without its weighting).
 */
const relativeGate = 0.1;

interface Bins {
  /** Values per bin: peak magnitude, sum of squares, sum of squared differences between neighbours, frames. */
  readonly peak: Float64Array;
  readonly energy: Float64Array;
  readonly change: Float64Array;
  readonly frames: Float64Array;
}

const createBins = (length: number): Bins => ({
  peak: new Float64Array(length),
  energy: new Float64Array(length),
  change: new Float64Array(length),
  frames: new Float64Array(length),
});

const at = (values: Float64Array, index: number): number => values[index] ?? 0;

function mergeBins(from: Bins, first: number, end: number, to: Bins, index: number): void {
  let peak = 0;
  let energy = 0;
  let change = 0;
  let frames = 0;
  for (let bin = first; bin < end; bin++) {
    peak = Math.max(peak, at(from.peak, bin));
    energy += at(from.energy, bin);
    change += at(from.change, bin);
    frames += at(from.frames, bin);
  }
  to.peak[index] = peak;
  to.energy[index] = energy;
  to.change[index] = change;
  to.frames[index] = frames;
}

/**
 * Estimates the centre of power in Hz from the differences between samples: those of a sine of f Hz
 * have (2 sin(pi f / rate))² times its power. Vowels come out at a few hundred Hz, s and sh at
 * several kHz.
 */
function brightnessHz(energy: number, change: number, sampleRate: number): number {
  const ratio = Math.min(2, Math.sqrt(change / energy));
  return (sampleRate / Math.PI) * Math.asin(ratio / 2);
}

function brightnessByte(energy: number, change: number, frames: number, sampleRate: number): number {
  if (!(energy > silencePower * frames)) return 0;
  const octaves =
    Math.log2(brightnessHz(energy, change, sampleRate) / minBrightnessHz) /
    Math.log2(maxBrightnessHz / minBrightnessHz);
  return Math.round(255 * Math.max(0, Math.min(1, octaves)));
}

/** Mean power of the bins louder than `gate`; 0 if there are none. */
function meanPower({ energy, frames }: Bins, used: number, gate: number): number {
  let loud = 0;
  let loudFrames = 0;
  for (let bin = 0; bin < used; bin++) {
    if (at(energy, bin) <= gate * at(frames, bin)) continue;
    loud += at(energy, bin);
    loudFrames += at(frames, bin);
  }
  return loudFrames === 0 ? 0 : loud / loudFrames;
}

function levelOf(bins: Bins, used: number): number | null {
  const power = meanPower(bins, used, meanPower(bins, used, silencePower) * relativeGate);
  return power > silencePower ? 10 * Math.log10(power) : null;
}

export interface WaveformBins {
  /** Frames that `add` may take at once. */
  readonly room: number;
  /** Adds consecutive frames: their highest peak, and the sums of squares of values and of differences. */
  add(frames: number, peak: number, energy: number, change: number): void;
  /**
   * Draws all frames. Peaks are multiplied by `peakFactor`; `loudest` is the file's highest peak if it
   * is known from elsewhere. Throws AppError `input/not-audio` if there are no frames.
   */
  finish(sampleRate: number, options?: { readonly peakFactor?: number; readonly loudest?: number }): Waveform;
}

/** Collects a waveform in about 500 kB whatever the duration. */
export function createWaveformBins(): WaveformBins {
  const bins = createBins(maxBins);
  let binFrames = firstBinFrames;
  let bin = 0;
  let framesInBin = 0;
  let total = 0;

  const mergePairs = () => {
    for (let pair = 0; pair < maxBins / 2; pair++) mergeBins(bins, 2 * pair, 2 * pair + 2, bins, pair);
    for (const values of [bins.peak, bins.energy, bins.change, bins.frames]) values.fill(0, maxBins / 2);
    bin = maxBins / 2;
    binFrames *= 2;
  };

  return {
    get room() {
      return binFrames - framesInBin;
    },
    add(frames, peak, energy, change) {
      if (bin === maxBins) mergePairs();
      bins.peak[bin] = Math.max(at(bins.peak, bin), peak);
      bins.energy[bin] = at(bins.energy, bin) + energy;
      bins.change[bin] = at(bins.change, bin) + change;
      bins.frames[bin] = at(bins.frames, bin) + frames;
      total += frames;
      framesInBin += frames;
      if (framesInBin < binFrames) return;
      bin += 1;
      framesInBin = 0;
    },
    finish(sampleRate, { peakFactor = 1, loudest = peakFactor * bins.peak.reduce((a, b) => Math.max(a, b), 0) } = {}) {
      if (!total) throw new AppError('input/not-audio', 'there is no sound to draw');
      const used = bin + (framesInBin ? 1 : 0);
      const scale = loudest > 0 ? 255 / loudest : 0;
      const columns = new Uint8Array(waveformColumns * bytesPerColumn);
      const column = createBins(1);
      for (let index = 0; index < waveformColumns; index++) {
        const first = Math.min(used - 1, Math.floor((index * used) / waveformColumns));
        mergeBins(bins, first, Math.max(first + 1, Math.floor(((index + 1) * used) / waveformColumns)), column, 0);
        const [energy, change, frames] = [at(column.energy, 0), at(column.change, 0), at(column.frames, 0)];
        const rms = Math.sqrt(energy / Math.max(1, frames));
        columns[index * bytesPerColumn] = Math.round(Math.min(255, at(column.peak, 0) * peakFactor * scale));
        columns[index * bytesPerColumn + 1] = Math.round(Math.min(255, rms * scale));
        columns[index * bytesPerColumn + 2] = brightnessByte(energy, change, frames, sampleRate);
      }
      return { columns, durationSeconds: total / sampleRate, levelDb: levelOf(bins, used) };
    },
  };
}

/**
 * Computes a waveform while decoding. Channels are merged: the highest peak, the mean power. Throws
 * what the blocks throw, and AppError `input/not-audio` if there are none.
 */
export async function computeWaveform(blocks: AsyncIterable<PcmBlock>): Promise<Waveform> {
  const bins = createWaveformBins();
  let sampleRate = 0;
  const last: number[] = [];
  for await (const { channels, sampleRate: rate } of blocks) {
    sampleRate = rate;
    const frames = frameCount(channels);
    let start = 0;
    while (start < frames) {
      const end = Math.min(frames, start + bins.room);
      let peak = 0;
      let energy = 0;
      let change = 0;
      for (const [index, channel] of channels.entries()) {
        let previous = last[index] ?? channel[start] ?? 0;
        for (let frame = start; frame < end; frame++) {
          const value = channel[frame] ?? 0;
          const magnitude = Math.abs(value);
          if (magnitude > peak) peak = magnitude;
          energy += value * value;
          change += (value - previous) * (value - previous);
          previous = value;
        }
        last[index] = previous;
      }
      bins.add(end - start, peak, energy / channels.length, change / channels.length);
      start = end;
    }
  }
  return bins.finish(sampleRate);
}
