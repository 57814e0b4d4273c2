import * as v from 'valibot';
import type { Problem } from '../errors.ts';

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
type OmittableField = (typeof omittableFields)[number];

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

/** What a header may hold; anything else would never leave, or be cut into two. */
const inHeader = /^[\t\x20-\x7e\x80-\xff]*$/;
export const isHeaderValue = (text: string): boolean => inHeader.test(text);

const longestToken = 65_536;
/** A token that can be sent: printable ASCII, without spaces around it. */
export const isToken = (text: string): boolean =>
  text.length <= longestToken && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A base address: https, or http on this machine only; may carry a path; no user, query or fragment. */
export function isBaseAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
  return safe && !url.username && !url.password && !url.search && !url.hash;
}

const addressRule = 'must be an https address without user, query or fragment; http only on this computer';
const address = v.pipe(v.string(), v.check(isBaseAddress, addressRule));
const base = v.pipe(
  v.string(),
  v.check((text) => text === '' || isBaseAddress(text), addressRule),
);
/** Without its place the token itself would stand in the document, and leave with it. */
const authorization = v.pipe(
  v.string(),
  v.check(
    (text) => text === '' || text.includes('{token}'),
    'must be empty or hold {token}, and never the token itself',
  ),
  v.check(isHeaderValue, 'must be a text that a header can hold'),
);
const milliseconds = v.pipe(v.number(), v.integer(), v.minValue(1));
const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const name = v.pipe(v.string(), v.minLength(1));
const range = v.pipe(
  v.strictObject({ min: v.number(), max: v.number(), default: v.number() }),
  v.check(
    ({ min, max, default: start }) => min > 0 && min <= start && start <= max,
    'must hold 0 < min <= default <= max',
  ),
);
const usualRange = { min: 0.5, max: 2, default: 1 };

/**
 * The holes of the service's interface as a document: everything it calls "not shown" is a field with a default. Holds no secret.
 * Unknown fields are refused, so that a typing error does not pass for a setting.
 */
export const connectionSchema = v.strictObject({
  name: v.pipe(v.string(), v.trim(), v.minLength(1, 'needs a name'), v.maxLength(100)),
  hosts: v.strictObject({
    voice: base,
    upload: base,
    converter: v.optional(base, ''),
    models: v.optional(base, ''),
    sample: v.optional(base, ''),
  }),
  authorization: v.optional(v.string(), 'Bearer {token}'),
  voiceDetailAuthorized: v.optional(v.boolean(), true),
  sampleAuthorized: v.optional(v.boolean(), true),
  changerType: v.optional(
    v.strictObject({
      fields: v.optional(v.array(name), ['changerType', 'changer_type', 'type']),
      fallback: v.optional(v.string(), 'FVC'),
    }),
    {},
  ),
  voiceQuery: v.optional(
    v.strictObject({
      version: v.optional(name, 'version'),
      category: v.optional(name, 'category'),
      gender: v.optional(name, 'gender'),
      language: v.optional(name, 'language'),
    }),
    {},
  ),
  voiceDetailQuery: v.optional(name, 'voiceId'),
  modelPageSizeQuery: v.optional(name, 'limit'),
  voiceField: v.optional(name, 'id'),
  modelVoiceField: v.optional(name, 'modelId'),
  firstVoicePage: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  speechPlacement: v.optional(v.picklist(['body', 'Parameter']), 'body'),
  speechDelivery: v.optional(name, 'auto'),
  platform: v.optional(v.pipe(v.string(), v.maxLength(256)), ''),
  audioName: v.optional(v.pipe(v.string(), v.maxLength(256)), ''),
  omit: v.optional(v.array(v.picklist(omittableFields)), []),
  ranges: v.optional(
    v.strictObject({
      pitch: v.optional(range, usualRange),
      speed: v.optional(range, usualRange),
    }),
    {},
  ),
  limits: v.optional(
    v.strictObject({
      maxUploadBytes: v.optional(v.nullable(count), null),
      maxTextLength: v.optional(v.nullable(count), null),
      maxSeconds: v.optional(v.nullable(count), null),
      maxConcurrent: v.optional(count, 4),
      requestsPerMinute: v.optional(v.nullable(count), null),
    }),
    {},
  ),
  timeouts: v.optional(
    v.strictObject({
      connectMs: v.optional(milliseconds, 10_000),
      stallMs: v.optional(milliseconds, 60_000),
      convertMs: v.optional(milliseconds, 3_600_000),
    }),
    {},
  ),
  unknownOutcome: v.optional(v.picklist(['ask', 'repeat', 'stop']), 'ask'),
}) satisfies v.GenericSchema<unknown, ConnectionDocument>;

const { hosts } = connectionSchema.entries;
const changerType = connectionSchema.entries.changerType.wrapped;

/**
 * What is taken in. A service elsewhere has addresses; those of this computer are found out at each start. What was stored before a rule
 * was made is still read by the schema above: jobs keep the document that they were made with.
 */
const serviceSchema = v.strictObject({
  ...connectionSchema.entries,
  authorization: v.optional(authorization, 'Bearer {token}'),
  hosts: v.strictObject({ ...hosts.entries, voice: address, upload: address }),
  changerType: v.optional(
    v.strictObject({
      ...changerType.entries,
      fallback: v.optional(v.pipe(v.string(), v.check(isHeaderValue, 'must be a text that a header can hold')), 'FVC'),
    }),
    {},
  ),
});

/** A wrong field: its dotted path, and what is wrong with it. */
export interface DocumentFault {
  readonly field: string;
  readonly message: string;
}

/** What is wrong with the document of a service; empty when it is right. */
export function documentFaults(document: unknown): readonly DocumentFault[] {
  const parsed = v.safeParse(serviceSchema, document);
  if (parsed.success) return [];
  return parsed.issues.map((issue) => ({ field: v.getDotPath(issue) ?? 'connection', message: issue.message }));
}

/** A service of which nothing is known yet. */
export const newDocument = (): ConnectionDocument => ({
  ...v.parse(connectionSchema, { name: '-', hosts: { voice: '', upload: '' } }),
  name: '',
});
