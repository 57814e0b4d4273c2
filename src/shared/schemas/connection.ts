import * as v from 'valibot';
import { controlCharacters } from '../text/control-characters.ts';
import type { Problem } from '../errors.ts';
import { type InputFormat, inputFormats } from '../input-formats.ts';
import { type OmittableField, omittableFields, type OperationId } from '../operations.ts';

export interface Range {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/**
 * A service as described by its document: a field for everything that the interface leaves open.
 * Sizes in bytes, text in characters, times in ms.
 */
export interface ConnectionDocument {
  readonly name: string;
  /** Base addresses. An empty one of `converter`, `models` or `sample` means that of `voice`. */
  readonly hosts: Readonly<Record<'voice' | 'upload' | 'converter' | 'models' | 'sample', string>>;
  /** A header value with `{token}` as the placeholder; empty sends no header. */
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
  /** Defaults for `platform` and `audioName` of a conversion; an empty name is the file's. */
  readonly platform: string;
  readonly audioName: string;
  /** Request fields that the service rejects and that are omitted. */
  readonly omit: readonly OmittableField[];
  /**
   * Formats of recordings that the service takes; Timbre converts others before it sends them.
   * `decodable`: all that Timbre's own decoders read.
   */
  readonly uploadFormats: 'any' | 'decodable' | readonly InputFormat[];
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

/** The result of saving a document: stored, or the dotted paths of invalid fields. */
export type SavedDocument =
  | { readonly kind: 'saved'; readonly connection: ConnectionInfo }
  | { readonly kind: 'invalid'; readonly fields: readonly string[] };

/** The id of the connection to the engine of this computer. */
export const localConnectionId = 'local';

/** The public part of a connection: no secrets, and nothing that only main needs. */
export interface ConnectionInfo {
  readonly id: string;
  readonly name: string;
  /** `local` is the engine on this computer: no account, no cost, no network. */
  readonly kind: 'local' | 'remote';
  readonly pitch: Range;
  readonly speed: Range;
  /** Maximum number of characters of a text; null if unknown. */
  readonly maxTextLength: number | null;
}

/** The result of one operation of a connection test. */
export interface ConnectionCheck {
  readonly operation: Extract<OperationId, 'voices' | 'voice-detail' | 'models'>;
  readonly outcome: 'understood' | 'unreached' | 'unauthorised' | 'not-understood' | 'not-asked';
  readonly ms: number;
  readonly problem: Problem | null;
  /** The document field that is probably wrong, by its name in the document; null if none is. */
  readonly suspect: string | null;
}

/** The state of a connection's token; never the token itself. */
export interface TokenState {
  /** Null if there is no token. */
  readonly place: 'keychain' | 'session' | 'file' | null;
  /** Why the system's keychain is not usable; null if it is. */
  readonly keychainProblem: string | null;
  /** True if the user may choose to store it in a file, which other programs can read. */
  readonly canBeInFile: boolean;
  /** Origins of the connection for which the token was not entered; it is not sent to them. */
  readonly otherOrigins: readonly string[];
  /**
   * The keychain did not respond when a token was cleared or replaced, so it still has the old one,
   * which is no longer used.
   */
  readonly isRemovalPending: boolean;
}

/** Characters allowed in a header. Others would never be sent, or would split it. */
const inHeader = /^[\t\x20-\x7e\x80-\xff]*$/;
export const isHeaderValue = (text: string): boolean => inHeader.test(text);

const longestToken = 65_536;
/** True for a token that can be sent: printable ASCII without spaces around it. */
export const isToken = (text: string): boolean =>
  text.length <= longestToken && /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * True for a base address: https, or http on this machine only, optionally with a path; no user,
 * query or fragment.
 */
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
/** Without the placeholder the document would contain the token itself, and be exported with it. */
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
 * A service's document: everything that the interface calls "not shown" is a field with a default.
 * Contains no secret. Rejects unknown fields, so that a typing error does not pass for a setting.
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
  uploadFormats: v.optional(
    v.union([v.picklist(['any', 'decodable']), v.pipe(v.array(v.picklist(inputFormats)), v.minLength(1))]),
    'any',
  ),
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
 * The schema for new documents: a remote service must have addresses; those of the local engine are
 * found at each start. Documents stored before a rule existed are still read by `connectionSchema`,
 * because jobs keep theirs.
 */
const serviceSchema = v.strictObject({
  ...connectionSchema.entries,
  name: v.pipe(
    connectionSchema.entries.name,
    v.check((text) => text.search(controlCharacters) < 0, 'must not hold control characters'),
    // `--connection` would take it for a file.
    v.check((text) => !text.endsWith('.json'), 'must not end in .json'),
  ),
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

/** An invalid field: its dotted path and what is wrong with it. */
export interface DocumentFault {
  readonly field: string;
  readonly message: string;
}

/** Returns the faults of a service's document; empty if it is valid. */
export function documentFaults(document: unknown): readonly DocumentFault[] {
  const parsed = v.safeParse(serviceSchema, document);
  if (parsed.success) return [];
  return parsed.issues.map((issue) => ({ field: v.getDotPath(issue) ?? 'connection', message: issue.message }));
}

/** Creates a document with all defaults. */
export const newDocument = (): ConnectionDocument => ({
  ...v.parse(connectionSchema, { name: '-', hosts: { voice: '', upload: '' } }),
  name: '',
});
