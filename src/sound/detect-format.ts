import audioType from 'audio-type';
import type { InputFormat } from './sound-format.ts';

/** How many bytes of a file's start `detectFormat` looks at; more do no harm. */
export const detectHeadBytes = 4096;

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
