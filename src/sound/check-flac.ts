import { tagAt, viewOf, type ByteSource, type ContainerCheck } from './container-check.ts';
import { tagsEnd } from './mpeg-frame.ts';

const maxMetadataBlocks = 1000;
/**
 * Encoders stay below 16 kB per frame; stereo with 24 bits allows 393 kB. The file's own limit is
 * arbitrary.
 */
const minTailBytes = 128 * 1024;
const maxTailBytes = 1024 * 1024;
/** The real last frame is among the first candidates from the end: about one in 2^23 bytes is a false one. */
const maxHeaders = 20_000;
const maxChecksumBytes = 4 * 1024 * 1024;
const id3v1Bytes = 128;

const crcTable = (bits: 8 | 16, polynomial: number): readonly number[] =>
  Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) crc = crc & (1 << (bits - 1)) ? (crc << 1) ^ polynomial : crc << 1;
    return crc & (2 ** bits - 1);
  });
const table8 = crcTable(8, 0x07);
const table16 = crcTable(16, 0x8005);

function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = table8[crc ^ byte] ?? 0;
  return crc;
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) & 0xff_ff) ^ (table16[(crc >> 8) ^ byte] ?? 0);
  return crc;
}

/** Reads the UTF-8 style number at `at`, up to 36 bits, and its length. Returns null if it is invalid. */
function readCodedNumber(bytes: Uint8Array, at: number): { readonly value: number; readonly length: number } | null {
  const first = bytes[at];
  if (first === undefined) return null;
  const ones = Math.clz32(~(first << 24));
  if (ones === 0) return { value: first, length: 1 };
  if (ones === 1 || ones > 7) return null;
  let value = ones === 7 ? 0 : first & (0x7f >> ones);
  for (let k = 1; k < ones; k++) {
    const next = bytes[at + k];
    if (next === undefined || (next & 0xc0) !== 0x80) return null;
    value = value * 64 + (next & 0x3f);
  }
  return { value, length: ones };
}

export interface StreamInfo {
  readonly sampleRate: number;
  readonly channels: number;
  /** Per channel; 0 if the encoder did not know. */
  readonly totalSamples: number;
  readonly blockSamples: number;
  readonly maxFrameBytes: number;
}

/**
 * Range of samples (`to` exclusive) of the frame whose header is at `at`; null if its checksum does
 * not match.
 */
export function frameAt(
  bytes: Uint8Array,
  at: number,
  info: StreamInfo,
): { readonly from: number; readonly to: number } | null {
  const second = bytes[at + 1] ?? 0;
  const third = bytes[at + 2] ?? 0;
  if (bytes[at] !== 0xff || (second & 0xfe) !== 0xf8) return null;
  const sizeCode = third >> 4;
  const rateCode = third & 15;
  const number = readCodedNumber(bytes, at + 4);
  if (!number || sizeCode === 0 || rateCode === 15) return null;
  let end = at + 4 + number.length;
  let samples: number;
  if (sizeCode === 1) samples = 192;
  else if (sizeCode <= 5) samples = 576 << (sizeCode - 2);
  else if (sizeCode === 6) samples = (bytes[end++] ?? 0) + 1;
  else if (sizeCode === 7) {
    samples = (((bytes[end] ?? 0) << 8) | (bytes[end + 1] ?? 0)) + 1;
    end += 2;
  } else samples = 256 << (sizeCode - 8);
  end += rateCode === 12 ? 1 : rateCode >= 13 ? 2 : 0;
  const checksum = bytes[end];
  if (checksum === undefined || crc8(bytes.subarray(at, end)) !== checksum) return null;
  // The last bit of the sync code says whether the number counts frames or samples.
  const from = second & 1 ? number.value : number.value * info.blockSamples;
  return { from, to: from + samples };
}

export async function readStreamInfo(
  source: ByteSource,
  start: number,
): Promise<{ readonly info: StreamInfo; readonly audioStart: number } | 'foreign' | 'cut'> {
  let position = start;
  if (tagAt(await source.read(position, 4), 0) !== 'fLaC') return 'foreign';
  position += 4;
  let info: StreamInfo | null = null;
  for (let count = 0; count < maxMetadataBlocks; count++) {
    const header = await source.read(position, 4);
    if (header.length < 4) return 'cut';
    const kind = header[0] ?? 0;
    const length = viewOf(header).getUint32(0) & 0xff_ff_ff;
    if ((kind & 0x7f) === 0) {
      const block = await source.read(position + 4, 18);
      if (block.length < 18) return 'cut';
      const view = viewOf(block);
      info = {
        blockSamples: view.getUint16(2),
        maxFrameBytes: view.getUint32(6) & 0xff_ff_ff,
        sampleRate: view.getUint32(10) >>> 12,
        channels: ((view.getUint8(12) >> 1) & 7) + 1,
        totalSamples: (view.getUint8(13) & 15) * 2 ** 32 + view.getUint32(14),
      };
    }
    position += 4 + length;
    if (kind & 0x80) return info && info.sampleRate > 0 ? { info, audioStart: position } : 'foreign';
  }
  return 'foreign';
}

/**
 * Checks a FLAC file (RFC 9639) without decoding. STREAMINFO states the number of samples; the last
 * frame, found by its header's CRC-8, must end with the last sample at the end of the file (CRC-16).
 * Without a number of samples the file is open.
 */
export async function checkFlac(source: ByteSource): Promise<ContainerCheck> {
  const read = await readStreamInfo(source, await tagsEnd(source));
  if (read === 'foreign') return { kind: 'foreign' };
  if (read === 'cut' || read.audioStart > source.size) return { kind: 'cut', facts: { actualBytes: source.size } };
  const { info, audioStart } = read;
  const { sampleRate, totalSamples } = info;
  const promised = totalSamples > 0 ? { promisedSeconds: totalSamples / sampleRate } : {};
  if (audioStart === source.size) {
    return totalSamples > 0
      ? { kind: 'cut', facts: { ...promised, actualSeconds: 0, actualBytes: source.size } }
      : { kind: 'empty' };
  }

  const hasId3v1 = tagAt(await source.read(source.size - id3v1Bytes, 4), 0).startsWith('TAG');
  const end = hasId3v1 ? source.size - id3v1Bytes : source.size;
  const tailBytes = Math.min(maxTailBytes, Math.max(minTailBytes, 2 * info.maxFrameBytes));
  const start = Math.max(audioStart, end - tailBytes);
  const tail = await source.read(start, end - start);
  let actualSeconds: number | null = null;
  let headers = 0;
  let checksumBytes = 0;
  for (let at = tail.length - 8; at >= 0; at--) {
    if (tail[at] !== 0xff || ((tail[at + 1] ?? 0) & 0xfe) !== 0xf8) continue;
    if (++headers > maxHeaders) break;
    const frame = frameAt(tail, at, info);
    if (!frame || (totalSamples > 0 && frame.to > totalSamples)) continue;
    checksumBytes += tail.length - at;
    if (checksumBytes > maxChecksumBytes) break;
    const isWhole = crc16(tail.subarray(at, -2)) === viewOf(tail).getUint16(tail.length - 2);
    if (isWhole && totalSamples === 0) {
      return { kind: 'complete', durationSeconds: frame.to / sampleRate, open: 'length' };
    }
    if (isWhole && frame.to === totalSamples) return { kind: 'complete', durationSeconds: totalSamples / sampleRate };
    actualSeconds ??= (isWhole ? frame.to : frame.from) / sampleRate;
  }
  return {
    kind: 'cut',
    facts: { ...promised, ...(actualSeconds !== null && { actualSeconds }), actualBytes: source.size },
  };
}
