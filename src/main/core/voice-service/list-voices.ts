import * as v from 'valibot';
import { AppError } from '../../../shared/app-error.ts';
import type { VoicePage } from '../../../shared/wire/voice.ts';
import { addressOf } from './address.ts';
import type { Connection } from './connection.ts';
import type { Http } from './http.ts';
import { identifier } from './identifier.ts';
import { openText, readEntries, readJson } from './read-json.ts';
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
