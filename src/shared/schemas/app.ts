export interface AppInfo {
  readonly version: string;
  readonly platform: 'linux' | 'mac' | 'win';
  /** The person's languages, best first, as BCP 47 tags. */
  readonly languages: readonly string[];
}

/** What is left undone when the program ends now. */
export interface QuitRequest {
  /** Jobs that have not ended. Timbre goes on with them the next time. */
  readonly open: number;
  /** Of these, paid calls that a service is working on: their answers would be lost. */
  readonly atService: number;
  /** Which question this is: whoever stays answers the one that they saw, and not a later one. */
  readonly question: number;
}
