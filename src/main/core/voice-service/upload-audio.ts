import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { AppError } from '../../../shared/app-error.ts';
import { addressOf, segment } from './address.ts';
import { audioForm } from './audio-form.ts';
import type { Connection } from './connection.ts';
import type { Task } from './create-task.ts';
import type { Http } from './http.ts';
import { openSource } from './open-source.ts';
import { readAhead } from './read-ahead.ts';
import { readJson } from './read-json.ts';
import { authorizationOf, timeoutsOf } from './service-call.ts';
import { sameSnapshot, snapshotOf, type SourceSnapshot } from './source-snapshot.ts';

export interface Upload {
  readonly task: Task;
  readonly path: string;
  readonly fileName: string;
  /** What the file was when it was queued. Another one means another sound: it is not sent, or not to its end. */
  readonly source: SourceSnapshot;
  /** What its bytes must be, as hex, where that is known. Bytes that were changed behind the snapshot's back are not sent to their end. */
  readonly sha256?: string;
  onProgress(sentBytes: number): void;
}

export interface Uploaded {
  /** SHA-256 of what was sent, as hex. */
  readonly sha256: string;
}

/**
 * Stall timeouts that the reply may take. The system takes megabytes from us before the line has carried them, so the reply to the
 * last byte comes much later than it seems.
 */
const replyPatience = 5;
const uploadReply = v.object({ uuid: v.string() });

const notUnderstood = (message: string, field: string) =>
  new AppError('service/not-understood', message, { facts: { field } });

/**
 * Interface, operation 2. Streams the file, so that memory does not grow with it, and hashes the bytes as they pass. `onProgress`
 * counts bytes handed to the socket, which runs up to one socket buffer ahead of the service.
 */
export async function uploadAudio(
  http: Http,
  connection: Connection,
  { task, path, fileName, source, sha256, onProgress }: Upload,
  signal: AbortSignal,
): Promise<Uploaded> {
  const access = await connection.access(signal);
  const { stallMs } = connection.document.timeouts;
  const file = await openSource(path);
  try {
    const changed = () => new AppError('input/changed', `${path} changed since it was queued`);
    const mustBeSame = async () => {
      if (!sameSnapshot(snapshotOf(await file.stat({ bigint: true })), source)) throw changed();
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
      // What was written into it meanwhile may have been sent in part.
      await mustBeSame();
      if (sha256 !== undefined && hash.copy().digest('hex') !== sha256) throw changed();
      sending.complete = true;
      yield tail;
    }

    const address = addressOf(access.hosts.upload, `/api/uploadaudiofile/${segment(task.taskId)}`);
    const reply = await http.send({
      method: 'POST',
      address,
      headers: {
        ...authorizationOf(connection, access, address),
        'changer-type': task.changerType,
        'content-type': contentType,
        'content-length': String(head.length + sizeBytes + tail.length),
      },
      body: body(),
      ...timeoutsOf(connection),
      replyTimeoutMs: replyPatience * stallMs,
      totalTimeoutMs: (replyPatience + 1) * stallMs,
      signal,
    });
    const { uuid } = await readJson(reply, uploadReply);
    if (uuid !== task.taskId) throw notUnderstood('the upload was filed under another task', 'uuid');
    if (!sending.complete) throw notUnderstood('the upload was confirmed before it had all been sent', 'audioFile');
    return { sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}
