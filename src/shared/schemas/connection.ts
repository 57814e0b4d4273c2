import * as v from 'valibot';
import { isHeaderValue } from '../header-value.ts';
import { omittableFields, type ConnectionDocument } from '../wire/connection.ts';

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
export const newDocument: ConnectionDocument = {
  ...v.parse(connectionSchema, { name: '-', hosts: { voice: '', upload: '' } }),
  name: '',
};
