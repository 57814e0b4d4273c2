import audioType from 'audio-type';
import { tagAt, type ByteSource } from './container-check.ts';
import { findMpegFrame, tagsEnd } from './mpeg-frame.ts';
import type { InputFormat } from '../shared/input-formats.ts';

/** `detectFormat` reads this many bytes of the start of a file and ignores the rest. */
const detectHeadBytes = 4096;

const formatOfType: Readonly<Record<string, InputFormat>> = {
  wav: 'wav',
  mp3: 'mp3',
  flac: 'flac',
  oga: 'ogg',
  opus: 'opus',
  m4a: 'm4a',
  aac: 'aac',
  webm: 'webm',
  mkv: 'webm',
  aiff: 'aiff',
  caf: 'caf',
  amr: 'amr',
  wma: 'wma',
};

/** First boxes of QuickTime files that are older than `ftyp`. */
const quickTimeBoxes: ReadonlySet<string> = new Set(['moov', 'mdat', 'wide', 'pnot']);

/**
 * Detects the format that the first bytes of a file suggest, or null. Two bytes are enough to look
 * like MP3 (as UTF-16 text does), so `inspectSound` also checks the container. FLAC in Ogg is
 * `flac`, because one decoder reads both.
 */
export function detectFormat(head: Uint8Array): InputFormat | null {
  // Copies the head: audio-type reads the whole ArrayBuffer behind a view, and Node's small Buffers
  // share one.
  const type = audioType(Uint8Array.from(head.subarray(0, detectHeadBytes)));
  if (type === 'oga' && tagAt(head, 28) === 'Spee') return 'spx';
  if (type === undefined && quickTimeBoxes.has(tagAt(head, 4))) return 'm4a';
  return (type !== undefined && formatOfType[type]) || null;
}

export interface Detected {
  readonly format: InputFormat;
  readonly isOgg: boolean;
}

/**
 * Detects the format of a file after its tags. If that is not audio, searches for an MPEG stream in
 * the next 64 KiB. Returns null if there is neither.
 */
export async function detectSource(source: ByteSource): Promise<Detected | null> {
  const start = await tagsEnd(source);
  const head = await source.read(start, detectHeadBytes);
  const format = detectFormat(head);
  if (format !== null && format !== 'mp3') return { format, isOgg: tagAt(head, 0) === 'OggS' };
  return format === 'mp3' || (await findMpegFrame(source)) ? { format: 'mp3', isOgg: false } : null;
}
