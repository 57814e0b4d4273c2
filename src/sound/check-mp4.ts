import { tagAt, viewOf, type ByteSource, type ContainerCheck } from './container-check.ts';

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const mostBoxes = 100_000;
const longestMoov = 16 * 1024 * 1024;

/** Size of the box at the start of `header` (16 bytes), null where there is none. A size of 0 reaches to the end of the file. */
function boxAt(header: Uint8Array, position: number, end: number): Box | null {
  if (header.length < 8) return null;
  const view = viewOf(header);
  const short = view.getUint32(0);
  const type = tagAt(header, 4);
  if (short === 0) return { type, start: position + 8, end };
  if (short !== 1) return short < 8 ? null : { type, start: position + 8, end: position + short };
  if (header.length < 16) return null;
  const long = Number(view.getBigUint64(8));
  return long < 16 ? null : { type, start: position + 16, end: position + long };
}

/** The boxes directly inside a piece of memory; broken ones end the list. */
function* boxesIn(bytes: Uint8Array): Generator<{ readonly type: string; readonly content: Uint8Array }> {
  let position = 0;
  while (position + 8 <= bytes.length) {
    const box = boxAt(bytes.subarray(position, position + 16), position, bytes.length);
    if (!box || box.end > bytes.length) return;
    yield { type: box.type, content: bytes.subarray(box.start, box.end) };
    position = box.end;
  }
}

const inside = (bytes: Uint8Array, type: string) =>
  [...boxesIn(bytes)].filter((box) => box.type === type).map(({ content }) => content);

function hasSoundTrack(moov: Uint8Array): boolean {
  const handlers = inside(moov, 'trak')
    .flatMap((trak) => inside(trak, 'mdia'))
    .flatMap((mdia) => inside(mdia, 'hdlr'));
  return handlers.some((handler) => tagAt(handler, 8) === 'soun');
}

function movieSeconds(moov: Uint8Array): number | null {
  const [header] = inside(moov, 'mvhd');
  if (!header || header.length < 20) return null;
  const view = viewOf(header);
  const long = header[0] === 1;
  if (long && header.length < 32) return null;
  const scale = view.getUint32(long ? 20 : 12);
  const length = long ? Number(view.getBigUint64(24)) : view.getUint32(16);
  // All ones: unknown; 0: the fragments that follow carry it.
  return scale > 0 && length > 0 && length < 0xff_ff_ff_ff ? length / scale : null;
}

/**
 * Checks an MP4 (ISO/IEC 14496-12): every top-level box inside the file, `moov` (the index, often written last) present and with a sound
 * track, and something beside it to play.
 */
export async function checkMp4(source: ByteSource): Promise<ContainerCheck> {
  let moov: Uint8Array | null = null;
  let hasMedia = false;
  let position = 0;
  for (let count = 0; position < source.size && count < mostBoxes; count++) {
    const box = boxAt(await source.read(position, 16), position, source.size);
    if (!box) {
      // Less than a header at the very end is padding or a cut; in front of everything else it is no MP4.
      if (position === 0) return { kind: 'foreign' };
      return { kind: 'cut', facts: { actualBytes: source.size } };
    }
    if (position === 0 && box.type !== 'ftyp') return { kind: 'foreign' };
    if (box.end > source.size) return { kind: 'cut', facts: { promisedBytes: box.end, actualBytes: source.size } };
    if (box.type === 'mdat' || box.type === 'moof') hasMedia ||= box.end > box.start;
    if (box.type === 'moov') moov = await source.read(box.start, Math.min(box.end - box.start, longestMoov));
    position = box.end;
  }
  if (!moov || !hasMedia) return { kind: 'cut', facts: { actualBytes: source.size } };
  if (!hasSoundTrack(moov)) return { kind: 'foreign' };
  const durationSeconds = movieSeconds(moov);
  return { kind: 'complete', ...(durationSeconds !== null && { durationSeconds }) };
}
