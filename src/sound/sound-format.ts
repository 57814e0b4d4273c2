/** What an input can be, named by its codec family or container. `m4a` is any MP4 with a sound track (AAC or ALAC). */
export const inputFormats = ['wav', 'mp3', 'flac', 'ogg', 'opus', 'm4a', 'aac', 'webm', 'aiff', 'caf'] as const;

/** What can be written: 16-bit WAV, MP3 (constant rate), 16-bit FLAC, Ogg Vorbis. */
export const outputFormats = ['wav', 'mp3', 'flac', 'ogg'] as const;

export type InputFormat = (typeof inputFormats)[number];
export type OutputFormat = (typeof outputFormats)[number];

const written: ReadonlySet<string> = new Set(outputFormats);

/** Whether `name` (no leading dot, lower case) is a format that can be written. */
export const isOutputFormat = (name: string): name is OutputFormat => written.has(name);

/** Media type for a file that was written in `format`. */
export const mediaTypeOf = (format: OutputFormat): string =>
  ({ wav: 'audio/wav', mp3: 'audio/mpeg', flac: 'audio/flac', ogg: 'audio/ogg' })[format];
