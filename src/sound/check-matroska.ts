import { viewOf, type ByteSource, type ContainerCheck } from './container-check.ts';

/** Element ids (RFC 9559), with their length marker. */
const ids = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codec: 0x86,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
} as const;
const audioType = 2;
/** Codecs that the decoder reads; those of PCM begin with `A_PCM/`. */
const decodedCodecs =
  /^A_(?:OPUS|VORBIS|AAC(?:\/.*)?|ALAC|MPEG\/L3|AC3(?:\/.*)?|EAC3|DTS(?:\/.*)?|FLAC|PCM\/(?:INT\/(?:LIT|BIG)|FLOAT\/IEEE))$/;
/** Info and Tracks of real files are far smaller. */
const maxHeaderBytes = 4 * 1024 * 1024;
/** Elements of the segment to visit: with clusters of five seconds, four hours. */
const maxElements = 3000;
const maxInnerElements = 20_000;
const clusterBytes = 2 * 1024 * 1024;
/** A block of most codecs. */
const blockSeconds = 0.02;

interface Element {
  readonly id: number;
  readonly start: number;
  /** Null if the writer left the size open. */
  readonly size: number | null;
}

/** Parses the element header at `at`, whose place in the file is `position`. Returns null if there is none. */
function elementAt(bytes: Uint8Array, at: number, position: number): Element | null {
  const first = bytes[at] ?? 0;
  const idBytes = Math.clz32(first) - 23;
  const mark = bytes[at + idBytes] ?? 0;
  const sizeBytes = Math.clz32(mark) - 23;
  if (idBytes > 4 || sizeBytes > 8 || at + idBytes + sizeBytes > bytes.length) return null;
  let id = 0;
  for (let k = 0; k < idBytes; k++) id = id * 256 + (bytes[at + k] ?? 0);
  let size = mark & (2 ** (8 - sizeBytes) - 1);
  let isOpen = size === 2 ** (8 - sizeBytes) - 1;
  for (let k = 1; k < sizeBytes; k++) {
    const byte = bytes[at + idBytes + k] ?? 0;
    isOpen &&= byte === 0xff;
    size = size * 256 + byte;
  }
  return { id, start: position + idBytes + sizeBytes, size: isOpen ? null : size };
}

/** Elements in memory, without those that go beyond their parent. */
function* elementsIn(bytes: Uint8Array): Generator<{ readonly id: number; readonly content: Uint8Array }> {
  let position = 0;
  for (let count = 0; count < maxInnerElements; count++) {
    const element = elementAt(bytes, position, position);
    if (!element || element.size === null || element.start + element.size > bytes.length) return;
    position = element.start + element.size;
    yield { id: element.id, content: bytes.subarray(element.start, position) };
  }
}

const uintOf = (bytes: Uint8Array): number => bytes.reduce((value, byte) => value * 256 + byte, 0);
const floatOf = (bytes: Uint8Array): number =>
  bytes.length === 8 ? viewOf(bytes).getFloat64(0) : bytes.length === 4 ? viewOf(bytes).getFloat32(0) : 0;
const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, 64)).replace(/\0.*$/s, '');

interface Track {
  readonly number: number;
  readonly type: number;
  readonly codec: string;
}

const tracksIn = (bytes: Uint8Array): readonly Track[] =>
  [...elementsIn(bytes)]
    .filter(({ id }) => id === ids.trackEntry)
    .map(({ content }) => {
      const fields = new Map([...elementsIn(content)].map((field) => [field.id, field.content]));
      const field = (id: number) => fields.get(id) ?? new Uint8Array(0);
      return {
        number: uintOf(field(ids.trackNumber)),
        type: uintOf(field(ids.trackType)),
        codec: textOf(field(ids.codec)),
      };
    });

/** The time of the last block of a track in a cluster, in the file's ticks; null if there is none. */
function lastBlockIn(cluster: Uint8Array, track: number): number | null {
  let clusterTime = 0;
  let last: number | null = null;
  for (const { id, content } of elementsIn(cluster)) {
    if (id === ids.timestamp) clusterTime = uintOf(content);
    const block =
      id === ids.blockGroup ? [...elementsIn(content)].find((inner) => inner.id === ids.block)?.content : content;
    if (!block || (id !== ids.simpleBlock && id !== ids.blockGroup)) continue;
    const number = elementAt(Uint8Array.of(0xec, ...block.subarray(0, 8)), 0, 0);
    const timeAt = (number?.start ?? 1) - 1;
    if (number?.size !== track || block.length < timeAt + 2) continue;
    last = clusterTime + viewOf(block).getInt16(timeAt);
  }
  return last;
}

interface Walk {
  readonly tracks: readonly Track[];
  readonly secondsPerTick: number;
  /** As the file states it, over all tracks. */
  readonly seconds: number;
  readonly last: { readonly start: number; readonly size: number } | null;
  readonly hasClusters: boolean;
  /** Where the file ends as stated; null if it does not say. */
  readonly end: number | null;
}

async function walkSegment(source: ByteSource): Promise<Walk | null> {
  const head = elementAt(await source.read(0, 12), 0, 0);
  if (head?.id !== ids.ebml || head.size === null) return null;
  const segmentAt = head.start + head.size;
  const segment = elementAt(await source.read(segmentAt, 12), 0, segmentAt);
  if (segment?.id !== ids.segment) return null;
  let tracks: readonly Track[] = [];
  let secondsPerTick = 0.001;
  let ticks = 0;
  let last: Walk['last'] = null;
  let hasClusters = false;
  let end = segment.size === null ? null : segment.start + segment.size;
  let position = segment.start;
  for (let count = 0; count < maxElements && position < (end ?? source.size); count++) {
    const element = elementAt(await source.read(position, 12), 0, position);
    if (!element) break;
    const { id, start, size } = element;
    if (id === ids.cluster) {
      hasClusters = true;
      last = size === null ? null : { start, size };
    }
    // Clusters of a live stream have no size, and what follows them is not worth a search.
    if (size === null) break;
    if (start + size > source.size) {
      end = Math.max(end ?? 0, start + size);
      break;
    }
    if (id === ids.tracks && size <= maxHeaderBytes) tracks = tracksIn(await source.read(start, size));
    if (id === ids.info && size <= maxHeaderBytes) {
      for (const field of elementsIn(await source.read(start, size))) {
        if (field.id === ids.timestampScale) secondsPerTick = uintOf(field.content) / 1e9;
        if (field.id === ids.duration) ticks = floatOf(field.content);
      }
    }
    position = start + size;
  }
  return { tracks, secondsPerTick, seconds: ticks * secondsPerTick, last, hasClusters, end };
}

/** Seconds of the audio track: its last block or, if it is alone, what the file states. Undefined if neither is known. */
async function soundSeconds(source: ByteSource, walk: Walk, track: Track): Promise<number | undefined> {
  const { tracks, secondsPerTick, seconds, last } = walk;
  if (tracks.length === 1 && seconds > 0) return seconds;
  if (!last || last.size > clusterBytes * 8) return undefined;
  const ticks = lastBlockIn(await source.read(last.start, last.size), track.number);
  return ticks === null ? undefined : ticks * secondsPerTick + blockSeconds;
}

/**
 * Checks that a Matroska or WebM file has an audio track and ends where it says. Recorders in
 * browsers state neither a size nor a duration.
 */
export async function checkMatroska(source: ByteSource): Promise<ContainerCheck> {
  const walk = await walkSegment(source);
  if (!walk) return { kind: 'foreign' };
  const { tracks, hasClusters, end } = walk;
  const actualBytes = source.size;
  if (end !== null && end > actualBytes) return { kind: 'cut', facts: { promisedBytes: end, actualBytes } };
  const track = tracks.find(({ type }) => type === audioType);
  if (!track) return tracks.length > 0 ? { kind: 'foreign' } : { kind: 'cut', facts: { actualBytes } };
  if (!hasClusters) return { kind: 'empty' };
  const durationSeconds = await soundSeconds(source, walk, track);
  return {
    kind: 'complete',
    ...(durationSeconds !== undefined && durationSeconds > 0 && { durationSeconds }),
    ...(end === null && { open: 'end' as const }),
    ...(!decodedCodecs.test(track.codec) && { unsupportedCodec: track.codec.replace(/^A_/, '') }),
  };
}
