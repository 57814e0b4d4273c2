import {
  codeBits,
  energyUnit,
  findCode,
  isWhole,
  lookupBits,
  pairTable,
  quadBits,
  quadTables,
  valueEnergies,
} from './mp3-huffman.ts';
import type { EnergyTable } from './mp3-huffman.ts';
import type { MpegFrame } from './mpeg-frame.ts';

/** Reads frames of layer III as energies, without decoding them: an eighth of the work. */
export interface Mp3EnergyMeter {
  /**
   * Energy of each granule and channel of the last frame, at `granule * channels + channel`: the sum
   * of the squares of the 576 samples that the granule adds to, full scale at 1.
   */
  readonly energy: Float64Array;
  /** The same of the differences between neighbouring samples. */
  readonly change: Float64Array;
  /**
   * Reads the frame whose header is at `at` in `bytes`, the one after the last. Returns false if only
   * a decoder can tell its sound: it is damaged, needs a frame that is missing, or uses mixed blocks or
   * another number of channels.
   */
  read(bytes: Uint8Array, at: number, frame: MpegFrame): boolean;
}

const lines = 576;
/** Lines of the scale factor bands, by sample rate in Hz (ISO/IEC 11172-3 table B.8, 13818-3 table A.1). */
const usualLongWidths = [6, 6, 6, 6, 6, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 38, 46, 52, 60, 68, 58, 54];
const longWidths: Readonly<Record<number, readonly number[]>> = {
  44100: [4, 4, 4, 4, 4, 4, 6, 6, 8, 8, 10, 12, 16, 20, 24, 28, 34, 42, 50, 54, 76, 158],
  48000: [4, 4, 4, 4, 4, 4, 6, 6, 6, 8, 10, 12, 16, 18, 22, 28, 34, 40, 46, 54, 54, 192],
  32000: [4, 4, 4, 4, 4, 4, 6, 6, 8, 10, 12, 16, 20, 24, 30, 38, 46, 56, 68, 84, 102, 26],
  24000: [6, 6, 6, 6, 6, 6, 8, 10, 12, 14, 16, 18, 22, 26, 32, 38, 46, 54, 62, 70, 76, 36],
  8000: [12, 12, 12, 12, 12, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 76, 90, 2, 2, 2, 2, 2],
};
/** The same of each of the three windows of a short block. */
const usualShortWidths = [4, 4, 4, 6, 8, 10, 12, 14, 18, 24, 30, 40, 18];
const shortWidths: Readonly<Record<number, readonly number[]>> = {
  44100: [4, 4, 4, 4, 6, 8, 10, 12, 14, 18, 22, 30, 56],
  48000: [4, 4, 4, 4, 6, 6, 10, 12, 14, 16, 20, 26, 66],
  32000: [4, 4, 4, 4, 6, 8, 12, 16, 20, 26, 34, 42, 12],
  24000: [4, 4, 4, 6, 8, 10, 12, 14, 18, 24, 32, 44, 12],
  22050: [4, 4, 4, 6, 6, 8, 10, 14, 18, 26, 32, 42, 18],
  8000: [8, 8, 8, 12, 16, 20, 24, 28, 36, 2, 2, 2, 26],
};

/** Bits of a scale factor in four groups of bands, by `scalefac_compress` (11172-3, 2.4.2.7). */
const mpeg1Sizes = ['00', '01', '02', '03', '30', '11', '12', '13', '21', '22', '23', '31', '32', '33', '42', '43'].map(
  (digits) => [0, 0, 1, 1].map((half) => Number(digits.charAt(half))),
);
/** Bands that share a number of bits. MPEG-1: long blocks repeat each group if `scfsi` says so. */
const mpeg1Groups = { long: [6, 5, 5, 5], short: [9, 9, 9, 9] } as const;
/** Raised by these where `preflag` is set. */
const preemphasis = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 3, 2, 0];

/** MPEG-2 (13818-3, 2.4.3.2), without intensity stereo: sizes and groups from nine bits. */
function mpeg2Factors(compress: number, isShort: boolean): { sizes: readonly number[]; groups: readonly number[] } {
  if (compress < 400) {
    const [high, low] = [compress >> 4, compress & 15];
    const sizes = [Math.floor(high / 5), high % 5, low >> 2, low & 3];
    return { sizes, groups: isShort ? [9, 9, 9, 9] : [6, 5, 5, 5] };
  }
  if (compress < 500) {
    const [high, low] = [(compress - 400) >> 2, compress & 3];
    return { sizes: [Math.floor(high / 5), high % 5, low, 0], groups: isShort ? [9, 9, 12, 6] : [6, 5, 7, 3] };
  }
  const rest = compress - 500;
  return { sizes: [Math.floor(rest / 3), rest % 3, 0, 0], groups: isShort ? [18, 18, 0, 0] : [11, 10, 0, 0] };
}

/** The same of a right channel that says by its scale factors where intensity stereo puts the left one. */
function intensityFactors(compress: number, isShort: boolean): { sizes: readonly number[]; groups: readonly number[] } {
  const value = compress >> 1;
  if (value < 180) {
    const sizes = [Math.floor(value / 36), Math.floor(value / 6) % 6, value % 6, 0];
    return { sizes, groups: isShort ? [12, 12, 12, 0] : [7, 7, 7, 0] };
  }
  if (value < 244) {
    const rest = value - 180;
    return { sizes: [rest >> 4, (rest >> 2) & 3, rest & 3, 0], groups: isShort ? [12, 9, 9, 6] : [6, 6, 6, 3] };
  }
  const rest = value - 244;
  return { sizes: [Math.floor(rest / 3), rest % 3, 0, 0], groups: isShort ? [15, 12, 9, 0] : [8, 8, 5, 0] };
}

interface Bands {
  /** Pairs of lines of each band; those of a short block take turns between its windows. */
  readonly pairs: Uint8Array;
  /** Energy of a sample's difference to its neighbour beside that of the sample, at the band's frequency. */
  readonly changes: Float64Array;
}

function bandsOf(widths: readonly number[], windows: 1 | 3): Bands {
  let line = 0;
  const changes = widths.map((width) => {
    let sum = 0;
    for (const end = line + width; line < end; line++)
      sum += (2 * Math.sin((Math.PI * (line + 0.5) * windows) / (2 * lines))) ** 2;
    return sum / width;
  });
  const repeat = (values: readonly number[]) => values.flatMap((value) => Array<number>(windows).fill(value));
  return { pairs: Uint8Array.from(repeat(widths), (width) => width / 2), changes: Float64Array.from(repeat(changes)) };
}

/** Energy of a quantised 1 at a gain of 0 .. 255 less what scale factors and windows take away, in steps of 1.5 dB. */
const leastGain = -600;
const gains = Float64Array.from(
  { length: 256 - leastGain },
  (_, step) => (lines / 2) * 2 ** ((step + leastGain - 210) / 2),
);
/** A short block's transform is three times as strong (12 values instead of 36). */
const shortShare = 1 / 3;
const maxBands = 39;
/** `main_data_begin` has nine bits. */
const maxReservoirBytes = 511;
/** The largest frame, and what the codes of a damaged one can exceed it by. */
const mainDataBytes = maxReservoirBytes + 2048 + 4096;

/** Bits of a stream, read one field after the other. The view has four bytes more than are read. */
interface BitReader {
  readonly view: DataView;
  bit: number;
}

/** The next bits, at most 25. */
function readBits(from: BitReader, bits: number): number {
  if (bits === 0) return 0;
  const value = (from.view.getInt32(from.bit >>> 3) << (from.bit & 7)) >>> (32 - bits);
  from.bit += bits;
  return value;
}

/** Energy of a value with its extra bits and its sign, which follow the code. */
function readLongValue(from: BitReader, short: number, linbits: number): number {
  const value = linbits > 0 && short === 15 ? short + readBits(from, linbits) : short;
  if (value > 0) from.bit += 1;
  return valueEnergies[value] ?? 0;
}

/** Energy of one pair that the lookup (`found`) does not tell: its code is long, or other bits follow. */
function readLongPair(from: BitReader, { codes, lengths, values, linbits }: EnergyTable, found: number): number {
  let pair = found >> 8;
  if (found > 0) from.bit += found & 15;
  else {
    const code = findCode(codes, (from.view.getInt32(from.bit >>> 3) << (from.bit & 7)) >>> (32 - codeBits));
    from.bit += lengths[code] ?? 0;
    pair = values[code] ?? 0;
  }
  return readLongValue(from, pair >> 4, linbits) + readLongValue(from, pair & 15, linbits);
}

/** Energy of the next pairs. */
function readPairs(from: BitReader, table: EnergyTable, pairs: number): number {
  const { view } = from;
  const { lookup } = table;
  let units = 0;
  let longEnergy = 0;
  let { bit } = from;
  for (let left = pairs; left > 0; left--) {
    const found = lookup[(view.getInt32(bit >>> 3) << (bit & 7)) >>> (32 - lookupBits)] ?? 0;
    if (found & isWhole) {
      bit += found & 15;
      units += found >>> 8;
    } else {
      from.bit = bit;
      longEnergy += readLongPair(from, table, found);
      bit = from.bit;
    }
  }
  from.bit = bit;
  return units / energyUnit + longEnergy;
}

/** What the side information says of a granule and channel that scale factors and codes depend on. */
interface Granule {
  globalGain: number;
  isShort: boolean;
  hasPreemphasis: boolean;
  factorShift: number;
  readonly tables: Uint8Array;
  readonly regionEnds: Uint8Array;
  readonly windowGains: Uint8Array;
}

/** Energy of a quantised 1 in a band. */
function gainOf(granule: Granule, factors: Uint8Array, band: number): number {
  const raised = (factors[band] ?? 0) + (granule.hasPreemphasis ? (preemphasis[band] ?? 0) : 0);
  const window = granule.isShort ? (granule.windowGains[band % 3] ?? 0) << 3 : 0;
  return gains[granule.globalGain - (raised << granule.factorShift) - window - leastGain] ?? 0;
}

interface Sum {
  energy: number;
  change: number;
}

/**
 * Adds the energies of a granule's codes, which end at bit `end`. Returns false if they do not.
 * `factors` are its scale factors.
 */
function sumCodes(
  main: BitReader,
  end: number,
  bigPairs: number,
  quads: Uint16Array,
  granule: Granule,
  factors: Uint8Array,
  { pairs: bandPairs, changes }: Bands,
  sum: Sum,
): boolean {
  let energy = 0;
  let change = 0;
  let band = 0;
  let left = bigPairs;
  /** Pairs that were read of the current band, and their energy before the gain. */
  let read = 0;
  let quantised = 0;
  for (let region = 0; left > 0; region++) {
    const table = pairTable(granule.tables[region] ?? 0);
    const regionEnd = granule.regionEnds[region] ?? maxBands;
    for (; band < regionEnd && left > 0; band++) {
      const width = bandPairs[band] ?? 0;
      read = Math.min(left, width);
      left -= read;
      quantised = table ? readPairs(main, table, read) : 0;
      if (read < width) break;
      const bandEnergy = quantised > 0 ? quantised * gainOf(granule, factors, band) : 0;
      energy += bandEnergy;
      change += bandEnergy * (changes[band] ?? 0);
      read = quantised = 0;
    }
  }
  if (main.bit > end) return false;
  let pairsLeft = (bandPairs[band] ?? 0) - read;
  let isSecondPair = false;
  let quad = 0;
  let { bit } = main;
  while (pairsLeft > 0) {
    if (isSecondPair) quantised += quad >> 6;
    else {
      if (bit >= end) break;
      quad = quads[(main.view.getInt32(bit >>> 3) << (bit & 7)) >>> (32 - quadBits)] ?? 0;
      bit += quad & 15;
      // Encoders pad a granule with bits that are no whole group.
      if (bit > end) break;
      quantised += (quad >> 4) & 3;
    }
    isSecondPair = !isSecondPair;
    pairsLeft -= 1;
    if (pairsLeft > 0) continue;
    const bandEnergy = quantised > 0 ? quantised * gainOf(granule, factors, band) : 0;
    energy += bandEnergy;
    change += bandEnergy * (changes[band] ?? 0);
    quantised = 0;
    band += 1;
    pairsLeft = bandPairs[band] ?? 0;
  }
  const bandEnergy = quantised > 0 ? quantised * gainOf(granule, factors, band) : 0;
  sum.energy = energy + bandEnergy;
  sum.change = change + bandEnergy * (changes[band] ?? 0);
  return true;
}

/** Reads scale factors; groups in `repeated` keep those of the granule before. */
function readFactors(
  from: BitReader,
  into: Uint8Array,
  sizes: readonly number[],
  groups: readonly number[],
  repeated: number,
): void {
  let band = 0;
  for (let group = 0; group < 4; group++) {
    const [bits, end] = [sizes[group] ?? 0, band + (groups[group] ?? 0)];
    if (repeated & (8 >> group)) band = end;
    for (; band < end; band++) into[band] = readBits(from, bits);
  }
  into.fill(0, band);
}

/**
 * Creates a meter of the stream that `first` begins. Energies are exact, as the transforms of layer
 * III keep them (Parseval); only with intensity stereo, the right channel counts as silent where it
 * follows the left one. What is hot is outside, as each meter would compile its own closures again.
 */
export function createMp3EnergyMeter(first: MpegFrame): Mp3EnergyMeter {
  const { channels, sampleRate } = first;
  const granules = first.samples / lines;
  const isMpeg1 = granules === 2;
  const sideBytes = isMpeg1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  const longBands = bandsOf(longWidths[sampleRate] ?? usualLongWidths, 1);
  const shortBands = bandsOf(shortWidths[sampleRate] ?? usualShortWidths, 3);
  const energy = new Float64Array(granules * channels);
  const change = new Float64Array(granules * channels);
  const factors = Array.from({ length: channels }, () => new Uint8Array(maxBands));
  const repeats = new Uint8Array(channels);
  const sideInfo = new Uint8Array(sideBytes + 4);
  const mainData = new Uint8Array(mainDataBytes);
  const side: BitReader = { view: new DataView(sideInfo.buffer), bit: 0 };
  const main: BitReader = { view: new DataView(mainData.buffer), bit: 0 };
  let mainLength = 0;
  let isIntensity = false;
  const sum: Sum = { energy: 0, change: 0 };
  const granule: Granule = {
    globalGain: 0,
    isShort: false,
    hasPreemphasis: false,
    factorShift: 0,
    tables: new Uint8Array(3),
    regionEnds: Uint8Array.of(0, 0, maxBands),
    windowGains: new Uint8Array(3),
  };

  /** Reads side information, scale factors and codes of one granule and channel. */
  function readGranule(index: number, channel: number): boolean {
    const end = main.bit + readBits(side, 12);
    const bigPairs = readBits(side, 9);
    granule.globalGain = readBits(side, 8);
    const compress = readBits(side, isMpeg1 ? 4 : 9);
    const hasWindows = readBits(side, 1) === 1;
    const blockType = hasWindows ? readBits(side, 2) : 0;
    if (hasWindows && (blockType === 0 || readBits(side, 1) === 1)) return false;
    const isShort = blockType === 2;
    granule.isShort = isShort;
    for (let region = 0; region < (hasWindows ? 2 : 3); region++) granule.tables[region] = readBits(side, 5);
    if (hasWindows) {
      for (let window = 0; window < 3; window++) granule.windowGains[window] = readBits(side, 3);
      granule.regionEnds[0] = isShort ? 9 : 8;
      granule.regionEnds[1] = maxBands;
    } else {
      const firstEnd = readBits(side, 4) + 1;
      granule.regionEnds[0] = firstEnd;
      granule.regionEnds[1] = firstEnd + readBits(side, 3) + 1;
    }
    const isRight = isIntensity && channel === 1;
    const preflag = isMpeg1 ? readBits(side, 1) === 1 : compress >= 500 && !isRight;
    granule.hasPreemphasis = preflag && !isShort;
    granule.factorShift = readBits(side, 1) + 1;
    const quads = quadTables[readBits(side, 1)];
    const factor = factors[channel];
    if (!quads || !factor || bigPairs * 2 > lines || end > mainLength * 8) return false;
    if (isMpeg1) {
      const repeated = index === 1 && !isShort ? (repeats[channel] ?? 0) : 0;
      readFactors(main, factor, mpeg1Sizes[compress] ?? [], isShort ? mpeg1Groups.short : mpeg1Groups.long, repeated);
    } else {
      const { sizes, groups } = (isRight ? intensityFactors : mpeg2Factors)(compress, isShort);
      readFactors(main, factor, sizes, groups, 0);
    }
    if (!sumCodes(main, end, bigPairs, quads, granule, factor, isShort ? shortBands : longBands, sum)) return false;
    main.bit = end;
    const share = isShort ? shortShare : 1;
    energy[index * channels + channel] = sum.energy * share;
    change[index * channels + channel] = sum.change * share;
    return true;
  }

  return {
    energy,
    change,
    read(bytes, at, frame) {
      const mode = bytes[at + 3] ?? 0;
      isIntensity = mode >> 6 === 1 && (mode & 0x10) !== 0;
      if (frame.channels !== channels) return false;
      const sideAt = at + 4 + ((bytes[at + 1] ?? 0) & 1 ? 0 : 2);
      const mainAt = sideAt + sideBytes;
      const end = at + frame.bytes;
      if (mainAt > end || end > bytes.length) return false;
      sideInfo.set(bytes.subarray(sideAt, mainAt));
      side.bit = 0;
      const reservoir = readBits(side, isMpeg1 ? 9 : 8);
      if (reservoir > mainLength) return false;
      mainData.copyWithin(0, mainLength - reservoir, mainLength);
      mainData.set(bytes.subarray(mainAt, end), reservoir);
      mainLength = reservoir + end - mainAt;
      readBits(side, isMpeg1 ? (channels === 1 ? 5 : 3) : channels);
      if (isMpeg1) for (let channel = 0; channel < channels; channel++) repeats[channel] = readBits(side, 4);
      main.bit = 0;
      for (let index = 0; index < granules; index++)
        for (let channel = 0; channel < channels; channel++) if (!readGranule(index, channel)) return false;
      return true;
    },
  };
}
