import * as v from 'valibot';
import { AppError } from '../../../shared/app-error.ts';
import type { VoiceDetail } from '../../../shared/wire/voice.ts';
import { addressOf } from './address.ts';
import type { Connection } from './connection.ts';
import type { Http } from './http.ts';
import { readJson } from './read-json.ts';
import { authorizationOf, jsonTimeoutsOf } from './service-call.ts';

const detailReply = v.object({
  voiceId: v.string(),
  name: v.string(),
  gender: v.picklist(['male', 'female']),
  language: v.string(),
  category: v.string(),
  description: v.optional(v.string(), ''),
  additionalDetails: v.optional(
    v.object({
      pitch: v.optional(v.string()),
      speed: v.optional(v.string()),
      supportedFormats: v.optional(v.array(v.string()), []),
    }),
    {},
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
  const { additionalDetails, ...voice } = await readJson(reply, detailReply);
  const { pitch, speed, supportedFormats } = additionalDetails;
  return { ...voice, pitch: pitch ?? null, speed: speed ?? null, supportedFormats };
}
