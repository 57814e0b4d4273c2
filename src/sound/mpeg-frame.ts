/**
 * An MPEG audio frame header: position and size in bytes, sample rate in Hz, duration in samples per
 * channel.
 */
export interface MpegFrame {
  readonly position: number;
  readonly bytes: number;
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  readonly samples: number;
  readonly bitsPerSecond: number;
  /** Version and layer, which all frames of a stream share. */
  readonly kind: number;
}

const kilobits: Readonly<Record<string, readonly number[]>> = {
  '1/1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1/2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1/3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2/1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2/2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  '2/3': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const ratesHz = [44_100, 48_000, 32_000] as const;
/** Upper bound. The largest frame has 2,881 bytes (layer II, 160 kbit/s at 8 kHz). */
const maxFrameBytes = 8192;

/**
 * Parses the four header bytes of an MPEG audio frame (ISO/IEC 11172-3 2.4.2.3 and 13818-3). Returns
 * null if they are invalid, or if the bit rate is free: such frames cannot be chained without
 * decoding.
 */
export function parseMpegFrame(bytes: Uint8Array, at: number, position = at): MpegFrame | null {
  const b1 = bytes[at + 1] ?? 0;
  const b2 = bytes[at + 2] ?? 0;
  const b3 = bytes[at + 3] ?? 0;
  if (at + 4 > bytes.length || bytes[at] !== 0xff || (b1 & 0xe0) !== 0xe0) return null;
  const version = (b1 >> 3) & 3;
  const layer = 4 - ((b1 >> 1) & 3);
  const rate = ratesHz[(b2 >> 2) & 3];
  if (version === 1 || layer === 4 || rate === undefined) return null;
  const isLowRate = version !== 3;
  const kbps = kilobits[`${isLowRate ? 2 : 1}/${layer}`]?.[b2 >> 4];
  if (!kbps) return null;
  const sampleRate = version === 0 ? rate / 4 : isLowRate ? rate / 2 : rate;
  const padding = (b2 >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && isLowRate ? 576 : 1152;
  const size =
    layer === 1
      ? (Math.floor((12_000 * kbps) / sampleRate) + padding) * 4
      : Math.floor(((samples / 8) * 1000 * kbps) / sampleRate) + padding;
  return {
    position,
    bytes: size,
    sampleRate,
    channels: b3 >> 6 === 3 ? 1 : 2,
    samples,
    bitsPerSecond: kbps * 1000,
    kind: b1 & 0x1e,
  };
}

/** True if two headers can belong to one stream. */
export const isSameMpegStream = (a: MpegFrame, b: MpegFrame): boolean =>
  a.kind === b.kind && a.sampleRate === b.sampleRate;

/**
 * Size of the ID3v2 tag at the start of `head`, with header and footer; 0 if there is none (id3.org,
 * ID3v2.4 section 3.1).
 */
function id3Length(head: Uint8Array): number {
  const [i = 0, d = 0, three = 0, , , flags = 0, a = 0, b = 0, c = 0, e = 0] = head;
  if (head.length < 10 || i !== 0x49 || d !== 0x44 || three !== 0x33) return 0;
  const size = ((a & 0x7f) << 21) | ((b & 0x7f) << 14) | ((c & 0x7f) << 7) | (e & 0x7f);
  return 10 + size + (flags & 0x10 ? 10 : 0);
}

/** Bytes before a stream that decoders skip, and the same for tags. */
const searchBytes = 64 * 1024;
const maxTags = 64;

interface Readable {
  read(position: number, length: number): Promise<Uint8Array>;
}

/** Returns the end of the consecutive ID3v2 tags at `start`. */
export async function tagsEnd(source: Readable, start = 0): Promise<number> {
  let position = start;
  for (let count = 0; count < maxTags; count++) {
    const length = id3Length(await source.read(position, 10));
    if (length === 0) return position;
    position += length;
  }
  return position;
}

/**
 * True if an ID3v2 tag begins here. Rejects the mere letters: its version and size bytes exclude
 * some values.
 */
const isTag = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x49 &&
  bytes[at + 1] === 0x44 &&
  bytes[at + 2] === 0x33 &&
  (bytes[at + 3] ?? 255) < 16 &&
  [6, 7, 8, 9].every((k) => (bytes[at + k] ?? 255) < 128);

/**
 * Finds the first frame of a stream: after any ID3v2 tags, within 64 KiB of other bytes, and only if
 * the next frame follows directly, because the 11 sync bits alone occur anywhere (UTF-16 text starts
 * with them). Returns null if there is none.
 */
export async function findMpegFrame(source: Readable): Promise<MpegFrame | null> {
  let start = await tagsEnd(source);
  let left = searchBytes;
  for (let tags = 0; tags < maxTags; tags++) {
    const window = await source.read(start, left + maxFrameBytes);
    let tagAt: number | null = null;
    for (let at = 0; at < left && at + 4 <= window.length && tagAt === null; at++) {
      if (window[at] === 0x49 && isTag(window, at)) tagAt = at;
      if (window[at] !== 0xff) continue;
      const frame = parseMpegFrame(window, at, start + at);
      const next = frame && parseMpegFrame(window, at + frame.bytes);
      if (frame && next && isSameMpegStream(frame, next)) return frame;
    }
    if (tagAt === null) return null;
    left -= tagAt;
    start = await tagsEnd(source, start + tagAt);
  }
  return null;
}
