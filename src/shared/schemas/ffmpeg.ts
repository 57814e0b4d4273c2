/** The ffmpeg that decodes what Timbre does not decode by itself. */
export interface FfmpegStatus {
  /** Absolute path; null if there is none. */
  readonly path: string | null;
  /** Null if it does not start. */
  readonly version: string | null;
  /** True if the user has selected it; otherwise it was found on this computer. */
  readonly isSelected: boolean;
  /** As in `process.platform`: how to get it differs. */
  readonly system: string;
}
