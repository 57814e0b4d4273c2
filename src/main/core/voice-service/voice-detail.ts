import * as v from 'valibot';
import { AppError } from '../../../shared/app-error.ts';
import type { VoiceDetail } from '../../../shared/wire/voice.ts';
import { addressOf } from './address.ts';
import type { Connection } from './connection.ts';
import type { Http } from './http.ts';
import { openText, readJson } from './read-json.ts';
import { authorizationOf, jsonTimeoutsOf } from './service-call.ts';

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
