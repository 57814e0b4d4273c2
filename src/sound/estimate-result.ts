/** What decides how large a result becomes. */
export interface ResultEstimate {
  /** Length of the source in seconds; null where only decoding would tell. */
  readonly durationSeconds: number | null;
  /** Format of the result, with or without its leading dot. */
  readonly format: string;
  /** How many times faster than the source the result is. */
  readonly speed: number;
  /** Size of the source, the best guess where its length is not known. */
  readonly sourceBytes: number;
}

/** 48 kHz, stereo, 16 bit: what services write at most unless the source has more. */
const pcmBytesPerSecond = 192_000;
/** The highest rates that are usual: FLAC of noisy speech, MP3 with 320 kbit/s, Vorbis at quality 8. */
const bytesPerSecond: Readonly<Record<string, number>> = { flac: 144_000, mp3: 40_000, ogg: 32_000, opus: 32_000 };
/** Headers and tags, of which a short result consists nearly alone. */
const headBytes = 64 * 1024;

/** How many bytes a result takes on disk: rather too many than too few, because it is asked for before a call is paid. */
export function estimateResultBytes({ durationSeconds, format, speed, sourceBytes }: ResultEstimate): number {
  const pace = Number.isFinite(speed) && speed > 0 ? speed : 1;
  const isKnown = durationSeconds !== null && Number.isFinite(durationSeconds) && durationSeconds >= 0;
  const rate = bytesPerSecond[format.replace(/^\./, '').toLowerCase()] ?? pcmBytesPerSecond;
  return headBytes + Math.ceil((isKnown ? durationSeconds * rate : sourceBytes) / pace);
}
