import { tagAt, viewOf, type ByteSource, type ContainerCheck } from './container-check.ts';
import { findMpegFrame, isSameMpegStream, parseMpegFrame, type MpegFrame } from './mpeg-frame.ts';

const id3v1Bytes = 128;
const apeFooterBytes = 32;
/** Holds several frames at any bit rate. */
const tailBytes = 16 * 1024;
/** Consecutive frames that cannot be a coincidence. */
const minChainFrames = 3;
const maxTags = 16;
/** Frames are counted up to here: four minutes at 128 kbit/s. */
const maxCountedBytes = 4 * 1024 * 1024;
const pieceBytes = 256 * 1024;
const maxFrameBytes = 8192;
/** Bytes between frames to skip; beyond that the duration is unknown. */
const maxAlienBytes = 1024 * 1024;
/** Allowed relative difference between the frame count in the header and the one estimated from the size. */
const maxSizeDrift = 0.2;

/** Returns where the audio ends: before any ID3v1 and APE tags. */
export async function findAudioEnd(source: ByteSource): Promise<number> {
  let end = source.size;
  for (let count = 0; count < maxTags; count++) {
    const last = await source.read(end - id3v1Bytes, id3v1Bytes);
    if (tagAt(last, 0).startsWith('TAG')) {
      end -= id3v1Bytes;
      continue;
    }
    const footer = await source.read(end - apeFooterBytes, apeFooterBytes);
    if (tagAt(footer, 0) !== 'APET') return end;
    const view = viewOf(footer);
    const hasHeader = (view.getUint32(20, true) & 0x80_00_00_00) !== 0;
    const length = view.getUint32(12, true) + (hasHeader ? apeFooterBytes : 0);
    if (length <= 0 || length > end) return end;
    end -= length;
  }
  return end;
}

interface InfoHeader {
  readonly frames: number | null;
  readonly bytes: number | null;
  /** Samples that the encoder added before and after the sound; null if the header does not say. */
  readonly delays: { readonly start: number; readonly end: number } | null;
}

/**
 * Parses the Xing or Info header in a stream's first frame (gabriel.mp3-tech.org/mp3infotag.html).
 * Returns null if that frame is audio.
 */
export function parseInfoHeader(frame: Uint8Array): InfoHeader | null {
  for (const offset of [36, 21, 13, 23, 11]) {
    const tag = tagAt(frame, offset);
    if ((tag !== 'Xing' && tag !== 'Info') || frame.length < offset + 16) continue;
    const view = viewOf(frame);
    const flags = view.getUint32(offset + 4);
    const frames = flags & 1 ? view.getUint32(offset + 8) : null;
    const bytes = flags & 2 ? view.getUint32(offset + 8 + (flags & 1 ? 4 : 0)) : null;
    const encoderAt =
      offset + 8 + (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0);
    const hasDelays = ['LAME', 'Lavc', 'Lavf'].includes(tagAt(frame, encoderAt)) && encoderAt + 24 <= frame.length;
    const delays = hasDelays ? view.getUint32(encoderAt + 20) & 0xff_ff_ff : null;
    return { frames, bytes, delays: delays === null ? null : { start: delays >> 12, end: delays & 0xfff } };
  }
  return null;
}

interface Count {
  readonly frames: number;
  /** Size of those frames, without the bytes between them. */
  readonly bytes: number;
  readonly hasOneRate: boolean;
  /** Where the last frame would end if it exceeds the audio; else null. */
  readonly partialEnd: number | null;
  /** False if it stopped at too many alien bytes. */
  readonly isWhole: boolean;
}

/** Counts the frames between `from` and `to` and skips other bytes. `to` may be in the middle of a frame. */
async function countFrames(source: ByteSource, from: number, to: number, first: MpegFrame): Promise<Count> {
  let bytes = new Uint8Array(0);
  let bytesAt = from;
  let position = from;
  let frames = 0;
  let frameBytes = 0;
  let hasOneRate = true;
  let inChain = true;
  let alienBytes = 0;
  while (position + 4 <= to) {
    if (position + maxFrameBytes > bytesAt + bytes.length && bytesAt + bytes.length < to) {
      bytes = (await source.read(position, Math.min(pieceBytes, to - position))) as Uint8Array<ArrayBuffer>;
      bytesAt = position;
      if (bytes.length < 4) break;
    }
    const at = position - bytesAt;
    const frame = parseMpegFrame(bytes, at);
    const isFrame = frame !== null && isSameMpegStream(frame, first);
    if (!isFrame) {
      inChain = false;
      const next = bytes.indexOf(0xff, at + 1);
      const nextAt = bytesAt + (next < 0 ? bytes.length : next);
      alienBytes += nextAt - position;
      position = nextAt;
      if (alienBytes > maxAlienBytes)
        return { frames, bytes: frameBytes, hasOneRate: false, partialEnd: null, isWhole: false };
      continue;
    }
    const end = position + frame.bytes;
    const follows = parseMpegFrame(bytes, at + frame.bytes);
    // After other bytes, two frames in a row are needed: one alone is a coincidence.
    if (!inChain && !(follows && isSameMpegStream(follows, first)) && end !== to) {
      position += 1;
      alienBytes += 1;
      continue;
    }
    if (end > to) return { frames, bytes: frameBytes, hasOneRate, partialEnd: end, isWhole: true };
    inChain = true;
    hasOneRate &&= frame.bitsPerSecond === first.bitsPerSecond;
    frames += 1;
    frameBytes += frame.bytes;
    position = end;
  }
  return { frames, bytes: frameBytes, hasOneRate, partialEnd: null, isWhole: true };
}

/**
 * Finds the end of the frame chain at the end of a long file; the chain may begin anywhere in
 * `bytes`. Returns null if there is none.
 */
function findChainEnd(bytes: Uint8Array, first: MpegFrame): { readonly end: number; readonly last: MpegFrame } | null {
  /** Offsets already visited. A chain that reaches one fails like the earlier chain. */
  const seen = new Uint8Array(bytes.length);
  for (let start = 0; start + 4 <= bytes.length; start++) {
    if (bytes[start] !== 0xff) continue;
    let at = start;
    let last: MpegFrame | null = null;
    for (let count = 0; seen[at] !== 1; count++) {
      const frame = parseMpegFrame(bytes, at);
      if (!frame || !isSameMpegStream(frame, first)) {
        // Nothing may follow the chain, except less than a header.
        if (last && count >= minChainFrames && at + 4 > bytes.length) return { end: at, last };
        break;
      }
      seen[at] = 1;
      last = frame;
      at += frame.bytes;
    }
  }
  return null;
}

interface FrameEstimate {
  /** Null if only the header states it and it does not match the size. */
  readonly frames: number | null;
  readonly partialEnd: number | null;
}

/**
 * Counts the frames of a file. In a long one estimates them from its size, its rate and its header,
 * if they agree.
 */
async function measureFrames(
  source: ByteSource,
  start: number,
  end: number,
  first: MpegFrame,
  info: InfoHeader | null,
): Promise<FrameEstimate> {
  if (end - start <= maxCountedBytes) {
    const { frames, partialEnd, isWhole } = await countFrames(source, start, end, first);
    return { frames: isWhole ? frames : null, partialEnd };
  }
  const head = await countFrames(source, start, start + maxCountedBytes, first);
  const tailAt = end - tailBytes;
  const chain = findChainEnd(await source.read(tailAt, tailBytes), first);
  const partialEnd = chain && tailAt + chain.end > end ? tailAt + chain.end : null;
  if (head.frames === 0) return { frames: null, partialEnd };
  const bySize = ((end - start) * head.frames) / head.bytes;
  const isConstant = head.hasOneRate && chain?.last.bitsPerSecond === first.bitsPerSecond;
  const fits = info?.frames ? Math.abs(info.frames / bySize - 1) <= maxSizeDrift : false;
  return { frames: isConstant ? bySize : fits ? (info?.frames ?? null) : null, partialEnd };
}

/**
 * Checks an MPEG audio stream. Counts its frames, because the Xing or Info header is wrong in many
 * files that play well. A partial last frame, or a header that states more bytes, makes it open.
 * Both together, or a header whose byte and frame counts both exceed the file, make it cut.
 */
export async function checkMp3(source: ByteSource): Promise<ContainerCheck> {
  const first = await findMpegFrame(source);
  if (!first) return { kind: 'foreign' };
  const end = await findAudioEnd(source);
  const info = parseInfoHeader(await source.read(first.position, first.bytes));
  const start = info ? first.position + first.bytes : first.position;
  const { frames, partialEnd } = await measureFrames(source, start, end, first, info);
  const trimmed = info?.delays ? info.delays.start + info.delays.end : 0;
  const samples = frames === null ? null : Math.max(0, frames * first.samples - trimmed);
  const seconds = samples === null ? null : samples / first.sampleRate;

  const promisedEnd = first.position + (info?.bytes ?? 0);
  const isShort = promisedEnd > source.size;
  const hasFewer = frames !== null && info?.frames ? info.frames > frames + 1 : false;
  if (isShort && (partialEnd !== null || hasFewer)) {
    const promised = info?.frames ? { promisedSeconds: (info.frames * first.samples) / first.sampleRate } : {};
    return {
      kind: 'cut',
      facts: {
        promisedBytes: promisedEnd,
        actualBytes: source.size,
        ...promised,
        ...(seconds !== null && { actualSeconds: seconds }),
      },
    };
  }
  if (frames === 0)
    return partialEnd === null ? { kind: 'empty' } : { kind: 'cut', facts: { actualBytes: source.size } };
  return {
    kind: 'complete',
    ...(seconds !== null && seconds > 0 && { durationSeconds: seconds }),
    ...((isShort || partialEnd !== null) && { open: 'length' as const }),
  };
}
