/** Input formats, named by codec family or container. `m4a` is any MP4 with an audio track (AAC or ALAC). */
export const inputFormats = ['wav', 'mp3', 'flac', 'ogg', 'opus', 'm4a', 'aac', 'webm', 'aiff', 'caf'] as const;

/** Output formats: 16-bit WAV, MP3 (constant rate), 16-bit FLAC, Ogg Vorbis. */
export const outputFormats = ['wav', 'mp3', 'flac', 'ogg'] as const;

export type InputFormat = (typeof inputFormats)[number];
export type OutputFormat = (typeof outputFormats)[number];

const outputNames: ReadonlySet<string> = new Set(outputFormats);

/** True if `name` (lower case, without a leading dot) is an output format. */
export const isOutputFormat = (name: string): name is OutputFormat => outputNames.has(name);

/** Returns the media type of an output format. */
export const mediaTypeOf = (format: OutputFormat): string =>
  ({ wav: 'audio/wav', mp3: 'audio/mpeg', flac: 'audio/flac', ogg: 'audio/ogg' })[format];
