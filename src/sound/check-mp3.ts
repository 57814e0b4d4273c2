import { tagAt, viewOf, type ByteSource, type ContainerCheck } from './container-check.ts';
import { findMpegFrame, isSameMpegStream, parseMpegFrame, type MpegFrame } from './mpeg-frame.ts';

const id3v1Bytes = 128;
const apeFooterBytes = 32;
/** A tail that holds several frames at any rate. */
const tailBytes = 16 * 1024;
/** How many frames in a row make a chain that is no accident. */
const leastChain = 3;
const mostTags = 16;
/** So much is counted frame by frame: four minutes at 128 kbit/s. */
const wholeCountBytes = 4 * 1024 * 1024;
const pieceBytes = 256 * 1024;
const mostFrameBytes = 8192;
/** So many bytes between frames are passed over; then the length is not told. */
const mostAlienBytes = 1024 * 1024;
/** How far the mean size of the counted frames may be from that of all. */
const mostRateDrift = 0.2;

/** Where the sound ends: in front of ID3v1, APE and lyrics tags. */
async function soundEnd(source: ByteSource): Promise<number> {
  let end = source.size;
  for (let count = 0; count < mostTags; count++) {
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
  /** What a decoder leaves out at both ends, in samples. */
  readonly trimmed: number;
}

/** The Xing or Info header in a stream's first frame (gabriel.mp3-tech.org/mp3infotag.html), null where that frame is sound. */
function infoHeader(frame: Uint8Array): InfoHeader | null {
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
    const delays = hasDelays ? view.getUint32(encoderAt + 20) & 0xff_ff_ff : 0;
    return { frames, bytes, trimmed: (delays >> 12) + (delays & 0xfff) };
  }
  return null;
}

interface Count {
  readonly frames: number;
  /** Of those frames alone. */
  readonly bytes: number;
  readonly hasOneRate: boolean;
  /** Where the last frame would end, if that is beyond the sound. */
  readonly partialEnd: number | null;
  /** It came to the end. */
  readonly isWhole: boolean;
}

/** Counts the frames from `from` to `to`; what stands between them is passed over. `to` may be the middle of a frame. */
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
    if (position + mostFrameBytes > bytesAt + bytes.length && bytesAt + bytes.length < to) {
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
      const to = bytesAt + (next < 0 ? bytes.length : next);
      alienBytes += to - position;
      position = to;
      if (alienBytes > mostAlienBytes)
        return { frames, bytes: frameBytes, hasOneRate: false, partialEnd: null, isWhole: false };
      continue;
    }
    const end = position + frame.bytes;
    const follows = parseMpegFrame(bytes, at + frame.bytes);
    // Behind other bytes two in a row are a frame, one alone is an accident.
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

/** Where the chain of frames at the end of a long file ends, which begins anywhere in `bytes`; null where there is none. */
function chainEnd(bytes: Uint8Array, first: MpegFrame): { readonly end: number; readonly last: MpegFrame } | null {
  /** A chain that comes to where another one broke off breaks off too. */
  const seen = new Uint8Array(bytes.length);
  for (let start = 0; start + 4 <= bytes.length; start++) {
    if (bytes[start] !== 0xff) continue;
    let at = start;
    let last: MpegFrame | null = null;
    for (let count = 0; seen[at] !== 1; count++) {
      const frame = parseMpegFrame(bytes, at);
      if (!frame || !isSameMpegStream(frame, first)) {
        // Behind the chain must be nothing, or less than a header.
        if (last && count >= leastChain && at + 4 > bytes.length) return { end: at, last };
        break;
      }
      seen[at] = 1;
      last = frame;
      at += frame.bytes;
    }
  }
  return null;
}

interface Stretch {
  /** Null where a header's word is all there is, and does not fit the size. */
  readonly frames: number | null;
  readonly partialEnd: number | null;
}

/** The frames of a file: counted, or in a long one told from its size, its rate and its header where these agree. */
async function measureFrames(
  source: ByteSource,
  start: number,
  end: number,
  first: MpegFrame,
  info: InfoHeader | null,
): Promise<Stretch> {
  if (end - start <= wholeCountBytes) {
    const { frames, partialEnd, isWhole } = await countFrames(source, start, end, first);
    return { frames: isWhole ? frames : null, partialEnd };
  }
  const head = await countFrames(source, start, start + wholeCountBytes, first);
  const tailAt = end - tailBytes;
  const chain = chainEnd(await source.read(tailAt, tailBytes), first);
  const partialEnd = chain && tailAt + chain.end > end ? tailAt + chain.end : null;
  if (head.frames === 0) return { frames: null, partialEnd };
  const bySize = ((end - start) * head.frames) / head.bytes;
  const isConstant = head.hasOneRate && chain?.last.bitsPerSecond === first.bitsPerSecond;
  const fits = info?.frames ? Math.abs(info.frames / bySize - 1) <= mostRateDrift : false;
  return { frames: isConstant ? bySize : fits ? (info?.frames ?? null) : null, partialEnd };
}

/**
 * Checks an MPEG audio stream. Its frames are counted, because the Xing or Info header is wrong in many files that play well. That its
 * last frame is not whole, or that its header counts more bytes, leaves it open; both together, or a header whose numbers agree
 * that there was more, are a cut.
 */
export async function checkMp3(source: ByteSource): Promise<ContainerCheck> {
  const first = await findMpegFrame(source);
  if (!first) return { kind: 'foreign' };
  const end = await soundEnd(source);
  const info = infoHeader(await source.read(first.position, first.bytes));
  const start = info ? first.position + first.bytes : first.position;
  const { frames, partialEnd } = await measureFrames(source, start, end, first, info);
  const samples = frames === null ? null : Math.max(0, frames * first.samples - (info?.trimmed ?? 0));
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
