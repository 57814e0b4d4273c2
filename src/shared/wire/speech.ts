export const speechEngines = ['v1', 'v5', 'v7'] as const;
export const speechPlatforms = ['web', 'win', 'mac', 'phone'] as const;

export type SpeechEngine = (typeof speechEngines)[number];
export type SpeechPlatform = (typeof speechPlatforms)[number];

/** What one piece of speech asks of the service (interface, operation 4). `pitch` and `speed` in the connection's range. */
export interface SpeechSettings {
  readonly voiceId: string;
  /** A tag such as `en-GB`; empty is the voice's own language. */
  readonly language: string;
  readonly speed: number;
  readonly pitch: number;
  readonly engine: SpeechEngine;
  readonly platform: SpeechPlatform;
}

/** A piece of a text that is too long for one message; `part` from 0. */
export interface TextPart {
  readonly part: number;
  readonly parts: number;
  readonly text: string;
}

/** `draft` is what a person wrote last, `opened` the file that they chose last. */
export const keptTexts = ['draft', 'opened'] as const;
export type KeptText = (typeof keptTexts)[number];
