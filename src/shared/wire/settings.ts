import type { SpeechSettings } from './speech.ts';

export const themes = ['system', 'light', 'dark'] as const;
export const contrasts = ['system', 'more'] as const;
export const languages = ['system', 'en', 'de'] as const;
export const outputFormats = ['same', '.wav', '.mp3', '.flac', '.ogg'] as const;
export const changerEngines = ['v5', 'v7'] as const;
/** What the engine of this computer understands; empty keeps the formants where they are. */
export const localPitchControls = ['', 'shift-formants'] as const;

export type Theme = (typeof themes)[number];
export type Contrast = (typeof contrasts)[number];
export type Language = (typeof languages)[number];
/** `same` is the source's own format where the service writes it, else wav. */
export type OutputFormat = (typeof outputFormats)[number];
export type ChangerEngine = (typeof changerEngines)[number];
export type LocalPitchControl = (typeof localPitchControls)[number];

/** What one conversion asks of the service, in the interface's own fields. `pitch` and `speed` in the connection's range. */
export interface ConversionSettings {
  readonly voiceId: string;
  readonly pitch: number;
  readonly speed: number;
  /** Free text that the service understands; empty leaves it to the service. */
  readonly pitchControl: string;
  readonly autoF0: boolean;
  readonly engine: ChangerEngine;
  readonly format: OutputFormat;
}

/** All that a person chose, kept between starts. */
export interface Settings {
  readonly theme: Theme;
  readonly contrast: Contrast;
  readonly language: Language;
  readonly connectionId: string;
  /** `voiceId` is empty until a voice was chosen. */
  readonly conversion: ConversionSettings;
  /** `voiceId` is empty until a voice was chosen, and `language` where it is the voice's own. */
  readonly speech: SpeechSettings;
  /** Where results go; null puts each beside its original. */
  readonly outputFolder: string | null;
  /** How results are called: a template of `name-template.ts` without faults. */
  readonly nameTemplate: string;
  /** The way to services on other computers: empty as the environment says, `direct` for none, else a proxy's address. */
  readonly proxy: string;
  /** Recordings and texts that the engine of this computer works on at the same time: 1 to 8. */
  readonly localConcurrency: number;
}
