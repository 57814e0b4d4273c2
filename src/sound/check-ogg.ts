import { tagAt, viewOf, type ByteSource, type ContainerCheck } from './container-check.ts';

/** Maximum size of a page: 27 + 255 + 255 x 255 bytes (RFC 3533). */
const maxPageBytes = 65_307;
const headerBytes = 27;
const noGranule = 0xff_ff_ff_ff_ff_ff_ff_ffn;
/** Files up to this size are walked page by page; of larger ones only the start, the end and some probes. */
const maxFullWalkBytes = 8 * 1024 * 1024;
const maxPages = 40_000;
const maxStreams = 1000;
const probes = 16;
const pieceBytes = 512 * 1024;
/** Bytes allowed after the last page: tags, or the padding of a disk. */
const maxTrailingBytes = 64 * 1024;
/** No decoder we use supports more. */
const maxChannels = 8;

/** Start of each page: the capture pattern and version 0, the only one. */
const capture = Buffer.from('OggS\0');
const captureBytes = capture.length;
const nextCapture = (bytes: Uint8Array, from: number): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(capture, from);

interface Page {
  readonly bytes: number;
  readonly granule: bigint;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly serial: number;
  readonly bodyAt: number;
}

/** Parses the page header at `at`. Returns null if there is none or its segment table is cut off. */
function pageAt(bytes: Uint8Array, at: number): Page | null {
  if (bytes[at] !== 0x4f || tagAt(bytes, at) !== 'OggS' || at + headerBytes > bytes.length || bytes[at + 4] !== 0)
    return null;
  const segments = bytes[at + 26] ?? 0;
  const bodyAt = at + headerBytes + segments;
  if (bodyAt > bytes.length) return null;
  let length = headerBytes + segments;
  for (let k = at + headerBytes; k < bodyAt; k++) length += bytes[k] ?? 0;
  const view = viewOf(bytes);
  const flags = bytes[at + 5] ?? 0;
  return {
    bytes: length,
    granule: view.getBigUint64(at + 6, true),
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    serial: view.getUint32(at + 14, true),
    bodyAt,
  };
}

/** Returns the packets that end in the page at `at`. A packet that continues on the next page is omitted. */
function packetsOf(bytes: Uint8Array, at: number): readonly { readonly at: number; readonly bytes: number }[] {
  const segments = bytes[at + 26] ?? 0;
  const packets = [];
  let start = at + headerBytes + segments;
  let length = 0;
  for (let k = 0; k < segments; k++) {
    const lacing = bytes[at + headerBytes + k] ?? 0;
    length += lacing;
    if (lacing === 255) continue;
    packets.push({ at: start, bytes: length });
    start += length;
    length = 0;
  }
  return packets;
}

interface Codec {
  /** Granules per second. */
  readonly rate: number;
  readonly skip: number;
  /** Bounds of the number of samples in a packet. */
  samplesOf(bytes: Uint8Array, packetAt: number): { readonly maxSamples: number; readonly minSamples: number };
  /** Its name, if no decoder of ours reads it. */
  readonly unsupported?: string;
}

/** Number of samples at 48 kHz in an Opus packet, from its first bytes (RFC 6716, section 3.1). */
function opusSamples(bytes: Uint8Array, at: number): number {
  const toc = bytes[at] ?? 0;
  const config = toc >> 3;
  const frame =
    config < 12
      ? [480, 960, 1920, 2880][config & 3]
      : config < 16
        ? [480, 960][config & 1]
        : [120, 240, 480, 960][config & 3];
  const code = toc & 3;
  const frames = code === 0 ? 1 : code === 3 ? (bytes[at + 1] ?? 0) & 63 : 2;
  return (frame ?? 0) * frames;
}

function codecOf(bytes: Uint8Array, { bodyAt }: Page): Codec | null {
  const body = bytes.subarray(bodyAt, bodyAt + 80);
  if (body.length < 19) return null;
  const view = viewOf(body);
  if (body[0] === 1 && String.fromCharCode(...body.subarray(1, 7)) === 'vorbis') {
    const blocks = body[28] ?? 0;
    const samples = { minSamples: 2 ** (blocks & 15) / 2, maxSamples: 2 ** (blocks >> 4) / 2 };
    if ((body[11] ?? 0) > maxChannels) return null;
    return { rate: view.getUint32(12, true), skip: 0, samplesOf: () => samples };
  }
  // Opus granules count at 48 kHz, whatever the input rate was (RFC 7845).
  if (String.fromCharCode(...body.subarray(0, 8)) === 'OpusHead') {
    if ((body[9] ?? 0) > maxChannels) return null;
    return {
      rate: 48_000,
      skip: view.getUint16(10, true),
      samplesOf(packet, at) {
        const samples = opusSamples(packet, at);
        return { minSamples: samples, maxSamples: samples };
      },
    };
  }
  if (body[0] === 0x7f && tagAt(body, 1) === 'FLAC' && body.length >= 34) {
    const samples = { minSamples: view.getUint16(17), maxSamples: view.getUint16(19) };
    return { rate: view.getUint32(27) >>> 12, skip: 0, samplesOf: () => samples };
  }
  // https://www.speex.org/docs/manual/speex-manual/node8.html
  if (String.fromCharCode(...body.subarray(0, 8)) === 'Speex   ' && body.length >= 68) {
    const samples = view.getUint32(56, true) * Math.max(1, view.getUint32(64, true));
    return {
      rate: view.getUint32(36, true),
      skip: 0,
      samplesOf: () => ({ minSamples: samples, maxSamples: samples }),
      unsupported: 'Speex',
    };
  }
  return null;
}

/** A logical stream. Others may follow it in the same file and play one after the other. */
interface Stream {
  readonly codec: Codec;
  readonly serial: number;
  /** Bounds of the samples in the pages up to the first one with a granule. */
  maxSamples: number;
  minSamples: number;
  /** First granule that is not of a header page. */
  first: number | null;
  last: number | null;
  hasEnd: boolean;
}

function countPage(stream: Stream, bytes: Uint8Array, at: number, page: Page): void {
  stream.hasEnd ||= page.isLast;
  if (stream.first === null && page.granule !== 0n) {
    for (const packet of packetsOf(bytes, at)) {
      const { maxSamples, minSamples } = stream.codec.samplesOf(bytes, packet.at);
      stream.maxSamples += maxSamples;
      stream.minSamples += minSamples;
    }
  }
  if (page.granule === noGranule || page.granule === 0n) return;
  stream.last = Number(page.granule);
  stream.first ??= stream.last;
}

/** Duration of a stream in seconds; null if only decoding can tell. */
function secondsOf({ codec, first, last, maxSamples, minSamples }: Stream): number | null {
  if (first === null || last === null) return 0;
  if (last < first) return null;
  // The stream was cut from a longer one if its first granule exceeds the samples so far.
  const isLate = first > maxSamples;
  const seconds = Math.max(0, last - (isLate ? first - maxSamples : 0) - (isLate ? 0 : codec.skip)) / codec.rate;
  const uncertainty = isLate ? (maxSamples - minSamples) / codec.rate : 0;
  return uncertainty <= Math.max(0.1, seconds * 0.02) ? seconds : null;
}

interface Walk {
  readonly streams: readonly Stream[];
  /** End of the last complete page. */
  readonly end: number;
  /** Where the last page would end if it exceeds the file; else null. */
  readonly partialEnd: number | null;
  /** True if some pages were not read. */
  readonly hasGaps: boolean;
}

/** Walks the pages between `from` and `to`. Skips bytes that are not a page, as decoders do. */
async function walkPages(source: ByteSource, from: number, to: number, streams: Stream[]): Promise<Walk> {
  let bytes = new Uint8Array(0);
  let bytesAt = from;
  let position = from;
  let end = from;
  let partialEnd: number | null = null;
  let pages = 0;
  while (position < to) {
    if (position + maxPageBytes > bytesAt + bytes.length && bytesAt + bytes.length < source.size) {
      bytes = (await source.read(position, pieceBytes)) as Uint8Array<ArrayBuffer>;
      bytesAt = position;
      if (bytes.length === 0) break;
    }
    const at = position - bytesAt;
    const page = pageAt(bytes, at);
    if (!page) {
      const next = nextCapture(bytes, at + 1);
      // A capture pattern may span two pieces.
      position = bytesAt + (next < 0 ? Math.max(at + 1, bytes.length - captureBytes + 1) : next);
      if (next < 0 && bytesAt + bytes.length >= source.size) break;
      continue;
    }
    if (position + page.bytes > source.size) {
      partialEnd = position + page.bytes;
      break;
    }
    partialEnd = null;
    let stream = streams.findLast(({ serial }) => serial === page.serial);
    if (page.isFirst) {
      const codec = codecOf(bytes, page);
      if (codec && codec.rate > 0) {
        stream = { codec, serial: page.serial, maxSamples: 0, minSamples: 0, first: null, last: null, hasEnd: false };
        streams.push(stream);
      }
    }
    if (stream) countPage(stream, bytes, at, page);
    position += page.bytes;
    end = position;
    pages += 1;
    if (pages >= maxPages || streams.length >= maxStreams)
      return { streams, end: source.size, partialEnd: null, hasGaps: true };
  }
  return { streams, end, partialEnd, hasGaps: false };
}

/**
 * Finds the first page at or after `from`, to probe the middle of a long file. Returns null if none
 * is near.
 */
async function nextPage(
  source: ByteSource,
  from: number,
): Promise<{ readonly at: number; readonly page: Page } | null> {
  const bytes = await source.read(from, 2 * maxPageBytes);
  for (let at = nextCapture(bytes, 0); at >= 0; at = nextCapture(bytes, at + 1)) {
    const page = pageAt(bytes, at);
    if (!page) continue;
    const next = at + page.bytes;
    if (from + next === source.size || tagAt(bytes, next) === 'OggS') return { at: from + at, page };
  }
  return null;
}

/**
 * Reads the start and the end of a long file and probes granules in between, which must increase in
 * a single stream.
 */
async function walkEnds(source: ByteSource): Promise<Walk> {
  const head = await walkPages(source, 0, pieceBytes, []);
  const [stream] = head.streams;
  const start = await nextPage(source, source.size - 2 * maxPageBytes - maxTrailingBytes);
  if (!stream || !start) return { ...head, end: head.end, hasGaps: true };
  let isSingle = head.streams.length === 1;
  let maxGranule = stream.last ?? 0;
  for (let probe = 1; probe < probes && isSingle; probe++) {
    const found = await nextPage(source, Math.floor((source.size * probe) / probes));
    if (!found || found.page.granule === noGranule) continue;
    isSingle = found.page.serial === stream.serial && Number(found.page.granule) >= maxGranule;
    maxGranule = Number(found.page.granule);
  }
  const streams = [...head.streams];
  const tail = await walkPages(source, start.at, source.size, streams);
  isSingle &&= streams.length === 1 && (stream.last ?? 0) >= maxGranule && start.page.serial === stream.serial;
  return { ...tail, streams, hasGaps: !isSingle };
}

/**
 * Checks that an Ogg file (RFC 3533) has whole pages up to its end. A missing end-of-stream flag
 * makes it open, because many recorders and cutters omit it. The duration is the sum of the
 * consecutive streams, each from its first to its last granule.
 */
export async function checkOgg(source: ByteSource): Promise<ContainerCheck> {
  const head = await source.read(0, 4096);
  const first = pageAt(head, 0);
  if (!first?.isFirst)
    return tagAt(head, 0) === 'OggS' ? { kind: 'cut', facts: { actualBytes: source.size } } : { kind: 'foreign' };
  const codec = codecOf(head, first);
  if (codec === null && first.bodyAt + 19 <= head.length) return { kind: 'foreign' };

  const walk = source.size <= maxFullWalkBytes ? await walkPages(source, 0, source.size, []) : await walkEnds(source);
  const { streams, end, partialEnd, hasGaps } = walk;
  const actualBytes = source.size;
  const lengths = streams.map(secondsOf);
  const seconds =
    hasGaps || lengths.includes(null) ? null : lengths.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  const times = seconds !== null && seconds > 0 ? { actualSeconds: seconds } : {};
  if (partialEnd !== null) return { kind: 'cut', facts: { promisedBytes: partialEnd, actualBytes, ...times } };
  const rest = await source.read(end, Math.min(actualBytes - end, headerBytes + 255));
  const isPartialPage =
    rest.length > 0 &&
    (tagAt(rest, 0) === 'OggS' || (rest.length < 4 && 'OggS'.startsWith(String.fromCharCode(...rest))));
  const last = streams.at(-1);
  if (isPartialPage || actualBytes - end > maxTrailingBytes || !last)
    return { kind: 'cut', facts: { actualBytes, ...times } };
  if (streams.every((stream) => stream.first === null)) {
    return last.hasEnd ? { kind: 'empty' } : { kind: 'cut', facts: { actualBytes, actualSeconds: 0 } };
  }
  if (seconds === 0 && last.hasEnd) return { kind: 'empty' };
  return {
    kind: 'complete',
    ...(seconds !== null && seconds > 0 && { durationSeconds: seconds }),
    ...((!last.hasEnd || actualBytes > end) && { open: 'end' as const }),
    ...(codec?.unsupported !== undefined && { unsupportedCodec: codec.unsupported }),
  };
}
