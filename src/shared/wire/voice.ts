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

/** All that a service tells of one voice (interface, "Voice detail"). What it left out is null or empty. */
export interface VoiceDetail {
  readonly voiceId: string;
  readonly name: string;
  readonly gender: Gender;
  readonly language: string;
  readonly category: string;
  readonly description: string;
  readonly pitch: string | null;
  readonly speed: string | null;
  /** Without a leading dot. */
  readonly supportedFormats: readonly string[];
}
