import { tagAt, viewOf, type ByteSource } from './container-check.ts';

/** What stands in a WAV up to its sound. */
export interface RiffWalk {
  /** Bytes behind the first eight, as the header has them. */
  readonly riffBytes: number;
  /** The `fmt ` chunk in front of the sound, without what is alien to it; empty where there is none. */
  readonly format: Uint8Array;
  /** The `data` chunk, with its size as its header has it; null where the chunks end before one. */
  readonly data: { readonly start: number; readonly size: number } | null;
}

const mostChunks = 10_000;
/** 16 bytes, 40 when extended, 50 for ADPCM with its coefficients. */
const longestFormat = 1024;

export interface WavFormat {
  readonly bytesPerSecond: number;
  readonly frameBytes: number;
}

const extensible = 0xff_fe;
/** PCM, MS ADPCM, float, A-law, mu-law, IMA ADPCM: what the decoder reads. */
const knownCodings: ReadonlySet<number> = new Set([1, 2, 3, 6, 7, 0x11]);
const adpcm: ReadonlySet<number> = new Set([2, 0x11]);

/** What a `fmt ` chunk says; null where it is too short or makes no sense. Writers leave rate and width at 0 where they follow from the rest. */
export function parseWavFormat(format: Uint8Array): WavFormat | null {
  if (format.length < 16) return null;
  const view = viewOf(format);
  const tag = view.getUint16(0, true);
  const coding = tag === extensible && format.length >= 26 ? view.getUint16(24, true) : tag;
  const [channels, rate, bits] = [view.getUint16(2, true), view.getUint32(4, true), view.getUint16(14, true)];
  if (!knownCodings.has(coding) || channels === 0 || rate === 0) return null;
  if (adpcm.has(coding)) {
    const [bytesPerSecond, frameBytes] = [view.getUint32(8, true), view.getUint16(12, true)];
    return frameBytes === 0 ? null : { bytesPerSecond, frameBytes };
  }
  const frameBytes = channels * Math.ceil((coding >= 6 ? 8 : bits) / 8);
  return frameBytes === 0 ? null : { bytesPerSecond: frameBytes * rate, frameBytes };
}

/**
 * Goes from chunk to chunk until the sound begins; null for what is no WAV. A chunk of odd length is followed by a byte that pads it.
 * (IBM and Microsoft, Multimedia Programming Interface 1.0, chapter 3.)
 */
export async function walkRiff(source: ByteSource): Promise<RiffWalk | null> {
  const head = await source.read(0, 12);
  if (tagAt(head, 0) !== 'RIFF' || tagAt(head, 8) !== 'WAVE') return null;
  const riffBytes = viewOf(head).getUint32(4, true);
  let format = new Uint8Array(0);
  let position = 12;
  for (let count = 0; count < mostChunks; count++) {
    const chunk = await source.read(position, 8);
    if (chunk.length < 8) break;
    const size = viewOf(chunk).getUint32(4, true);
    const start = position + 8;
    const tag = tagAt(chunk, 0);
    if (tag === 'fmt ') format = Uint8Array.from(await source.read(start, Math.min(size, longestFormat)));
    if (tag === 'data') return { riffBytes, format, data: { start, size } };
    position = start + size + (size & 1);
  }
  return { riffBytes, format, data: null };
}
