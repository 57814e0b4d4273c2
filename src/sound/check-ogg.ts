import { tagAt, viewOf, type ByteSource, type ContainerCheck } from './container-check.ts';

interface Page {
  readonly bytes: number;
  readonly granule: bigint;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly serial: number;
  readonly bodyAt: number;
}

/** A page has at most 27 + 255 + 255 x 255 bytes (RFC 3533). */
const longestPage = 65_307;
const noGranule = 0xff_ff_ff_ff_ff_ff_ff_ffn;

/** The page whose header stands at `at`, null where there is none or its segment table is cut. */
function pageAt(bytes: Uint8Array, at: number): Page | null {
  if (tagAt(bytes, at) !== 'OggS' || at + 27 > bytes.length || bytes[at + 4] !== 0) return null;
  const segments = bytes[at + 26] ?? 0;
  const table = bytes.subarray(at + 27, at + 27 + segments);
  if (table.length < segments) return null;
  const view = viewOf(bytes);
  const flags = bytes[at + 5] ?? 0;
  return {
    bytes: 27 + segments + table.reduce((sum, length) => sum + length, 0),
    granule: view.getBigUint64(at + 6, true),
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    serial: view.getUint32(at + 14, true),
    bodyAt: at + 27 + segments,
  };
}

interface Codec {
  /** Granules a second. */
  readonly rate: number;
  readonly skip: number;
}

function codecOf(bytes: Uint8Array, { bodyAt }: Page): Codec | null {
  const body = bytes.subarray(bodyAt, bodyAt + 64);
  if (body.length < 19) return null;
  const view = viewOf(body);
  if (body[0] === 1 && String.fromCharCode(...body.subarray(1, 7)) === 'vorbis')
    return { rate: view.getUint32(12, true), skip: 0 };
  // Opus counts at 48 kHz whatever it was made from (RFC 7845).
  if (String.fromCharCode(...body.subarray(0, 8)) === 'OpusHead')
    return { rate: 48_000, skip: view.getUint16(10, true) };
  if (body[0] === 0x7f && tagAt(body, 1) === 'FLAC' && body.length >= 34)
    return { rate: view.getUint32(27) >>> 12, skip: 0 };
  return null;
}

/**
 * Checks an Ogg file (RFC 3533): the last page ends with the file and carries the end-of-stream flag. A file that was cut exactly
 * between two pages misses the flag only. Length from the last page's granule position.
 */
export async function checkOgg(source: ByteSource): Promise<ContainerCheck> {
  const head = await source.read(0, 4096);
  const first = pageAt(head, 0);
  if (!first?.isFirst)
    return tagAt(head, 0) === 'OggS' ? { kind: 'cut', facts: { actualBytes: source.size } } : { kind: 'foreign' };
  const codec = codecOf(head, first);
  if (!codec || codec.rate === 0) return { kind: 'foreign' };
  const secondsAt = ({ granule }: Page) =>
    granule === noGranule ? null : Math.max(0, Number(granule) - codec.skip) / codec.rate;

  const start = Math.max(0, source.size - 2 * longestPage);
  const tail = await source.read(start, source.size - start);
  let actualSeconds: number | null = null;
  let partial: number | null = null;
  for (let at = tail.length - 4; at >= 0; at--) {
    if (tail[at] !== 0x4f || tagAt(tail, at) !== 'OggS') continue;
    const page = pageAt(tail, at);
    const end = page ? at + page.bytes : Infinity;
    if (page && end === tail.length && page.isLast) {
      const durationSeconds = secondsAt(page);
      if (durationSeconds === 0) return { kind: 'empty' };
      return { kind: 'complete', ...(durationSeconds !== null && { durationSeconds }) };
    }
    if (page && end > tail.length) partial ??= start + end;
    else if (page) actualSeconds ??= secondsAt(page);
    if (actualSeconds !== null) break;
  }
  return {
    kind: 'cut',
    facts: {
      ...(partial !== null && { promisedBytes: partial }),
      actualBytes: source.size,
      ...(actualSeconds !== null && { actualSeconds }),
    },
  };
}
