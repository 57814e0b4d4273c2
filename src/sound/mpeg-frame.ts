/** Reads up to `length` bytes from `position`; fewer at the end. */
export type ReadAt = (position: number, length: number) => Promise<Uint8Array>;

/** One MPEG audio frame header: place and length in bytes, rate in Hz, sound in frames (samples a channel). */
export interface MpegFrame {
  readonly position: number;
  readonly bytes: number;
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  readonly samples: number;
  readonly bitsPerSecond: number;
  /** Version and layer: all frames of a stream share it. */
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

/**
 * Parses the four header bytes of an MPEG audio frame (ISO/IEC 11172-3 2.4.2.3 and 13818-3), or null. A free bit rate is null too:
 * its frames cannot be chained without decoding.
 */
export function parseMpegFrame(bytes: Uint8Array, at: number, position = at): MpegFrame | null {
  const [b0 = 0, b1 = 0, b2 = 0, b3 = 0] = bytes.subarray(at, at + 4);
  if (at + 4 > bytes.length || b0 !== 0xff || (b1 & 0xe0) !== 0xe0) return null;
  const version = (b1 >> 3) & 3;
  const layer = 4 - ((b1 >> 1) & 3);
  const rate = ratesHz[(b2 >> 2) & 3];
  if (version === 1 || layer === 4 || rate === undefined) return null;
  const low = version !== 3;
  const kbps = kilobits[`${low ? 2 : 1}/${layer}`]?.[b2 >> 4];
  if (!kbps) return null;
  const sampleRate = version === 0 ? rate / 4 : low ? rate / 2 : rate;
  const padding = (b2 >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && low ? 576 : 1152;
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

/** Whether two headers can belong to one stream. */
export const isSameMpegStream = (a: MpegFrame, b: MpegFrame): boolean =>
  a.kind === b.kind && a.sampleRate === b.sampleRate;

/** Size of an ID3v2 tag at `position` with its header and footer, 0 where there is none (id3.org, ID3v2.4 section 3.1). */
export function id3Length(head: Uint8Array): number {
  const [i = 0, d = 0, three = 0, , , flags = 0, a = 0, b = 0, c = 0, e = 0] = head;
  if (head.length < 10 || i !== 0x49 || d !== 0x44 || three !== 0x33) return 0;
  const size = ((a & 0x7f) << 21) | ((b & 0x7f) << 14) | ((c & 0x7f) << 7) | (e & 0x7f);
  return 10 + size + (flags & 0x10 ? 10 : 0);
}

const searchBytes = 64 * 1024;

/**
 * Finds a stream's first frame: behind any ID3v2 tags, at most 64 KiB of padding later, and only where the next frame follows it
 * directly, because the 11 sync bits alone occur in anything (UTF-16 text starts with them). Null where there is none.
 */
export async function findMpegFrame(read: ReadAt): Promise<MpegFrame | null> {
  let start = 0;
  for (let tag = id3Length(await read(0, 10)); tag > 0; tag = id3Length(await read(start, 10))) start += tag;
  const window = await read(start, searchBytes);
  for (let at = 0; at + 4 <= window.length; at++) {
    if (window[at] !== 0xff) continue;
    const frame = parseMpegFrame(window, at, start + at);
    if (!frame) continue;
    const next = parseMpegFrame(await read(frame.position + frame.bytes, 4), 0);
    if (next && isSameMpegStream(frame, next)) return frame;
  }
  return null;
}
