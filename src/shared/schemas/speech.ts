import * as v from 'valibot';
import type { Problem } from '../errors.ts';
import { type SpeechEngine, speechEngines, type SpeechPlatform, speechPlatforms } from '../operations.ts';
import { isSpeakerName } from '../text/speakers.ts';
import type { Pronunciation } from '../text/pronounce.ts';
import { ratio, voiceId, wellFormed } from './fields.ts';
import { pronunciations } from './pronunciation.ts';

/** The settings of a call for speech (interface, operation 4). `pitch` and `speed` are in the connection's range. */
export interface VoiceSettings {
  readonly voiceId: string;
  /** A tag such as `en-GB`; empty is the voice's own language. */
  readonly language: string;
  readonly speed: number;
  readonly pitch: number;
  readonly engine: SpeechEngine;
  readonly platform: SpeechPlatform;
}

/** Silence in seconds. */
export interface SpeechPauses {
  readonly sentence: number;
  readonly paragraph: number;
}

export const usualPauses: SpeechPauses = { sentence: 0.35, paragraph: 0.8 };
export const maxPauseSeconds = 10;

/** Silence in seconds after a passage, by what ends with it. */
export const pauseAfter = (
  { ends }: Pick<PassageState, 'ends'>,
  { pauses = usualPauses }: Pick<SpeechSettings, 'pauses'>,
): number => (ends === 'nothing' ? 0 : pauses[ends]);
/** A name whose lines in a text (`Anna: …`) are spoken by a voice of its own. */
export interface Speaker {
  readonly name: string;
  readonly voiceId: string;
  /** The voice's name when it was chosen, to show it when the voice is gone. */
  readonly voiceName: string;
  /** As the text's, unless given; in a job, the voice's own if none was chosen for the text. */
  readonly language?: string;
  readonly speed?: number;
  readonly pitch?: number;
}

/** How a text is spoken: by one voice, and by those of its speakers. */
export interface SpeechSettings extends VoiceSettings {
  readonly speakers?: readonly Speaker[];
  /** How long a result is silent after its sentences and paragraphs; the usual pauses if undefined. */
  readonly pauses?: SpeechPauses;
}

/** The settings of the calls for the lines of a speaker; without one, for the rest of the text. */
export function voiceSettingsOf(
  { voiceId, language, speed, pitch, engine, platform, speakers = [] }: SpeechSettings,
  name?: string,
): VoiceSettings {
  const speaker = name === undefined ? undefined : speakers.find((one) => one.name === name);
  return {
    voiceId: speaker?.voiceId ?? voiceId,
    language: speaker?.language ?? language,
    speed: speaker?.speed ?? speed,
    pitch: speaker?.pitch ?? pitch,
    engine,
    platform,
  };
}

/** For estimates that err on the high side. */
export const slowestSpeed = ({ speed, speakers = [] }: Pick<SpeechSettings, 'speed' | 'speakers'>): number =>
  Math.min(speed, ...speakers.map((speaker) => speaker.speed ?? speed));

/** Subtitles, each of which is spoken at its time, or a paragraph of a longer text, whose sentences are the passages of that. */
const textFormats = ['subtitles', 'paragraph'] as const;
export type TextFormat = (typeof textFormats)[number];

/** The settings of a speech job. What is optional says what its text is. */
export interface SpeechJobSettings extends SpeechSettings {
  /** The entries of the user's list that apply to the text, as they were then. */
  readonly pronunciations?: readonly Pronunciation[];
  readonly textFormat?: TextFormat;
  /** The name of the result instead of the first words of the text: that of a file, or of a row of a table. */
  readonly title?: string;
  /** Numbers of the takes of passages that the user wants to hear again, by the hash of their key. */
  readonly takes?: Readonly<Record<string, number>>;
}

/** A part of a text that is too long for one message. `part` counts from 0. */
export interface TextPart {
  readonly part: number;
  readonly parts: number;
  readonly text: string;
}

/** How many subtitles a text has, without those that are only notes about sounds: these are not spoken. */
export interface SubtitleCounts {
  readonly n: number;
  readonly notes: number;
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
  /** Paragraphs and lines of speakers; 0 for subtitles. */
  readonly paragraphs: number;
  /** Null for other texts. */
  readonly subtitles: SubtitleCounts | null;
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
  /** Name of the speaker whose line it is of. */
  readonly speaker?: string;
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

/** What becomes a result of its own. */
export const textDivisions = ['whole', 'chapters', 'paragraphs'] as const;
export type TextDivision = (typeof textDivisions)[number];

/** What was opened: a text for the editor, or texts that become a job each. */
export type OpenedTexts =
  | { readonly kind: 'text'; readonly name: string }
  | {
      readonly kind: 'batch';
      /** Of the file; null for several, and for the draft. */
      readonly name: string | null;
      /** 0 for the draft. */
      readonly files: number;
      /** How the texts can be divided, the most likely way first. */
      readonly divisions: readonly TextDivision[];
      /** It is one text, which can be opened in the editor, too. */
      readonly isEditable: boolean;
    };

/** How the opened texts are to be spoken. */
export interface BatchSettings {
  readonly settings: SpeechSettings;
  readonly division: TextDivision;
}

/** A text of a batch. */
export interface BatchRow {
  readonly file: string;
  /** Row in a table, as a spreadsheet counts; null outside of tables. */
  readonly row: number | null;
  readonly title: string;
  /** Its beginning. */
  readonly text: string;
  /** Null for other texts. */
  readonly subtitles: SubtitleCounts | null;
  /** Name of the voice, or as written if there is none. */
  readonly voice: string;
  readonly language: string;
  /** What is still to be spoken of it; 0 of what was spoken before, which costs nothing. */
  readonly characters: number;
  readonly calls: number;
  readonly problem: Problem | null;
}

export interface BatchPage {
  readonly rows: readonly BatchRow[];
  /** The `from` of the next page; null on the last one. */
  readonly next: number | null;
  /** Of the whole batch. */
  readonly texts: number;
  readonly bad: number;
  readonly characters: number;
  readonly calls: number;
}

export interface AddedBatch {
  readonly added: number;
  /** Texts whose results were there already. */
  readonly known: number;
}

/** `draft` is the text that the user wrote last, `opened` the file that they opened last. */
export const keptTexts = ['draft', 'opened'] as const;
export type KeptText = (typeof keptTexts)[number];

/** Of a language tag. */
export const maxLanguageLength = 64;

const language = v.pipe(v.string(), v.maxLength(maxLanguageLength), wellFormed);

export const voiceSettings = v.object({
  voiceId,
  language,
  speed: ratio,
  pitch: ratio,
  engine: v.picklist(speechEngines),
  platform: v.picklist(speechPlatforms),
});

/** So many passages of a text can be spoken again at once; a book has fewer. */
export const mostRetakes = 20_000;

/** More than a play has. */
export const maxSpeakers = 100;

const speaker = v.object({
  name: v.pipe(v.string(), v.check(isSpeakerName, 'must be a name of 1 to 40 characters without a colon')),
  voiceId,
  voiceName: v.pipe(v.string(), v.maxLength(1024)),
  language: v.exactOptional(language),
  speed: v.exactOptional(ratio),
  pitch: v.exactOptional(ratio),
});
const speakers = v.pipe(
  v.array(speaker),
  v.maxLength(maxSpeakers),
  // Some that are stored differ only in characters that are not compared any more.
  v.check(
    (all) => new Set(all.map(({ name }) => name.toLowerCase())).size === all.length,
    'must name each speaker once',
  ),
  v.readonly(),
);

const pauseSeconds = v.pipe(v.number(), v.minValue(0), v.maxValue(maxPauseSeconds));

/** What the user sets. */
export const speechSettings = v.object({
  ...voiceSettings.entries,
  speakers: v.exactOptional(speakers),
  pauses: v.exactOptional(v.object({ sentence: pauseSeconds, paragraph: pauseSeconds })),
});

/** The longest name that a table may give a result. */
export const maxTitleLength = 200;

/** What a job keeps. */
export const speechJobSettings = v.object({
  ...speechSettings.entries,
  pronunciations: v.exactOptional(pronunciations),
  textFormat: v.exactOptional(v.picklist(textFormats)),
  title: v.exactOptional(v.pipe(v.string(), v.maxLength(maxTitleLength), wellFormed)),
  takes: v.exactOptional(v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(1)))),
});
