import * as v from 'valibot';

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

/** A positive, finite ratio: 1 leaves the sound as it is. The narrower range of a connection is checked where it is known. */
export const ratio = v.pipe(v.number(), v.finite(), v.gtValue(0, 'must be greater than 0'));

/** Half of a character is no name of anything, and cannot stand in an address or a file. */
export const wellFormed = v.check((text: string) => text.isWellFormed(), 'must hold whole characters');

export const speechSettings = v.object({
  voiceId: v.pipe(v.string(), v.maxLength(1024), wellFormed),
  language: v.pipe(v.string(), v.maxLength(64), wellFormed),
  speed: ratio,
  pitch: ratio,
  engine: v.picklist(speechEngines),
  platform: v.picklist(speechPlatforms),
});

/** UTF-16 units in one message: 150 kB at most, where a message may have 256. */
export const unitsInPart = 50_000;

/** A text in pieces of one message each, in order; an empty text is one empty piece. */
export function textParts(text: string): readonly string[] {
  const count = Math.max(1, Math.ceil(text.length / unitsInPart));
  return Array.from({ length: count }, (_, k) => text.slice(k * unitsInPart, (k + 1) * unitsInPart));
}

/** The length of a text as people count it in the limits of services: code points. */
export function textLength(text: string): number {
  let length = text.length;
  for (const [pair] of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) length -= pair.length - 1;
  return length;
}
