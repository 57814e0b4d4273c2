import { viewOf, type ByteSource, type ContainerCheck } from './container-check.ts';

/** Object types (Microsoft, Advanced Systems Format specification 1.2, section 10), as their bytes in hex. */
const objectTypes = {
  header: '3026b2758e66cf11a6d900aa0062ce6c',
  file: 'a1dcab8c47a9cf118ee400c00c205365',
  stream: '9107dcb7b7a9cf118ee600c00c205365',
  audio: '409e69f84d5bcf11a8fd00805f5c442b',
  data: '3626b2758e66cf11a6d900aa0062ce6c',
  encryption: 'fbb3112223bdd211b4b700a0c955fc6e',
} as const;
/** Windows Media Audio 1, 2, Professional and Lossless. */
const decodedTags: ReadonlySet<number> = new Set([0x160, 0x161, 0x162, 0x163]);
/** A header with a large cover picture has some megabytes. */
const maxHeaderBytes = 16 * 1024 * 1024;
const maxObjects = 1000;
const headBytes = 30;
/** Of the data object, before the packets. */
const dataHeadBytes = 50;

const typeAt = (bytes: Uint8Array, at: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at, 16).toString('hex');
const sizeAt = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

interface AsfWalk {
  /** Header object, and the data object up to its packets. */
  readonly headerBytes: number;
  readonly packetBytes: number;
  /** Where the packets end as stated; null while they are being recorded. */
  readonly end: number | null;
  /** Null if the writer did not know. */
  readonly seconds: number | null;
  /** Codings of the audio, as registered format tags. */
  readonly tags: readonly number[];
  /** Of the first audio stream. */
  readonly channels: number;
  readonly streams: number;
  readonly isEncrypted: boolean;
}

/** Reads the header of an ASF file. Returns null if the file is no ASF. Throws RangeError if the header is cut or invalid. */
export async function walkAsf(source: ByteSource): Promise<AsfWalk | null> {
  const head = await source.read(0, headBytes);
  if (head.length < headBytes || typeAt(head, 0) !== objectTypes.header) return null;
  const headerBytes = sizeAt(viewOf(head), 16);
  if (headerBytes > maxHeaderBytes) throw new RangeError('a header that is too large');
  const bytes = await source.read(0, headerBytes + dataHeadBytes);
  const view = viewOf(bytes);
  if (bytes.length < headerBytes + dataHeadBytes || typeAt(bytes, headerBytes) !== objectTypes.data)
    throw new RangeError('a header without data behind it');
  let packetBytes = 0;
  let seconds: number | null = null;
  let isOpen = false;
  let isEncrypted = false;
  let streams = 0;
  const tags: number[] = [];
  let channels = 0;
  let position = headBytes;
  for (let count = 0; count < maxObjects && position + 24 <= headerBytes; count++) {
    const type = typeAt(bytes, position);
    const content = position + 24;
    const end = position + sizeAt(view, position + 16);
    if (end < content || end > headerBytes) break;
    if (type === objectTypes.file && end - content >= 80) {
      isOpen = (view.getUint32(content + 64, true) & 1) !== 0;
      packetBytes = view.getUint32(content + 72, true);
      const played = sizeAt(view, content + 40) / 1e7 - sizeAt(view, content + 56) / 1000;
      seconds = !isOpen && played > 0 ? played : null;
    }
    if (type === objectTypes.stream) {
      streams += 1;
      if (end - content >= 58 && typeAt(bytes, content) === objectTypes.audio) {
        tags.push(view.getUint16(content + 54, true));
        channels ||= view.getUint16(content + 56, true);
      }
    }
    isEncrypted ||= type === objectTypes.encryption;
    position = end;
  }
  const dataBytes = sizeAt(view, headerBytes + 16);
  return {
    headerBytes: headerBytes + dataHeadBytes,
    packetBytes,
    end: isOpen || dataBytes === 0 ? null : headerBytes + dataBytes,
    seconds,
    tags,
    channels,
    streams,
    isEncrypted,
  };
}

/** Checks that an ASF file (wma, wmv) has an audio stream and all packets that its header states. */
export async function checkAsf(source: ByteSource): Promise<ContainerCheck> {
  let walk: AsfWalk | null;
  try {
    walk = await walkAsf(source);
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'cut', facts: { actualBytes: source.size } };
    throw error;
  }
  const [tag] = walk?.tags ?? [];
  if (!walk || walk.isEncrypted || tag === undefined) return { kind: 'foreign' };
  const { headerBytes, packetBytes, end, seconds, streams } = walk;
  const actualBytes = source.size;
  if (end !== null && end > actualBytes) {
    const share = (actualBytes - headerBytes) / (end - headerBytes);
    const times = seconds === null ? {} : { promisedSeconds: seconds, actualSeconds: Math.max(0, seconds * share) };
    return { kind: 'cut', facts: { promisedBytes: end, actualBytes, ...times } };
  }
  if (actualBytes - headerBytes < packetBytes || end === headerBytes) return { kind: 'empty' };
  // The decoder takes the packets of all streams for audio.
  const isDecoded = streams === 1 && packetBytes > 0 && decodedTags.has(tag);
  return {
    kind: 'complete',
    ...(seconds !== null && { durationSeconds: seconds }),
    ...(end === null && { open: 'length' as const }),
    ...(!isDecoded && { unsupportedCodec: streams > 1 ? 'video' : `0x${tag.toString(16)}` }),
  };
}
