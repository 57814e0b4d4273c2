import { createHash, randomBytes } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import * as v from 'valibot';
import { AppError } from '../../../shared/app-error.ts';
import { addressOf, segment } from './address.ts';
import type { Connection } from './connection.ts';
import type { Task } from './create-task.ts';
import type { Http } from './http.ts';
import { readJson } from './read-json.ts';
import { authorizationOf, timeoutsOf } from './service-call.ts';

export interface Upload {
  readonly task: Task;
  readonly path: string;
  readonly fileName: string;
  /** Size and time that the file had when it was queued: others mean another sound, and nothing is sent. */
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  onProgress(sentBytes: number): void;
}

export interface Uploaded {
  /** SHA-256 of what was sent, as hex. */
  readonly sha256: string;
}

const chunkBytes = 256 * 1024;
const uploadReply = v.object({ uuid: v.string() });

/** The escapes that browsers use in a part's header (HTML standard, multipart/form-data encoding). */
const escaped = (name: string): string => name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');

async function openSource(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new AppError(missing ? 'input/missing' : 'input/unreadable', `cannot open ${path}`, { cause: error });
  }
}

/**
 * Interface, operation 2. Streams the file, so that memory does not grow with it, and hashes the bytes as they pass. `onProgress`
 * counts bytes handed to the socket, which runs up to one socket buffer ahead of the service.
 */
export async function uploadAudio(
  http: Http,
  connection: Connection,
  { task, path, fileName, sizeBytes, modifiedMs, onProgress }: Upload,
  signal: AbortSignal,
): Promise<Uploaded> {
  const access = await connection.access(signal);
  const file = await openSource(path);
  try {
    const changed = () => new AppError('input/changed', `${path} changed since it was queued`);
    const { size, mtimeMs } = await file.stat();
    if (size !== sizeBytes || mtimeMs !== modifiedMs) throw changed();

    const boundary = `timbre-${randomBytes(18).toString('hex')}`;
    const head = Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="audioFile"; filename="${escaped(fileName)}"\r\n` +
        'content-type: application/octet-stream\r\n\r\n',
    );
    const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
    const hash = createHash('sha256');

    async function* body(): AsyncGenerator<Buffer> {
      yield head;
      let sent = 0;
      while (sent < sizeBytes) {
        // A buffer of its own for each chunk: the socket may still hold the one before.
        const length = Math.min(chunkBytes, sizeBytes - sent);
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, sent);
        if (bytesRead === 0) throw changed();
        const chunk = buffer.subarray(0, bytesRead);
        hash.update(chunk);
        yield chunk;
        sent += bytesRead;
        onProgress(sent);
      }
      yield tail;
    }

    const reply = await http.send({
      method: 'POST',
      address: addressOf(access.hosts.upload, `/api/uploadaudiofile/${segment(task.taskId)}`),
      headers: {
        ...authorizationOf(connection, access),
        'changer-type': task.changerType,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': String(head.length + sizeBytes + tail.length),
      },
      body: Readable.from(body(), { objectMode: false, highWaterMark: chunkBytes }),
      ...timeoutsOf(connection),
      signal,
    });
    const { uuid } = await readJson(reply, uploadReply);
    if (uuid !== task.taskId) {
      throw new AppError('service/not-understood', 'the upload was filed under another task', {
        facts: { field: 'uuid' },
      });
    }
    return { sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}
