import type { Problem } from '../problem.ts';
import type { ChangerEngine } from './settings.ts';
import type { SpeechEngine, SpeechPlatform } from './speech.ts';

/** The nine operations, in the interface's order. */
export const operations = [
  'create',
  'upload',
  'convert',
  'speech',
  'voices',
  'voice',
  'models',
  'delete',
  'plant',
] as const;

export type Operation = (typeof operations)[number];

export const genderFilters = ['', 'all', 'male', 'female'] as const;
export type GenderFilter = (typeof genderFilters)[number];

/** One call as a person fills it in, by the interface's own names of fields. Fixed fields (`from`, `AppId` and so on) are not asked for. */
export type ConsoleCall =
  | { readonly operation: 'create'; readonly voice: string; readonly engine: ChangerEngine }
  | {
      readonly operation: 'upload';
      readonly uuid: string;
      readonly 'Changer-Type': string;
      /** The id of a `ChosenFile`. */
      readonly audioFile: string;
    }
  | {
      readonly operation: 'convert';
      readonly uuid: string;
      readonly voice: string;
      readonly pitch: number;
      readonly speed: number;
      readonly outputFormat: string;
      readonly audioName: string;
      readonly platform: string;
      readonly pitch_control: string;
      readonly engine: ChangerEngine;
      readonly auto_f0_adjust: boolean;
    }
  | {
      readonly operation: 'speech';
      readonly speech: string;
      readonly voice: string;
      readonly Speed: number;
      readonly LanguageCode: string;
      readonly Pitch: number;
      readonly engine: SpeechEngine;
      readonly platform: SpeechPlatform;
    }
  | {
      readonly operation: 'voices';
      readonly category: string;
      readonly gender: GenderFilter;
      readonly language: string;
      readonly page: number;
      readonly limit: number;
    }
  | { readonly operation: 'voice'; readonly voice: string }
  | { readonly operation: 'models'; readonly page: number; readonly limit: number }
  | { readonly operation: 'delete'; readonly name: string }
  | {
      readonly operation: 'plant';
      /** int64 as a decimal string. */
      readonly id: string;
      readonly name: string;
      readonly tag: string;
    };

export type CallOf<O extends Operation> = Extract<ConsoleCall, { readonly operation: O }>;

/** A file that a person chose in the system's dialog; where it is, main knows. */
export interface ChosenFile {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export interface ShownHeader {
  readonly name: string;
  /** Null where it is a secret. */
  readonly value: string | null;
}

/**
 * A body as it can be shown. `text` is JSON with its spaces set anew, other text, or the head of an upload's part; empty for sound and
 * for bytes that are no text.
 */
export interface ShownBody {
  readonly kind: 'empty' | 'json' | 'text' | 'part' | 'audio' | 'bytes';
  readonly text: string;
  /** What kind of sound it is, in one word. */
  readonly format: string;
  /** The whole of it, as far as it came. */
  readonly sizeBytes: number;
  /** `text` is only its beginning. */
  readonly isCut: boolean;
}

/** Where the token of a call was kept; `engine` is that of this computer, which is made anew at each start. */
export type TokenSource = 'keychain' | 'session' | 'file' | 'engine';

/** What really went over the wire in one call, without its secrets. */
export interface Exchange {
  readonly operation: Operation;
  /** Null where it was stopped before anything was sent. */
  readonly request: {
    readonly method: string;
    readonly address: string;
    readonly headers: readonly ShownHeader[];
    readonly body: ShownBody;
  } | null;
  readonly reply: {
    readonly status: number;
    readonly headers: readonly ShownHeader[];
    readonly body: ShownBody;
    /** False where it ended before its end. */
    readonly isWhole: boolean;
  } | null;
  /** From the beginning of the request to the end of the reply, or to where it failed. */
  readonly ms: number;
  readonly tokenSource: TokenSource | null;
  readonly problem: Problem | null;
  /** A person stopped it. The service may have done it all the same. */
  readonly isStopped: boolean;
  /** What a created task gives to the next operations. */
  readonly task: { readonly taskId: string; readonly changerType: string } | null;
}
