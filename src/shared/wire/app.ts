export interface AppInfo {
  readonly version: string;
  readonly platform: 'linux' | 'mac' | 'win';
  /** The person's languages, best first, as BCP 47 tags. */
  readonly languages: readonly string[];
}
