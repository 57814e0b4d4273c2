/** The inputs to the size of a result. */
export interface ResultEstimate {
  /** Duration of the source in seconds; null if only decoding can tell. */
  readonly durationSeconds: number | null;
  /** Format of the result, with or without a leading dot. */
  readonly format: string;
  /** How many times faster than the source the result plays. */
  readonly speed: number;
  /** Size of the source, used if its duration is unknown. */
  readonly sourceBytes: number;
}

/** 48 kHz, mono, 16 bit. A source with a higher rate may come back with it, up to 24-bit stereo. */
const pcmBytesPerSecond = 96_000;
const maxPcmBytesPerSecond = 288_000;
/** The highest common rates: FLAC of noisy speech, MP3 at 320 kbit/s, Vorbis at quality 8. */
const bytesPerSecond: Readonly<Record<string, number>> = { flac: 144_000, mp3: 40_000, ogg: 32_000, opus: 32_000 };
/** Headers and tags, which are most of a short result. */
const headerBytes = 64 * 1024;

/**
 * Estimates the size of a result on disk. Errs on the high side, because disk space is checked
 * before a paid call.
 */
export function estimateResultBytes({ durationSeconds, format, speed, sourceBytes }: ResultEstimate): number {
  const playbackRate = Number.isFinite(speed) && speed > 0 ? speed : 1;
  const isKnown = durationSeconds !== null && Number.isFinite(durationSeconds) && durationSeconds >= 0;
  if (!isKnown) return headerBytes + Math.ceil(sourceBytes / playbackRate);
  const rate = bytesPerSecond[format.replace(/^\./, '').toLowerCase()];
  const sourceRate = durationSeconds > 0 ? sourceBytes / durationSeconds : 0;
  const pcmRate = Math.min(Math.max(pcmBytesPerSecond, sourceRate), maxPcmBytesPerSecond);
  return headerBytes + Math.ceil((durationSeconds * (rate ?? pcmRate)) / playbackRate);
}
