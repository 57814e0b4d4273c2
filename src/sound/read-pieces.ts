import { createReadStream } from 'node:fs';
import { viewOf, withFileSource } from './container-check.ts';
import { walkRiff } from './walk-riff.ts';

const pieceBytes = 256 * 1024;
/** The fields that every `fmt ` chunk has. */
const leastFormat = 16;

interface Part {
  readonly start?: number;
  /** The last byte, as of `createReadStream`. */
  readonly end?: number;
  readonly pieceBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Plain arrays of bytes: a decoder slices what it cannot use as it lies, and a slice of a Buffer is no copy. */
export const plainBytes = ({ buffer, byteOffset, byteLength }: Buffer): Uint8Array =>
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
  if (!walk?.data || walk.format.length < leastFormat) throw new Error('there is no fmt chunk with sound behind it');
  const frameBytes = viewOf(walk.format).getUint16(12, true);
  if (frameBytes === 0) throw new Error('its frames have no bytes');
  const { start, size: promised } = walk.data;
  const end = promised === 0 ? size : Math.min(size, start + promised);
  yield wavHead(walk.format);
  if (end <= start) return;
  yield* readPieces(path, {
    start,
    end: end - 1,
    pieceBytes: Math.floor(pieceBytes / frameBytes) * frameBytes,
    signal,
  });
}
