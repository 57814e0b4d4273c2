import type { Problem } from '../problem.ts';

export interface Range {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** Fields that a request can do without, by operation. What names the voice, the task or the text is none of them. */
export const omittableFields = [
  'create-task.from',
  'create-task.operation',
  'create-task.engine',
  'convert.voice',
  'convert.pitch',
  'convert.speed',
  'convert.from',
  'convert.outputFormat',
  'convert.audioName',
  'convert.platform',
  'convert.pitch_control',
  'convert.operation',
  'convert.engine',
  'convert.auto_f0_adjust',
  'speech.AppId',
  'speech.FeatureId',
  'speech.Parameter.Speed',
  'speech.Parameter.LanguageCode',
  'speech.Parameter.Pitch',
  'speech.engine',
  'speech.platform',
  'voices.version',
] as const;
export type OmittableField = (typeof omittableFields)[number];

/** A service as its document describes it: the interface's holes, each a field. Sizes in bytes, text in characters, times in ms. */
export interface ConnectionDocument {
  readonly name: string;
  /** Base addresses; of `converter`, `models` and `sample` an empty one is that of `voice`. */
  readonly hosts: Readonly<Record<'voice' | 'upload' | 'converter' | 'models' | 'sample', string>>;
  /** A header's value with `{token}` where the token goes; empty sends none. */
  readonly authorization: string;
  readonly voiceDetailAuthorized: boolean;
  readonly sampleAuthorized: boolean;
  readonly changerType: { readonly fields: readonly string[]; readonly fallback: string };
  readonly voiceQuery: Readonly<Record<'version' | 'category' | 'gender' | 'language', string>>;
  readonly voiceDetailQuery: string;
  readonly modelPageSizeQuery: string;
  readonly voiceField: string;
  readonly modelVoiceField: string;
  readonly firstVoicePage: number;
  readonly speechPlacement: 'body' | 'Parameter';
  readonly speechDelivery: string;
  /** What goes into `platform` and `audioName` of a conversion that says nothing of its own; an empty name is that of the file. */
  readonly platform: string;
  readonly audioName: string;
  /** Fields of requests that the service refuses, and that are left out. */
  readonly omit: readonly OmittableField[];
  readonly ranges: { readonly pitch: Range; readonly speed: Range };
  readonly limits: {
    readonly maxUploadBytes: number | null;
    readonly maxTextLength: number | null;
    /** Of a recording. */
    readonly maxSeconds: number | null;
    readonly maxConcurrent: number;
    readonly requestsPerMinute: number | null;
  };
  readonly timeouts: Readonly<Record<'connectMs' | 'stallMs' | 'convertMs', number>>;
  readonly unknownOutcome: 'ask' | 'repeat' | 'stop';
}

/** What became of a document: kept, or which of its fields are wrong, as dotted paths. */
export type SavedDocument =
  | { readonly kind: 'kept'; readonly connection: ConnectionInfo }
  | { readonly kind: 'faulty'; readonly fields: readonly string[] };

/** A connection as a page may know it: nothing secret, nothing that only main needs. */
export interface ConnectionInfo {
  readonly id: string;
  readonly name: string;
  /** `local` is the engine on this computer: no account, no cost, no network. */
  readonly kind: 'local' | 'remote';
  readonly pitch: Range;
  readonly speed: Range;
  /** Characters that one piece of speech may have; null where no limit is known. */
  readonly maxTextLength: number | null;
}

/** What one operation of a connection's test came to. */
export interface ConnectionCheck {
  readonly operation: 'voices' | 'voice' | 'models';
  readonly outcome: 'understood' | 'unreached' | 'unauthorised' | 'not-understood' | 'not-asked';
  readonly ms: number;
  readonly problem: Problem | null;
  /** The field of the document that seems to be wrong, in its own words; null where none does. */
  readonly suspect: string | null;
}

/** What is known of a connection's token; never the token itself. */
export interface TokenState {
  /** Null where there is none. */
  readonly place: 'keychain' | 'session' | 'file' | null;
  /** Why the system's keychain cannot be used; null where it can. */
  readonly keychainProblem: string | null;
  /** Origins of the connection that the token was not entered for: it is not sent there. */
  readonly otherOrigins: readonly string[];
  /** The keychain did not answer when a token was cleared or replaced: it holds the old one, which is not used any more. */
  readonly isRemovalPending: boolean;
}
