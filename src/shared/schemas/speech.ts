import * as v from 'valibot';
import { type SpeechEngine, speechEngines, type SpeechPlatform, speechPlatforms } from '../operations.ts';

/** The settings of speech (interface, operation 4). `pitch` and `speed` are in the connection's range. */
export interface SpeechSettings {
  readonly voiceId: string;
  /** A tag such as `en-GB`; empty is the voice's own language. */
  readonly language: string;
  readonly speed: number;
  readonly pitch: number;
  readonly engine: SpeechEngine;
  readonly platform: SpeechPlatform;
  /** How long a result is silent after its sentences and paragraphs; the usual pauses if undefined. */
  readonly pauses?: SpeechPauses;
}

/** Silence in seconds. */
export interface SpeechPauses {
  readonly sentence: number;
  readonly paragraph: number;
}

export const usualPauses: SpeechPauses = { sentence: 0.35, paragraph: 0.8 };
export const longestPauseSeconds = 10;

/** Silence in seconds after a passage, by what ends with it. */
export const pauseAfter = (
  { ends }: Pick<PassageState, 'ends'>,
  { pauses = usualPauses }: Pick<SpeechSettings, 'pauses'>,
): number => (ends === 'nothing' ? 0 : pauses[ends]);

/** A part of a text that is too long for one message. `part` counts from 0. */
export interface TextPart {
  readonly part: number;
  readonly parts: number;
  readonly text: string;
}

/** How a text is divided, and how much of it is not spoken yet. */
export interface SpeechOutline {
  /** Number of passages: sentences, or 1 for a short text. */
  readonly passages: number;
  /** Passages that were spoken before with these settings; they cost nothing. */
  readonly spoken: number;
  /** Calls for the others: words that are in a text twice are spoken once. */
  readonly calls: number;
  /** Characters of these calls, as services count them. */
  readonly characters: number;
}

/** A passage of the draft. */
export interface PassageState {
  /** Where it is in the draft, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly ends: 'nothing' | 'sentence' | 'paragraph';
  /** `media/take/<media>` plays it; null if it is not spoken yet. */
  readonly media: string | null;
  /** All its takes, the oldest first; `media` is the one that results contain. */
  readonly takes: readonly string[];
  readonly durationSeconds: number | null;
}

/** The sounds of sentences that Timbre keeps. */
export interface TakeUsage {
  readonly takes: number;
  readonly bytes: number;
}

export interface PassagePage {
  readonly passages: readonly PassageState[];
  /** The `from` of the next page; null on the last one. */
  readonly next: number | null;
}

/** `draft` is the text that the user wrote last, `opened` the file that they opened last. */
export const keptTexts = ['draft', 'opened'] as const;
export type KeptText = (typeof keptTexts)[number];

/** A positive, finite ratio; 1 changes nothing. The connection's narrower range is checked elsewhere. */
export const ratio = v.pipe(v.number(), v.finite(), v.gtValue(0, 'must be greater than 0'));

/** A lone surrogate cannot be in a URL or a file name. */
export const wellFormed = v.check((text: string) => text.isWellFormed(), 'must hold whole characters');

const pauseSeconds = v.pipe(v.number(), v.minValue(0), v.maxValue(longestPauseSeconds));

export const speechSettings = v.object({
  voiceId: v.pipe(v.string(), v.maxLength(1024), wellFormed),
  language: v.pipe(v.string(), v.maxLength(64), wellFormed),
  speed: ratio,
  pitch: ratio,
  engine: v.picklist(speechEngines),
  platform: v.picklist(speechPlatforms),
  pauses: v.exactOptional(v.object({ sentence: pauseSeconds, paragraph: pauseSeconds })),
});

/** So many passages of a text can be spoken again at once; a book has fewer. */
export const mostRetakes = 20_000;

/** How a job speaks. */
export interface SpeechJobSettings extends SpeechSettings {
  /** How many takes there must be of passages that the user wants to hear again, by the hash of their key. */
  readonly takes?: Readonly<Record<string, number>>;
}

export const speechJobSettings = v.object({
  ...speechSettings.entries,
  takes: v.exactOptional(v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(1)))),
});
