import { AppError } from '../shared/errors.ts';
import { decodeSound } from './decode-sound.ts';
import { frameCount, type PcmBlock } from './pcm-block.ts';

/** The drawing of a sound: `foldColumns` columns of three bytes, peak, loudness (RMS) and brightness, one after the other. */
export interface Fold {
  /** Peak and RMS are linear with the file's loudest peak at 255; brightness 0 is 200 Hz and less, 255 is 8 kHz and more, in octaves. */
  readonly columns: Uint8Array<ArrayBuffer>;
  readonly durationSeconds: number;
  /** How loud it is where there is sound, in dB below full scale; null for silence. */
  readonly levelDb: number | null;
}

export const foldColumns = 1024;
export const bytesPerColumn = 3;

/** Bins while the length is unknown: when all are full, neighbours are joined, so there are always between this and half of it. */
const mostBins = 16 * foldColumns;
const firstBinFrames = 16;
const darkestHz = 200;
const brightestHz = 8000;
/** -70 dB below full scale: the brightness of silence is that of its hiss, which says nothing. */
const quietestPower = 1e-7;
/** -10 dB: pauses between words are no part of how loud a voice is (the gates of ITU-R BS.1770, without its weighting). */
const pausePower = 0.1;

interface Bins {
  /** Values of a bin: highest magnitude, sum of squares, sum of squared differences between neighbours, frames. */
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

function joinBins(from: Bins, first: number, end: number, to: Bins, index: number): void {
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
 * Where a sound's power lies, in Hz, from how much it changes from sample to sample: for a sine of f Hz the differences have
 * (2 sin(pi f / rate))² times its power. Vowels come out at a few hundred Hz, s and sh at several kHz.
 */
function brightnessHz(energy: number, change: number, sampleRate: number): number {
  const ratio = Math.min(2, Math.sqrt(change / energy));
  return (sampleRate / Math.PI) * Math.asin(ratio / 2);
}

function brightnessByte(energy: number, change: number, frames: number, sampleRate: number): number {
  if (!(energy > quietestPower * frames)) return 0;
  const octaves = Math.log2(brightnessHz(energy, change, sampleRate) / darkestHz) / Math.log2(brightestHz / darkestHz);
  return Math.round(255 * Math.max(0, Math.min(1, octaves)));
}

/** Mean power of those bins that are louder than `gate`; 0 where none is. */
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
  const power = meanPower(bins, used, meanPower(bins, used, quietestPower) * pausePower);
  return power > quietestPower ? 10 * Math.log10(power) : null;
}

/**
 * Draws a sound while it is decoded. Takes some 500 kB however long the sound is. Channels: the highest peak of any, the mean of their
 * power. Throws as the blocks do, and AppError `input/not-audio` where there are none.
 */
export async function foldSound(blocks: AsyncIterable<PcmBlock>): Promise<Fold> {
  const bins = createBins(mostBins);
  let binFrames = firstBinFrames;
  let bin = 0;
  let inBin = 0;
  let total = 0;
  let sampleRate = 0;
  const last: number[] = [];

  const halve = () => {
    for (let pair = 0; pair < mostBins / 2; pair++) joinBins(bins, 2 * pair, 2 * pair + 2, bins, pair);
    for (const values of [bins.peak, bins.energy, bins.change, bins.frames]) values.fill(0, mostBins / 2);
    bin = mostBins / 2;
    binFrames *= 2;
  };

  for await (const { channels, sampleRate: rate } of blocks) {
    sampleRate = rate;
    const frames = frameCount(channels);
    total += frames;
    let start = 0;
    while (start < frames) {
      if (bin === mostBins) halve();
      const end = Math.min(frames, start + binFrames - inBin);
      let peak = at(bins.peak, bin);
      let energy = 0;
      let change = 0;
      for (const [index, channel] of channels.entries()) {
        let before = last[index] ?? channel[start] ?? 0;
        for (let frame = start; frame < end; frame++) {
          const value = channel[frame] ?? 0;
          const magnitude = Math.abs(value);
          if (magnitude > peak) peak = magnitude;
          energy += value * value;
          change += (value - before) * (value - before);
          before = value;
        }
        last[index] = before;
      }
      bins.peak[bin] = peak;
      bins.energy[bin] = at(bins.energy, bin) + energy / channels.length;
      bins.change[bin] = at(bins.change, bin) + change / channels.length;
      bins.frames[bin] = at(bins.frames, bin) + end - start;
      inBin += end - start;
      start = end;
      if (inBin === binFrames) {
        bin++;
        inBin = 0;
      }
    }
  }
  if (!total) throw new AppError('input/not-audio', 'there is no sound to draw');

  const used = bin + (inBin ? 1 : 0);
  const loudest = bins.peak.reduce((most, value) => Math.max(most, value), 0);
  const scale = loudest > 0 ? 255 / loudest : 0;
  const columns = new Uint8Array(foldColumns * bytesPerColumn);
  const column = createBins(1);
  for (let index = 0; index < foldColumns; index++) {
    const first = Math.min(used - 1, Math.floor((index * used) / foldColumns));
    joinBins(bins, first, Math.max(first + 1, Math.floor(((index + 1) * used) / foldColumns)), column, 0);
    const [energy, change, frames] = [at(column.energy, 0), at(column.change, 0), at(column.frames, 0)];
    columns[index * bytesPerColumn] = Math.round(at(column.peak, 0) * scale);
    columns[index * bytesPerColumn + 1] = Math.round(Math.min(255, Math.sqrt(energy / Math.max(1, frames)) * scale));
    columns[index * bytesPerColumn + 2] = brightnessByte(energy, change, frames, sampleRate);
  }
  return { columns, durationSeconds: total / sampleRate, levelDb: levelOf(bins, used) };
}

/** Decodes and draws a file. Errors as of `decodeSound`. */
export const foldFile = (path: string, signal?: AbortSignal): Promise<Fold> => foldSound(decodeSound(path, { signal }));
