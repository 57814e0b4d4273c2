import audioType from 'audio-type';
import { tagAt, type ByteSource } from './container-check.ts';
import { findMpegFrame, tagsEnd } from './mpeg-frame.ts';
import type { InputFormat } from './sound-format.ts';

/** How many bytes of a file's start `detectFormat` looks at; more do no harm. */
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
};

/**
 * Names the format that a file's first bytes claim, or null. A claim only: two bytes are enough to look like MP3 (UTF-16 text
 * does), so `inspectSound` also asks the container. Ogg that carries FLAC is `flac`: the same decoder reads both.
 */
export function detectFormat(head: Uint8Array): InputFormat | null {
  // audio-type reads the whole ArrayBuffer behind a view, and Node's small Buffers share one: hand it a copy.
  const type = audioType(Uint8Array.from(head.subarray(0, detectHeadBytes)));
  return (type !== undefined && formatOfType[type]) || null;
}

export interface Detected {
  readonly format: InputFormat;
  readonly isOgg: boolean;
}

/**
 * Names the format of a file, or null: what stands behind its tags, and where that is nothing that begins like sound, an MPEG stream
 * up to 64 KiB later.
 */
export async function detectSource(source: ByteSource): Promise<Detected | null> {
  const start = await tagsEnd(source);
  const head = await source.read(start, detectHeadBytes);
  const format = detectFormat(head);
  if (format !== null && format !== 'mp3') return { format, isOgg: tagAt(head, 0) === 'OggS' };
  return format === 'mp3' || (await findMpegFrame(source)) ? { format: 'mp3', isOgg: false } : null;
}
