import * as v from 'valibot';
import type { ChangerEngine } from '../../../shared/wire/settings.ts';
import { addressOf } from './address.ts';
import type { Connection } from './connection.ts';
import type { Http } from './http.ts';
import { readJson } from './read-json.ts';
import { authorizationOf, timeoutsOf, withoutOmitted } from './service-call.ts';

export interface Conversion {
  readonly taskId: string;
  readonly voice: string;
  readonly pitch: number;
  readonly speed: number;
  /** With its leading dot, as the interface wants it. */
  readonly outputFormat: string;
  readonly audioName: string;
  readonly platform: string;
  readonly pitchControl: string;
  readonly engine: ChangerEngine;
  readonly autoF0: boolean;
}

export interface Converted {
  readonly audioUrl: string;
  /** In whatever unit the service counts; null where it did not say. */
  readonly processingTime: number | null;
}

const conversionReply = v.object({
  status: v.optional(v.literal('success')),
  data: v.object({
    audioUrl: v.pipe(v.string(), v.minLength(1)),
    processingTime: v.optional(v.number()),
  }),
});

/** Interface, operation 3: the paid one. It goes out once, on a connection of its own, and waits as long as converting may take. */
export async function convertAudio(
  http: Http,
  connection: Connection,
  conversion: Conversion,
  signal: AbortSignal,
): Promise<Converted> {
  const access = await connection.access(signal);
  const { convertMs } = connection.document.timeouts;
  const address = addressOf(access.hosts.voice, '/api/changeaudiofile');
  const reply = await http.send({
    method: 'POST',
    address,
    headers: { ...authorizationOf(connection, access, address), 'content-type': 'application/json' },
    body: JSON.stringify(
      withoutOmitted(connection.document, 'convert', {
        uuid: conversion.taskId,
        voice: conversion.voice,
        pitch: conversion.pitch,
        speed: conversion.speed,
        from: 'fv-file-changer',
        outputFormat: conversion.outputFormat,
        audioName: conversion.audioName,
        platform: conversion.platform,
        pitch_control: conversion.pitchControl,
        operation: 'FVC',
        engine: conversion.engine,
        auto_f0_adjust: conversion.autoF0,
      }),
    ),
    ...timeoutsOf(connection),
    replyTimeoutMs: convertMs,
    totalTimeoutMs: convertMs,
    fresh: true,
    signal,
  });
  const { data } = await readJson(reply, conversionReply, true);
  return { audioUrl: data.audioUrl, processingTime: data.processingTime ?? null };
}
