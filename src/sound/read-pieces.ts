import { createReadStream } from 'node:fs';
import { walkAiff } from './check-aiff.ts';
import { walkAsf } from './check-asf.ts';
import { walkCaf } from './check-caf.ts';
import { frameAt, readStreamInfo, type StreamInfo } from './check-flac.ts';
import { viewOf, withFileSource } from './container-check.ts';
import { tagsEnd } from './mpeg-frame.ts';
import { maxMoovBytes, soundTrackOf, walkTop } from './mp4-index.ts';
import { parseWavFormat, walkRiff } from './walk-riff.ts';

const pieceBytes = 256 * 1024;
/** Samples over all channels that one piece may decode to: 16 MB. */
const maxPieceSamples = 4 * 1024 * 1024;
/** A frame header has at most 16 bytes. */
const maxFlacHeaderBytes = 16;
/** Larger frames are invalid. */
const maxFlacFrameBytes = 16 * 1024 * 1024;

interface Part {
  readonly start?: number;
  /** Last byte, inclusive, as in `createReadStream`. */
  readonly end?: number;
  readonly pieceBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Converts to a plain Uint8Array: decoders slice what they keep, and a slice of a Buffer is not a copy. */
const plainBytes = ({ buffer, byteOffset, byteLength }: Buffer): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Reads a file, or a range of it, in pieces. */
export async function* readPieces(path: string, { signal, ...part }: Part = {}): AsyncGenerator<Uint8Array> {
  const { pieceBytes: highWaterMark = pieceBytes, ...range } = part;
  const stream = createReadStream(path, { highWaterMark, ...range, ...(signal && { signal }) });
  for await (const piece of stream) yield plainBytes(piece as Buffer);
}

const textBytes = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));

/** Reads a range in pieces of whole frames, however large the file is. */
async function* readFrames(path: string, start: number, end: number, frameBytes: number, signal?: AbortSignal) {
  if (end <= start) return;
  const size = Math.max(1, Math.floor(pieceBytes / frameBytes)) * frameBytes;
  yield* readPieces(path, { start, end: end - 1, pieceBytes: size, signal });
}

/**
 * Builds `RIFF`, `WAVE`, `fmt ` and the header of `data` with open sizes, so that the audio ends
 * with the last piece.
 */
function wavHead(format: Uint8Array): Uint8Array {
  const head = new Uint8Array(28 + format.length);
  const writeText = (text: string, at: number) => head.set(textBytes(text), at);
  writeText('RIFF', 0);
  writeText('WAVEfmt ', 8);
  viewOf(head).setUint32(16, format.length, true);
  head.set(format, 20);
  writeText('data', 20 + format.length);
  return head;
}

/**
 * Reads a WAV for its decoder: a minimal header, then whole frames up to the end of the audio. Given
 * the original file, the decoder misses audio after a chunk of odd length and buffers all of it
 * while it searches. Throws if there is no audio.
 */
export async function* readWavPieces(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const { walk, size } = await withFileSource(path, async (source) => ({
    walk: await walkRiff(source),
    size: source.size,
  }));
  const wavFormat = walk && parseWavFormat(walk.format);
  if (!walk?.data || !wavFormat) throw new Error('there is no fmt chunk with sound behind it');
  const { bytesPerSecond, frameBytes } = wavFormat;
  const format = Uint8Array.from(walk.format);
  viewOf(format).setUint32(8, bytesPerSecond, true);
  viewOf(format).setUint16(12, frameBytes, true);
  const { start, size: statedSize } = walk.data;
  const end = statedSize === 0 ? size : Math.min(size, start + statedSize);
  yield wavHead(format);
  yield* readFrames(path, start, end, frameBytes, signal);
}

/**
 * Reads an AIFF for its decoder: a minimal header, then whole frames up to the end of the audio.
 * Given the original file, the decoder takes chunks after the audio for audio. Throws if there is no
 * audio that it reads in pieces.
 */
export async function* readAiffPieces(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const { walk, size } = await withFileSource(path, async (source) => ({
    walk: await walkAiff(source),
    size: source.size,
  }));
  const layout = walk?.layout;
  if (!layout || layout.frameBytes === null) throw new Error('there is no COMM chunk with sound that can be read');
  const { common, isAifc, frames, frameBytes, data } = layout;
  const head = new Uint8Array(36 + common.length + (common.length & 1));
  const view = viewOf(head);
  head.set(textBytes('FORM'));
  view.setUint32(4, 0xff_ff_ff_ff);
  head.set(textBytes(isAifc ? 'AIFCCOMM' : 'AIFFCOMM'), 8);
  view.setUint32(16, common.length);
  head.set(common, 20);
  // The decoder applies the number of frames to each piece.
  view.setUint32(22, 0);
  head.set(textBytes('SSND'), head.length - 16);
  view.setUint32(head.length - 12, 0xff_ff_ff_ff);
  yield head;
  const bytes = frames === 0 || data.size === 0 ? size - data.start : Math.min(data.size, frames * frameBytes);
  yield* readFrames(path, data.start, Math.min(size, data.start + bytes), frameBytes, signal);
}

/** Reads a CAF for its decoder: a minimal header, then whole packets up to the end of the audio. */
export async function* readCafPieces(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const { walk, size } = await withFileSource(path, async (source) => ({
    walk: await walkCaf(source),
    size: source.size,
  }));
  const layout = walk?.layout;
  if (!layout?.isDecoded) throw new Error('there is no desc chunk with sound that can be read');
  const { description, bytesPerPacket, data } = layout;
  const head = new Uint8Array(36 + description.length);
  head.set(textBytes('caff\0\u0001\0\0desc'));
  viewOf(head).setBigInt64(12, BigInt(description.length));
  head.set(description, 20);
  head.set(textBytes('data'), 20 + description.length);
  // Up to the last piece; four bytes for the number of edits follow.
  viewOf(head).setBigInt64(24 + description.length, -1n);
  yield head;
  const end = data.size === null ? size : Math.min(size, data.start + data.size);
  yield* readFrames(path, data.start, end, bytesPerPacket, signal);
}

/**
 * Reads an ASF file for its decoder: its whole header, then whole packets. A header that is split, as
 * one with a cover picture would be, makes the decoder look for packets in the wrong place.
 */
export async function* readAsfPieces(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const { walk, head, size } = await withFileSource(path, async (source) => {
    const walk = await walkAsf(source);
    return { walk, head: await source.read(0, walk?.headerBytes ?? 0), size: source.size };
  });
  if (!walk || walk.packetBytes === 0) throw new Error('there is no header with packets behind it');
  const { headerBytes, packetBytes, end } = walk;
  yield head;
  yield* readFrames(path, headerBytes, Math.min(size, end ?? size), packetBytes, signal);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/**
 * Returns where to split FLAC: before frames, so that each piece has a bounded number of samples.
 * The rest begins at the last offset.
 */
function flacBorders(bytes: Uint8Array, from: number, info: StreamInfo): readonly number[] {
  const borders: number[] = [];
  let samples = 0;
  let last = 0;
  for (
    let at = bytes.indexOf(0xff, from);
    at >= 0 && at + maxFlacHeaderBytes <= bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const frame = frameAt(bytes, at, info);
    if (!frame) continue;
    if (samples > maxPieceSamples && at > last) {
      borders.push(at);
      samples = 0;
    }
    samples += (frame.to - frame.from) * info.channels;
    last = at;
  }
  if (last > 0 && last !== borders.at(-1)) borders.push(last);
  return borders;
}

/**
 * Reads a FLAC file in pieces that end between frames. Split elsewhere, the decoder loses the frame
 * whose header was split; and a frame of twelve bytes can be 1.5 s of silence.
 */
export async function* readFlacPieces(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const read = await withFileSource(path, async (source) => {
    const start = await tagsEnd(source);
    const found = await readStreamInfo(source, start);
    return typeof found === 'string' ? null : { ...found, start };
  });
  if (!read) throw new Error('there is no STREAMINFO with sound behind it');
  const { info, start, audioStart } = read;
  yield* readPieces(path, { start, end: audioStart - 1, signal });
  let remainder: Uint8Array = new Uint8Array(0);
  for await (const piece of readPieces(path, { start: audioStart, signal })) {
    const bytes = joined(remainder, piece);
    if (bytes.length > maxFlacFrameBytes) throw new Error('a frame that does not end');
    let from = 0;
    for (const border of flacBorders(bytes, Math.max(0, remainder.length - maxFlacHeaderBytes), info)) {
      yield bytes.slice(from, border);
      from = border;
    }
    remainder = bytes.subarray(from);
  }
  if (remainder.length > 0) yield remainder;
}

/** Adds `delta` to the chunk offsets of a copied index, whose boxes have been checked. */
function shiftChunkOffsets(bytes: Uint8Array, start: number, end: number, delta: number): void {
  const view = viewOf(bytes);
  for (let at = start; at + 8 <= end;) {
    const short = view.getUint32(at);
    const isLong = short === 1 && at + 16 <= end;
    const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - at : short;
    const content = at + (isLong ? 16 : 8);
    if (size < content - at || at + size > end) return;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (['moov', 'trak', 'mdia', 'minf', 'stbl'].includes(type)) shiftChunkOffsets(bytes, content, at + size, delta);
    if (type === 'stco' || type === 'co64') {
      const width = type === 'stco' ? 4 : 8;
      const count = Math.min(view.getUint32(content + 4), Math.floor((at + size - content - 8) / width));
      for (let k = 0; k < count; k++) {
        const offsetAt = content + 8 + k * width;
        if (width === 4) view.setUint32(offsetAt, view.getUint32(offsetAt) + delta);
        else view.setBigUint64(offsetAt, view.getBigUint64(offsetAt) + BigInt(delta));
      }
    }
    at += size;
  }
}

/**
 * Reads an MP4 with its index first; if the index came last, the decoder would buffer all media
 * until then. Puts a copy of the index before the whole file and shifts its chunk offsets by its
 * length.
 */
export async function* readMp4Pieces(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const index = await withFileSource(path, async (source) => {
    const { moov, isFragmented, mediaStart } = await walkTop(source);
    if (!moov || mediaStart === null || moov.end - moov.start > maxMoovBytes)
      throw new Error('there is no index that can be read');
    const content = await source.read(moov.start, moov.end - moov.start);
    if (!soundTrackOf(content, source.size)) throw new Error('there is no sound track');
    // Fragments state their own offsets.
    if (isFragmented && moov.end <= mediaStart) return { bytes: await source.read(0, moov.end), next: moov.end };
    const bytes = joined(new Uint8Array(8), content);
    viewOf(bytes).setUint32(0, bytes.length);
    bytes.set([0x6d, 0x6f, 0x6f, 0x76], 4);
    shiftChunkOffsets(bytes, 0, bytes.length, bytes.length);
    return { bytes, next: 0 };
  });
  yield index.bytes;
  // The decoder skips the original index without buffering it.
  yield* readPieces(path, { start: index.next, pieceBytes: 16 * 1024, signal });
}
