import { tagAt, viewOf, type ByteSource } from './container-check.ts';

interface Box {
  readonly type: string;
  /** Start of its content. */
  readonly start: number;
  readonly end: number;
}

/** The index of a ten-hour film has 12 MB. */
export const maxMoovBytes = 16 * 1024 * 1024;
const maxBoxes = 50_000;
const maxInnerBoxes = 20_000;
/** A decoder reads the tables entry by entry, some of them once per chunk. */
const maxTableSteps = 2e9;
const maxEmptySamples = 1000;

/** QuickTime files that are older than `ftyp` begin with another box. */
const firstBoxes: ReadonlySet<string> = new Set(['ftyp', 'moov', 'mdat', 'wide', 'pnot']);

/** Parses the box header at `at`. Returns null if there is none. A size of 0 means up to `end`. */
function boxAt(bytes: Uint8Array, at: number, position: number, end: number): Box | null {
  if (at + 8 > bytes.length) return null;
  const view = viewOf(bytes);
  const short = view.getUint32(at);
  const type = tagAt(bytes, at + 4);
  if (short === 0) return { type, start: position + 8, end };
  if (short !== 1) return short < 8 ? null : { type, start: position + 8, end: position + short };
  if (at + 16 > bytes.length) return null;
  const long = Number(view.getBigUint64(at + 8));
  return long < 16 ? null : { type, start: position + 16, end: position + long };
}

export interface TopBoxes {
  readonly moov: Box | null;
  /** Start of the first box with media, including its header. */
  readonly mediaStart: number | null;
  readonly isFragmented: boolean;
  /** End of the last readable box; less than the file size if other bytes follow. */
  readonly end: number;
  /** End of a box that exceeds the file; null if there is none. */
  readonly promisedEnd: number | null;
  /** True if not even the first box is valid. */
  readonly isForeign: boolean;
}

/** Walks the top-level boxes of a file. */
export async function walkTop(source: ByteSource): Promise<TopBoxes> {
  let moov: Box | null = null;
  let mediaStart: number | null = null;
  let isFragmented = false;
  let position = 0;
  let promisedEnd: number | null = null;
  for (let count = 0; position < source.size; count++) {
    const box = boxAt(await source.read(position, 16), 0, position, source.size);
    if (count === maxBoxes || (position === 0 && !firstBoxes.has(box?.type ?? '')))
      return { moov, mediaStart, isFragmented, end: position, promisedEnd, isForeign: true };
    if (!box || !/^[ -~\u00a9]{4}$/.test(box.type)) break;
    if (box.end > source.size) {
      promisedEnd = box.end;
      break;
    }
    if (box.type === 'moof') isFragmented = true;
    if ((box.type === 'mdat' || box.type === 'moof') && box.end > box.start) mediaStart ??= position;
    if (box.type === 'moov') moov ??= box;
    position = box.end;
  }
  return { moov, mediaStart, isFragmented, end: position, promisedEnd, isForeign: false };
}

interface Found {
  readonly type: string;
  readonly content: Uint8Array;
}

/**
 * Creates a reader of the boxes in memory. It throws RangeError when it has read more boxes than any
 * real film has.
 */
function createBoxReader(): (bytes: Uint8Array) => readonly Found[] {
  let boxes = 0;
  return (bytes) => {
    const found: Found[] = [];
    let position = 0;
    while (position + 8 <= bytes.length) {
      const box = boxAt(bytes, position, position, bytes.length);
      if (!box || box.end > bytes.length) break;
      if (++boxes > maxInnerBoxes) throw new RangeError('an index of too many boxes');
      found.push({ type: box.type, content: bytes.subarray(box.start, box.end) });
      position = box.end;
    }
    return found;
  };
}

/** The audio track that an index describes. */
export interface SoundTrack {
  /** Duration as played, that is without what an edit list skips; null if the fragments state it. */
  readonly seconds: number | null;
  /** End of the last sample. */
  readonly samplesEnd: number;
  /** Type of its sample entry, such as `mp4a`; empty if there is none. */
  readonly coding: string;
  /** False if the decoder does not read this coding, or would have to list too many samples. */
  readonly isDecoded: boolean;
}

/** Codings that the decoder reads, in MP4 and in QuickTime files. */
const compressed: ReadonlySet<string> = new Set([
  ...['mp4a', 'alac', '.mp3', 'fLaC', 'Opus', 'samr', 'sawb', 'ac-3', 'ec-3', 'dtsc', 'dtsh', 'dtsl', 'dtse'],
]);
const uncompressed: ReadonlySet<string> = new Set([
  ...['sowt', 'twos', 'in24', 'in32', 'fl32', 'fl64', 'raw ', 'NONE', 'ulaw', 'alaw', 'lpcm', 'ipcm', 'fpcm'],
]);
/** The decoder keeps a number for each; of compressed audio, this many are a week. */
const maxSamples = 24 * 1024 * 1024;

const timescaleAt = (header: Uint8Array) => (header[0] === 1 ? 20 : 12);

function headerSeconds(header: Uint8Array | undefined): { readonly scale: number; readonly seconds: number | null } {
  if (!header || header.length < (header[0] === 1 ? 32 : 20)) return { scale: 0, seconds: null };
  const view = viewOf(header);
  const at = timescaleAt(header);
  const scale = view.getUint32(at);
  const length = header[0] === 1 ? Number(view.getBigUint64(at + 4)) : view.getUint32(at + 4);
  // All ones means unknown; 0 means that the fragments state it.
  return { scale, seconds: scale > 0 && length > 0 && length < 0xff_ff_ff_ff ? length / scale : null };
}

/** Reads the header of a table. Throws RangeError if the box is too small for its entries. */
function tableOf(
  content: Uint8Array | undefined,
  entryBytes: number,
): { readonly count: number; readonly view: DataView } {
  if (!content) return { count: 0, view: new DataView(new ArrayBuffer(0)) };
  if (content.length < 8) throw new RangeError('a table without a length');
  const view = viewOf(content);
  const count = view.getUint32(4);
  if (8 + count * entryBytes > content.length) throw new RangeError('a table that is longer than its box');
  return { count, view };
}

/**
 * Returns the seconds of media that an edit list plays. Does as the decoder does: it supports one
 * edit and plays everything if there are several.
 */
function playedSeconds(edits: Uint8Array | undefined, media: number, scale: number, movieScale: number): number {
  const isLong = edits?.[0] === 1;
  const { count, view } = tableOf(edits, isLong ? 20 : 12);
  let played = media;
  let mediaEdits = 0;
  for (let k = 0; k < count; k++) {
    const at = 8 + k * (isLong ? 20 : 12);
    const length = isLong ? Number(view.getBigUint64(at)) : view.getUint32(at);
    const start = isLong ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4);
    if (start < 0) continue;
    mediaEdits += 1;
    if (mediaEdits > 1) return media;
    played = Math.max(0, media - start / scale);
    if (length > 0 && movieScale > 0) played = Math.min(played, (length + (movieScale < scale ? 1 : 0)) / movieScale);
  }
  return played;
}

/** Number of samples that the decoder lists. */
const sampleCount = (sizes: Uint8Array | undefined): number =>
  sizes && sizes.length >= 12 ? viewOf(sizes).getUint32(8) : 0;

/** Checks that the tables fit their boxes and the file. Returns the end of the last sample. */
function checkTables(tables: ReadonlyMap<string, Uint8Array>, fileBytes: number): number {
  const sizes = tables.get('stsz');
  if (!sizes || sizes.length < 12) return 0;
  const sizeView = viewOf(sizes);
  const oneSize = sizeView.getUint32(4);
  const samples = sizeView.getUint32(8);
  if (oneSize === 0 ? 12 + samples * 4 > sizes.length : samples * oneSize > fileBytes)
    throw new RangeError('more samples than there is room for');
  const long = tables.get('co64');
  const chunks = tableOf(long ?? tables.get('stco'), long ? 8 : 4);
  const runs = tableOf(tables.get('stsc'), 12);
  if (chunks.count * runs.count > maxTableSteps) throw new RangeError('tables that would take too long');
  let sample = 0;
  let run = 0;
  let end = 0;
  let empty = 0;
  for (let chunk = 0; chunk < chunks.count && sample < samples; chunk++) {
    const offset = long ? Number(chunks.view.getBigUint64(8 + chunk * 8)) : chunks.view.getUint32(8 + chunk * 4);
    if (offset < end) throw new RangeError('chunks that overlap');
    while (run + 1 < runs.count && runs.view.getUint32(8 + (run + 1) * 12) <= chunk + 1) run += 1;
    const isLast = chunk === chunks.count - 1;
    const inChunk = isLast ? samples : runs.count > 0 ? runs.view.getUint32(12 + run * 12) : 1;
    end = offset;
    for (let k = 0; k < inChunk && sample < samples; k++, sample++) {
      const size = oneSize || sizeView.getUint32(12 + sample * 4);
      if (size === 0 && ++empty > maxEmptySamples) throw new RangeError('samples without bytes');
      end += size;
    }
  }
  return end;
}

/**
 * Returns the audio track of an index (ISO/IEC 14496-12), or null if it has none. Throws RangeError
 * for an index that no real writer creates.
 */
export function soundTrackOf(moov: Uint8Array, fileBytes: number): SoundTrack | null {
  const boxesIn = createBoxReader();
  const top = boxesIn(moov);
  const movieScale = headerSeconds(top.find(({ type }) => type === 'mvhd')?.content).scale;
  for (const trak of top) {
    if (trak.type !== 'trak') continue;
    const inTrak = boxesIn(trak.content);
    const inMdia = inTrak.filter(({ type }) => type === 'mdia').flatMap(({ content }) => boxesIn(content));
    const handler = inMdia.find(({ type }) => type === 'hdlr')?.content;
    if (!handler || tagAt(handler, 8) !== 'soun') continue;
    const inMinf = inMdia.filter(({ type }) => type === 'minf').flatMap(({ content }) => boxesIn(content));
    const inStbl = inMinf.filter(({ type }) => type === 'stbl').flatMap(({ content }) => boxesIn(content));
    const tables = new Map(inStbl.map(({ type, content }) => [type, content]));
    const { scale, seconds } = headerSeconds(inMdia.find(({ type }) => type === 'mdhd')?.content);
    const times = tableOf(tables.get('stts'), 8);
    let ticks = 0;
    for (let k = 0; k < times.count; k++) ticks += times.view.getUint32(8 + k * 8) * times.view.getUint32(12 + k * 8);
    const media = scale > 0 && ticks > 0 ? ticks / scale : seconds;
    const edits = inTrak
      .filter(({ type }) => type === 'edts')
      .flatMap(({ content }) => boxesIn(content))
      .find(({ type }) => type === 'elst')?.content;
    const isFragmented = top.some(({ type }) => type === 'mvex') && ticks === 0;
    const coding = tagAt(tables.get('stsd') ?? new Uint8Array(0), 12);
    return {
      seconds: media === null || isFragmented ? null : playedSeconds(edits, media, scale, movieScale),
      samplesEnd: checkTables(tables, fileBytes),
      coding,
      isDecoded:
        (coding === '' || compressed.has(coding) || uncompressed.has(coding)) &&
        sampleCount(tables.get('stsz')) <= maxSamples,
    };
  }
  return null;
}
