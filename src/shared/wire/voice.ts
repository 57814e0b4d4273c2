export type Gender = 'male' | 'female';

/** A catalogue entry as the service lists it (interface, "Voice"). `language` is a tag such as `en-GB`. */
export interface Voice {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly gender: Gender;
  readonly category: string;
}

export interface VoicePage {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly voices: readonly Voice[];
}
