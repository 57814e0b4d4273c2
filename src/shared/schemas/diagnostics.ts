import * as v from 'valibot';
import type { Problem } from '../errors.ts';
import { type ChangerEngine, changerEngines } from './settings.ts';
import { type SpeechEngine, speechEngines, type SpeechPlatform, speechPlatforms } from './speech.ts';

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
type GenderFilter = (typeof genderFilters)[number];

/**
 * A call as the user enters it, with the interface's field names. Fixed fields (`from`, `AppId` and
 * so on) are added by main.
 */
export type ConsoleCall =
  | { readonly operation: 'create'; readonly voice: string; readonly engine: ChangerEngine }
  | {
      readonly operation: 'upload';
      readonly uuid: string;
      readonly 'Changer-Type': string;
      /** Id of a `ChosenFile`. */
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

/** A file that the user selected in the system's dialog. Only main knows its path. */
export interface ChosenFile {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export interface ShownHeader {
  readonly name: string;
  /** Null if it is a secret. */
  readonly value: string | null;
}

/**
 * A body for display. `text` is reformatted JSON, other text, or the headers of an upload's part;
 * empty for audio and for bytes that are not text.
 */
export interface ShownBody {
  readonly kind: 'empty' | 'json' | 'text' | 'part' | 'audio' | 'bytes';
  readonly text: string;
  /** Audio format, in one word. */
  readonly format: string;
  /** Total size received. */
  readonly sizeBytes: number;
  /** True if `text` is only its beginning. */
  readonly isCut: boolean;
}

/** Where a call's token is stored; `engine` is the token of the local engine, which is new at each start. */
export type TokenSource = 'keychain' | 'session' | 'file' | 'engine';

/** What was sent and received in one call, without secrets. */
export interface Exchange {
  readonly operation: Operation;
  /** Null if it was stopped before anything was sent. */
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
    /** False if it was cut off. */
    readonly isWhole: boolean;
  } | null;
  /** From the start of the request to the end of the reply, or to the failure. */
  readonly ms: number;
  readonly tokenSource: TokenSource | null;
  readonly problem: Problem | null;
  /** The user stopped it. The service may have processed it anyway. */
  readonly isStopped: boolean;
  /** Values of a created task for the next operations. */
  readonly task: { readonly taskId: string; readonly changerType: string } | null;
}

/**
 * A finding of a health check, as facts; `messages/finding-text.ts` has the text. A null
 * `connection` is this computer.
 */
export type Finding =
  | { readonly kind: 'answers'; readonly connection: string | null }
  | { readonly kind: 'fails'; readonly connection: string | null; readonly problem: Problem }
  | { readonly kind: 'opens' }
  | { readonly kind: 'not-open'; readonly problem: Problem }
  | { readonly kind: 'keychain' }
  | { readonly kind: 'no-keychain'; readonly why: string }
  | { readonly kind: 'writable' | 'not-writable' | 'told' | 'not-told'; readonly folder: string }
  | { readonly kind: 'free' | 'full'; readonly folder: string; readonly bytes: number }
  | { readonly kind: 'clock' | 'clock-off'; readonly connection: string; readonly seconds: number }
  | { readonly kind: 'no-clock' };

export interface CheckResult {
  readonly ok: boolean;
  readonly finding: Finding;
}

/** One row of the health check. `check` names its subject: `disk`, `clock`, `connection/<name>` and so on. */
export interface CheckLine {
  readonly check: string;
  /** Null while the check runs. */
  readonly result: CheckResult | null;
}

/** All rows of one run, in order. */
export interface CheckRound {
  /** Start time in milliseconds since 1970. */
  readonly at: number;
  /** Timbre's version. */
  readonly version: string;
  /** The system and runtimes, by their own names. */
  readonly system: string;
  readonly lines: readonly CheckLine[];
}

/**
 * The interface's sample (operation 9). `id` is an int64 as a decimal string, because a JavaScript
 * number would round it.
 */
export interface NewPlant {
  readonly id: string;
  readonly name: string;
  readonly tag: string | null;
}

export interface Plant {
  readonly name: string;
  readonly tag: string | null;
}

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

/** True if a decimal text is an int64, whose 19 digits exceed a JavaScript number. */
export const isInt64 = (digits: string): boolean =>
  /^-?\d{1,19}$/.test(digits) && BigInt(digits) >= smallest && BigInt(digits) <= largest;

const line = v.pipe(v.string(), v.maxLength(1024));
const filled = v.pipe(line, v.trim(), v.minLength(1));
const number = v.pipe(v.number(), v.finite());
const whole = v.pipe(v.number(), v.integer());
/** One segment of a URL path. Rejects `.` and `..`, which would be resolved and reach something else. */
const segment = v.pipe(
  line,
  v.check((name) => name !== '' && name !== '.' && name !== '..' && name.isWellFormed()),
);
const engine = v.picklist(changerEngines);

/**
 * The interface's limits, checked before a call that would only be rejected. What each service
 * decides itself is not checked.
 */
export const consoleCall = v.variant('operation', [
  v.object({ operation: v.literal('create'), voice: filled, engine }),
  v.object({ operation: v.literal('upload'), uuid: segment, 'Changer-Type': line, audioFile: filled }),
  v.object({
    operation: v.literal('convert'),
    uuid: filled,
    voice: filled,
    pitch: number,
    speed: number,
    outputFormat: line,
    audioName: line,
    platform: line,
    pitch_control: line,
    engine,
    auto_f0_adjust: v.boolean(),
  }),
  v.object({
    operation: v.literal('speech'),
    speech: v.pipe(
      v.string(),
      v.maxLength(20_000),
      v.check((text) => text.trim() !== ''),
    ),
    voice: filled,
    Speed: number,
    LanguageCode: line,
    Pitch: number,
    engine: v.picklist(speechEngines),
    platform: v.picklist(speechPlatforms),
  }),
  v.object({
    operation: v.literal('voices'),
    category: line,
    gender: v.picklist(genderFilters),
    language: line,
    page: v.pipe(whole, v.minValue(0)),
    limit: v.pipe(whole, v.minValue(1), v.maxValue(100)),
  }),
  v.object({ operation: v.literal('voice'), voice: filled }),
  v.object({ operation: v.literal('models'), page: v.pipe(whole, v.minValue(1)), limit: v.pipe(whole, v.minValue(1)) }),
  v.object({ operation: v.literal('delete'), name: segment }),
  v.object({ operation: v.literal('plant'), id: v.pipe(line, v.check(isInt64)), name: filled, tag: line }),
]);
