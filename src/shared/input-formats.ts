/**
 * Formats of recordings, named by codec family or container, and their file extensions (lower case,
 * without the dot), the usual one first. `m4a` is any MP4 or QuickTime file with an audio track, `webm`
 * any Matroska file with one, `wma` any ASF file with one. A file is recognized by its content; the
 * extensions say which files of a folder are recordings.
 */
const extensionsOf = {
  wav: ['wav', 'wave'],
  mp3: ['mp3'],
  flac: ['flac'],
  ogg: ['ogg', 'oga'],
  opus: ['opus'],
  m4a: ['m4a', 'mp4', 'm4b', 'm4v', 'mov', '3gp', '3g2'],
  aac: ['aac'],
  webm: ['webm', 'mka', 'mkv'],
  aiff: ['aiff', 'aif', 'aifc'],
  caf: ['caf'],
  amr: ['amr', 'awb'],
  wma: ['wma', 'asf', 'wmv'],
  spx: ['spx'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type InputFormat = keyof typeof extensionsOf;

export const inputFormats = Object.keys(extensionsOf) as readonly InputFormat[];

/** All extensions, in the order of the formats. */
export const inputExtensions: readonly string[] = Object.values(extensionsOf).flat();

/** Returns the format that an extension (lower case, without the dot) stands for; null for any other. */
export const formatOfExtension = (extension: string): InputFormat | null =>
  inputFormats.find((format) => (extensionsOf[format] as readonly string[]).includes(extension)) ?? null;
