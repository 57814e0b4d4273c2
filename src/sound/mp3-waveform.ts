import decode from '@audio/decode';
import { findAudioEnd, parseInfoHeader } from './check-mp3.ts';
import { limitedSource, tagAt, TooCostlyError, withFileSource, type ByteSource } from './container-check.ts';
import { detectSource } from './detect-format.ts';
import { createMp3EnergyMeter, type Mp3EnergyMeter } from './mp3-energy.ts';
import { findMpegFrame, isSameMpegStream, parseMpegFrame, type MpegFrame } from './mpeg-frame.ts';
import { createWaveformBins } from './waveform-columns.ts';
import { type Waveform } from './waveform.ts';

/** Shorter files are decoded, which takes no longer than anyone notices and gives their exact peaks. */
const minSeconds = 60;
const lines = 576;
const layer3 = 0b01 << 1;
/** Samples that a decoder adds before the sound, and that mpg123 removes beside the encoder's delay. */
const decoderDelay = 529;
/** A granule and the next share their samples, which come this late (the delay of the synthesis filters). */
const filterDelay = 240;
const pieceBytes = 256 * 1024;
const maxFrameBytes = 8192;
/** Parts of the file whose loudest moment is decoded to learn how high its peaks are. */
const sections = 8;
/** Frames to decode before such a moment: they hold bits of the next ones, at most 511 bytes back. */
const warmUpFrames = 12;
/** Frames that the moment takes, with those that overlap. */
const momentFrames = 3;
/** -70 dB relative to full scale. */
const silencePower = 1e-7;

/** The loudest moment of a section: its power, and where the frames begin and end that decode to it. */
interface Moment {
  readonly power: number;
  readonly from: number;
  readonly frameAt: number;
}

/**
 * Highest peak of each part, whose frames one decoder gets in turn: in the last `frames` samples that
 * the part decodes to; 0 if it decodes to nothing.
 */
async function decodedPeaks(parts: AsyncIterable<Uint8Array>, frames: number): Promise<readonly number[]> {
  const peaks: number[] = [];
  async function* counted() {
    for await (const part of parts) {
      peaks.push(0);
      yield part;
    }
  }
  for await (const { channelData } of decode(counted(), 'mp3')) {
    let peak = 0;
    for (const channel of channelData)
      for (const value of channel.subarray(Math.max(0, channel.length - frames)))
        peak = Math.max(peak, Math.abs(value));
    peaks[peaks.length - 1] = peak;
  }
  return peaks;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Samples at the ends of a stream that a decoder removes, and its length without them. */
interface Extent {
  readonly skipped: number;
  /** Samples per channel; null if only the frames tell. */
  readonly stated: number | null;
  /** Frames of sound; null if no header states them. */
  readonly frames: number | null;
  /** Where the first frame of sound begins. */
  readonly start: number;
}

/** Null if the first frame is a header that decoders understand differently. */
async function readExtent(source: ByteSource, first: MpegFrame): Promise<Extent | null> {
  const head = await source.read(first.position, first.bytes);
  const info = parseInfoHeader(head);
  if (!info && tagAt(head, 36) === 'VBRI') return null;
  if (!info) return { skipped: 0, stated: null, frames: null, start: first.position };
  const { frames, delays } = info;
  if (!frames || !delays) return null;
  const skipped = delays.start + decoderDelay;
  const stated = frames * first.samples - skipped - Math.max(0, delays.end - decoderDelay);
  return { skipped, stated, frames, start: first.position + first.bytes };
}

/** Adds frames to a waveform, and notes the loudest moments. */
class FrameWalk {
  readonly bins = createWaveformBins();
  readonly moments: (Moment | undefined)[] = [];
  frames = 0;
  drawn = 0;
  readonly #first: MpegFrame;
  readonly #meter: Mp3EnergyMeter;
  readonly #limit: number;
  readonly #start: number;
  readonly #end: number;
  readonly #headers = new Map<number, MpegFrame | null>();
  readonly #lastFrames: number[] = [];
  #toSkip: number;
  /** Samples whose granules are known: added when the next ones are. */
  #slotFrames: number;
  #slotPower = 0;
  #slotLoudPower = 0;
  #slotChange = 0;
  readonly #energyBefore: Float64Array;
  readonly #changeBefore: Float64Array;

  constructor(first: MpegFrame, { skipped, stated, start }: Extent, end: number) {
    this.#first = first;
    this.#meter = createMp3EnergyMeter(first);
    this.#limit = stated ?? Infinity;
    this.#start = start;
    this.#end = end;
    this.#toSkip = Math.max(0, skipped - filterDelay);
    this.#slotFrames = Math.max(0, filterDelay - skipped);
    this.#energyBefore = new Float64Array(first.channels);
    this.#changeBefore = new Float64Array(first.channels);
  }

  /** Adds the frames that begin at `from` and are whole in `bytes`, at `bytesAt` in the file. Returns the end of the last, or null if one cannot be read. */
  add(bytes: Uint8Array, bytesAt: number): number | null {
    let at = 0;
    while (bytesAt + at < this.#end) {
      const header = this.#headerAt(bytes, at);
      if (header === undefined) return bytesAt + at;
      if (!header || !isSameMpegStream(header, this.#first)) return null;
      if (at + header.bytes > bytes.length) return bytesAt + at;
      if (!this.#meter.read(bytes, at, header)) return null;
      this.#addFrame(bytesAt + at);
      at += header.bytes;
    }
    return bytesAt + at;
  }

  /** Adds what is left up to the end of the sound, in samples. */
  finish(total: number): void {
    this.#flush(total);
  }

  /** Few headers differ in a stream, so parsed ones are kept. Undefined at the end of `bytes`. */
  #headerAt(bytes: Uint8Array, at: number): MpegFrame | null | undefined {
    if (at + 4 > bytes.length) return undefined;
    const word =
      ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    let header = this.#headers.get(word);
    if (header === undefined) {
      header = parseMpegFrame(bytes, at);
      this.#headers.set(word, header);
    }
    return header;
  }

  #addFrame(position: number): void {
    const { channels } = this.#first;
    const { energy, change } = this.#meter;
    this.frames += 1;
    this.#lastFrames.push(position);
    if (this.#lastFrames.length > warmUpFrames) this.#lastFrames.shift();
    const section = Math.floor(((position - this.#start) * sections) / (this.#end - this.#start));
    for (let at = 0; at < energy.length; at += channels) {
      this.#flush(this.#limit);
      this.#slotFrames = Math.max(0, lines - this.#toSkip);
      this.#toSkip -= lines - this.#slotFrames;
      let [power, loudPower, changes] = [0, 0, 0];
      for (let channel = 0; channel < channels; channel++) {
        const own = energy[at + channel] ?? 0;
        const ownChange = change[at + channel] ?? 0;
        const both = ((this.#energyBefore[channel] ?? 0) + own) / (2 * lines);
        power += both / channels;
        loudPower = Math.max(loudPower, both);
        changes += ((this.#changeBefore[channel] ?? 0) + ownChange) / (2 * lines * channels);
        this.#energyBefore[channel] = own;
        this.#changeBefore[channel] = ownChange;
      }
      this.#slotPower = power;
      this.#slotLoudPower = loudPower;
      this.#slotChange = changes;
      if (loudPower > Math.max(silencePower, this.moments[section]?.power ?? 0))
        this.moments[section] = { power: loudPower, from: this.#lastFrames[0] ?? position, frameAt: position };
    }
  }

  #flush(limit: number): void {
    const peak = Math.sqrt(this.#slotLoudPower);
    let left = Math.min(this.#slotFrames, limit - this.drawn);
    while (left > 0) {
      const count = Math.min(left, this.bins.room);
      this.bins.add(count, peak, this.#slotPower * count, this.#slotChange * count);
      this.drawn += count;
      left -= count;
    }
  }
}

async function measure(source: ByteSource, signal: AbortSignal | undefined): Promise<Waveform | null> {
  const limited = limitedSource(source);
  if ((await detectSource(limited))?.format !== 'mp3') return null;
  const first = await findMpegFrame(limited);
  if (!first || (first.kind & 6) !== layer3) return null;
  const end = await findAudioEnd(limited);
  if (((end - first.position) * 8) / first.bitsPerSecond < minSeconds) return null;
  const extent = await readExtent(limited, first);
  if (!extent) return null;

  const walk = new FrameWalk(first, extent, end);
  for (let position = extent.start; position < end;) {
    signal?.throwIfAborted();
    const next = walk.add(await source.read(position, Math.min(pieceBytes, end - position)), position);
    if (next === null || next === position) return null;
    position = next;
  }
  const total = extent.stated ?? walk.frames * first.samples;
  walk.finish(total);
  if (total <= 0 || walk.drawn !== total || (extent.frames ?? walk.frames) !== walk.frames) return null;

  const moments = walk.moments.filter((moment) => moment !== undefined);
  async function* parts() {
    for (const { from, frameAt } of moments) {
      signal?.throwIfAborted();
      const part = await source.read(from, frameAt - from + momentFrames * maxFrameBytes);
      let length = frameAt - from;
      for (let frame = 0; frame < momentFrames - 1; frame++) length += parseMpegFrame(part, length)?.bytes ?? 0;
      yield part.slice(0, length);
    }
  }
  if (moments.length === 0) return walk.bins.finish(first.sampleRate);
  const peaks = await decodedPeaks(parts(), momentFrames * first.samples);
  if (peaks.includes(0)) return null;
  const peakFactor = median(peaks.map((peak, at) => peak / Math.sqrt(moments[at]?.power ?? 1)));
  return walk.bins.finish(first.sampleRate, { peakFactor, loudest: Math.max(...peaks) });
}

/**
 * Reads the waveform of a long MP3 in a fraction of the time that decoding takes. Duration, loudness
 * and brightness are those of the decoded sound. Peaks are estimated from the loudest granule of a
 * column, and scaled by those of a few moments that are decoded. Returns null if the file is short, or no plain chain of frames of layer III
 * that can be read without a decoder. Throws the file system's errors and the signal's reason.
 */
export async function readMp3Waveform(path: string, signal?: AbortSignal): Promise<Waveform | null> {
  try {
    return await withFileSource(path, (source) => measure(source, signal));
  } catch (error) {
    if (error instanceof TooCostlyError) return null;
    throw error;
  }
}
