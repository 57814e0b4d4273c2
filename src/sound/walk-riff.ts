import { tagAt, viewOf, type ByteSource } from './container-check.ts';

/** The chunks of a WAV up to its audio. */
export interface RiffWalk {
  /** RIFF size from the header: bytes after the first eight. */
  readonly riffBytes: number;
  /** The `fmt ` chunk before the audio, without unknown extra bytes; empty if there is none. */
  readonly format: Uint8Array;
  /** The `data` chunk with the size in its header; null if the chunks end before one. */
  readonly data: { readonly start: number; readonly size: number } | null;
}

const maxChunks = 10_000;
/** The chunk has 16 bytes, 40 when extended, 50 for ADPCM with its coefficients. */
const maxFormatBytes = 1024;

export interface WavFormat {
  readonly bytesPerSecond: number;
  readonly frameBytes: number;
}

const extensible = 0xff_fe;
/** Codings that the decoder reads: PCM, MS ADPCM, float, A-law, mu-law, IMA ADPCM. */
const knownCodings: ReadonlySet<number> = new Set([1, 2, 3, 6, 7, 0x11]);
const adpcm: ReadonlySet<number> = new Set([2, 0x11]);

/**
 * Parses a `fmt ` chunk. Returns null if it is too short or invalid. Computes the byte rate and the
 * frame size of PCM, because some writers leave them at 0.
 */
export function parseWavFormat(format: Uint8Array): WavFormat | null {
  if (format.length < 16) return null;
  const view = viewOf(format);
  const tag = view.getUint16(0, true);
  const coding = tag === extensible && format.length >= 26 ? view.getUint16(24, true) : tag;
  const [channels, rate, bits] = [view.getUint16(2, true), view.getUint32(4, true), view.getUint16(14, true)];
  if (!knownCodings.has(coding) || channels === 0 || rate === 0) return null;
  if (adpcm.has(coding)) {
    const [statedRate, frameBytes] = [view.getUint32(8, true), view.getUint16(12, true)];
    const blockSamples = format.length >= 20 ? view.getUint16(18, true) : 0;
    // FFmpeg states a rate that is not that of its blocks.
    const bytesPerSecond = blockSamples > 0 ? (rate * frameBytes) / blockSamples : statedRate;
    return frameBytes === 0 ? null : { bytesPerSecond, frameBytes };
  }
  const frameBytes = channels * Math.ceil((coding >= 6 ? 8 : bits) / 8);
  return frameBytes === 0 ? null : { bytesPerSecond: frameBytes * rate, frameBytes };
}

/**
 * Walks the chunks of a WAV up to its audio. Returns null if the file is not a WAV. A pad byte
 * follows a chunk of odd length. (IBM and Microsoft, Multimedia Programming Interface 1.0, chapter
 * 3.)
 */
export async function walkRiff(source: ByteSource): Promise<RiffWalk | null> {
  const head = await source.read(0, 12);
  if (tagAt(head, 0) !== 'RIFF' || tagAt(head, 8) !== 'WAVE') return null;
  const riffBytes = viewOf(head).getUint32(4, true);
  let format = new Uint8Array(0);
  let position = 12;
  for (let count = 0; count < maxChunks; count++) {
    const chunk = await source.read(position, 8);
    if (chunk.length < 8) break;
    const size = viewOf(chunk).getUint32(4, true);
    const start = position + 8;
    const tag = tagAt(chunk, 0);
    if (tag === 'fmt ') format = Uint8Array.from(await source.read(start, Math.min(size, maxFormatBytes)));
    if (tag === 'data') return { riffBytes, format, data: { start, size } };
    position = start + size + (size & 1);
  }
  return { riffBytes, format, data: null };
}
