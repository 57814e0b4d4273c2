import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import type { VoiceDetail, VoicePage } from '../../../shared/schemas/voice.ts';
import { addressOf } from './address.ts';
import { authorizationOf, type Connection, jsonTimeoutsOf } from './connection.ts';
import type { Http } from './http.ts';
import { openText, readEntries, readJson } from './reply.ts';

/** As the schemas of what asks for one have it. */
const longestIdentifier = 1024;

/** An identifier out of a field that the connection names. Throws `service/not-understood` with the field where it holds none. */
export function identifier(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= longestIdentifier && value.isWellFormed())
    return value;
  if (typeof value === 'number') return String(value);
  throw new AppError('service/not-understood', `no identifier in ${field}`, { facts: { field } });
}

export interface VoiceQuery {
  /** Counted from the connection's `firstVoicePage`. */
  readonly page: number;
  /** 1-100. */
  readonly limit: number;
  readonly category?: string;
  readonly gender?: string;
  readonly language?: string;
}

const voicePage = v.object({
  limit: v.fallback(v.pipe(v.number(), v.minValue(1)), 0),
  total: v.fallback(v.pipe(v.number(), v.minValue(0)), -1),
  voices: v.array(v.unknown()),
});
const voiceEntry = v.looseObject({ name: v.string(), language: openText, gender: openText, category: openText });

const maxLimit = 100;

/** The interface's own limits, asked before a call that could only be refused. */
function mustBeInLimits(page: number, limit: number): void {
  const wrong = !Number.isInteger(page) || page < 0 ? 'page' : undefined;
  const field = !Number.isInteger(limit) || limit < 1 || limit > maxLimit ? 'limit' : wrong;
  if (field) throw new AppError('request/invalid', `page ${page}, limit ${limit} of voices`, { facts: { field } });
}

/** Interface, operation 5. Which field of an entry is the voice's identifier is a hole: `voiceField` of the connection. */
export async function listVoices(
  http: Http,
  connection: Connection,
  { page, limit, category = '', gender = '', language = '' }: VoiceQuery,
  signal: AbortSignal,
): Promise<VoicePage> {
  mustBeInLimits(page, limit);
  const { voiceQuery, voiceField, firstVoicePage, omit } = connection.document;
  const access = await connection.access(signal);
  const address = addressOf(access.hosts.converter || access.hosts.voice, '/api/pagevoices', {
    [voiceQuery.version]: omit.includes('voices.version') ? '' : 'v2',
    [voiceQuery.category]: category,
    [voiceQuery.gender]: gender,
    [voiceQuery.language]: language,
    page: page + firstVoicePage,
    limit,
  });
  const reply = await http.send({
    method: 'GET',
    address,
    headers: authorizationOf(connection, access, address),
    ...jsonTimeoutsOf(connection),
    signal,
  });
  const answer = await readJson(reply, voicePage);
  return {
    page,
    limit: answer.limit || limit,
    // One that makes no sense: this page, and another one behind it where it is full.
    total:
      answer.total >= 0 ? answer.total : page * limit + answer.voices.length + (answer.voices.length < limit ? 0 : 1),
    voices: readEntries(answer.voices, 'voices[]', voiceEntry, ({ name, language, gender, category, ...voice }) => ({
      id: identifier({ name, language, gender, category, ...voice }[voiceField], `voices[].${voiceField}`),
      name,
      language,
      gender,
      category,
    })),
  };
}

const detailReply = v.object({
  voiceId: v.string(),
  name: v.string(),
  gender: openText,
  language: openText,
  category: openText,
  description: v.fallback(v.string(), ''),
  additionalDetails: v.fallback(
    v.object({
      pitch: v.fallback(v.optional(v.string()), undefined),
      speed: v.fallback(v.optional(v.string()), undefined),
      supportedFormats: v.fallback(v.array(v.string()), []),
    }),
    { pitch: undefined, speed: undefined, supportedFormats: [] },
  ),
});

/** Interface, operation 6. Whether it takes the token is a hole: `voiceDetailAuthorized`. Throws `voice/missing` for an empty id. */
export async function voiceDetail(
  http: Http,
  connection: Connection,
  voiceId: string,
  signal: AbortSignal,
): Promise<VoiceDetail> {
  if (voiceId === '') throw new AppError('voice/missing', 'no voice was named');
  const { voiceDetailQuery, voiceDetailAuthorized } = connection.document;
  const access = await connection.access(signal);
  const address = addressOf(access.hosts.converter || access.hosts.voice, '/api/getvoicedetail', {
    [voiceDetailQuery]: voiceId,
  });
  const reply = await http.send({
    method: 'GET',
    address,
    headers: voiceDetailAuthorized ? authorizationOf(connection, access, address) : {},
    ...jsonTimeoutsOf(connection),
    signal,
  });
  const { additionalDetails, ...voice } = await readJson(reply, detailReply, true);
  const { pitch, speed, supportedFormats } = additionalDetails;
  return { ...voice, pitch: pitch ?? null, speed: speed ?? null, supportedFormats };
}
