import { isSampleRate, tagAt, viewOf, type ByteSource, type ContainerCheck } from './container-check.ts';

/** The parts of an AIFF or AIFF-C that its audio needs. */
interface AiffLayout {
  /** Content of the `COMM` chunk: channels, frames, bits, rate and, in AIFF-C, the coding. */
  readonly common: Uint8Array;
  readonly isAifc: boolean;
  readonly coding: string;
  readonly sampleRate: number;
  /** Frames that `COMM` states; 0 if the writer left it open. */
  readonly frames: number;
  /** Bytes of a frame; null for a coding whose frames have no fixed size. */
  readonly frameBytes: number | null;
  /** The audio, with the size that its chunk states. */
  readonly data: { readonly start: number; readonly size: number };
}

interface AiffWalk {
  readonly formBytes: number;
  readonly layout: AiffLayout | null;
}

const maxChunks = 10_000;
/** The chunk has 18 bytes, and in AIFF-C a name of up to 256 more. */
const maxCommonBytes = 512;
/** Bytes of a sample by coding, for those whose width is not that of `COMM`. */
const sampleBytes: Readonly<Record<string, number>> = { fl32: 4, FL32: 4, fl64: 8, FL64: 8, alaw: 1, ulaw: 1, ULAW: 1 };
const integers: ReadonlySet<string> = new Set(['NONE', 'twos', 'TWOS', 'sowt']);

/** Reads an 80-bit extended number, as AIFF states rates (IEEE 754 extended, big-endian). */
function extendedAt(view: DataView, at: number): number {
  const exponent = (view.getUint16(at) & 0x7fff) - 16_383;
  return (view.getUint32(at + 2) * 2 ** 32 + view.getUint32(at + 6)) * 2 ** (exponent - 63);
}

function layoutOf(common: Uint8Array, isAifc: boolean, data: AiffLayout['data']): AiffLayout | null {
  if (common.length < 18) return null;
  const view = viewOf(common);
  const [channels, bits, sampleRate] = [view.getUint16(0), view.getUint16(6), extendedAt(view, 8)];
  const coding = (isAifc && tagAt(common, 18)) || 'NONE';
  const width = integers.has(coding) ? Math.ceil(bits / 8) : sampleBytes[coding];
  if (channels === 0 || !isSampleRate(sampleRate) || width === 0 || (width ?? 0) > 8) return null;
  const frameBytes = width === undefined ? null : width * channels;
  return { common, isAifc, coding, sampleRate, frames: view.getUint32(2), frameBytes, data };
}

/**
 * Walks the chunks of an AIFF up to its audio. Returns null if the file is not an AIFF. A pad byte
 * follows a chunk of odd length. (Apple, Audio Interchange File Format 1.3 and AIFF-C draft.)
 */
export async function walkAiff(source: ByteSource): Promise<AiffWalk | null> {
  const head = await source.read(0, 12);
  const type = tagAt(head, 8);
  if (tagAt(head, 0) !== 'FORM' || (type !== 'AIFF' && type !== 'AIFC')) return null;
  const formBytes = viewOf(head).getUint32(4);
  let common = new Uint8Array(0);
  let data: AiffLayout['data'] | null = null;
  let position = 12;
  for (let count = 0; count < maxChunks && !(data && common.length > 0); count++) {
    const chunk = await source.read(position, 16);
    if (chunk.length < 8) break;
    const size = viewOf(chunk).getUint32(4);
    const tag = tagAt(chunk, 0);
    if (tag === 'COMM') common = Uint8Array.from(await source.read(position + 8, Math.min(size, maxCommonBytes)));
    if (tag === 'SSND' && chunk.length === 16) {
      const offset = viewOf(chunk).getUint32(8);
      data = { start: position + 16 + offset, size: Math.max(0, size - 8 - offset) };
    }
    position += 8 + size + (size & 1);
  }
  return { formBytes, layout: data && layoutOf(common, type === 'AIFC', data) };
}

/** Checks that the audio of an AIFF lies inside the file. A size of 0 is `open` if audio follows. */
export async function checkAiff(source: ByteSource): Promise<ContainerCheck> {
  const walk = await walkAiff(source);
  if (!walk) return { kind: 'foreign' };
  const { formBytes, layout } = walk;
  const actualBytes = source.size;
  if (!layout) {
    const promisedBytes = formBytes + 8;
    return { kind: 'cut', facts: { ...(promisedBytes > actualBytes && { promisedBytes }), actualBytes } };
  }
  const { coding, sampleRate, frames, frameBytes, data } = layout;
  const present = Math.max(0, actualBytes - data.start);
  const unsupported = frameBytes === null && { unsupportedCodec: coding.trim() };
  if (data.size === 0 || frames === 0) {
    if (present === 0 || (data.size === 0 && formBytes + 8 === actualBytes)) return { kind: 'empty' };
    const seconds = frameBytes === null ? {} : { durationSeconds: present / frameBytes / sampleRate };
    return { kind: 'complete', open: 'length', ...seconds, ...unsupported };
  }
  const promisedSeconds = frames / sampleRate;
  const soundBytes = frameBytes === null ? data.size : Math.min(data.size, frames * frameBytes);
  if (soundBytes > present) {
    const actualSeconds = (promisedSeconds * present) / soundBytes;
    return {
      kind: 'cut',
      facts: { promisedBytes: data.start + data.size, actualBytes, promisedSeconds, actualSeconds },
    };
  }
  const durationSeconds = frameBytes === null ? promisedSeconds : soundBytes / frameBytes / sampleRate;
  return { kind: 'complete', durationSeconds, ...unsupported };
}
