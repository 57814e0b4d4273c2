import type { ByteSource, ContainerCheck } from './container-check.ts';
import { tagsEnd } from './mpeg-frame.ts';

const ratesHz = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
const headerBytes = 7;
const pieceBytes = 256 * 1024;
/** Frames are counted up to here; the rest is assumed to have the same rate. */
const maxCountedBytes = 4 * 1024 * 1024;
/** Bytes between frames to skip; beyond that the duration is unknown. */
const maxAlienBytes = 1024 * 1024;
/** Samples per block. A frame has up to four blocks. */
const blockSamples = 1024;

/**
 * Checks that an AAC stream (ADTS, ISO/IEC 13818-7) is a chain of frames. ADTS has no length header,
 * so a partial last frame makes it open.
 */
export async function checkAdts(source: ByteSource): Promise<ContainerCheck> {
  const start = await tagsEnd(source);
  const countEnd = Math.min(source.size, start + maxCountedBytes);
  let bytes: Uint8Array = new Uint8Array(0);
  let bytesAt = start;
  let position = start;
  let samples = 0;
  let rate = 0;
  let isPartial = false;
  let alienBytes = 0;
  while (position + headerBytes <= countEnd) {
    if (position + headerBytes > bytesAt + bytes.length) {
      bytes = await source.read(position, pieceBytes);
      bytesAt = position;
      if (bytes.length < headerBytes) break;
    }
    const at = position - bytesAt;
    const byte = (index: number) => bytes[at + index] ?? 0;
    const length = ((byte(3) & 3) << 11) | (byte(4) << 3) | (byte(5) >> 5);
    if (byte(0) !== 0xff || (byte(1) & 0xf6) !== 0xf0 || length < headerBytes) {
      if (samples === 0) return { kind: 'foreign' };
      const next = bytes.indexOf(0xff, at + 1);
      const to = bytesAt + (next < 0 ? bytes.length : next);
      alienBytes += to - position;
      position = to;
      if (alienBytes > maxAlienBytes) return { kind: 'complete' };
      continue;
    }
    rate ||= ratesHz[(byte(2) >> 2) & 15] ?? 0;
    isPartial = position + length > source.size;
    if (!isPartial) samples += ((byte(6) & 3) + 1) * blockSamples;
    position += length;
  }
  if (samples === 0 || rate === 0) return { kind: 'foreign' };
  const seconds = ((samples / rate) * (source.size - start)) / (Math.min(position, source.size) - start);
  return { kind: 'complete', durationSeconds: seconds, ...(isPartial && { open: 'length' as const }) };
}
