export interface AppInfo {
  readonly version: string;
  readonly platform: 'linux' | 'mac' | 'win';
  /** The user's languages, best first, as BCP 47 tags. */
  readonly languages: readonly string[];
}

/** Open work if the program quits now. */
export interface QuitRequest {
  /** Jobs that have not ended. Timbre resumes them at the next start. */
  readonly open: number;
  /** Those with a paid call that a service is processing: its reply would be lost. */
  readonly atService: number;
  /** Identifies the question, so that `stay` answers the one on screen and not a later one. */
  readonly question: number;
}
