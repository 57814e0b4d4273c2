import * as v from 'valibot';
import { AppError } from '../../../shared/app-error.ts';
import type { VoicePage } from '../../../shared/wire/voice.ts';
import { addressOf } from './address.ts';
import type { Connection } from './connection.ts';
import type { Http } from './http.ts';
import { identifier } from './identifier.ts';
import { readJson } from './read-json.ts';
import { authorizationOf, jsonTimeoutsOf } from './service-call.ts';

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
  page: v.number(),
  limit: v.number(),
  total: v.number(),
  voices: v.array(
    v.looseObject({
      name: v.string(),
      language: v.string(),
      gender: v.picklist(['male', 'female']),
      category: v.string(),
    }),
  ),
});

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
  const { voiceQuery, voiceField, firstVoicePage } = connection.document;
  const access = await connection.access(signal);
  const address = addressOf(access.hosts.converter || access.hosts.voice, '/api/pagevoices', {
    [voiceQuery.version]: 'v2',
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
    limit: answer.limit,
    total: answer.total,
    voices: answer.voices.map((voice) => ({
      id: identifier(voice[voiceField], `voices[].${voiceField}`),
      name: voice.name,
      language: voice.language,
      gender: voice.gender,
      category: voice.category,
    })),
  };
}
