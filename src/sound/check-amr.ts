import type { ByteSource, ContainerCheck } from './container-check.ts';

const narrowBand = '#!AMR\n';
const wideBand = '#!AMR-WB\n';
/** Bytes of a frame by its type, with its header (RFC 4867, section 5.3, and 3GPP TS 26.101 and 26.201). */
const narrowBytes = [13, 14, 16, 18, 20, 21, 27, 32, 6, 6, 6, 6, 1, 1, 1, 1];
const wideBytes = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 1, 1, 1, 1, 1, 1];
const framesPerSecond = 50;
const pieceBytes = 512 * 1024;
/** Frames are counted up to here, which is more than an hour; the rest is assumed to have the same rate. */
const maxCountedBytes = 16 * 1024 * 1024;

/**
 * Counts the frames of an AMR file, which is all that tells its length. It has no end mark, so a
 * partial last frame makes it open.
 */
export async function checkAmr(source: ByteSource): Promise<ContainerCheck> {
  const head = String.fromCharCode(...(await source.read(0, wideBand.length)));
  const isWide = head === wideBand;
  if (!isWide && !head.startsWith(narrowBand)) return { kind: 'foreign' };
  const start = isWide ? wideBand.length : narrowBand.length;
  const sizes = isWide ? wideBytes : narrowBytes;
  const end = Math.min(source.size, maxCountedBytes);
  let position = start;
  let frames = 0;
  while (position < end) {
    const pieceAt = position;
    const piece = await source.read(pieceAt, pieceBytes);
    if (piece.length === 0) break;
    for (let at = 0; at < piece.length; at = position - pieceAt) {
      position += sizes[((piece[at] ?? 0) >> 3) & 15] ?? 1;
      if (position > source.size) break;
      frames += 1;
    }
  }
  if (frames === 0) return position > start ? { kind: 'cut', facts: { actualBytes: source.size } } : { kind: 'empty' };
  const counted = Math.min(position, source.size) - start;
  const seconds = ((frames / framesPerSecond) * (source.size - start)) / counted;
  return {
    kind: 'complete',
    durationSeconds: source.size <= end ? frames / framesPerSecond : seconds,
    ...(position > source.size && { open: 'length' as const }),
  };
}
