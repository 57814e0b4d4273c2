import * as v from 'valibot';
import type { Problem } from '../errors.ts';
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
}

/** The settings of a speech job. What is optional says what its text is. */
export interface SpeechJobSettings extends SpeechSettings {
  /** Subtitles, each of which is spoken at its time. */
  readonly textFormat?: 'subtitles';
  /** The name of the result instead of the first words of the text: that of a file, or of a row of a table. */
  readonly title?: string;
}

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
  /** Characters of the others, as services count them. */
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
  readonly durationSeconds: number | null;
}

export interface PassagePage {
  readonly passages: readonly PassageState[];
  /** The `from` of the next page; null on the last one. */
  readonly next: number | null;
}

/** What was opened: a text for the editor, or texts that become a job each. */
export type OpenedTexts =
  | { readonly kind: 'text'; readonly name: string }
  | {
      readonly kind: 'batch';
      /** Of the file; null for several. */
      readonly name: string | null;
      readonly files: number;
      /** Some can be divided into chapters. */
      readonly hasChapters: boolean;
      /** It is one text, which can be opened in the editor, too. */
      readonly isEditable: boolean;
    };

/** How the opened texts are to be spoken. */
export interface BatchSettings {
  readonly settings: SpeechSettings;
  /** Each chapter of Markdown is a text of its own. */
  readonly hasChapters: boolean;
}

/** A text of a batch. */
export interface BatchRow {
  readonly file: string;
  /** Row in a table, as a spreadsheet counts; null outside of tables. */
  readonly row: number | null;
  readonly title: string;
  /** Its beginning. */
  readonly text: string;
  /** How many subtitles it has; null for other texts. */
  readonly subtitles: number | null;
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

/** A positive, finite ratio; 1 changes nothing. The connection's narrower range is checked elsewhere. */
export const ratio = v.pipe(v.number(), v.finite(), v.gtValue(0, 'must be greater than 0'));

/** A lone surrogate cannot be in a URL or a file name. */
export const wellFormed = v.check((text: string) => text.isWellFormed(), 'must hold whole characters');

export const speechSettings = v.object({
  voiceId: v.pipe(v.string(), v.maxLength(1024), wellFormed),
  language: v.pipe(v.string(), v.maxLength(64), wellFormed),
  speed: ratio,
  pitch: ratio,
  engine: v.picklist(speechEngines),
  platform: v.picklist(speechPlatforms),
});

/** The longest name that a table may give a result. */
export const maxTitleLength = 200;

export const speechJobSettings = v.object({
  ...speechSettings.entries,
  textFormat: v.exactOptional(v.picklist(['subtitles'])),
  title: v.exactOptional(v.pipe(v.string(), v.maxLength(maxTitleLength), wellFormed)),
});
