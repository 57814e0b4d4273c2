import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import type { VoiceDetail, VoicePage } from '../../../shared/schemas/voice.ts';
import { operations } from '../../../shared/operations.ts';
import type { Connection } from './connection.ts';
import type { Http } from './http.ts';
import { openText, readValidItems, readJson } from './reply.ts';
import { isOmitted, sendOperation } from './send-operation.ts';

/** As in the schemas of requests. */
const longestIdentifier = 1024;

/**
 * Reads an identifier from a field that the connection names. Throws `service/not-understood` with
 * the field if it has none.
 */
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

/** Checks the interface's own limits before a call that would only be rejected. */
function assertInLimits({ page, limit }: VoiceQuery): void {
  const { request } = operations.voices;
  const wrongPage = !Number.isInteger(page) || page < request.page.min ? 'page' : undefined;
  const isLimit = Number.isInteger(limit) && limit >= request.limit.min && limit <= request.limit.max;
  const field = isLimit ? wrongPage : 'limit';
  if (field) throw new AppError('request/invalid', `page ${page}, limit ${limit} of voices`, { facts: { field } });
}

/**
 * Interface, operation 5. The interface leaves open which field of an entry is the voice's
 * identifier: `voiceField` of the connection.
 */
export async function listVoices(
  http: Http,
  connection: Connection,
  voices: VoiceQuery,
  signal: AbortSignal,
): Promise<VoicePage> {
  assertInLimits(voices);
  const { page, limit, category = '', gender = '', language = '' } = voices;
  const { voiceQuery, voiceField, firstVoicePage } = connection.document;
  const query = {
    [voiceQuery.version]: isOmitted(connection.document, 'voices', 'version')
      ? ''
      : operations.voices.request.version.value,
    [voiceQuery.category]: category,
    [voiceQuery.gender]: gender,
    [voiceQuery.language]: language,
    page: page + firstVoicePage,
    limit,
  };
  const reply = await sendOperation(http, connection, 'voices', { query }, signal);
  const answer = await readJson(reply, voicePage);
  return {
    page,
    limit: answer.limit || limit,
    // Without a usable total: this page, and another one if it is full.
    total:
      answer.total >= 0 ? answer.total : page * limit + answer.voices.length + (answer.voices.length < limit ? 0 : 1),
    voices: readValidItems(answer.voices, 'voices[]', voiceEntry, ({ name, language, gender, category, ...voice }) => ({
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

/**
 * Interface, operation 6. It leaves open whether the token is sent: `voiceDetailAuthorized`. Throws
 * `voice/missing` for an empty id.
 */
export async function voiceDetail(
  http: Http,
  connection: Connection,
  voiceId: string,
  signal: AbortSignal,
): Promise<VoiceDetail> {
  if (voiceId === '') throw new AppError('voice/missing', 'no voice was named');
  const query = { [connection.document.voiceDetailQuery]: voiceId };
  const reply = await sendOperation(http, connection, 'voice-detail', { query }, signal);
  const { additionalDetails, ...voice } = await readJson(reply, detailReply, 'fixed');
  const { pitch, speed, supportedFormats } = additionalDetails;
  return { ...voice, pitch: pitch ?? null, speed: speed ?? null, supportedFormats };
}
