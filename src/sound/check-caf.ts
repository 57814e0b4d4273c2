import { isSampleRate, tagAt, viewOf, type ByteSource, type ContainerCheck } from './container-check.ts';

/** The parts of a CAF that its audio needs. */
interface CafLayout {
  /** Content of the `desc` chunk. */
  readonly description: Uint8Array;
  readonly coding: string;
  readonly isDecoded: boolean;
  readonly sampleRate: number;
  readonly bytesPerPacket: number;
  readonly framesPerPacket: number;
  /** The audio; `size` is null if it lasts to the end of the file. */
  readonly data: { readonly start: number; readonly size: number | null };
  /** Frames by the `pakt` chunk, which codings with packets of varying size need; null if there is none. */
  readonly packetFrames: number | null;
}

const maxChunks = 10_000;
const descriptionBytes = 32;
const maxChannels = 64;

/** True for a coding that the decoder reads, in packets of the size that it assumes. */
function isDecodedCoding(view: DataView): boolean {
  const coding = tagAt(new Uint8Array(view.buffer, view.byteOffset), 8);
  const [packetBytes, frames] = [view.getUint32(16), view.getUint32(20)];
  const [channels, bits] = [view.getUint32(24), view.getUint32(28)];
  if (channels > maxChannels) return false;
  if (coding === 'ima4') return packetBytes === 34 * channels && frames === 64;
  const sampleBytes = coding === 'lpcm' ? bits / 8 : coding === 'alaw' || coding === 'ulaw' ? 1 : 0;
  return [1, 2, 3, 4, 8].includes(sampleBytes) && packetBytes === sampleBytes * channels && frames === 1;
}

const sizeAt = (view: DataView, at: number): number | null => {
  const size = view.getBigInt64(at);
  return size < 0n ? null : Number(size);
};

/**
 * Walks the chunks of a CAF (Apple Core Audio Format 1.0). Returns null if the file is no CAF with an audible sample rate,
 * and no layout if there is no description or no audio.
 */
export async function walkCaf(source: ByteSource): Promise<{ readonly layout: CafLayout | null } | null> {
  const head = await source.read(0, 8);
  if (tagAt(head, 0) !== 'caff' || head.length < 8) return null;
  let description = new Uint8Array(0);
  let data: CafLayout['data'] | null = null;
  let packetFrames: number | null = null;
  let position = 8;
  for (let count = 0; count < maxChunks; count++) {
    const chunk = await source.read(position, 12);
    if (chunk.length < 12) break;
    const tag = tagAt(chunk, 0);
    const size = sizeAt(viewOf(chunk), 4);
    if (tag === 'desc') description = Uint8Array.from(await source.read(position + 12, descriptionBytes));
    // Four bytes count the edits.
    if (tag === 'data') data ??= { start: position + 16, size: size === null ? null : Math.max(0, size - 4) };
    if (tag === 'pakt') {
      const table = await source.read(position + 12, 24);
      if (table.length === 24) packetFrames = sizeAt(viewOf(table), 8);
    }
    if (size === null) break;
    position += 12 + size;
  }
  if (!data || description.length < descriptionBytes) return { layout: null };
  const view = viewOf(description);
  const [sampleRate, channels] = [view.getFloat64(0), view.getUint32(24)];
  if (!isSampleRate(sampleRate)) return null;
  if (channels === 0) return { layout: null };
  const layout = {
    description,
    coding: tagAt(description, 8),
    isDecoded: isDecodedCoding(view),
    sampleRate,
    bytesPerPacket: view.getUint32(16),
    framesPerPacket: view.getUint32(20),
    data,
    packetFrames,
  };
  return { layout };
}

/** Checks that the audio of a CAF lies inside the file. Audio up to the end of the file is `open`. */
export async function checkCaf(source: ByteSource): Promise<ContainerCheck> {
  const walk = await walkCaf(source);
  if (!walk) return { kind: 'foreign' };
  const actualBytes = source.size;
  if (!walk.layout) return { kind: 'cut', facts: { actualBytes } };
  const { coding, isDecoded, sampleRate, bytesPerPacket, framesPerPacket, data, packetFrames } = walk.layout;
  const present = Math.max(0, actualBytes - data.start);
  const bytes = data.size ?? present;
  const secondsOf = (count: number) => (Math.floor(count / bytesPerPacket) * framesPerPacket) / sampleRate;
  const isFixed = bytesPerPacket > 0 && framesPerPacket > 0;
  if (bytes > present) {
    const times = isFixed ? { promisedSeconds: secondsOf(bytes), actualSeconds: secondsOf(present) } : {};
    return { kind: 'cut', facts: { promisedBytes: data.start + bytes, actualBytes, ...times } };
  }
  if (bytes === 0) return { kind: 'empty' };
  const seconds = isFixed ? secondsOf(bytes) : packetFrames === null ? 0 : packetFrames / sampleRate;
  return {
    kind: 'complete',
    ...(seconds > 0 && { durationSeconds: seconds }),
    ...(data.size === null && { open: 'length' as const }),
    ...(!isDecoded && { unsupportedCodec: coding.trim() }),
  };
}
