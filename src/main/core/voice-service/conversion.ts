import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { AppError } from '../../../shared/errors.ts';
import { isHeaderValue } from '../../../shared/schemas/connection.ts';
import type { ChangerEngine } from '../../../shared/operations.ts';
import { isUnchangedSource, snapshotOf, type SourceSnapshot } from '../files/identity.ts';
import { resultAddress } from './address.ts';
import { authorizationOf, type Connection, isOwnHost, timeoutsOf } from './connection.ts';
import type { Http } from './http.ts';
import { missingStatuses } from './paid-call-outcome.ts';
import { readJson, replyError } from './reply.ts';
import { jsonBody, sendOperation } from './send-operation.ts';
import { audioForm, openForUpload, readAhead } from './upload-body.ts';

export interface Upload {
  readonly task: Task;
  readonly path: string;
  readonly fileName: string;
  /** The file's stamp when it was queued. If the file has changed since, the upload is refused or cut short. */
  readonly source: SourceSnapshot;
  /** Expected SHA-256 as hex, if known. An upload of other bytes is cut short, even if the stamp is the same. */
  readonly sha256?: string;
  onProgress(sentBytes: number): void;
}

export interface Uploaded {
  /** SHA-256 of the bytes sent, as hex. */
  readonly sha256: string;
}

/**
 * Stall timeouts that the reply may take. The system buffers megabytes that have yet to be transferred, so the reply
 * to the last byte arrives much later than it seems.
 */
const replyStallTimeouts = 5;
/** The interface has texts; services in languages without types also send numbers. */
const taskId = v.pipe(v.union([v.string(), v.pipe(v.number(), v.integer())]), v.transform(String), v.minLength(1));
const uploadReply = v.object({ uuid: taskId });

const notUnderstood = (message: string, field: string) =>
  new AppError('service/not-understood', message, { facts: { field } });

/**
 * Interface, operation 2. Streams the file in constant memory and hashes it on the way. `onProgress` counts bytes
 * passed to the socket, up to one socket buffer ahead of the service.
 */
export async function uploadAudio(
  http: Http,
  connection: Connection,
  { task, path, fileName, source, sha256, onProgress }: Upload,
  signal: AbortSignal,
): Promise<Uploaded> {
  const { stallMs } = connection.document.timeouts;
  const file = await openForUpload(path);
  try {
    const changed = () => new AppError('input/changed', `${path} changed since it was queued`);
    const mustBeSame = async () => {
      if (!isUnchangedSource(snapshotOf(await file.stat({ bigint: true })), source)) throw changed();
    };
    await mustBeSame();

    const { sizeBytes } = source;
    const { contentType, head, tail } = audioForm({ fileName });
    const hash = createHash('sha256');
    const sending = { complete: false };

    async function* body(): AsyncGenerator<Buffer> {
      yield head;
      let sent = 0;
      for await (const chunk of readAhead(file, sizeBytes)) {
        hash.update(chunk);
        yield chunk;
        sent += chunk.length;
        onProgress(sent);
      }
      // Changes during the upload may have been sent in part.
      await mustBeSame();
      if (sha256 !== undefined && hash.copy().digest('hex') !== sha256) throw changed();
      sending.complete = true;
      yield tail;
    }

    const reply = await sendOperation(
      http,
      connection,
      'upload',
      {
        parameters: [task.taskId],
        headers: {
          'changer-type': task.changerType,
          'content-type': contentType,
          'content-length': String(head.length + sizeBytes + tail.length),
        },
        body: body(),
        replyTimeoutMs: replyStallTimeouts * stallMs,
        totalTimeoutMs: (replyStallTimeouts + 1) * stallMs,
      },
      signal,
    );
    const { uuid } = await readJson(reply, uploadReply);
    // One service may write a UUID in both cases (RFC 9562, 4).
    if (uuid.toLowerCase() !== task.taskId.toLowerCase())
      throw notUnderstood('the upload was filed under another task', 'uuid');
    if (!sending.complete) throw notUnderstood('the upload was confirmed before it had all been sent', 'audioFile');
    return { sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

export interface Download {
  readonly audioUrl: string;
  /** A longer result is rejected, before its first byte if its length is announced. Default 64 GiB. */
  readonly maxBytes?: number;
  write(chunk: Buffer): Promise<void>;
  onProgress(receivedBytes: number, totalBytes: number | null): void;
}

/** A day of uncompressed stereo. */
const maxResultBytes = 64 * 1024 ** 3;
/** On the connection's own hosts, they are about the token or the account. */
const ownStatuses: ReadonlySet<number> = new Set([401, 402]);

function declaredLength(header: string): number | null {
  return /^\d+$/.test(header) ? Number(header) : null;
}

/**
 * Downloads a result. Its URL may be on another host, which gets no credentials. Throws `service/result-gone` after
 * a 410, `service/unavailable` after one of `missingStatuses`, and `network/cut` unless all announced bytes arrive.
 */
export async function downloadResult(
  http: Http,
  connection: Connection,
  { audioUrl, maxBytes = maxResultBytes, write, onProgress }: Download,
  signal: AbortSignal,
): Promise<void> {
  const access = await connection.access(signal);
  const address = resultAddress(audioUrl, access.hosts.voice);
  const isOwn = isOwnHost(access, address);
  const reply = await http.send({
    method: 'GET',
    address,
    headers: isOwn ? authorizationOf(connection, access, address) : {},
    ...timeoutsOf(connection),
    signal,
  });
  const refuse = (code: 'service/result-gone' | 'service/result-not-audio' | 'service/unavailable') => {
    reply.discard();
    return new AppError(code, `the result answered ${reply.status}`, { facts: { status: reply.status } });
  };
  if (reply.status === 410) throw refuse('service/result-gone');
  if (missingStatuses.has(reply.status) && !(isOwn && ownStatuses.has(reply.status)))
    throw refuse('service/unavailable');
  const failure = replyError(reply, undefined);
  if (failure) {
    reply.discard();
    throw failure;
  }
  // A partial or empty reply to a request for the whole result.
  if (reply.status !== 200) throw refuse('service/unavailable');
  const encoding = reply.header('content-encoding');
  if (encoding !== '' && encoding !== 'identity') throw refuse('service/result-not-audio');
  // Static servers send formats that they do not know as text/plain; the container check decides about those.
  if (/^(text\/(?!plain)|application\/json\b)/.test(reply.header('content-type')))
    throw refuse('service/result-not-audio');

  const total = declaredLength(reply.header('content-length'));
  let received = 0;
  if (total !== null && total > maxBytes) throw refuse('service/result-not-audio');
  onProgress(0, total);
  for await (const chunk of reply.chunks()) {
    received += chunk.length;
    if (received > maxBytes) throw refuse('service/result-not-audio');
    await write(chunk);
    onProgress(received, total);
  }
  if (received === 0 || (total !== null && received !== total)) {
    throw new AppError('service/result-incomplete', `the result ended after ${received} of ${total} bytes`, {
      facts: { actualBytes: received, ...(total !== null && { promisedBytes: total }) },
    });
  }
}

export interface Conversion {
  readonly taskId: string;
  readonly voice: string;
  readonly pitch: number;
  readonly speed: number;
  /** With the leading dot, as the interface requires. */
  readonly outputFormat: string;
  readonly audioName: string;
  readonly platform: string;
  readonly pitchControl: string;
  readonly engine: ChangerEngine;
  readonly autoF0: boolean;
}

export interface Converted {
  readonly audioUrl: string;
  /** In the service's own unit; null if it sent none. */
  readonly processingTime: number | null;
}

const conversionReply = v.object({
  // Nothing beside the address may cost a paid result.
  data: v.object({
    audioUrl: v.pipe(v.string(), v.trim(), v.minLength(1)),
    processingTime: v.fallback(v.nullable(v.number()), null),
  }),
});

/** Interface, operation 3, which is paid. Sent once; the reply may take `convertMs`. */
export async function convertAudio(
  http: Http,
  connection: Connection,
  conversion: Conversion,
  signal: AbortSignal,
): Promise<Converted> {
  const { document } = connection;
  const body = jsonBody(document, 'convert', {
    uuid: conversion.taskId,
    voice: conversion.voice,
    pitch: conversion.pitch,
    speed: conversion.speed,
    outputFormat: conversion.outputFormat,
    audioName: conversion.audioName,
    platform: conversion.platform,
    pitch_control: conversion.pitchControl,
    engine: conversion.engine,
    auto_f0_adjust: conversion.autoF0,
  });
  const request = { body, totalTimeoutMs: document.timeouts.convertMs };
  const reply = await sendOperation(http, connection, 'convert', request, signal);
  const { data } = await readJson(reply, conversionReply, 'fixed-without-result');
  return { audioUrl: data.audioUrl, processingTime: data.processingTime };
}

export interface Task {
  readonly taskId: string;
  /** Goes into the `Changer-Type` header of the upload. */
  readonly changerType: string;
}

const taskReply = v.looseObject({ taskId });

export interface TaskRequest {
  readonly voice: string;
  readonly engine: ChangerEngine;
}

/**
 * Interface, operation 1. It leaves open which field of the reply is the changer type: the connection
 * lists the candidates.
 */
export async function createTask(
  http: Http,
  connection: Connection,
  request: TaskRequest,
  signal: AbortSignal,
): Promise<Task> {
  const body = jsonBody(connection.document, 'create-task', request);
  const reply = await sendOperation(http, connection, 'create-task', { body }, signal);
  const task = await readJson(reply, taskReply);
  const { fields, fallback } = connection.document.changerType;
  const named = fields.map((field) => task[field]).find((value) => typeof value === 'string' && value !== '');
  if (typeof named === 'string' && !isHeaderValue(named)) {
    const field = fields.find((name) => task[name] === named) ?? '';
    throw new AppError('service/not-understood', `${field} cannot be sent in a header`, { facts: { field } });
  }
  return { taskId: task.taskId, changerType: typeof named === 'string' ? named : fallback };
}
