import { createReadStream } from 'node:fs';
import { frameAt, readStreamInfo, type StreamInfo } from './check-flac.ts';
import { viewOf, withFileSource } from './container-check.ts';
import { tagsEnd } from './mpeg-frame.ts';
import { longestMoov, soundTrackOf, walkTop } from './mp4-index.ts';
import { parseWavFormat, walkRiff } from './walk-riff.ts';

const pieceBytes = 256 * 1024;
/** Samples of all channels that one piece may become: 16 MB. */
const mostPieceSamples = 4 * 1024 * 1024;
/** Its header has 16 bytes at most. */
const flacHeaderBytes = 16;
/** A frame that does not end is none. */
const longestFlacFrame = 16 * 1024 * 1024;

interface Part {
  readonly start?: number;
  /** The last byte, as of `createReadStream`. */
  readonly end?: number;
  readonly pieceBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Plain arrays of bytes: a decoder slices what it cannot use as it lies, and a slice of a Buffer is no copy. */
const plainBytes = ({ buffer, byteOffset, byteLength }: Buffer): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A file, or a part of it, piece by piece. */
export async function* readPieces(path: string, { signal, ...part }: Part = {}): AsyncGenerator<Uint8Array> {
  const { pieceBytes: highWaterMark = pieceBytes, ...range } = part;
  const stream = createReadStream(path, { highWaterMark, ...range, ...(signal && { signal }) });
  for await (const piece of stream) yield plainBytes(piece as Buffer);
}

/** `RIFF`, `WAVE`, `fmt ` and the head of `data`, all sizes open: the sound ends where the pieces end. */
function wavHead(format: Uint8Array): Uint8Array {
  const head = new Uint8Array(28 + format.length);
  const put = (text: string, at: number) =>
    head.set(
      Uint8Array.from(text, (c) => c.charCodeAt(0)),
      at,
    );
  put('RIFF', 0);
  put('WAVEfmt ', 8);
  viewOf(head).setUint32(16, format.length, true);
  head.set(format, 20);
  put('data', 20 + format.length);
  return head;
}

/**
 * A WAV as its decoder takes it: a head of what it needs, then whole frames up to the end of the sound. Given the file as it is, the
 * decoder misses the sound behind a chunk of odd length, and holds all of it while it looks. Throws where there is no sound.
 */
export async function* readWavPieces(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const { walk, size } = await withFileSource(path, async (source) => ({
    walk: await walkRiff(source),
    size: source.size,
  }));
  const known = walk && parseWavFormat(walk.format);
  if (!walk?.data || !known) throw new Error('there is no fmt chunk with sound behind it');
  const { bytesPerSecond, frameBytes } = known;
  const format = Uint8Array.from(walk.format);
  viewOf(format).setUint32(8, bytesPerSecond, true);
  viewOf(format).setUint16(12, frameBytes, true);
  const { start, size: promised } = walk.data;
  const end = promised === 0 ? size : Math.min(size, start + promised);
  yield wavHead(format);
  if (end <= start) return;
  yield* readPieces(path, {
    start,
    end: end - 1,
    pieceBytes: Math.max(1, Math.floor(pieceBytes / frameBytes)) * frameBytes,
    signal,
  });
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Where to divide FLAC: in front of frames, each piece with a bounded number of samples; the last place is where the rest begins. */
function flacBorders(bytes: Uint8Array, from: number, info: StreamInfo): readonly number[] {
  const borders: number[] = [];
  let samples = 0;
  let last = 0;
  for (
    let at = bytes.indexOf(0xff, from);
    at >= 0 && at + flacHeaderBytes <= bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const frame = frameAt(bytes, at, info);
    if (!frame) continue;
    if (samples > mostPieceSamples && at > last) {
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
 * A FLAC file in pieces that end between two frames. Divided anywhere else its decoder loses the frame whose header was divided; and a
 * frame of twelve bytes can be a second and a half of silence.
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
  let held: Uint8Array = new Uint8Array(0);
  for await (const piece of readPieces(path, { start: audioStart, signal })) {
    const bytes = joined(held, piece);
    if (bytes.length > longestFlacFrame) throw new Error('a frame that does not end');
    let from = 0;
    for (const border of flacBorders(bytes, Math.max(0, held.length - flacHeaderBytes), info)) {
      yield bytes.slice(from, border);
      from = border;
    }
    held = bytes.subarray(from);
  }
  if (held.length > 0) yield held;
}

/** Adds `delta` to the chunk offsets of a copied index, whose boxes were checked. */
function moveChunks(bytes: Uint8Array, start: number, end: number, delta: number): void {
  const view = viewOf(bytes);
  for (let at = start; at + 8 <= end;) {
    const short = view.getUint32(at);
    const isLong = short === 1 && at + 16 <= end;
    const size = isLong ? Number(view.getBigUint64(at + 8)) : short === 0 ? end - at : short;
    const content = at + (isLong ? 16 : 8);
    if (size < content - at || at + size > end) return;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (['moov', 'trak', 'mdia', 'minf', 'stbl'].includes(type)) moveChunks(bytes, content, at + size, delta);
    if (type === 'stco' || type === 'co64') {
      const width = type === 'stco' ? 4 : 8;
      const count = Math.min(view.getUint32(content + 4), Math.floor((at + size - content - 8) / width));
      for (let k = 0; k < count; k++) {
        const place = content + 8 + k * width;
        if (width === 4) view.setUint32(place, view.getUint32(place) + delta);
        else view.setBigUint64(place, view.getBigUint64(place) + BigInt(delta));
      }
    }
    at += size;
  }
}

/**
 * An MP4 with its index first, wherever it stands in the file: behind the media the decoder would hold all of them until it comes. The
 * index is put before the whole file, and the places that it names are moved by its length.
 */
export async function* readMp4Pieces(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const index = await withFileSource(path, async (source) => {
    const { moov, isFragmented, mediaStart } = await walkTop(source);
    if (!moov || mediaStart === null || moov.end - moov.start > longestMoov)
      throw new Error('there is no index that can be read');
    const content = await source.read(moov.start, moov.end - moov.start);
    if (!soundTrackOf(content, source.size)) throw new Error('there is no sound track');
    // The fragments of a file tell where they are by themselves.
    if (isFragmented && moov.end <= mediaStart) return { bytes: await source.read(0, moov.end), next: moov.end };
    const bytes = joined(new Uint8Array(8), content);
    viewOf(bytes).setUint32(0, bytes.length);
    bytes.set([0x6d, 0x6f, 0x6f, 0x76], 4);
    moveChunks(bytes, 0, bytes.length, bytes.length);
    return { bytes, next: 0 };
  });
  yield index.bytes;
  // The decoder passes over what is not sound without holding it.
  yield* readPieces(path, { start: index.next, pieceBytes: 16 * 1024, signal });
}
