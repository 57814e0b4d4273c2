import { tagAt, viewOf, type ByteSource, type ContainerCheck } from './container-check.ts';
import { findMpegFrame, isSameMpegStream, parseMpegFrame, type MpegFrame } from './mpeg-frame.ts';

const id3v1Bytes = 128;
const apeFooterBytes = 32;
/** A tail that holds several frames at any rate. */
const tailBytes = 16 * 1024;
/** How many frames in a row make a chain that is no accident. */
const leastChain = 3;
const mostTags = 16;

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
    return { frames, bytes };
  }
  return null;
}

/** How far the frames in `bytes` reach: the chain that starts earliest and holds to the end, null where there is none. */
function chainEnd(bytes: Uint8Array, first: MpegFrame): { readonly end: number; readonly last: MpegFrame } | null {
  for (let start = 0; start + 4 <= bytes.length; start++) {
    if (bytes[start] !== 0xff) continue;
    let at = start;
    let last: MpegFrame | null = null;
    for (let count = 0; ; count++) {
      const frame = parseMpegFrame(bytes, at);
      if (!frame || !isSameMpegStream(frame, first)) {
        // Behind the chain must be nothing, or less than a header.
        if (last && count >= leastChain && at + 4 > bytes.length) return { end: at, last };
        break;
      }
      last = frame;
      at += frame.bytes;
    }
  }
  return null;
}

/**
 * Checks an MPEG audio stream: with a Xing or Info header by its byte count, else by the chain of frames at the end, whose last must not
 * reach beyond the sound. A constant rate gives the length, a variable one only with the header.
 */
export async function checkMp3(source: ByteSource): Promise<ContainerCheck> {
  const first = await findMpegFrame((position, length) => source.read(position, length));
  if (!first) return { kind: 'foreign' };
  const end = await soundEnd(source);
  const info = infoHeader(await source.read(first.position, first.bytes));
  const infoSeconds = info?.frames ? (info.frames * first.samples) / first.sampleRate : null;

  if (info?.bytes) {
    const promisedEnd = first.position + info.bytes;
    if (promisedEnd > source.size) {
      const times =
        infoSeconds === null
          ? {}
          : {
              promisedSeconds: infoSeconds,
              actualSeconds: (infoSeconds * (source.size - first.position)) / info.bytes,
            };
      return { kind: 'cut', facts: { promisedBytes: promisedEnd, actualBytes: source.size, ...times } };
    }
    return { kind: 'complete', ...(infoSeconds !== null && { durationSeconds: infoSeconds }) };
  }

  const start = Math.max(first.position, end - tailBytes);
  const chain = chainEnd(await source.read(start, end - start), first);
  const constant = chain?.last.bitsPerSecond === first.bitsPerSecond;
  const seconds = infoSeconds ?? (constant ? ((end - first.position) * 8) / first.bitsPerSecond : null);
  if (chain && start + chain.end > end) {
    return {
      kind: 'cut',
      facts: {
        promisedBytes: start + chain.end,
        actualBytes: end,
        ...(seconds !== null && { actualSeconds: seconds }),
      },
    };
  }
  // No chain at the end: a short file, or something alien behind the sound, which decoders skip.
  return { kind: 'complete', ...(seconds !== null && { durationSeconds: seconds }) };
}
