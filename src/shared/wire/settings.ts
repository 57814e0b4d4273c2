import type { SpeechSettings } from './speech.ts';

export const themes = ['system', 'light', 'dark'] as const;
export const contrasts = ['system', 'more'] as const;
export const languages = ['system', 'en', 'de'] as const;
/** The formats that every connection is offered; a voice may list others. */
export const outputFormats = ['same', '.wav', '.mp3', '.flac', '.ogg'] as const;
export const changerEngines = ['v5', 'v7'] as const;
/** What the engine of this computer understands; empty keeps the formants where they are. */
export const localPitchControls = ['', 'shift-formants'] as const;

export type Theme = (typeof themes)[number];
export type Contrast = (typeof contrasts)[number];
export type Language = (typeof languages)[number];
/** `same` is the source's own format where the service writes it, else wav; another one begins with its dot. */
export type OutputFormat = 'same' | `.${string}`;

/** Endings under which a system runs a file, or lets it run something. */
const programs = new Set(
  (
    'app apk appimage bash bat cmd com command cpl csh deb desktop dll dmg docm exe fish hta htm html inf iso jar js jse jsp ' +
    'ksh lnk msc msi mjs php pif pkg pl ps1 py pyw rb reg rpm run scpt scr sh so svg swf sys url vb vbe vbs webloc workflow ' +
    'ws wsf wsh xhtml xlsm xml zsh'
  ).split(' '),
);

/** Whether a service's word for a format can be asked for, and be the ending of a result. */
export function isFormatName(name: string): boolean {
  return /^[a-z0-9]{1,16}$/i.test(name) && !programs.has(name.toLowerCase());
}
export const isOutputFormat = (format: string): format is OutputFormat =>
  format === 'same' || (format.startsWith('.') && isFormatName(format.slice(1)));

/** What can be asked for: ours, what the voice lists beside them, and what was chosen before. */
export function offeredFormats(supported: readonly string[], chosen: OutputFormat): readonly OutputFormat[] {
  const further = supported.filter(isFormatName).map((name): OutputFormat => `.${name}`);
  return [...new Set<OutputFormat>([...outputFormats, ...further, chosen])];
}
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
  /** `platform` and `audioName` of the interface; left out or empty where they are the connection's own, and for a name the file's. */
  readonly platformInfo?: string;
  readonly audioName?: string;
}

/** All that a person chose, kept between starts. */
/** How large the page is shown. */
export const zoomPercents = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300] as const;
export type ZoomPercent = (typeof zoomPercents)[number];

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
  readonly zoomPercent: ZoomPercent;
  /** Letters alone are shortcuts. Whoever speaks to the computer, or hits keys by accident, wants them off. */
  readonly hasLetterKeys: boolean;
}
