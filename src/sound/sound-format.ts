import type { InputFormat } from '../shared/input-formats.ts';

/** Output formats: 16-bit WAV, MP3 (constant rate), 16-bit FLAC, Ogg Vorbis. */
export const outputFormats = ['wav', 'mp3', 'flac', 'ogg'] as const;

export type OutputFormat = (typeof outputFormats)[number];

const outputNames: ReadonlySet<string> = new Set(outputFormats);

/** True if `name` (lower case, without a leading dot) is an output format. */
export const isOutputFormat = (name: string): name is OutputFormat => outputNames.has(name);

/** Names a format and its coding to the user, such as `caf/alac`. */
export const formatLabel = (format: InputFormat, coding: string): string =>
  format === 'spx' ? 'Speex' : `${format}/${coding}`;

/** Returns the media type of an output format. */
export const mediaTypeOf = (format: OutputFormat): string =>
  ({ wav: 'audio/wav', mp3: 'audio/mpeg', flac: 'audio/flac', ogg: 'audio/ogg' })[format];
