import { type ByteSource, type ContainerCheck } from './container-check.ts';
import { parseWavFormat, walkRiff } from './walk-riff.ts';

/** Sizes that programs write when they stream WAV: 0, all ones, or just below 2 GiB (arecord, SoX). */
const isPlaceholder = (size: number) =>
  size === 0 || size === 0xff_ff_ff_ff || (size >= 0x7f_ff_00_00 && size <= 0x80_00_00_00);

/** Some writers include the eight bytes of the RIFF header, or omit the last pad byte. */
const toleratedBytes = 9;

/**
 * Checks that the chunks of a WAV lie inside the file and that `data` has its stated size. A
 * placeholder as `data` size is `open` if audio follows, because such files play everywhere.
 */
export async function checkRiff(source: ByteSource): Promise<ContainerCheck> {
  const walk = await walkRiff(source);
  if (!walk) return { kind: 'foreign' };
  const { riffBytes, format, data } = walk;
  if (data) {
    const wavFormat = parseWavFormat(format);
    return wavFormat
      ? checkData({ source, riffBytes, bytesPerSecond: wavFormat.bytesPerSecond, ...data })
      : { kind: 'foreign' };
  }
  // No audio yet: the writer has not reached it, or the rest is missing.
  const promised = riffBytes + 8;
  return isPlaceholder(riffBytes) || promised <= source.size
    ? { kind: 'cut', facts: { actualBytes: source.size } }
    : { kind: 'cut', facts: { promisedBytes: promised, actualBytes: source.size } };
}

interface DataChunk {
  readonly source: ByteSource;
  readonly riffBytes: number;
  readonly bytesPerSecond: number;
  readonly start: number;
  readonly size: number;
}

function checkData({ source, riffBytes, bytesPerSecond, start, size }: DataChunk): ContainerCheck {
  const seconds = (bytes: number) => (bytesPerSecond > 0 ? { durationSeconds: bytes / bytesPerSecond } : {});
  const present = source.size - start;
  if (size === 0 || (isPlaceholder(size) && present < size)) {
    // A size of 0 is real if the RIFF size matches the file.
    const closed = size === 0 && !isPlaceholder(riffBytes) && Math.abs(riffBytes + 8 - source.size) <= toleratedBytes;
    if (present <= 0) return closed ? { kind: 'empty' } : { kind: 'cut', facts: { actualBytes: source.size } };
    return closed ? { kind: 'empty' } : { kind: 'complete', open: 'length', ...seconds(present) };
  }
  const dataEnd = start + size;
  const riffEnd = isPlaceholder(riffBytes) ? dataEnd : riffBytes + 8;
  if (dataEnd > source.size) {
    const times =
      bytesPerSecond > 0 ? { promisedSeconds: size / bytesPerSecond, actualSeconds: present / bytesPerSecond } : {};
    return { kind: 'cut', facts: { promisedBytes: Math.max(dataEnd, riffEnd), actualBytes: source.size, ...times } };
  }
  if (riffEnd - source.size > toleratedBytes) {
    // The audio is complete; a chunk after it is cut off.
    const times = bytesPerSecond > 0 ? { promisedSeconds: size / bytesPerSecond } : {};
    return { kind: 'cut', facts: { promisedBytes: riffEnd, actualBytes: source.size, ...times } };
  }
  return { kind: 'complete', ...seconds(size) };
}
